"""The command line: each verb parses, calls, prints. `holdem VERB` is also `python -m holdem.cli.<module>`."""
