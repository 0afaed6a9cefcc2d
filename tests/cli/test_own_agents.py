"""Agents of people's own on the command line: in this process, in workers, as programs, in profiles, and failing."""

import json
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.cli.runs import Result
from tests.mccfr.parallel_runs import is_running

pytestmark = pytest.mark.long
AGENTS = """
    import os
    import numpy as np
    from holdem.cards import Range, hole_index
    from holdem.game import Action

    class Tight:
        name = "tight"
        hands = Range.parse("TT+, AK").weights

        def act(self, observation):
            legal = observation.legal
            if self.hands[hole_index(*observation.hole_cards)] > 0 and legal.max_raise_to is not None:
                return Action.raise_to(legal.max_raise_to)
            return Action.fold() if legal.can_fold else Action.check_or_call()

    class Folder:
        name = "folder"
        def __init__(self, config):
            assert config.num_players in (2, 3)
        def act(self, observation):
            return self.range_policy(observation.public())[0][0]
        def range_policy(self, public_state):
            can_fold = public_state.legal.can_fold
            return [Action.fold() if can_fold else Action.check_or_call()], np.ones((1326, 1))

    class Failing(Folder):
        decisions = 0
        def act(self, observation):
            self.decisions += 1
            if self.decisions > 400:
                raise RuntimeError("out of ideas")
            return super().act(observation)
        def range_policy(self, public_state):
            self.decisions += 1
            if self.decisions > 400:
                raise RuntimeError("out of ideas")
            return super().range_policy(public_state)

    class Alone(Folder):
        \"\"\"Notices if another seat of the same hand asks it.\"\"\"
        seat = None
        def act(self, observation):
            if observation.decision == 0:
                self.hand = (observation.deal, observation.seat)
            assert self.hand == (observation.deal, observation.seat)
            return Action.check_or_call()
"""
PROGRAM = """
    import os, socket, sys
    open(f"started_{os.getpid()}", "w").close()
    wire = socket.create_connection((sys.argv[-2], int(sys.argv[-1]))).makefile("rw", newline="")
    wire.write("VERSION:2.0.0\\r\\n"); wire.flush()
    for number, line in enumerate(wire):
        if number >= int(sys.argv[1]):
            break
        wire.write(line.strip() + ":c\\r\\n"); wire.flush()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Somewhere else than the checkout, with a module of agents and a program that calls."""
    (tmp_path / "my_agents.py").write_text(textwrap.dedent(AGENTS), encoding="utf-8")
    (tmp_path / "caller.py").write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
    return tmp_path


def holdem(folder: Path, *arguments: object) -> Result:
    """The `holdem` command in a process whose first place to import from is not the working directory."""
    code = "import sys; sys.path[0] = 'nowhere'; from holdem.cli.main import main; main()"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, encoding="utf-8")
    return Result(done.returncode, done.stdout, done.stderr)


def figures_of(result: Result) -> dict[str, object]:
    """What does not depend on the clock."""
    assert result.status == 0, result.err
    return {key: value for key, value in json.loads(result.out).items() if "second" not in key}


def test_a_match_is_the_same_with_workers(folder: Path) -> None:
    shared = ("match", "python:my_agents:Tight", "always-call", "--hands", 400, "--json")
    one, two = holdem(folder, *shared), holdem(folder, *shared, "--num-workers", 2)
    assert figures_of(one) == figures_of(two)
    assert json.loads(one.out)["agents"][0]["agent"] == "python:my_agents:Tight"


def test_a_program_plays_matches_too_and_ends_with_them(folder: Path) -> None:
    """One that calls is our own caller, in two workers as well; each seat and each worker starts one."""
    program = f"process:{sys.executable} caller.py 1000000"
    ours, theirs = (
        holdem(folder, "match", "python:my_agents:Tight", name, "--hands", 400, "--num-workers", workers, "--json")
        for name, workers in (("always-call", 1), (program, 2))
    )
    rates = [json.loads(result.out)["agents"][0]["bb_per_100"] for result in (ours, theirs)]
    assert rates[0] == rates[1] != 0.0
    itself = figures_of(holdem(folder, "match", program, program, "--hands", 60, "--json"))
    assert itself["deals"] == 30
    started = [int(path.name.removeprefix("started_")) for path in folder.glob("started_*")]
    assert len(started) >= 4
    deadline = time.monotonic() + 60.0
    while any(map(is_running, started)):  # a worker that had no processor for seconds is ended before its program
        assert time.monotonic() < deadline, "a program goes on"
        time.sleep(0.05)


def test_each_seat_has_an_agent_of_its_own(folder: Path) -> None:
    result = holdem(folder, "match", *["python:my_agents:Alone"] * 3, "--hands", 30, "--json")
    agents = json.loads(result.out)["agents"]
    assert [agent["ci95"] for agent in agents] == [[0.0, 0.0]] * 3, result.err


@pytest.mark.parametrize("workers", [1, 2])
def test_an_agent_that_fails_ends_the_match_after_its_results(folder: Path, workers: int) -> None:
    shared = ("python:my_agents:Failing", "always-call", "--hands", 100_000, "--num-workers", workers)
    result = holdem(folder, "match", *shared, "--out", "match.json")
    assert result.status == 1
    assert "duplicate deals (interrupted)" in result.out
    said = result.err.strip().splitlines()[-1]
    assert said.startswith("error: python:my_agents:Failing failed ") and said.endswith("RuntimeError: out of ideas")
    assert "Traceback" not in result.err
    figures = json.loads((folder / "match.json").read_text())
    assert not figures["complete"] and 0 < figures["hands"] < 800


def test_a_program_that_leaves_ends_the_match_after_its_results(folder: Path) -> None:
    result = holdem(folder, "match", f"process:{sys.executable} caller.py 600", "always-call", "--hands", 100_000)
    assert result.status == 1
    assert "duplicate deals (interrupted)" in result.out
    assert result.err.strip().splitlines()[-1].endswith("caller.py 600 has gone away")


def test_eval_plays_them_and_prints_what_there_is_when_one_fails(folder: Path, policy: Path) -> None:
    shared = ("eval", "--policy", policy, "--lbr-hands", 0, "--no-litmus", "--num-workers", 1, "--json")
    known = figures_of(holdem(folder, *shared, "--hands", 40, "--opponents", "python:my_agents:Folder,fold-to-any-bet"))
    opponents = known["opponents"]
    assert isinstance(opponents, dict)
    assert opponents["python:my_agents:Folder"] == opponents["fold-to-any-bet"], "the same player by another name"
    failed = holdem(folder, *shared, "--hands", 100_000, "--opponents", "python:my_agents:Failing,always-call")
    assert failed.status == 1
    assert not json.loads(failed.out)["complete"]
    assert "error: python:my_agents:Failing failed " in failed.err


def test_lbr_measures_a_range_agent(folder: Path) -> None:
    """Folding everything loses 750 mbb a hand, as published."""
    result = holdem(folder, "lbr", "python:my_agents:Folder", "--hands", 40, "--json")
    assert json.loads(result.out)["won"]["mbb_per_hand"] == 750.0


def test_lbr_keeps_and_prints_what_there_is_when_the_agent_fails(folder: Path) -> None:
    shared = ("lbr", "python:my_agents:Failing", "--hands", 100_000, "--json", "--out", "lbr.json")
    for published, kept in ((False, "lbr.deals.json"), (True, "published.json")):
        out = ("--published", "--out", kept) if published else ()
        result = holdem(folder, *shared, *out)
        assert result.status == 1
        assert not json.loads(result.out)["complete"]
        assert result.err.strip().splitlines()[-1].endswith("RuntimeError: out of ideas")
        assert any(json.loads((folder / kept).read_text())["deals"].values())


@pytest.mark.parametrize("name", ["python:my_agents:Tight", "process:caller.py 1"])
def test_lbr_says_what_it_needs(folder: Path, name: str) -> None:
    result = holdem(folder, "lbr", name)
    assert result.status == 2
    assert "a RangeAgent is needed" in result.err and "range_policy(public_state)" in result.err
    assert len(result.err.strip().splitlines()) == 1
    assert not list(folder.glob("started_*"))


def test_a_mistake_is_one_sentence_everywhere(folder: Path, policy: Path) -> None:
    (folder / "table.json").write_text(json.dumps({"opponents": "python:my_agents:Tite"}), encoding="utf-8")
    for arguments in (
        ("match", "python:my_agents:Tite", "always-call"),
        ("eval", "--policy", policy, "--opponents", "python:my_agents:Tite"),
        ("lbr", "python:my_agents:Tite"),
        ("play", "--opponent", "python:my_agents:Tite"),
        ("play", "--policy", policy, "--profile", "table.json"),
        ("dry-run", "--policy", policy, "--profile", "table.json"),
        ("acpc", "localhost", 1, "--agent", "python:my_agents:Tite"),
    ):
        result = holdem(folder, *arguments)
        assert result.status == 2, arguments
        assert "my_agents has no class Tite; agents there: Tight, Folder, Failing, Alone" in result.err
        assert len(result.err.strip().splitlines()) == 1, result.err


def test_a_profile_seats_one_and_its_failures_are_checks_and_folds(folder: Path, policy: Path) -> None:
    for name, faults in (("Tight", False), ("Failing", True)):
        profile = {"opponents": f"python:my_agents:{name}", "watched_player": "always-call", "seed": 3}
        (folder / "table.json").write_text(json.dumps(profile), encoding="utf-8")
        result = holdem(folder, "dry-run", "--policy", policy, "--profile", "table.json", "--no-ev", "--no-search",
                        "--max-hands", 600 if faults else 20, "--json")  # fmt: skip
        assert result.status == 0, result.err
        summary = json.loads(result.out.splitlines()[-1])
        assert summary["hands"] == (600 if faults else 20)
        assert ("python:my_agents:Failing failed at a decision" in result.err) == faults
