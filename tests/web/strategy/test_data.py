"""The data of the strategy page: the same figures as `holdem show`, and every link leads where it says."""

import json
from pathlib import Path

import pytest

from holdem.abstraction.betting.line import parse_line
from holdem.blueprint.view import view_strategy
from holdem.cards.cards import format_cards, parse_cards
from holdem.errors import ConfigError, HoldemError
from holdem.web.run_folder import RunFolder
from holdem.web.strategy.data import strategy_at
from tests.cli.runs import save_heads_up, save_toy
from tests.table.policies import save_jam_or_fold

FLOP = "SB raise 2bb, BB call | Ks7d2c"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    runs = tmp_path_factory.mktemp("runs")
    save_heads_up(runs / "hu")
    save_toy(runs / "toys" / "leduc", "leduc")
    save_jam_or_fold(runs / "hu" / "snapshots" / "500")
    return RunFolder(runs, runs / "hu" / "avg_policy.json")


def test_names_and_nothing_else(folder: RunFolder) -> None:
    assert list(folder.policies()) == ["hu", "hu/snapshots/500", "toys/leduc"]
    assert folder.played_name == "hu"
    for name in ("..", "hu/..", "/etc", "", "hu/snapshots/501", str(folder.folder / "hu")):
        with pytest.raises(ConfigError, match="there is no policy called"):
            folder.policy(name)


def test_a_policy_from_elsewhere_is_there_too(folder: RunFolder, tmp_path: Path) -> None:
    elsewhere = save_jam_or_fold(tmp_path / "else")
    both = RunFolder(folder.folder, elsewhere)
    assert both.played_name == "else"
    assert both.played_name in both.policies()


def test_the_grid_has_the_figures_of_the_view(folder: RunFolder) -> None:
    opened = folder.policy("hu")
    place = strategy_at(opened, "")
    assert place["classes"]["AA"]["probabilities"] == pytest.approx(
        {"fold": 0.0, "call": 0.25, "raise 2bb": 0.0, "raise 3bb": 0.75, "raise 100bb all-in": 0.0}
    )
    assert place["classes"]["32s"]["visited"] == 0.0
    assert place["unvisited"] == 4
    assert place["hands"] is None
    assert place["turn"] == "SB to act before the flop, pot 1.5bb"
    view = view_strategy(opened.policy, 0)
    assert list(place["frequencies"].values()) == pytest.approx(view.frequencies().tolist())
    assert len(place["colours"]) == len(place["actions"]) == 5


def test_every_link_leads_to_its_place(folder: RunFolder) -> None:
    """A walk over all links from every step, with cards where cards are due."""
    opened = folder.policy("hu")
    tree = opened.policy.tree
    seen = set[str]()
    waiting = [""]
    while waiting and len(seen) < 150:
        line = waiting.pop(0)
        where = parse_line(tree, line)
        if tree.street[where.node] > 0:
            continue  # the buckets of this policy are made up; there are no tables of hands after the flop
        place = strategy_at(opened, line)
        assert parse_line(tree, place["line"]).node == where.node
        for action in [] if place["over"] else place["steps"][-1]["actions"]:
            target = action["line"] + "Ks7d2c"[: 2 * action["cards"]]
            child = parse_line(tree, target).node
            assert tree.parent[child] == where.node
            assert tree.describe_action(child) == action["action"]
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    assert len(seen) >= 50


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        (f"{FLOP} BB bet 4bb, SB fold", {0, 1}),
        (f"{FLOP} BB bet 98bb all-in, SB call", {0}),
        (f"{FLOP} BB check, SB check | 5h BB check, SB check | 9s BB bet 4bb, SB call", {0}),
        ("SB raise 2bb, BB fold", {0, 3}),
    ],
)
def test_every_link_of_a_hand_that_is_over_leads_to_its_place(folder: RunFolder, line: str, asked: set[int]) -> None:
    """The cards of the way are kept, and those that are due behind them complete the board."""
    opened = folder.policy("hu")
    tree = opened.policy.tree
    place = strategy_at(opened, line)
    assert place["over"] and place["line"] == line
    path, board = tree.path(parse_line(tree, line).node), parse_cards("Ks7d2c5h9s")
    dealt = format_cards(parse_line(tree, line).board)
    for step, before, after in zip(place["steps"], path[:-1], path[1:], strict=True):
        assert dealt.startswith(step["board"])
        for action in step["actions"]:
            due = format_cards(board).removeprefix(action["known"])[: 2 * action["cards"]]
            child = parse_line(tree, action["line"] + due)
            assert tree.parent[child.node] == before
            assert tree.describe_action(child.node) == action["action"]
            assert action["taken"] == (child.node == after)
            assert child.board == board[: tree.config.board_cards[tree.street[child.node]]]
    assert {action["cards"] for step in place["steps"] for action in step["actions"]} == asked


def test_the_way_shows_what_was_taken(folder: RunFolder) -> None:
    place = strategy_at(folder.policy("hu"), "SB raise 2bb, BB fold")
    assert place["over"] is True
    assert [(step["position"], step["pot"]) for step in place["steps"]] == [("SB", "1.5bb"), ("BB", "3bb")]
    taken = [[action["action"] for action in step["actions"] if action["taken"]] for step in place["steps"]]
    assert taken == [["raise 2bb"], ["fold"]]


def test_small_games_have_a_table(folder: RunFolder) -> None:
    place = strategy_at(folder.policy("toys/leduc"), "")
    assert len(place["information_states"]) == 6
    assert place["line"] == ""
    for found in place["information_states"].values():
        assert sum(found["probabilities"].values()) == pytest.approx(1.0, abs=1e-4)
    deeper = strategy_at(folder.policy("toys/leduc"), place["steps"][0]["actions"][0]["line"])
    assert len(deeper["steps"]) == 2
    json.dumps(deeper)


@pytest.mark.parametrize("line", ["SB dances", "SB fold, BB call", "SB call, BB check | Ks", FLOP.replace("7d", "Ks")])
def test_a_line_that_does_not_exist_is_a_sentence(folder: RunFolder, line: str) -> None:
    with pytest.raises(HoldemError):
        strategy_at(folder.policy("hu"), line)


def test_a_policy_that_changes_on_disk_is_opened_again(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    save_jam_or_fold(tmp_path / "run", seed=1)
    before = folder.policy("run")
    assert folder.policy("run") is before
    save_jam_or_fold(tmp_path / "run", seed=2)
    assert strategy_at(folder.policy("run"), "")["frequencies"] != strategy_at(before, "")["frequencies"]
