"""Local best response (Lisý & Bowling 2017): an opponent who knows the strategy and looks one bet ahead.

`holdem lbr` and `eval` play it.
"""
