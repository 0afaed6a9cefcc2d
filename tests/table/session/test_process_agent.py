"""Opponents in other processes: programs that speak ACPC and know nothing of this project."""

import sys
import textwrap
from pathlib import Path

import pytest

from holdem.errors import ConfigError, RunFailed
from holdem.evaluation.baselines import open_baseline
from holdem.game import Action, Game, Observation, observe
from holdem.table.profiles.open_table import seated
from holdem.table.profiles.profiles import TableProfile
from holdem.table.session.local_table import LocalTable
from holdem.table.session.process_agent import ProcessAgent
from holdem.types import GameConfig

PROGRAM = """
    import socket, sys
    connection = socket.create_connection((sys.argv[-2], int(sys.argv[-1])))
    wire = connection.makefile("rw", newline="")
    wire.write("VERSION:2.0.0\\r\\n"); wire.flush()
    log = open(sys.argv[1], "w")
    for line in wire:
        state = line.strip()
        log.write(state + "\\n"); log.flush()
        betting = state.split(":")[3]
        answer = {answer}
        if answer is None:
            break
        wire.write("# thinking\\r\\nMATCHSTATE:0:999::|:c\\r\\n")
        wire.write(state + ":" + answer + "\\r\\n"); wire.flush()
"""
CALLS = '"c"'
RAISES_ONCE_A_STREET = '"c" if "r" in betting.split("/")[-1] else "r" + sys.argv[2 + betting.count("/")]'


def program(folder: Path, answer: str) -> str:
    """The command of a player who answers with an expression of Python."""
    path = folder / "player.py"
    path.write_text(textwrap.dedent(PROGRAM).replace("{answer}", answer), encoding="utf-8")
    return f"{sys.executable} {path} {folder / 'log.txt'}"


class Other:
    """Raises at random, and remembers nothing."""

    name = "other"

    def act(self, observation: Observation) -> Action:
        legal, draw = observation.legal, observation.random().random()
        if draw < 0.3 and legal.min_raise_to is not None:
            return Action.raise_to(legal.min_raise_to)
        return Action.check_or_call()


@pytest.mark.parametrize("seats", [2, 3])
def test_a_program_that_calls_plays_as_our_own_caller(tmp_path: Path, seats: int) -> None:
    game = GameConfig(num_players=seats, stacks=(2_000,))
    outside = ProcessAgent(program(tmp_path, CALLS), game)
    try:
        payoffs = []
        for caller in (outside, open_baseline("always-call")):
            table = LocalTable(Game(game), [caller, *[Other()] * (seats - 1)], seed=3)
            payoffs.append([table.play_hand() for _ in range(40)])
            assert table.faults == 0
        assert payoffs[0] == payoffs[1]
    finally:
        outside.close()
    told = (tmp_path / "log.txt").read_text(encoding="ascii").splitlines()
    for state in told:
        holes = state.split(":")[4].split("/")[0].split("|")
        assert sum(bool(cards) for cards in holes) == 1, "a program sees its own cards only"
    assert len({state.split(":")[2] for state in told}) == 40


def test_raises_are_totals_over_the_hand(tmp_path: Path) -> None:
    game = GameConfig()
    sizes = "300 1000 2500 7000"  # on each street, all chips of the hand
    command = program(tmp_path, RAISES_ONCE_A_STREET) + f" {sizes}"
    agent = ProcessAgent(command, game)
    try:
        seen: list[Action] = []

        class Listener:
            name = "listener"

            def act(self, observation: Observation) -> Action:
                action = agent.act(observation)
                seen.append(action)
                return action

        table = LocalTable(Game(game), [open_baseline("always-call"), Listener()], seed=1)
        table.play_hand()
        assert seen == [Action.raise_to(total) for total in (300, 700, 1_500, 4_500)]
        assert table.faults == 0
    finally:
        agent.close()


@pytest.mark.parametrize("answer", ['"r1"', '"hello"', "None"])
def test_answers_that_cannot_be_taken_are_a_check_or_a_fold(tmp_path: Path, answer: str) -> None:
    agent = ProcessAgent(program(tmp_path, answer), GameConfig(), answer_seconds=20.0)
    try:
        table = LocalTable(Game(GameConfig()), [agent, open_baseline("always-call")], seed=1)
        for _ in range(5):
            table.play_hand()
        assert table.faults >= 5
        assert sum(table.winnings) == 0
    finally:
        agent.close()
    assert agent.process.poll() is not None


def test_a_program_that_is_silent_runs_out_of_time(tmp_path: Path) -> None:
    agent = ProcessAgent(program(tmp_path, '__import__("time").sleep(60)'), GameConfig(), answer_seconds=0.2)
    try:
        hand = Game(GameConfig()).new_hand(1)
        with pytest.raises(RunFailed, match=r"did not answer within 0\.2 s"):
            agent.act(observe(hand))
    finally:
        agent.close()


def test_programs_that_are_no_players_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be started"):
        ProcessAgent(str(tmp_path / "missing"), GameConfig())
    with pytest.raises(RunFailed, match="must be a player of the ACPC protocol"):
        ProcessAgent(f"{sys.executable} -c pass", GameConfig(), start_seconds=0.5)
    with pytest.raises(ConfigError, match="antes"):
        ProcessAgent("true", GameConfig(ante=10))


def test_a_profile_seats_a_program(tmp_path: Path) -> None:
    profile = TableProfile(opponents=(f"process:{program(tmp_path, CALLS)}",))
    with seated(profile, GameConfig(), open_baseline("always-call")) as players:
        table = LocalTable(Game(GameConfig()), players, seed=1)
        table.play_hand()
        assert table.faults == 0
        process = players[1].process  # type: ignore[attr-defined]
    assert process.poll() is not None, "the program ends with the table"
