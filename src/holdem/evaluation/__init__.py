"""How good a strategy is: exact best responses where the game is small enough."""
