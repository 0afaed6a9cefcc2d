"""How good a strategy is: matches, best responses, AIVAT, litmus checks and reports.

The command line measures with it; search and tables take opponents from `baselines`.
"""
