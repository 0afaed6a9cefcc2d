"""Litmus checks: what makes sense passes, what is absurd fails, what training never saw is not judged."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from holdem.abstraction.betting.line import parse_line
from holdem.abstraction.bucketing import HandBucketing
from holdem.cards.cards import format_cards, hole_cards, hole_index, parse_cards
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE
from holdem.errors import ConfigError
from holdem.evaluation.litmus.check import LitmusCheck
from holdem.evaluation.litmus.checks.defence import break_even
from holdem.evaluation.litmus.checks.ladder import equal_groups
from holdem.evaluation.litmus.checks.order import chance_in_order
from holdem.evaluation.litmus.file import KINDS, load_checks
from holdem.evaluation.litmus.litmus import LitmusReport, Verdict, run_litmus
from holdem.evaluation.litmus.reach import action_shares
from holdem.evaluation.litmus.spots import PolicySpots, equities_before_the_flop
from holdem.policy.policy import AveragePolicy
from tests.built_buckets import small_buckets
from tests.cli.runs import save_toy
from tests.evaluation.litmus_policies import (
    Rule,
    equity_buckets,
    folding,
    heads_up_tree,
    inverted,
    make_policy,
    sensible,
    short_tree,
    uniform,
)
from tests.mccfr.runs import run_training


@cache
def heads_up_report(rule: Rule) -> LitmusReport:
    return run_litmus(make_policy(heads_up_tree(), rule), bucketing=equity_buckets())


def failed(report: LitmusReport) -> set[str]:
    return {result.check.name for result in report.results if result.verdict is Verdict.FAILED}


def only(kind: str, **keys: object) -> list[LitmusCheck]:
    return [KINDS[kind].model_validate({"kind": kind, "name": "a check", **keys})]


def verdict(policy: AveragePolicy, checks: list[LitmusCheck]) -> Verdict:
    return run_litmus(policy, checks, equity_buckets() if policy.info.bucketing else None).results[0].verdict


def test_a_sensible_policy_passes_every_shipped_check() -> None:
    report = heads_up_report(sensible)
    assert failed(report) == set()
    assert {result.verdict for result in report.results} == {Verdict.PASSED}
    assert len(report.results) == sum(2 in check.players for check in load_checks())


def test_every_shipped_check_is_failed_by_a_bad_policy() -> None:
    names = {check.name for check in load_checks() if 2 in check.players}
    blind, upside_down = failed(heads_up_report(uniform)), failed(heads_up_report(inverted))
    # One check is about a whole range, not about who is in it: only somebody who always folds fails that.
    about_the_range = {"The big blind does not fold so often that any raise profits"}
    assert blind == names - about_the_range
    assert upside_down == names - about_the_range
    assert about_the_range <= failed(heads_up_report(folding))


def test_a_violation_says_where_how_much_and_why() -> None:
    result = heads_up_report(uniform).results[0]
    assert result.check.name == "Aces are never folded before the flop"
    worst = result.findings.violations[0]
    assert worst.found > worst.limit == 0.003
    assert worst.where in ("BB, preflop", "SB, preflop")
    assert "of the times it can" in worst.what
    assert "after" in worst.what
    plain = result.to_plain()
    assert plain["verdict"] == "failed"
    assert "too little training" in str(plain["usual_cause"])


def test_rows_that_training_never_visited_are_not_judged() -> None:
    tree = heads_up_tree()
    jam = parse_line(tree, "SB all-in").node
    policy = make_policy(tree, uniform, unvisited=lambda node: node == jam)
    here = only("limit", lines=["SB all-in"], hands="AA", action="fold", at_most=0.01)
    with pytest.raises(ConfigError, match="none of the checks could judge"):
        run_litmus(policy, here, equity_buckets())
    both = here + only("limit", lines=["SB raise 3bb"], hands="AA", action="fold", at_most=0.01)
    report = run_litmus(policy, both, equity_buckets())
    assert [result.verdict for result in report.results] == [Verdict.UNVISITED, Verdict.FAILED]
    assert report.results[0].findings.unvisited == 6


@pytest.mark.parametrize("players", [3, 4, 6])
def test_tables_of_more_players(players: int) -> None:
    tree = short_tree(players)
    fine, blind = run_litmus(make_policy(tree, sensible)), run_litmus(make_policy(tree, uniform))
    # The same strategy from every position does not open wider towards the button, which only larger tables have.
    assert failed(fine) == ({"Opening gets wider towards the button"} if players > 3 else set())
    assert fine.count(Verdict.PASSED) >= 4
    assert fine.count(Verdict.LEFT_OUT) >= 2, "there is no flop in this game"
    assert {"Aces are never folded before the flop", "Folding to a jam follows equity"} <= failed(blind)


def test_widening_needs_a_rise_without_falls() -> None:
    tree = short_tree(4)
    position = {node: int(tree.player[node]) for node in range(tree.num_nodes)}
    first, button = 0, parse_line(tree, "CO fold").node
    assert position[first] == 2
    assert position[button] == 3

    def policy(first_share: float, button_share: float) -> AveragePolicy:
        wide = make_policy(tree, sensible)
        table = wide.table.copy()
        for node, share in ((first, first_share), (button, button_share)):
            for bucket in range(169):
                start = wide.layout.row_start(node, bucket)
                table[start : start + 2] = (60_000 * (1 - share), 60_000 * share)
        changed = AveragePolicy(wide.info, table)
        changed.__dict__["tree"] = tree
        return changed

    checks = only("widening", lines=["", "folds to BTN"], action="play", slack=0.05, rise=0.1)
    assert verdict(policy(0.2, 0.4), checks) is Verdict.PASSED
    assert verdict(policy(0.2, 0.25), checks) is Verdict.FAILED
    assert verdict(policy(0.4, 0.2), checks) is Verdict.FAILED


def test_the_share_of_a_mistake_anywhere_adds_up_by_hand() -> None:
    """Jam or fold, uniform: the big blind acts after a jam, which comes half the time, and then folds half the time."""
    spots = PolicySpots(make_policy(short_tree(2), uniform))
    big_blind, small_blind = action_shares(spots, 0, (), "AA", "fold")
    assert sum(big_blind.by_node.values()) == pytest.approx(0.25, abs=1e-9)
    assert big_blind.chances == pytest.approx(0.5, abs=1e-9)
    assert sum(small_blind.by_node.values()) == pytest.approx(0.5, abs=1e-9)
    assert big_blind.rate == small_blind.rate == pytest.approx(0.5, abs=1e-9)
    # Three players: BTN folds or jams, then SB, then BB, who has no choice after two folds; each coin is fair.
    shares = action_shares(PolicySpots(make_policy(short_tree(3), uniform)), 0, (), "AA", "fold")
    assert [round(sum(position.by_node.values()), 9) for position in shares] == [0.5, 0.375, 0.5]


def test_break_even_is_risk_over_risk_and_pot() -> None:
    tree = heads_up_tree()
    # The small blind adds 2.5 to its half to win the 1.5 in the middle.
    assert break_even(tree, parse_line(tree, "SB raise 3bb").node) == pytest.approx(2.5 / 4.0)
    pot_sized = parse_line(tree, "SB call, BB check | BB bet 2bb").node
    assert break_even(tree, pot_sized) == pytest.approx(0.5)


def test_the_order_of_hands_is_the_area_under_the_curve() -> None:
    values = np.array([0.1, 0.2, 0.3, 0.4])
    assert chance_in_order(values, np.array([0.0, 0.0, 1.0, 1.0])) == 1.0
    assert chance_in_order(values, np.array([1.0, 1.0, 0.0, 0.0])) == 0.0
    assert chance_in_order(values, np.full(4, 0.5)) == pytest.approx(0.5)
    # Of the four pairs (0.2 or 0.4 against 0.1 or 0.3) three are in order.
    assert chance_in_order(values, np.array([0.0, 1.0, 0.0, 1.0])) == 0.75
    assert chance_in_order(values, np.zeros(4)) is None


def test_groups_keep_hands_of_one_value_together() -> None:
    values = np.array([0.5, 0.1, np.nan, 0.1, 0.9, 0.7, 0.1])
    groups = equal_groups(values, 3)
    assert [hands.nonzero()[0].tolist() for _, _, hands in groups] == [[0, 1, 3, 6], [4, 5]]
    equities = equities_before_the_flop("random")
    for _, _, hands in equal_groups(equities, 8):
        for name in {CLASS_NAMES[CLASS_OF_HOLE[hole]] for hole in hands.nonzero()[0]}:
            same = CLASS_NAMES.index(name) == CLASS_OF_HOLE
            assert hands[same].all(), f"{name} is torn apart"


def test_equities_before_the_flop_are_the_published_ones() -> None:
    equities = equities_before_the_flop("random")
    assert equities[hole_index(*parse_cards("AhAd"))] == pytest.approx(0.8520, abs=5e-5)
    assert equities[hole_index(*parse_cards("3h2d"))] == pytest.approx(0.3230, abs=5e-4)
    assert equities_before_the_flop("KK")[hole_index(*parse_cards("AhAd"))] == pytest.approx(0.8195, abs=5e-4)


def test_nuts_and_worst_hands() -> None:
    spots = PolicySpots(make_policy(heads_up_tree(), sensible), equity_buckets())

    def names(text: str, board: str) -> set[str]:
        return {format_cards(hole_cards(hole)) for hole in spots.hands(text, parse_cards(board)).nonzero()[0].tolist()}

    assert names("nuts", "Ks7d2c") == {"KcKd", "KcKh", "KdKh"}
    # 9-8-7-6-5 is the only straight, no flush is possible, and a set of kings comes after it.
    assert names("nuts", "Ks7d2c5h9s") == {f"6{a}8{b}" for a in "cdhs" for b in "cdhs"}
    assert names("worst", "Ks7d2c5h9s") == {f"3{a}4{b}" for a in "cdhs" for b in "cdhs"}
    assert len(spots.hands("nuts", ()).nonzero()[0]) == 6


def test_unknown_keys_and_kinds_name_the_nearest(tmp_path: Path) -> None:
    def refusal(text: str) -> str:
        path = tmp_path / "mine.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ConfigError) as refused:
            load_checks(path)
        return str(refused.value)

    assert "did you mean checks?" in refusal("check: []")
    assert "did you mean limit?" in refusal("checks: [{name: x, kind: limits}]")
    assert "did you mean at_most?" in refusal(
        "checks: [{name: x, kind: limit, lines: '', hands: AA, action: fold, atmost: 0.1}]"
    )
    assert "either at_most or at_least" in refusal(
        "checks: [{name: x, kind: limit, lines: '', hands: AA, action: fold}]"
    )
    assert "at_most" in refusal("checks: [{name: x, kind: limit, lines: '', hands: AA, action: fold, at_most: 2}]")
    assert "board of 5 cards" in refusal(
        "checks: [{name: x, kind: anywhere, street: river, hands: nuts, action: fold, at_most: 0.1}]"
    )
    assert "write 2, [2, 3] or 3-6" in refusal(
        "checks: [{name: x, kind: limit, players: two, lines: '', hands: AA, action: fold, at_most: 0.1}]"
    )
    assert "write 2, [2, 3] or 3-6" in refusal(
        "checks: [{name: x, kind: limit, players: 2-99999999999, lines: '', hands: AA, action: fold, at_most: 0.1}]"
    )
    assert "kind ['limit'] is not known" in refusal("checks: [{name: x, kind: [limit]}]")
    assert "rungs" in refusal(
        "checks: [{name: x, kind: ladder, lines: '', rungs: 1, action: raise, slack: 0, rise: 1}]"
    )
    assert "rungs" in refusal(
        "checks: [{name: x, kind: ladder, lines: '', rungs: [AA], action: raise, slack: 0, rise: 1}]"
    )
    assert "holds no checks" in refusal("checks: []")
    assert "only `include: default`" in refusal("include: others")


def test_a_file_may_include_the_shipped_checks(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    mine = "{name: Mine, kind: limit, lines: SB all-in, hands: AA, action: call, at_least: 1}"
    path.write_text(f"include: default\nchecks:\n- {mine}\n", encoding="utf-8")
    assert [check.name for check in load_checks(path)] == [*(check.name for check in load_checks()), "Mine"]


@pytest.mark.slow
def test_a_blueprint_of_one_minute_passes(tmp_path: Path) -> None:
    """The quickstart: `make train` trains for a minute on every core."""
    buckets = small_buckets()
    arguments = ("--buckets", buckets, "--time-budget", 60, "--num-workers", 0, "--logdir", tmp_path)
    result = run_training(*arguments, "--no-tensorboard")
    assert result.returncode == 0, result.stderr
    report = run_litmus(AveragePolicy.load(tmp_path), bucketing=HandBucketing.load(buckets))
    assert failed(report) == set()
    assert report.count(Verdict.PASSED) == len(report.results)


def test_a_toy_game_is_refused_in_one_sentence(tmp_path: Path) -> None:
    policy = AveragePolicy.load(save_toy(tmp_path, "leduc"))
    with pytest.raises(ConfigError, match="speak of hold'em hands"):
        run_litmus(policy)
