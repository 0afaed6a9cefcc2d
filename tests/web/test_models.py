"""Shipped models on the pages of a server in an empty folder: listed everywhere, unpacked when one is chosen."""

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from holdem.policy.models import find_model, shipped_models, unpack
from holdem.policy.models.unpacking import unpacked_folder
from holdem.table.person.table import plan_table
from holdem.web.play.table_options import TableChoices, TableOptions
from holdem.web.review.reviews import policies_by_seats
from holdem.web.run_folder import RunFolder
from holdem.web.solve.welcome import welcome
from tests.shipped_models import ship
from tests.table.policies import save_jam_or_fold
from tests.web.pages import Served, served
from tests.web.review.visits import JAMS, review, write_jams


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with models for two and three seats, and nothing under runs/; the cache is empty."""
    monkeypatch.setenv("HOLDEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    ship(tmp_path, "headsup")
    ship(tmp_path, "threemax", "three players")
    return tmp_path


@pytest.fixture
def server(folder: Path) -> Iterator[Served]:
    """`holdem serve` without a run."""
    model = find_model(Path("models/headsup"))
    assert model is not None
    plan = plan_table(unpack(model), None, None, None)
    with served(plan, folder, runs=folder / "runs", models=tuple(shipped_models())) as running:
        yield running


def get(server: Served, path: str) -> Any:
    with urllib.request.urlopen(f"{server.address}/data/{path}", timeout=60) as response:
        return json.load(response)


def is_unpacked(name: str) -> bool:
    model = find_model(Path("models") / name)
    assert model is not None
    return (unpacked_folder(model) / "avg_policy.json").exists()


def test_every_page_lists_the_models(server: Served) -> None:
    names = ["models/headsup", "models/threemax"]
    seats = [{"name": "models/headsup", "seats": 2}, {"name": "models/threemax", "seats": 3}]
    table = get(server, "table")
    stacks = [{**one, "stacks": "10"} for one in seats]
    assert (table["seats"], table["policies"], table["default"]["policy"]) == ([2, 3], stacks, "models/headsup")
    strategy = get(server, "policies")
    assert (strategy["policies"], strategy["played"]) == (names, "models/headsup")
    assert strategy["seats"] == {"models/headsup": 2, "models/threemax": 3}
    assert get(server, "review-policies") == {"policies": seats, "played": "models/headsup"}
    runs = RunFolder(server.runs, server.sessions.plan.policy, tuple(shipped_models()))
    assert welcome(server.solves, runs)["policies"] == names
    assert not is_unpacked("threemax"), "listing unpacks nothing"


def test_a_person_sits_down_with_another_model(server: Served) -> None:
    with server.page({"table": {"seats": 3}}) as page:
        assert page.next()["text"].startswith("models/threemax is being unpacked, once")
        assert page.next()["seats"] == 3
        page.play_hand("f")
    assert is_unpacked("threemax")
    with server.page({"table": {"policy": "models/headsup", "opponents": ["models/headsup"]}}) as page:
        assert page.until("welcome", "told")["seats"] == 2
        page.play_hand("f")
    server.hands(2)


def test_the_strategy_of_a_model_that_nobody_has_used(server: Served) -> None:
    shown = get(server, f"strategy?policy={quote('models/threemax')}")
    assert shown["game"] == "three players"
    assert is_unpacked("threemax")


def test_a_review_unpacks_only_what_its_hands_need(server: Served) -> None:
    write_jams(server.runs / "headsup" / "hands" / "jams.phhs")
    messages = review(server, {"file": "headsup/hands/jams.phhs", "milliseconds": 0})
    assert sum(message["type"] == "decision" for message in messages) == len(JAMS)
    assert not is_unpacked("threemax")


def test_a_hand_is_reviewed_by_the_model_with_the_nearest_stacks(folder: Path) -> None:
    """As `holdem review` does it; the second model of two seats was never taken before."""
    ship(folder, "headsup_200bb", "headsup_100bb")
    headsup = find_model(Path("models/headsup"))
    assert headsup is not None
    for played in (None, Path("models/headsup")):
        shipped = tuple(shipped_models())
        policies = policies_by_seats(RunFolder(folder / "runs", played, shipped), None)
        for blinds, name in ((12.0, "headsup"), (54.0, "headsup"), (56.0, "headsup_200bb"), (400.0, "headsup_200bb")):
            model = find_model(Path("models") / name)
            assert model is not None
            assert policies[2](blinds) == unpacked_folder(model)
        assert policies[3](400.0).name.startswith("threemax-")
    run = save_jam_or_fold(folder / "runs" / "mine").parent
    policies = policies_by_seats(RunFolder(folder / "runs", None, tuple(shipped_models())), None)
    assert policies[2](100.0) == run, "a run comes before models, as in every command"
    beside = {"mine/hands/a.phhs": run, "headsup/hands/a.phhs": unpacked_folder(headsup), "other/hands/a.phhs": run}
    for file, folder_of_policy in beside.items():
        policies = policies_by_seats(RunFolder(folder / "runs", None, tuple(shipped_models())), None, file)
        assert policies[2](12.0) == folder_of_policy, "hands are compared with what they were played with"


def test_a_table_of_other_seats_has_the_model_with_the_nearest_stacks(folder: Path) -> None:
    ship(folder, "headsup_200bb", "headsup_100bb")
    three = find_model(Path("models/threemax"))
    assert three is not None
    plan = plan_table(unpack(three), None, None, None)
    choices = TableChoices(plan, RunFolder(folder / "runs", unpack(three), tuple(shipped_models())))
    for blinds, name in ((None, "headsup-"), (20, "headsup-"), (90, "headsup_200bb-")):
        table = choices.table(TableOptions(seats=2, stack_blinds=blinds))
        assert table.policy is not None and table.policy.name.startswith(name)


def test_a_run_wins_over_a_model_of_its_name(folder: Path) -> None:
    save_jam_or_fold(folder / "runs" / "models" / "headsup")
    runs = RunFolder(folder / "runs", None, tuple(shipped_models()))
    assert runs.names() == ["models/headsup", "models/threemax"]
    assert runs.policy_folder("models/headsup") == folder / "runs" / "models" / "headsup"
