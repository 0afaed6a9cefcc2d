"""A best response with exact cards on boards that are drawn, too high by what it overfits to them.

`holdem best-response` computes it.
"""
