"""One small server: play, solve, strategies, review and training, a room of this folder for each page.

`holdem serve` starts it. Rooms are thin: they call what the command line calls.
"""
