"""Solving at the table: subgames with real ranges, and agents that search before they act."""

from holdem.realtime.solve import solve_subgame
from holdem.realtime.spot import Spot
from holdem.realtime.subgame_solver import SubgameSolver

__all__ = ["Spot", "SubgameSolver", "solve_subgame"]
