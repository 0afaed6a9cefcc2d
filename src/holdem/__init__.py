"""holdem: train, inspect and play against a no-limit Texas hold'em AI.

Layers, each importing only from the ones before it:
util, types, errors → cards → game → abstraction → cli.
"""

__version__ = "0.1.0"
