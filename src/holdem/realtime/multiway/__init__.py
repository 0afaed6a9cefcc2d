"""Streets with three to six players, solved by sampling.

`search` asks for them through `MultiwaySearch`.
"""
