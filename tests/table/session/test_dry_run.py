"""A dry run has no way to act: its code sends nothing, its observers return nothing, and the hands do not change."""

import ast
import inspect
from itertools import islice
from pathlib import Path

import pytest

from holdem.cli import run_dry_run
from holdem.errors import ConfigError
from holdem.evaluation.baselines import open_baseline
from holdem.game import Action, Observation, Record
from holdem.table.acpc.game_definition import standard_game
from holdem.table.advice.advisor import Advisor, blueprint_decision
from holdem.table.advice.recommendation import Recommendation
from holdem.table.history import observed_hand
from holdem.table.history.observed_hand import ObservedHand, SeatObserver
from holdem.table.profiles import acpc_profile
from holdem.table.profiles.profiles import AcpcDealer, TableProfile
from holdem.table.session import acpc_watch, dry_run
from holdem.table.session.acpc_watch import watch_at_dealer
from holdem.table.session.dry_run import Watcher, watched_hands
from holdem.table.session.leave_signals import LeaveSignals
from tests.table.policies import random_blueprint

MODULES = [run_dry_run, dry_run, acpc_watch, acpc_profile, observed_hand]
ACTING_MODULES = {
    "holdem.table.session.autoplay", "holdem.table.session.acpc_session", "holdem.table.acpc.client",
    "holdem.table.acpc.lines", "holdem.cli.run_autoplay", "socket",
}  # fmt: skip
ACTING_CALLS = {"act", "send", "sendall", "send_line", "fold", "check_or_call", "raise_to", "bet_or_raise_to"}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_no_module_of_a_dry_run_acts_or_imports_what_acts(module: object) -> None:
    tree = ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8"))  # type: ignore[arg-type]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.module not in ACTING_MODULES
            assert not any(f"{node.module}.{alias.name}" in ACTING_MODULES for alias in node.names)
        elif isinstance(node, ast.Import):
            assert not any(alias.name in ACTING_MODULES for alias in node.names)
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert called not in ACTING_CALLS, f"{module} calls {called}"


def test_the_watcher_is_an_observer_and_no_agent() -> None:
    own = {name for name, member in vars(Watcher).items() if inspect.isfunction(member)} - {"__init__"}
    assert own <= {name for name, member in vars(SeatObserver).items() if inspect.isfunction(member)}
    assert not hasattr(Watcher, "act")
    for name, member in vars(SeatObserver).items():
        if inspect.isfunction(member):
            assert inspect.signature(member).return_annotation is None, name


class Meddler(SeatObserver):
    """Tries to act by returning actions wherever it is called."""

    def hand_started(self, hand: ObservedHand) -> None:
        return Action.fold()  # type: ignore[return-value]

    def happened(self, record: Record) -> None:
        return Action.fold()  # type: ignore[return-value]

    def to_act(self, observation: Observation) -> None:
        return Action.fold()  # type: ignore[return-value]

    def hand_over(self, hand: ObservedHand) -> None:
        return Action.fold()  # type: ignore[return-value]


def watch(observers: list[SeatObserver], hands: int = 25) -> list[tuple[Record, ...]]:
    blueprint = random_blueprint()
    players = [open_baseline("random"), open_baseline("always-call")]
    profile = TableProfile(seats=2)
    seen = watched_hands(profile, blueprint.policy.config, players, observers, LeaveSignals(), seed=4)
    return [hand.records for hand in islice(seen, hands)]


def test_whoever_watches_the_hands_are_the_same() -> None:
    shown: list[Recommendation] = []
    alone = watch([])
    assert watch([Meddler()]) == alone
    for seed in (1, 2):
        blueprint = random_blueprint(seed=seed)
        advisor = Advisor(lambda o, b=blueprint: blueprint_decision(b, o))  # type: ignore[misc]
        assert watch([Watcher(advisor, LeaveSignals(), shown.append)]) == alone
    assert len(shown) > 40
    assert any(found.decision.chosen != Action.check_or_call() for found in shown), "it would have acted otherwise"


def test_a_hand_is_recommended_for_at_each_turn_of_the_seat_and_no_other() -> None:
    shown: list[Recommendation] = []
    blueprint = random_blueprint()
    advisor = Advisor(lambda o: blueprint_decision(blueprint, o))
    hands = watch([Watcher(advisor, LeaveSignals(), shown.append)], 10)
    turns = sum(getattr(r, "seat", None) == 0 and type(r).__name__ in ("Fold", "Check", "Call", "Bet", "Raise")
                for hand in hands for r in hand)  # fmt: skip
    assert len(shown) == turns
    assert {found.observation.seat for found in shown} == {0}


def test_who_has_to_leave_at_once_thinks_no_more() -> None:
    leave = LeaveSignals()
    leave.now = True
    shown: list[Recommendation] = []
    watch([Watcher(Advisor(lambda _: 1 / 0), leave, shown.append)])  # type: ignore[arg-type,return-value]
    assert shown == []


def test_an_acpc_table_without_a_proxy_port_is_refused_with_the_reason() -> None:
    profile = TableProfile(table="acpc", acpc=AcpcDealer(port=18791))
    with pytest.raises(ConfigError, match=r"that protocol has no observers: give acpc\.listen_port"):
        watch_at_dealer(profile, standard_game(2), [], LeaveSignals())
