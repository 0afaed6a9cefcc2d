"""Bet sizes become a betting tree of flat arrays: sizes, lines, payoffs and the rows of a table.

Training, playing and solving build their trees here; nothing in this room knows about cards.
"""
