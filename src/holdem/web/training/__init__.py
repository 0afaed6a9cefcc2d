"""What the training page shows of runs: how far they are, and their curves."""
