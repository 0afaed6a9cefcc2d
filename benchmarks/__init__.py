"""Measurements of speed against an oracle or a baseline, as ratios from one run: `make bench`."""
