"""`holdem compare`: which instance of a run is best, by measured quality.

Where exploitability can be computed exactly (toy games, jam or fold) it ranks. Elsewhere the instances play each other:
every pair plays the same deals from every position under the real rules, and the ranking is by chips won a hand, with
95 % confidence intervals over the deals. The slope of the regret norm between the last two checkpoints and the entropy
of the policies are shown beside it, and rank where no match was played.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from holdem.abstraction.betting.tree import BettingTree, build_tree
from holdem.abstraction.bucketing import HandBucketing
from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.buckets import PolicyBuckets, prepare_tables
from holdem.blueprint.source import policy_of_table, run_of
from holdem.blueprint.tree_values import TreeValues
from holdem.errors import ConfigError
from holdem.evaluation.match.win_rates import half_interval
from holdem.evaluation.response.exact import BestResponse
from holdem.evaluation.response.jam_or_fold import JamOrFold
from holdem.game.game import Game
from holdem.game.play import play_duplicate
from holdem.game.toy_games import toy_game
from holdem.mccfr.instances.merge import Part, check_parts, find_parts, load_table, schedule_of
from holdem.mccfr.run.directory import checkpoints_in
from holdem.mccfr.run.telemetry import TableFigures, figures_of
from holdem.mccfr.training_game import unit_for
from holdem.policy.policy import AveragePolicy
from holdem.types import GameConfig
from holdem.util.arrays import AnyArray, Float64
from holdem.util.rng import derived_seed


@dataclass(frozen=True)
class Quality:
    """What was measured of one instance; None where it was not."""

    name: str
    iterations: int
    exploitability: float | None = None
    exploitability_unit: str | None = None
    won_mbb: float | None = None
    won_mbb_interval: float | None = None
    regret_norm: float | None = None
    regret_slope: float | None = None
    entropy_bits: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Comparison:
    """All instances, best first. ranked_by: `exploitability`, `match` or `telemetry`; deals: played by each pair.

    lead, lead_interval: what the best won more than the second, mbb a hand, with half of its 95 % interval.
    """

    ranking: list[Quality]
    ranked_by: str
    deals: int = 0
    lead: float | None = None
    lead_interval: float | None = None

    @property
    def best(self) -> str:
        """Its name."""
        return self.ranking[0].name

    @property
    def verdict(self) -> str:
        """The result in a sentence."""
        best = self.ranking[0]
        if self.ranked_by == "exploitability":
            return f"best: {best.name}, exploitability {best.exploitability:.5f} {best.exploitability_unit}"
        if self.ranked_by == "match":
            if self.lead is None or self.lead_interval is None:
                return f"best: {best.name}"
            clear = "" if self.lead > self.lead_interval else "; the difference is within chance"
            return f"best: {best.name}, {self.lead:+.0f} ± {self.lead_interval:.0f} mbb/hand over the second{clear}"
        return f"best by telemetry alone: {best.name}; no match was played, so this says little about strength"


@dataclass(frozen=True)
class Contender:
    """One instance with its policy."""

    name: str
    part: Part
    policy: AveragePolicy
    figures: TableFigures


def compare_run(run: Path, deals: int = 1000, seed: int = 0, bucketing: HandBucketing | None = None) -> Comparison:
    """Measure and rank the instances of a run; `deals` for each pair where exploitability cannot be computed."""
    contenders = open_contenders(run)
    qualities = [_by_telemetry(contender) for contender in contenders]
    evaluator = exact_evaluator(contenders[0].policy)
    if evaluator is not None:
        return _by_exploitability(contenders, qualities, evaluator)
    if deals > 0 and len(contenders) > 1:
        return _by_match(contenders, qualities, deals, seed, bucketing)
    # A norm that falls faster comes first, as far as it is known.
    ranking = sorted(qualities, key=lambda q: (q.regret_slope is None, q.regret_slope or 0.0, q.regret_norm or 0.0))
    return Comparison(ranking, "telemetry")


def open_contenders(run: Path) -> list[Contender]:
    """The instances of a run, after checking that they belong together: so that one tree serves all of them."""
    parts = find_parts([run])
    check_parts(parts)
    tree = _tree_of(parts[0])
    return [_open_contender(part, tree) for part in parts]


def _tree_of(part: Part) -> BettingTree:
    return build_tree(GameConfig.model_validate(part.info.game))


def _open_contender(part: Part, tree: BettingTree) -> Contender:
    table = load_table(part)
    policy = policy_of_table(part.path, part.info, table, tree)
    return Contender(run_of(part.path).name, part, policy, _look_at(part, table, tree))


def _look_at(part: Part, table: AnyArray, tree: BettingTree) -> TableFigures:
    return figures_of(table, tree, part.info.buckets_per_street, unit_for(tree))


def _by_telemetry(contender: Contender) -> Quality:
    """The norm of the average regret now, and its slope since the checkpoint before in double logarithms."""
    part, figures = contender.part, contender.figures
    norm = _norm(part, figures)
    slope = None
    for path in checkpoints_in(part.path.parent):
        older = find_parts([path])[0]
        if 0 < older.info.iteration < part.info.iteration:
            before = _norm(older, _look_at(older, load_table(older), _tree_of(older)))
            if norm > 0 and before > 0:
                slope = math.log(norm / before) / math.log(part.info.iteration / older.info.iteration)
            break
    return Quality(
        contender.name,
        part.info.iteration,
        regret_norm=norm,
        regret_slope=slope,
        entropy_bits={street: round(bits, 4) for street, bits in figures.entropy_bits.items()},
    )


def _norm(part: Part, figures: TableFigures) -> float:
    weight, _ = schedule_of(part.info, int(part.info.game["num_players"])).weights(part.info.iteration - 1)
    return figures.regret_norm / (part.info.iteration * weight.mantissa)


def exact_evaluator(policy: AveragePolicy) -> TreeValues | None:
    """Exact values of strategies of this game; None for games that are too large for that."""
    config = policy.config
    try:
        if config.has_whole_deck:
            return JamOrFold(policy.tree, policy.layout)
        return BestResponse(toy_game(config), policy.tree, policy.layout)
    except ConfigError:
        return None


def _by_exploitability(
    contenders: Sequence[Contender], qualities: Sequence[Quality], evaluator: TreeValues
) -> Comparison:
    big_blind = contenders[0].policy.config.big_blind if contenders[0].policy.config.has_whole_deck else 0
    unit, factor = ("mbb/hand", 1000.0 / big_blind) if big_blind else ("chips/hand", 1.0)
    measured = [
        replace(
            quality,
            exploitability=evaluator.exploitability(contender.policy.strategy()) * factor,
            exploitability_unit=unit,
        )
        for contender, quality in zip(contenders, qualities, strict=True)
    ]
    return Comparison(sorted(measured, key=lambda quality: quality.exploitability or 0.0), "exploitability")


def _by_match(
    contenders: Sequence[Contender],
    qualities: Sequence[Quality],
    deals: int,
    seed: int,
    bucketing: HandBucketing | None,
) -> Comparison:
    won = play_all(contenders, deals, seed, bucketing)
    measured = []
    for quality, column in zip(qualities, won, strict=True):
        measured.append(replace(quality, won_mbb=float(column.mean()), won_mbb_interval=half_interval(column)))
    order = sorted(range(len(measured)), key=lambda number: -(measured[number].won_mbb or 0.0))
    ahead = won[order[0]] - won[order[1]]
    lead = float(ahead.mean())
    return Comparison([measured[number] for number in order], "match", deals, lead, half_interval(ahead))


def play_all(contenders: Sequence[Contender], deals: int, seed: int, bucketing: HandBucketing | None = None) -> Float64:
    """(contenders, deals): mbb a hand that each won on each deal, on average over its opponents.

    A match is one contender against a table of the other in all other seats, and everybody plays every position.
    """
    game = Game(contenders[0].policy.config)
    buckets = PolicyBuckets(contenders[0].policy, bucketing)
    prepare_tables(buckets)
    agents = [BlueprintAgent(contender.policy, contender.name, buckets) for contender in contenders]
    seats, big_blind = game.config.num_players, game.config.big_blind
    won = np.zeros((len(agents), deals))
    for deal in range(deals):
        deal_seed = derived_seed(seed, "compare", deal)
        for i, j in _pairs(len(agents), both=seats > 2):
            chips = play_duplicate(game, [agents[i], *[agents[j]] * (seats - 1)], deal_seed)[0]
            rate = 1000.0 * chips / big_blind / seats / (len(agents) - 1)
            won[i, deal] += rate
            if seats == 2:
                won[j, deal] -= rate
    return won


def _pairs(count: int, both: bool) -> list[tuple[int, int]]:
    return [(i, j) for i in range(count) for j in range(count) if (i != j if both else i < j)]
