"""Checks in poker terms: does a strategy do what every player would call obvious?

`holdem litmus`, `eval` and `report` run them; `checks/` has one file for each kind.
"""
