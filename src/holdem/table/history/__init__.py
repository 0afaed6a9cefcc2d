"""Hands as one seat saw them: observing, keeping as PHH files, telling them in words.

Sessions write histories; replay, review and pages read them.
"""
