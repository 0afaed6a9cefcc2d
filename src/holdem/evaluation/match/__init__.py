"""Matches between agents: duplicate deals, many processes, win rates with intervals.

`holdem match` and `eval` play them; `blueprint_match` plays two blueprints inside compiled code.
"""
