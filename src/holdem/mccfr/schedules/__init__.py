"""What changes with the iteration number, each a pure function of it."""
