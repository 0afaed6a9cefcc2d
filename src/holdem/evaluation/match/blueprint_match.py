"""Blueprints against each other in their own betting tree, in compiled code: the same game as under the rules engine.

Cards come from the trainer's dealers, actions are drawn down the tree, and payoffs are those of its terminals, which
tests compare with the rules engine. Odd chips of a split pot are split exactly here.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from holdem.blueprint.agent import BlueprintAgent
from holdem.evaluation.kernels import match as kernels
from holdem.game.agent import Agent
from holdem.mccfr.dealers import Dealer
from holdem.mccfr.training_game import TrainingGame, needs_buckets
from holdem.policy.fingerprint import fingerprint
from holdem.policy.policy import AveragePolicy
from holdem.types import GameConfig
from holdem.util.arrays import Float64, Int64
from holdem.util.rng import derived_seed

DEALS_PER_CALL = 4_096
SEED_BITS = 63


class BlueprintMatch:
    """Plays deals by number: `play(start, stop)` are the chips of each agent over all rotations of each deal."""

    def __init__(self, config: GameConfig, agents: Sequence[Agent], seed: int) -> None:
        blueprints = [agent for agent in agents if isinstance(agent, BlueprintAgent)]
        assert len(blueprints) == len(agents) == config.num_players
        self.seats = config.num_players
        self.deal_seed = derived_seed(seed, "match deals") >> (64 - SEED_BITS)
        self.draw_seed = derived_seed(seed, "match draws") >> (64 - SEED_BITS)
        self.policy = blueprints[0].policy
        self.tree = walked_tree(self.policy)
        padded = [*blueprints, *blueprints[:1] * (kernels.MAX_SEATS - self.seats)]
        self.tables = tuple(readable(agent.policy.table) for agent in padded)
        self.offsets = tuple(agent.policy.layout.offset for agent in padded)
        self._slots = config.num_streets * self.seats
        self._dealers, self.rows_of = _dealers_of(config, blueprints)

    @staticmethod
    def fits(config: GameConfig, agents: Sequence[Agent]) -> bool:
        """Whether all are blueprints of this very game, with the tables of their buckets at hand."""
        wanted = fingerprint(config, (), None)
        for agent in agents:
            if type(agent) is not BlueprintAgent or fingerprint(agent.policy.config, (), None) != wanted:
                return False
            bucketing = agent.buckets.bucketing
            if needs_buckets(config) and (bucketing is None or not bucketing.tables):
                return False
        return True

    def play(self, start: int, stop: int) -> Float64:
        """(deals, agents) chips of deals [start, stop)."""
        chips = np.zeros((stop - start, self.seats))
        for first in range(start, stop, DEALS_PER_CALL):
            last = min(first + DEALS_PER_CALL, stop)
            self._play(first, chips[first - start : last - start])
        return chips

    def _play(self, first: int, out: Float64) -> None:
        rows, strengths = self.dealt(first, len(out))
        kernels.play_deals(
            self.tree,
            self.tables,
            self.offsets,
            rows,
            self.rows_of,
            strengths,
            self.draw_seed,
            first,
            out,
        )

    def dealt(self, first: int, count: int) -> tuple[Int64, Int64]:
        """(dealers, deals, slots) rows and (deals, players) strengths of deals from `first` on."""
        rows = np.empty((len(self._dealers), count, self._slots), dtype=np.int64)
        strengths = np.empty((count, self.seats), dtype=np.int64)
        for dealer, part in zip(self._dealers, rows, strict=True):
            dealer.deal(self.deal_seed, first, part, strengths)  # the same cards each time, other buckets
        return rows, strengths


def walked_tree(policy: AveragePolicy) -> kernels.WalkedTree:
    """The arrays of a policy's tree that walks read."""
    tree = policy.tree
    return kernels.WalkedTree(
        tree.player,
        tree.street,
        tree.num_actions,
        policy.num_passive,
        tree.first_child,
        tree.folded,
        tree.chips_in,
    )


def readable(table: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    """A plain read-only view, whatever it was: the kernel is compiled once."""
    view = np.ascontiguousarray(np.asarray(table)).view()
    view.setflags(write=False)
    return view


def _dealers_of(config: GameConfig, agents: Sequence[BlueprintAgent]) -> tuple[list[Dealer], npt.NDArray[np.int64]]:
    """A dealer for each card abstraction, and the number of the one that each agent needs."""
    dealers: dict[str, Dealer] = {}
    names = []
    for agent in agents:
        bucketing = agent.buckets.bucketing if needs_buckets(config) else None
        names.append("lossless" if bucketing is None else bucketing.content_hash)
        if names[-1] not in dealers:
            dealers[names[-1]] = TrainingGame.from_config(config, bucketing).dealer
    return list(dealers.values()), np.array([list(dealers).index(name) for name in names], dtype=np.int64)
