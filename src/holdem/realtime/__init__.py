"""Solving at the table: subgames with real ranges, and agents that search before they act."""
