"""One HTML page about a run: training curves, ranges, results, litmus checks.

`holdem report` writes it; the training page of the server reads `training`.
"""
