"""Opponents that are unlike our own blueprint, to measure an agent against; `bench_strangers` plays them.

`other_blueprint` has another betting tree and other buckets; `equity_player` and `over_better` are plain rules on
sampled equities, and share no table of strategies, values or hands with what they measure: phevaluator compares their
hands. All tell their whole strategy, so AIVAT takes the luck of both players out. `opening` knows them by name, and
`paired` plays two agents against them with the same deals.
"""
