"""The regrets and strategy sums of a game as one array, how nodes find their rows, and averages of tables.

Trainers write it, runs save it, merging averages it.
"""
