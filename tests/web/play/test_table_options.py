"""Tables that a page chooses: from lists of the server, within bounds, and refused in a sentence if they cannot be."""

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed

from holdem.abstraction.betting.tree import build_tree
from holdem.evaluation.baselines import BASELINES
from holdem.game.presets import load_preset
from holdem.policy.policy import AveragePolicy, PolicyInfo
from holdem.table.person.table import plan_table
from holdem.table.profiles.profiles import TableProfile, stacks_by_seat
from holdem.types import SearchConfig
from holdem.web.play.table_options import LEAST_BLINDS, MOST_BLINDS, TableChoices, TableOptions
from holdem.web.run_folder import RunFolder
from tests.table.policies import SMALL_GAMES, random_policy, save_jam_or_fold
from tests.web.pages import Served, jam_or_fold_table, served


def save_kuhn(folder: Path) -> None:
    tree = build_tree(load_preset("kuhn"))
    sums = np.ones(tree.counts.entries((3,)))
    AveragePolicy.from_strategy_sums(PolicyInfo(tree.config, (3,), 10), sums, tree).save(folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run for two seats, one for three, and one of another game."""
    folder = tmp_path_factory.mktemp("options")
    random_policy("three players").save(folder / "runs" / "three")
    save_kuhn(folder / "runs" / "kuhn")
    save_jam_or_fold(folder / "runs" / "jam")
    return folder


@pytest.fixture
def server(folder: Path, tmp_path: Path) -> Iterator[Served]:
    with served(jam_or_fold_table(folder), tmp_path, runs=folder / "runs") as running:
        yield running


@pytest.fixture
def choices(folder: Path) -> TableChoices:
    plan = plan_table(folder / "runs" / "jam", None, None, SearchConfig())
    return TableChoices(plan, RunFolder(folder / "runs", plan.policy))


def test_the_lists(server: Served) -> None:
    with urllib.request.urlopen(f"{server.address}/data/table", timeout=60) as response:
        lists = json.load(response)
    assert lists["seats"] == [2, 3]
    assert lists["baselines"] == list(BASELINES)
    assert lists["policies"] == [  # Kuhn is no hold'em
        {"name": "jam", "seats": 2, "stacks": "10"}, {"name": "three", "seats": 3, "stacks": "10"}
    ]  # fmt: skip
    assert lists["default"] == {
        "seats": 2, "stacks": "10", "policy": "jam", "opponents": ["always-call"], "search": False, "time_ms": 80
    }  # fmt: skip


def own_table(folder: Path, **changes: Any) -> TableChoices:
    """A server that was started with a profile unlike the game of its policy."""
    usual = {"small_blind": 25, "big_blind": 50, "ante": 10, "stacks": (5_000,), "hero_seat": 1}
    profile = TableProfile.model_validate({"opponents": ("always-call",), **usual, **changes})
    plan = plan_table(folder / "runs" / "jam", None, profile, SearchConfig())
    return TableChoices(plan, RunFolder(folder / "runs", plan.policy))


@pytest.mark.parametrize(
    "chosen",
    [
        {"time_ms": 50},
        {"search": False},
        {"seats": 2, "policy": "jam", "opponents": ["random"], "search": True},  # as the page sends who sits where
        {"opponents": []},
    ],
)
def test_what_is_left_out_is_as_the_server_was_started(folder: Path, chosen: dict[str, Any]) -> None:
    choices = own_table(folder)
    table, plan = choices.table(TableOptions(**chosen)), choices.plan
    assert table.game == plan.game
    assert (table.game.small_blind, table.game.big_blind, table.game.ante) == (25, 50, 10)
    assert (table.hero_seat, table.profile.stacks) == (1, (5_000,))
    if "opponents" not in chosen:
        assert table.profile.opponents == ("always-call",)
    deep = choices.table(TableOptions(stack_blinds=40, **chosen))
    assert (deep.profile.stacks, deep.game.big_blind, deep.hero_seat) == ((2_000,), 50, 1)


def test_another_policy_plays_its_own_game(folder: Path) -> None:
    choices = own_table(folder)
    trained = SMALL_GAMES["three players"]
    three = choices.table(TableOptions(policy="three"))
    assert (three.game.big_blind, three.game.ante, three.hero_seat) == (trained.big_blind, trained.ante, 0)
    assert three.game.starting_stacks == trained.starting_stacks


@pytest.mark.parametrize("stacks", [(), (5_000,), (5_000, 2_525)])
def test_stacks_that_the_page_shows_are_those_that_are_dealt(folder: Path, stacks: tuple[int, ...]) -> None:
    """Of each policy, if no number is typed; no number of the form stands for stacks that it cannot say."""
    choices = own_table(folder, stacks=stacks)
    lists = choices.to_plain()
    assert [row["name"] for row in lists["policies"]] == ["jam", "three"]
    for row in lists["policies"]:
        table = choices.table(TableOptions(policy=row["name"], opponents=["random"]))
        dealt = stacks_by_seat(table.profile, table.game) or table.game.starting_stacks
        shown = [float(blinds) for blinds in row["stacks"].split("/")]
        assert [chips / table.game.big_blind for chips in dealt] == shown * (len(dealt) if len(shown) == 1 else 1)
    assert lists["default"]["stacks"] == lists["policies"][0]["stacks"]


def test_opponents_that_no_list_has_stay_until_others_are_chosen(folder: Path) -> None:
    choices = own_table(folder, opponents=str(folder / "runs" / "jam" / "avg_policy.json"), stacks=())
    assert choices.to_plain()["default"]["opponents"] is None
    assert choices.table(TableOptions(time_ms=50)).profile.opponents == choices.plan.profile.opponents
    bot = choices.table(TableOptions(opponents=[], search=False))
    assert bot.profile.opponents == (str((folder / "runs" / "jam").resolve()),)


def test_an_opponent_that_searches_has_the_chosen_time_where_the_bot_does_not_search(folder: Path) -> None:
    choices = own_table(folder)
    for searches in (True, False):
        table = choices.table(TableOptions(search=searches, opponents=["jam with search"], time_ms=2_000))
        assert (table.search is not None) == searches
        assert table.named_search is not None and table.named_search.time_budget_ms == 2_000


def test_the_name_of_a_policy_says_nothing_of_where_it_lies(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "far" / "jam"
    save_jam_or_fold(elsewhere)
    for runs, name in ((folder / "runs", "jam 2"), (folder / "none", "jam")):
        found = RunFolder(runs, elsewhere)
        assert found.played_name == name
        assert found.policies()[name] == elsewhere
        assert not any(str(tmp_path) in one for one in found.names())


def test_a_server_without_a_policy_keeps_its_opponents(folder: Path) -> None:
    choices = TableChoices(plan_table(None, "always-call", None, None), RunFolder(folder / "runs"))
    assert choices.to_plain()["default"]["policy"] is None
    nobody: list[list[str] | None] = [None, []]
    for opponents in nobody:
        table = choices.table(TableOptions(opponents=opponents, stack_blinds=50))
        assert (table.profile.opponents, table.policy) == (("always-call",), None)
        assert table.game.starting_stacks == (50 * table.game.big_blind,) * 2


def test_three_seats_with_other_stacks(server: Served) -> None:
    options = {"seats": 3, "stack_blinds": 40, "opponents": ["always-call", "random"], "search": False}
    with server.page({"table": options}) as page:
        assert page.next()["seats"] == 3
        assert "trained for another game and translates: stacks 4000" in page.until("told")["text"]
        table = page.until("table")
        assert table["pot"] + sum(seat["stack"] for seat in table["seats"]) == 3 * 40 * 100
        assert page.play_hand()["hands"] == 1


def test_the_table_of_the_server_where_nothing_is_chosen(server: Served) -> None:
    assert TableChoices(server.sessions.plan, RunFolder(server.runs)).table(TableOptions()) is server.sessions.plan


def test_what_options_make(choices: TableChoices, folder: Path) -> None:
    runs = (folder / "runs").resolve()
    quick = choices.table(TableOptions(time_ms=20))
    assert quick.search is not None
    assert quick.search.time_budget_ms == 20.0
    assert quick.policy == runs / "jam"
    plain = choices.table(TableOptions(search=False))
    assert plain.search is None
    assert plain.profile.opponents == (str(runs / "jam"),)
    assert choices.table(TableOptions(seats=3)).profile.opponents == (f"search:{runs / 'three'}",)
    mixed = choices.table(TableOptions(policy="three", opponents=["three with search", "random"]))
    assert mixed.profile.opponents == (f"search:{runs / 'three'}", "random")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"policy": "jam", "seats": 3}, "jam was trained for 2 seats, and this table has 3"),
        ({"seats": 6}, "there is no policy for 6 seats"),
        ({"opponents": ["three"]}, "three was trained for 3 seats, and this table has 2"),
        ({"seats": 3, "opponents": ["random"] * 3}, "3 opponents for 2 seats"),
        ({"policy": "kuhn"}, "there is no policy called 'kuhn'"),
        ({"policy": ""}, "there is no policy called ''"),
        ({"seats": 7}, "seats: "),
        ({"seats": "2"}, "seats: "),
        ({"seats": True}, "seats: "),
        ({"stack_blinds": LEAST_BLINDS - 1}, "stack_blinds: "),
        ({"stack_blinds": MOST_BLINDS + 1}, "stack_blinds: "),
        ({"stack_blinds": 10.5}, "stack_blinds: "),
        ({"time_ms": 19}, "time_ms: "),
        ({"time_ms": 2_001}, "time_ms: "),
        ({"search": "yes"}, "search: "),
        ({"opponents": ["random"] * 6}, "opponents: "),
        ({"opponents": "random"}, "opponents: "),
        ({"policy": "x" * 301}, "policy: "),
        ({"profile": "x"}, "profile: "),
        ({"hero_seat": 1}, "hero_seat: "),
    ],
)
def test_a_table_that_cannot_be_is_refused_before_anything_is_opened(
    server: Served, options: dict[str, Any], sentence: str
) -> None:
    with server.page({"table": options}) as page:
        told = page.next()
        assert told["type"] == "told"
        assert told["text"].startswith(sentence)
        with pytest.raises(ConnectionClosed):
            page.next()
    assert server.sessions.running == 0


def test_a_name_of_the_list_is_never_taken_for_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose folder is called as an agent with code would be: it is a path from the root, so it is a policy."""
    monkeypatch.chdir(tmp_path)
    name = "python:antigravity:Agent"
    save_jam_or_fold(tmp_path / name)
    plan = plan_table(None, "always-call", None, None)
    table = TableChoices(plan, RunFolder(Path())).table(TableOptions(policy=name))
    assert table.profile.opponents == (str(tmp_path / name),)
