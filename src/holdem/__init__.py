"""holdem: train, inspect and play against a no-limit Texas hold'em AI.

Layers, each importing only from the ones before it (docs/architecture.md has the plan of the house):
util, types, errors → cards → game → abstraction → policy → mccfr → blueprint → evaluation → realtime → table → web, cli
"""

__version__ = "0.1.0"
