"""The subgame solver: a spot with two ranges, its tree and boards, discounted CFR, and the solution to ask.

`solve_subgame` is its front; search builds solvers of its own. It knows nothing of blueprints.
"""
