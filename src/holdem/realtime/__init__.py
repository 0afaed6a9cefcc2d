"""Solving at the table: subgames with real ranges, and agents that search before they act."""

from holdem.realtime.solve import solve_subgame
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import Spot

__all__ = ["Spot", "SubgameSolver", "solve_subgame"]
