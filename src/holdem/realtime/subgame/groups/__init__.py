"""Streets below exact hands whose hands are in groups: the rivers of a turn, or the turns of a flop.

`street.py` is what the solver opens; `docs/solver.md` says what groups cost and what they are worth.
"""
