"""Checks by position: a chart passes on trees of every kind, each way to spoil it is found, and where it is."""

from functools import cache
from itertools import pairwise

import pytest

from holdem.abstraction.betting.line import parse_line
from holdem.abstraction.betting.tree import build_tree, position_names
from holdem.cards.ranges import Range
from holdem.errors import ConfigError
from holdem.evaluation.litmus.check import LitmusCheck
from holdem.evaluation.litmus.checks.shares import Shares
from holdem.evaluation.litmus.file import KINDS, load_checks
from holdem.evaluation.litmus.litmus import CheckResult, LitmusReport, Verdict, run_litmus
from holdem.evaluation.litmus.spots import PolicySpots, equities_before_the_flop
from holdem.policy.policy import AveragePolicy
from holdem.util.configs import check_config
from tests.evaluation.litmus_charts import CHART, Habit, chart_policy, preflop_tree, share_above, spoilt
from tests.evaluation.litmus_policies import equity_buckets, make_policy, sensible

RAISE_FIRST_IN = "Raise first in: as many hands as common charts"
DEFENCE = "Big blind against an open: calls and 3-bets"


@cache
def report(players: int, *changed: tuple[str, Habit]) -> LitmusReport:
    return judged(chart_policy(preflop_tree(players), dict(changed)))


def judged(policy: AveragePolicy, checks: list[LitmusCheck] | None = None) -> LitmusReport:
    return run_litmus(policy, checks, equity_buckets(2))


def failed(found: LitmusReport) -> set[str]:
    return {result.check.name for result in found.results if result.verdict is Verdict.FAILED}


def result_of(found: LitmusReport, name: str) -> CheckResult:
    return next(result for result in found.results if result.check.name == name)


def shares_check(**keys: object) -> list[LitmusCheck]:
    return [KINDS["shares"].model_validate({"kind": "shares", "name": "a check", **keys})]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_chart_passes_on_every_table(players: int) -> None:
    found = report(players)
    assert failed(found) == set()
    assert found.count(Verdict.UNVISITED) == 0
    assert result_of(found, RAISE_FIRST_IN).verdict is Verdict.PASSED
    figures = result_of(found, DEFENCE).findings.figures
    names = position_names(preflop_tree(players).config)
    assert [figure.position for figure in figures] == [*names[2:], "SB"]
    for figure in figures:
        assert figure.trained == 1.0
        # A class of hands is played or not as a whole, so a share is off by at most one class of 12 hands.
        wanted = CHART[f"BB against {figure.position}"].played
        assert figure.found == pytest.approx(wanted, abs=12 / 1326)


SPOILT: dict[str, tuple[int, dict[str, Habit], str]] = {
    "opens of UTG are tight": (6, {"first in UTG": Habit(0.10, 0.10)}, RAISE_FIRST_IN),
    "opens of BTN are tight": (3, {"first in BTN": Habit(0.21, 0.21)}, RAISE_FIRST_IN),
    "opens of CO are loose": (4, {"first in CO": Habit(0.60, 0.60)}, RAISE_FIRST_IN),
    "the button limps": (4, {"first in BTN": Habit(0.45, 0.20)}, RAISE_FIRST_IN),
    "the small blind gives up": (
        5,
        {"first in SB": Habit(0.2, 0.2)},
        "Small blind first in: raises and limps together",
    ),
    "the button opens less than CO": (
        6,
        {"first in BTN": Habit(0.2, 0.2)},
        "Opening gets wider towards the button",
    ),
    "the big blind folds to UTG": (6, {"BB against UTG": Habit(0.20, 0.05)}, DEFENCE),
    "the big blind calls everything": (3, {"BB against SB": Habit(1.0, 0.1)}, DEFENCE),
    "the big blind folds to late opens": (
        6,
        {"BB against BTN": Habit(0.30, 0.10)},
        "The big blind defends more against later opens",
    ),
    "the big blind never 3-bets": (4, {"BB against BTN": Habit(0.5, 0.0)}, "Big blind against an open: 3-bets"),
    "the small blind calls too much": (
        5,
        {"SB against HJ": Habit(0.4, 0.08)},
        "Small blind against an open: calls and 3-bets",
    ),
    "the small blind never 3-bets": (3, {"SB against BTN": Habit(0.2, 0.0)}, "Small blind against an open: 3-bets"),
    "the button 3-bets too much": (
        6,
        {"against an open": Habit(0.3, 0.25)},
        "In position against an open: 3-bets",
    ),
    "everybody jams over callers": (
        4,
        {"over callers": spoilt("over callers", all_in=0.06)},
        "All-in over an open and callers: all hands",
    ),
    "pairs jam over callers": (
        6,
        {"over callers": spoilt("over callers", all_in=0.05)},
        "All-in over an open and callers: 55 to TT",
    ),
    "the best hands fold first in": (
        4,
        {"first in CO": spoilt("first in CO", upside_down=True)},
        "Premium hands are played first in from everywhere",
    ),
    "the worst hands open": (
        5,
        {"first in HJ": spoilt("first in HJ", upside_down=True)},
        "The worst hands do not open",
    ),
    "the best hands fold to an open": (
        6,
        {"against an open": spoilt("against an open", upside_down=True)},
        "Premium hands do not fold to an open",
    ),
    "the big blind folds to the small blind": (
        3,
        {"BB against SB": Habit(0.30, 0.10)},
        "The big blind does not fold so often that any raise profits",
    ),
    "aces fold to a jam": (
        3,
        {"facing a jam": spoilt("facing a jam", upside_down=True)},
        "Aces do not fold to a jam",
    ),
}


@pytest.mark.parametrize("way", SPOILT)
def test_every_way_to_spoil_a_chart_is_found(way: str) -> None:
    players, changed, name = SPOILT[way]
    found = report(players, *changed.items())
    assert name in failed(found)
    assert name not in failed(report(players)), "the chart itself passes"


def test_every_check_by_position_has_a_policy_that_fails_it() -> None:
    by_position = {check.name for check in load_checks() if check.kind == "shares"}
    assert by_position <= {name for _, _, name in SPOILT.values()}


def test_a_violation_names_the_position_and_the_band() -> None:
    found = result_of(report(6, ("first in UTG", Habit(0.10, 0.10))), RAISE_FIRST_IN)
    (violation,) = found.findings.violations
    assert violation.where.startswith("UTG, ")
    assert "wanted 15.0 % to 19.0 %" in violation.what
    assert violation.limit == pytest.approx(0.12)
    figures = found.to_plain()["figures"]
    assert isinstance(figures, list)
    assert figures[0].keys() == {"position", "line", "found", "low", "high", "trained"}


def test_opens_count_as_often_as_they_are_used() -> None:
    """The big blind never folds to the small open and always to the large one, which is used three times as often."""
    tree = preflop_tree(4)
    policy = chart_policy(tree)
    table = policy.table.copy()
    opener = parse_line(tree, "CO fold, BTN fold").node  # the small blind: fold, call, 2bb, 3bb, all-in
    small, large = (parse_line(tree, f"CO fold, BTN fold, SB raise {size}").node for size in ("2bb", "3bb"))
    for bucket in range(169):
        start = policy.layout.row_start(opener, bucket)
        table[start : start + 5] = (36_000, 0, 6_000, 18_000, 0)
        for node, fold in ((small, 0), (large, 60_000)):
            start = policy.layout.row_start(node, bucket)
            width = int(tree.num_actions[node])
            table[start : start + width] = [fold, 60_000 - fold, *[0] * (width - 2)]
    changed = AveragePolicy(policy.info, table)
    changed.__dict__["tree"] = tree
    spot = PolicySpots(changed, equity_buckets(2)).at("folds to SB, any raise, folds to BB")
    assert len(spot.nodes) == 2
    assert spot.node_shares.tolist() == pytest.approx([0.25, 0.75])
    assert spot.frequency("fold").tolist() == pytest.approx([0.75] * 1326)
    # CO and BTN fold what the chart folds; the small blind then opens 0.1 + 0.3 of its hands.
    folds = [1.0 - PolicySpots(changed, equity_buckets(2)).at(f"folds to {name}").frequency("play").mean()
             for name in ("CO", "BTN")]  # fmt: skip
    assert spot.reached == pytest.approx(0.4 * folds[0] * folds[1])


OPENS = {
    "UTG": "66+, A3s+, K8s+, Q9s+, J9s+, T9s, 98s, 87s, 76s, ATo+, KJo+, QJo",
    "HJ": "55+, A2s+, K6s+, Q9s+, J9s+, T9s, 98s, 87s, 76s, A9o+, KTo+, QTo+",
    "CO": "33+, A2s+, K3s+, Q6s+, J8s+, T7s+, 97s+, 87s, 76s, A8o+, KTo+, QTo+, JTo",
    "BTN": "22+, A2s+, K2s+, Q3s+, J4s+, T6s+, 96s+, 85s+, 75s+, 64s+, 53s+, A4o+, K8o+, Q9o+, J9o+, T8o+, 98o",
}
"""Ranges in the manner of a chart: 18, 22, 28 and 43 % of all hands."""


def test_the_bands_of_defence_follow_from_the_price() -> None:
    """A call of R - 1 into a pot of 2R + 0.5 needs that share of it, and out of position equity is worth a part of
    itself: 0.64 of it in the wide range that calls 2 big blinds, 0.72, 0.75 and 0.8 in the narrower ones."""
    (check,) = (check for check in load_checks() if check.name == DEFENCE)
    (raises,) = (check for check in load_checks() if check.name == RAISE_FIRST_IN)
    assert isinstance(check, Shares)
    assert isinstance(raises, Shares)
    for position, text in OPENS.items():
        band = raises.bands[position]
        assert isinstance(band, tuple)
        assert band[0] <= Range.parse(text).weights.mean() <= band[1]
        bands, equities = check.bands[position], equities_before_the_flop(text)
        assert isinstance(bands, dict)
        for size, worth in ((2.0, 0.64), (2.5, 0.72), (3.0, 0.75), (4.0, 0.80)):
            low, high = bands[size]
            assert low <= (equities * worth >= (size - 1.0) / (2.0 * size + 0.5)).mean() <= high


def test_bands_of_sizes_are_interpolated_and_mixed() -> None:
    """Opens of 2 and 3 big blinds, half of the time each: the mean of their bands; of 2.5 alone, the one in between."""
    bands = {"BTN": {2: [0.6, 0.8], 3: [0.3, 0.5]}}
    keys = {"line": "folds to {position}, any raise, folds to BB", "action": "play", "bands": bands}
    for players in (6, 5):
        figure = judged(chart_policy(preflop_tree(players)), shares_check(**keys)).results[0].findings.figures[0]
        assert (figure.low, figure.high) == pytest.approx((0.45, 0.65))
    four_bets = shares_check(**keys | {"line": "folds to {position}, any raise, folds to BB, any raise, folds to BTN"})
    other = [check for check in load_checks() if check.name == RAISE_FIRST_IN]
    result = judged(chart_policy(preflop_tree(6)), four_bets + other).results[0]
    assert result.verdict is Verdict.LEFT_OUT
    assert "raises to 2 to 3 big blinds, not to 7.5" in result.findings.left_out[0]  # the mean of 6 and 9


def test_a_hand_counts_at_the_nodes_that_it_comes_to() -> None:
    """The button calls a raise of the big blind after opening: hands that it never opened have no part in its range."""
    spots = PolicySpots(chart_policy(preflop_tree(6)), equity_buckets(2))
    spot = spots.at("folds to BTN, any raise, folds to BB, any raise, folds to BTN")
    assert len(spot.nodes) == 2  # two opens, one 3-bet that is not all-in
    assert spot.own_reach.mean() == pytest.approx(spots.at("folds to BTN").frequency("raise").mean() / 2)
    with_range = shares_check(
        line="folds to {position}, any raise, folds to BB, any raise, folds to BTN",
        action="play",
        bands={"BTN": [0.1, 1.0]},
    )
    (result,) = judged(spots.policy, with_range).results
    # Of the 45 % that it opens, it goes on with the best 15 % of all hands: a third.
    found = result.findings.figures[0].found
    assert found == pytest.approx(0.15 / 0.45, abs=0.02)


def test_positions_that_training_never_visited_are_named_and_not_judged() -> None:
    tree = preflop_tree(6)
    spots = [parse_line(tree, f"UTG raise {size}, HJ fold, CO fold, BTN fold, SB fold").node for size in ("2bb", "3bb")]
    policy = chart_policy(tree, unvisited=lambda node: node in spots)
    defence = [check for check in load_checks() if check.name == DEFENCE]
    result = result_of(judged(policy, defence), DEFENCE)
    assert result.verdict is Verdict.UNVISITED
    assert len(result.findings.untrained) == 1
    assert "training visited 0 % of its range" in result.findings.untrained[0]
    found = {figure.position: figure for figure in result.findings.figures}
    assert found["UTG"].found is None
    assert found["UTG"].trained == 0.0
    assert found["HJ"].found == pytest.approx(0.36, abs=12 / 1326)
    half = chart_policy(tree, unvisited=lambda node: node == spots[0])
    assert result_of(judged(half, defence), DEFENCE).verdict is Verdict.PASSED, (
        "one of two sizes is known, which is half of it"
    )
    both = chart_policy(tree, {"BB against BTN": Habit(0.1, 0.05)}, lambda node: node in spots)
    assert result_of(judged(both, defence), DEFENCE).verdict is Verdict.FAILED, "what is known is still judged"


def test_a_spot_that_the_policy_never_comes_to_has_no_range() -> None:
    result = result_of(report(6, ("first in UTG", Habit(0.0))), DEFENCE)
    assert result.findings.figures[0].found is None
    assert "hardly ever comes" in result.findings.left_out[0]


def test_lines_that_mean_many_nodes() -> None:
    tree = preflop_tree(4)
    spots = PolicySpots(chart_policy(tree), equity_buckets(2))

    def lines(text: str) -> list[str]:
        return [tree.describe(node) for node in spots.at(text).nodes]

    assert lines("folds to BTN") == ["CO fold"]
    assert lines("folds to CO, any raise, folds to SB") == [
        "CO raise 2bb, BTN fold",
        "CO raise 3bb, BTN fold",
    ]
    assert lines("callers to SB") == ["CO fold, BTN call", "CO call, BTN fold", "CO call, BTN call"]
    assert lines("folds to anybody, all-in, folds to BB") == [
        "CO raise 100bb all-in, BTN fold, SB fold",
        "CO fold, BTN raise 100bb all-in, SB fold",
        "CO fold, BTN fold, SB raise 100bb all-in",
    ]
    assert lines("CO raise 3bb, callers to anybody") == [
        "CO raise 3bb, BTN fold, SB call",
        "CO raise 3bb, BTN call",
        "CO raise 3bb, BTN call, SB fold",
        "CO raise 3bb, BTN call, SB call",
    ]
    assert lines("folds to BTN, BTN any raise, folds to BB, call | Ks7d2c") == [
        "CO fold, BTN raise 2bb, SB fold, BB call",
        "CO fold, BTN raise 3bb, SB fold, BB call",
    ]
    for before, after in pairwise(spots.at("folds to anybody").nodes):
        assert tree.parent[after] == before


def test_what_a_game_does_not_have_is_left_out() -> None:
    found = judged(chart_policy(preflop_tree(6)))
    limps = result_of(found, "The big blind does not fold to limps")
    assert limps.verdict is Verdict.LEFT_OUT
    assert "by folds and calls" in limps.findings.left_out[0]
    assert result_of(report(4), "The big blind does not fold to limps").verdict is Verdict.PASSED
    straddle = preflop_tree(4).config.model_copy(update={"straddle": 200})
    straddled = judged(make_policy(build_tree(straddle), sensible))
    assert result_of(straddled, "The big blind does not fold to limps").verdict is Verdict.LEFT_OUT, "it has to pay"
    assert "without antes and straddles" in result_of(straddled, RAISE_FIRST_IN).findings.left_out[0]
    short = judged(chart_policy(preflop_tree(4, 2_000)))
    raises = result_of(short, RAISE_FIRST_IN)
    assert raises.verdict is Verdict.LEFT_OUT
    assert raises.findings.left_out == ["its bands are for stacks of 75 to 150 big blinds, not 20 to 20"]


def test_bands_that_cannot_be_meant_are_refused() -> None:
    def refusal(line: str, action: str, bands: dict[str, list[float]]) -> str:
        keys = {"name": "x", "kind": "shares", "line": line, "action": action, "bands": bands}
        with pytest.raises(ConfigError) as refused:
            check_config(KINDS["shares"], keys)
        return str(refused.value)

    assert "write the smaller share first" in refusal("folds to {position}", "raise", {"UTG": [0.3, 0.2]})
    assert "where their names belong" in refusal("", "raise", {"UTG": [0.1, 0.2], "HJ": [0.1, 0.2]})
    assert "is not known; write fold, check" in refusal("", "limp", {"UTG": [0.1, 0.2]})


def test_the_share_of_better_hands() -> None:
    assert share_above(1.0) == 0.0
    assert share_above(0.0) == pytest.approx(1.0 - 12 / 1326)  # the worst class, 32o, has twelve hands
