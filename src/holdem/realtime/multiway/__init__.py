"""Streets with three to six players: a river of three exactly, all else by sampling.

`search` asks for them through `MultiwaySearch`.
"""
