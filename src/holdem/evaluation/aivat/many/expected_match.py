"""Matches of blueprints of one tree, three to six of them, with the luck of draws and boards taken out, compiled.

Strategies are known in full, so a deal is not played: its result is the mean over all lines of play, each as likely as
the strategies make it. The same deals are also played as always, with drawn actions, so that the figures as dealt stand
beside it. Deals are duplicate, which takes out most of the luck of the holes.
"""

from collections.abc import Sequence

import numpy as np

from holdem.evaluation.aivat.many.deal_values import room_for_lines
from holdem.evaluation.kernels import expected as kernels
from holdem.evaluation.match.blueprint_match import DEALS_PER_CALL, SEED_BITS, BlueprintMatch
from holdem.game.agent import Agent
from holdem.types import GameConfig
from holdem.util.arrays import Float64
from holdem.util.rng import derived_seed

LIKELY = 1e-4
"""Lines that are less likely go on with one action drawn."""


class ExpectedMatch(BlueprintMatch):
    """Plays deals by number: `play_corrected(start, stop)` has the chips of each agent, then those without luck."""

    def __init__(self, config: GameConfig, agents: Sequence[Agent], seed: int) -> None:
        super().__init__(config, agents, seed)
        self.line_seed = derived_seed(seed, "match lines") >> (64 - SEED_BITS)
        self._board_cards = np.array(config.board_cards, dtype=np.int64)
        self._room = room_for_lines(self.policy)

    def play_corrected(self, start: int, stop: int) -> Float64:
        """(deals, 2 * agents) of deals [start, stop)."""
        corrected = np.zeros((stop - start, self.seats))
        for first in range(start, stop, DEALS_PER_CALL):
            last = min(first + DEALS_PER_CALL, stop)
            self._expect(first, corrected[first - start : last - start])
        return np.hstack([self.play(start, stop), corrected])

    def _expect(self, first: int, out: Float64) -> None:
        rows, _ = self.dealt(first, len(out))
        holes = np.empty((len(out), self.seats, 2), dtype=np.uint8)
        boards = np.empty((len(out), 5), dtype=np.uint8)
        kernels.deal_cards(self.deal_seed, first, np.zeros(2, dtype=np.uint64), holes, boards)
        kernels.expect_deals(
            self.tree,
            self.tables,
            self.offsets,
            self.rows_of,
            rows,
            holes,
            boards,
            self._board_cards,
            LIKELY,
            self.line_seed,
            first,
            self._room,
            out,
        )
