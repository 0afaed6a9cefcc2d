"""Measures a trained run as a model: what it wins, what it loses at least, and whether it makes sense.

    python -m benchmarks.models measure runs/blueprint --out results.json

The file is the `results` of a model, plain JSON; every list is there as far as it was measured:

    {
      "baselines": [{"opponent": "random", "bb_per_100": 192.7, "interval": 25.0, "hands": 30000}, …],
      "baselines_search": [the same, of the bot as it plays],
      "reverse": [the same, of the opponent: it has one seat, the run all others],
      "litmus": {"passed": 17, "checks": 17, "failed": ["names of checks", …]},
      "lbr": [{"setting": "fc,fc,fc,fc", "search": false, "mbb_per_hand": 522, "interval": 50, "hands": 10000}, …],
      "matches": [{"opponent": "make train", "bb_per_100": 8.0, "interval": 1.8, "hands": 1000000, "note": "…"}, …],
      "measured": {"date": "2026-11-16", "machine": "…", "policy": "sha256 of …", "commands": ["…"]}
    }

`interval` is half of the 95 % interval. In `baselines` the run has one seat and the opponent all others; heads-up
`reverse` would be the same match, so it is left out. Checks that neither passed nor failed are about rows that training
never visited. `setting` is what local best response may do on each street, as `holdem lbr --actions` takes it;
`mbb_per_hand` is what it wins, so less is better for the run. `note` says how a match was played, where that is not
plain; baselines with search have one too.
"""
