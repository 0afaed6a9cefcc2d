"""Spots of a blueprint's line: ranges by hand-computed Bayes, chips and sizes of the tree, refusals in a sentence."""

import json
from pathlib import Path

import numpy as np
import pytest

from holdem.abstraction.betting.line import parse_line
from holdem.abstraction.betting.tree import build_tree
from holdem.blueprint.buckets import PolicyBuckets
from holdem.cards.cards import hole_index, parse_cards
from holdem.cards.ranges import CLASS_OF_HOLE, Range
from holdem.errors import ConfigError
from holdem.game.presets import load_preset
from holdem.policy.policy import AveragePolicy, PolicyInfo
from holdem.realtime.subgame.nodes.path import find_decision, parse_path
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import Spot
from holdem.types import GameConfig
from holdem.web.run_folder import OpenPolicy, RunFolder
from holdem.web.solve.line_spot import LATER_STREETS, spot_of_line
from holdem.web.strategy.data import strategy_at
from tests.cli.runs import save_heads_up, save_toy
from tests.table.policies import ONE_BUCKET, one_bucket, random_blueprint
from tests.web.pages import Served
from tests.web.solve.solve_pages import fetch, sentence_of

GAME = GameConfig.model_validate(
    {
        "name": "hand-made",
        "num_players": 2,
        "stacks": 5_000,
        "betting": {
            "sizes": {"preflop": "100%", "flop": ["50%", "3x"], "turn": "75%, a", "river": "a"},
            "max_raises": [1, 2, 1, 1],
        },
    }
)
LINE = "SB raise 3bb, BB call | Ks7d2c BB check, SB bet 3bb"


def opened(policy: AveragePolicy) -> OpenPolicy:
    found = OpenPolicy(policy)
    found.__dict__["buckets"] = PolicyBuckets(policy, one_bucket()).of_holes
    return found


def hand_made() -> OpenPolicy:
    """Before the flop the button raises AA always, KK a quarter of the time, the rest never, and the big blind calls
    with queens half the time; on the flop (one bucket) the button bets 0.3 of everything, the big blind checks 0.8."""
    tree = build_tree(GAME)
    table = np.zeros(tree.counts.entries(ONE_BUCKET), dtype=np.uint16)
    policy = AveragePolicy(PolicyInfo(GAME, ONE_BUCKET, 1), table)

    def play(line: str, action: str, shares: dict[str, float], other: float) -> None:
        before, after = parse_line(tree, line).node, parse_line(tree, f"{line}, {action}".removeprefix(", ")).node
        number = after - int(tree.first_child[before])
        places = policy.places(before)
        for row in range(len(places)):
            share = shares.get(str(row), other)
            table[places[row]] = 0
            table[places[row, number]] = round(60_000 * share)
            table[places[row, 1 - number if number < 2 else 0]] += round(60_000 * (1 - share))

    aces, kings, queens = (str(CLASS_OF_HOLE[hole_index(*parse_cards(text))]) for text in ("AsAh", "KsKh", "QsQh"))
    play("", "SB raise", {aces: 1.0, kings: 0.25}, 0.0)
    play("SB raise", "BB call", {queens: 0.5}, 0.0)
    play("SB raise, BB call | Ks7d2c", "BB check", {}, 0.8)
    play("SB raise, BB call | Ks7d2c BB check", "SB bet", {}, 0.3)
    return opened(policy)


def test_ranges_by_bayes_and_chips_of_the_tree() -> None:
    found = spot_of_line(hand_made(), LINE)
    assert found["positions"] == ["BB", "SB"]
    assert found["big_blind"] == 100
    spot = found["spot"]
    assert Range.parse(spot["range_oop"]) == Range.parse("QQ")  # whoever has them has all of them
    assert Range.parse(spot["range_ip"]) == Range.parse("AA, KhKd:0.25, KhKc:0.25, KdKc:0.25")
    assert (spot["board"], spot["pot"], spot["effective_stack"]) == ("Ks 7d 2c", 600, 4_700)
    assert (spot["bets"], spot["to_act"], spot["min_bet"]) == ([0, 300], "oop", 100)
    assert spot["bet_sizes"] == {
        "flop": {"bet": "50%", "raise": ["3x", ""]},
        "turn": LATER_STREETS,
        "river": LATER_STREETS,
    }
    json.dumps(found)


@pytest.mark.parametrize(
    ("line", "path", "labels"),
    [
        (LINE, "", ["Fold", "Call", "Raise(900)"]),
        (LINE, "raise 900", ["Fold", "Call"]),
        ("SB raise, BB call | Ks7d2c", "", ["Check", "Bet(300)"]),
        ("SB raise, BB call | Ks7d2c", "bet 300", ["Fold", "Call", "Raise(900)"]),
        (f"{LINE}, BB raise 9bb", "", ["Fold", "Call"]),
        (f"{LINE}, BB call | 5h", "", ["Check", "Bet(900)", "AllIn(4400)"]),
        (f"{LINE}, BB call | 5h", "bet 900", ["Fold", "Call"]),
    ],
)
def test_the_spot_has_the_actions_of_the_blueprint(line: str, path: str, labels: list[str]) -> None:
    tree = build_tree(GAME)
    sums = np.ones(tree.counts.entries(ONE_BUCKET))
    policy = AveragePolicy.from_strategy_sums(PolicyInfo(GAME, ONE_BUCKET, 1), sums, tree)
    spot = spot_of_line(opened(policy), line)["spot"]
    solver = SubgameSolver(Spot.from_plain(spot))
    place = find_decision(solver.tree, solver.boards, parse_path(path))
    assert list(solver.tree.nodes[place.node].actions) == labels


def blueprint_of(game: str) -> OpenPolicy:
    return opened(random_blueprint(game).policy)


def test_two_of_three_players() -> None:
    found = spot_of_line(blueprint_of("three players"), "BTN call, SB fold, BB check | Ks7d2c")
    assert found["positions"] == ["BB", "BTN"]
    assert Spot.from_plain(found["spot"]).pot == 250  # the small blind's chips stay


def test_what_is_no_spot_is_a_sentence(tmp_path: Path) -> None:
    save_heads_up(tmp_path / "hu")
    save_toy(tmp_path / "leduc", "leduc")
    runs = RunFolder(tmp_path)
    policy = runs.policy("hu")
    for line, words in (
        ("", "from the flop on"),
        ("SB raise 2bb", "from the flop on"),
        ("SB fold", "the hand is over"),
        ("SB raise 2bb, BB call |", "name them"),
    ):
        with pytest.raises(ConfigError, match=words):
            spot_of_line(policy, line)
    with pytest.raises(ConfigError, match="is not solved here"):
        spot_of_line(runs.policy("leduc"), "")
    with pytest.raises(ConfigError, match="3 players are left"):
        spot_of_line(blueprint_of("three players"), "BTN call, SB call, BB check | Ks7d2c")


def test_a_spot_of_a_short_deck_is_neither_offered_nor_solved(tmp_path: Path) -> None:
    betting = {"sizes": {"preflop": "a", "flop": "a"}, "max_raises": [1, 1, 0, 0]}
    save_toy(tmp_path / "short", "short_rank", ranks="TJ", betting=betting)
    policy = RunFolder(tmp_path).policy("short")
    line = "call, check | TsJsTd"
    assert strategy_at(policy, line)["solve"] is None
    with pytest.raises(ConfigError, match="is not solved here"):
        spot_of_line(policy, line)


def test_over_http(server: Served) -> None:
    address = f"{server.address}/data/line_spot"
    status, content = fetch(f"{address}?policy=jam&line=")
    assert status == 400
    assert "from the flop on" in sentence_of(content)
    for query in ("policy=nobody&line=", "policy=jam&line=nonsense"):
        status, content = fetch(f"{address}?{query}")
        assert status == 400
        assert sentence_of(content)
    assert fetch(f"{address}?policy=jam&line={'x' * 2000}")[0] == 422
    assert fetch(address)[0] == 422


def test_presets_of_games_make_spots() -> None:
    """The menus of a game that is shipped, from a flop to its river."""
    line = "SB raise 2.5bb, BB call | Ks7d2c BB check, SB check | 5h BB check, SB check | 9s"
    spot = Spot.from_plain(spot_of_line(blueprint_of("headsup_100bb"), line)["spot"])
    assert spot.street == 3
    assert spot.pot + 2 * spot.effective_stack == 2 * load_preset("headsup_100bb").starting_stacks[0]
