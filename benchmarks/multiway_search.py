"""Search with three players left: how long answers take, which trees they come from, and how good rivers are.

    python -m benchmarks.bench_search multiway --policy runs/three            streets of real hands at 80 ms
    python -m benchmarks.bench_search three-rivers                            exact and sampled rivers at equal time

The policy needs three seats or more. In the hands, three seats see the flop: one raises and two call, the others fold.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.three_way_judge import ThreeWayJudge
from holdem.blueprint.agent import BlueprintAgent
from holdem.cards.cards import NUM_HOLE_PAIRS
from holdem.errors import ConfigError
from holdem.game.actions import Action
from holdem.game.agent import PublicState, observe, public_state
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.realtime.multiway.river import RiverSolver
from holdem.realtime.multiway.solver import MultiwaySolver
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.search.decision import Decision
from holdem.realtime.search.ranges import free_of
from holdem.realtime.search.street_tree import MENUS, street_tree
from holdem.types import STREET_NAMES, SearchConfig
from holdem.util.arrays import Float64
from holdem.util.rng import stream

THREE = 3
RIVER = 3


def three_to_the_flop(game: Game, number: int) -> Hand:
    """A hand in which the first to act raise and call until three are in, and the others fold."""
    random = stream(number, "three to the flop")
    hand = game.new_hand(number)
    seats = game.config.num_players
    folds = seats - THREE
    raised = False
    while hand.street == 0 and hand.actor is not None:
        if folds:
            hand.act(Action.fold())
            folds -= 1
        elif not raised:
            hand.act(Action.raise_to(int(game.config.big_blind * random.uniform(2.0, 4.0))))
            raised = True
        else:
            hand.act(Action.check_or_call())
    return hand


def decisions_of_three(agent: SearchAgent, blueprint: BlueprintAgent, number: int) -> Iterator[tuple[int, Decision]]:
    """Street and decision wherever the agent is asked with three left, in one hand against the blueprint."""
    hand = three_to_the_flop(Game(blueprint.policy.config), number)
    live = [seat for seat, lives in enumerate(public_state(hand).live) if lives]
    own, asked = live[number % THREE], Counter[int]()
    while hand.actor is not None and sum(public_state(hand).live) == THREE:
        seat = hand.actor
        observation = observe(hand, number, asked[seat])
        asked[seat] += 1
        if seat == own:
            street = hand.street
            hand.act(agent.act(observation))
            assert agent.last_decision is not None
            yield street, agent.last_decision
        else:
            hand.act(blueprint.act(observation))


def multiway(policy: Path, count: int, budget_ms: float) -> dict[int, Float64]:
    """Print and return, by street, the milliseconds of at least `count` decisions with three players left."""
    blueprint = BlueprintAgent.open(policy)
    if blueprint.policy.config.num_players < THREE:
        raise ConfigError(f"{policy} has two seats, and this needs three or more; name such a run with --policy")
    agent = SearchAgent.open(policy, SearchConfig(time_budget_ms=budget_ms))
    found: dict[int, list[Decision]] = defaultdict(list)
    number = 0
    while any(len(found[street]) < count for street in (1, 2, 3)):
        for street, decision in decisions_of_three(agent, blueprint, number):
            found[street].append(decision)
        number += 1
    agent.close()
    print(f"three players left, {number} hands at {budget_ms:g} ms, one process: {dict(agent.controller.counts)}")
    for street in (1, 2, 3):
        _print_street(street, found[street])
    return {street: 1000.0 * np.array([decision.seconds for decision in found[street]]) for street in found}


def _print_street(street: int, decisions: list[Decision]) -> None:
    times = 1000.0 * np.array([decision.seconds for decision in decisions])
    iterations = np.array([decision.iterations for decision in decisions])
    shares = ", ".join(f"p{p} {np.percentile(times, p):.1f}" for p in (50, 90, 99, 100))
    print(f"  {STREET_NAMES[street]}, {len(decisions)} decisions: ms {shares}")
    print(f"    iterations: least {iterations.min()}, median {np.median(iterations):.0f}, most {iterations.max()}")
    menus = Counter(decision.note.partition(" nodes, ")[2].split("; mean")[0] for decision in decisions)
    for menu, times_taken in menus.most_common():
        print(f"    {100 * times_taken / len(decisions):3.0f} %  {menu or 'no tree'}")


def random_river(number: int, hands: int) -> tuple[PublicState, Float64]:
    """A river that three reached by a raise of random size, and so many random hands of each, with random weights."""
    random = stream(number, "three-way rivers")
    hand = Game.from_preset("threemax_100bb").new_hand(number)
    hand.act(Action.raise_to(int(random.integers(200, 1_500))))
    while hand.street < RIVER:
        hand.act(Action.check_or_call())
    state = public_state(hand)
    free = np.flatnonzero(free_of(state.board))
    ranges = np.zeros((THREE, NUM_HOLE_PAIRS))
    for seat in range(THREE):
        held = random.choice(free, min(hands, len(free)), replace=False)
        ranges[seat, held] = 0.05 + 0.95 * random.random(len(held))
    return state, ranges


def three_rivers(count: int, budget_ms: float, hands: int) -> Float64:
    """Print and return (menus, 2): NashConv of exact and sampled solves at equal time, mean per cent of the pot."""
    rows = []
    print(f"{count} random rivers of three, {hands} hands each, {budget_ms:g} ms: NashConv, mean % of the pot")
    for menu in (MENUS[-1], MENUS[4], MENUS[3]):
        found = []
        for number in range(-1, count):  # the first one compiles
            state, ranges = random_river(number + 1, hands)
            street = street_tree(state, menu)
            for sampled in (False, True):
                deadline = time.monotonic() + budget_ms / 1000.0
                solver: RiverSolver | MultiwaySolver
                if sampled:
                    solver = MultiwaySolver.build(street, ranges, state.board, seed=number + 1)
                else:
                    solver = RiverSolver.build(street, ranges, state.board)
                solver.run(1_000_000, deadline)
                if number >= 0:
                    gains = ThreeWayJudge(street.tree, ranges, state.board, solver.policy).nash_conv()
                    found.append((100.0 * gains / state.pot, solver.iterations))
        both = np.array(found).reshape(count, 2, 2)
        means, iterations = both[:, :, 0].mean(axis=0), np.median(both[:, :, 1], axis=0)
        rows.append(means)
        print(
            f"  {menu}, {street.tree.num_nodes} nodes: exact {means[0]:.2f} ({iterations[0]:.0f} iterations), "
            f"sampled {means[1]:.2f} ({iterations[1]:.0f})",
            flush=True,
        )
    return np.array(rows)
