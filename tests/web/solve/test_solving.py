"""A page solves over a real websocket with a real process: to reference values, stopped, gone on with, locked."""

import pytest

from holdem.realtime import solve_subgame
from tests.realtime.spots import REFERENCE, RIVER, TURN
from tests.web.pages import Served
from tests.web.solve.conftest import MOST_BYTES
from tests.web.solve.solve_pages import SolvePageScript, solve_page

WIDE_TURN = {
    "board": "Kc 8h 5h 2s", "pot": 120, "effective_stack": 900, "range_oop": "22+, A2+, K2s+, K9o+",
    "range_ip": "22+, A2+, K2s+, K9o+", "bet_sizes": {"turn": {"bet": "75%", "raise": "a"}, "river": {"bet": "75%, a"}},
}  # fmt: skip

RIVER_NAME = "river Ah 9c 4d 7s 2h, pot 90, stacks 300"


def test_the_welcome_says_where_to_begin(page: SolvePageScript) -> None:
    welcome = page.welcome
    assert welcome["type"] == "welcome"
    assert welcome["solves"]["most"] == 2
    assert welcome["most_bytes"] == MOST_BYTES
    assert welcome["policies"] == ["jam"]
    spots = {one["name"]: one["spot"] for one in welcome["spots"]}
    assert len(spots) == len(REFERENCE)
    assert not {"reference", "id"} & set(spots[RIVER_NAME])
    assert len(welcome["presets"]) >= 5


def test_the_reference_river(page: SolvePageScript) -> None:
    """Within a hundredth of the pot's exploitability bounds: at 0.02 % both EVs are off by at most 0.02 % of 90."""
    spot = {one["name"]: one["spot"] for one in page.welcome["spots"]}[RIVER_NAME]
    told = page.ask("estimate", spot=spot, target=0.02)
    assert (told["hands"], told["fits"], told["why_not"]) == ([289, 337], True, "")
    assert 0 < told["seconds"] < 10
    started = page.ask("start", spot=spot, hands="exact", target=0.02, seconds=None)
    assert (started["type"], started["bytes"], started["hands"]) == ("started", told["bytes"], [289, 337])
    stopped = page.until("stopped")
    assert (stopped["by"], stopped["hands"], stopped["exact_exploitability"]) == ("target", "exact", None)
    assert stopped["exploitability"] <= 0.02
    reference = REFERENCE["PR1"]["reference"]
    assert stopped["ev"] == pytest.approx([reference["ev_oop"], reference["ev_ip"]], abs=0.03)
    falling = [one["exploitability"] for one in page.seen if one["type"] == "progress"]
    assert falling == sorted(falling, reverse=True)
    root = page.ask("node", path="")
    shares = {action["label"]: action["frequency"] for action in root["actions"]}
    assert shares == pytest.approx(reference["root_frequencies"], abs=0.05)
    assert root["ev"] == pytest.approx(stopped["ev"], abs=0.001)


def test_stop_ask_and_go_on(page: SolvePageScript) -> None:
    assert page.ask("start", spot=WIDE_TURN, target=0.0)["type"] == "started"
    page.until("progress")
    refused = page.ask("node", path="")
    assert (refused["type"], "stop it first" in refused["text"]) == ("refused", True)
    stopped = page.ask("stop")
    assert (stopped["type"], stopped["by"]) == ("stopped", "stop")
    assert page.ask("node", path="check")["player"] == "ip"
    again = page.ask("stop")
    assert (again["type"], again["iterations"]) == ("stopped", stopped["iterations"])
    assert page.ask("go_on", target=stopped["exploitability"] / 2)["type"] == "started"
    further = page.until("stopped")
    assert further["by"] == "target"
    assert further["iterations"] > stopped["iterations"]
    assert further["seconds"] > stopped["seconds"]
    assert further["exploitability"] <= stopped["exploitability"] / 2 + 1e-5


def test_every_stop_is_answered(page: SolvePageScript) -> None:
    assert page.ask("start", spot=WIDE_TURN, target=0.0)["type"] == "started"
    waiting = {page.say("stop") for _ in range(5)}
    while waiting:
        stopped = page.until("stopped")
        waiting.remove(stopped["request"])


def test_a_limit_of_time(page: SolvePageScript) -> None:
    stopped = page.solve(WIDE_TURN, target=0.0, seconds=0.5)
    assert stopped["by"] == "time"
    assert stopped["seconds"] >= 0.5


def test_lock_a_node_and_solve_again(page: SolvePageScript) -> None:
    first = page.solve(RIVER, target=0.05)
    lock = {"node": "bet 50", "strategy": {"Fold": 1}}
    locked = page.solve({**RIVER, "locks": [lock]}, target=0.05)
    assert locked["ev"][0] > first["ev"][0]  # whoever bets wins at once
    node = page.ask("node", path="bet 50")
    assert node["locked"]
    assert [action["frequency"] for action in node["actions"]] == [1.0, 0.0, 0.0, 0.0]
    assert not page.ask("node", path="")["locked"]
    assert locked["ev"] == pytest.approx(
        solve_subgame({**RIVER, "locks": [lock]}, target_percent=0.05).expected_values, abs=0.1
    )


@pytest.mark.parametrize(
    "lock",
    [
        {"node": "bet 45", "strategy": {"Fold": 1}},
        {"node": "bet 50", "strategy": {"Raise(51)": 1}},
        {"node": "bet 50", "strategy": {"Fold": 1e308, "fold": 1e308}},
        {"node": "bet 50", "hands": {"A9z": {"Fold": 1}}},
    ],
)
def test_a_refused_start_leaves_the_solve_that_is_there(page: SolvePageScript, lock: dict[str, object]) -> None:
    page.solve(RIVER, target=0.5)
    before = page.ask("node", path="bet 50")
    assert page.ask("start", spot={**RIVER, "locks": [lock]})["type"] == "refused"
    after = page.ask("node", path="bet 50")
    assert {**after, "request": 0} == {**before, "request": 0}


def test_groups_say_what_they_cost_after_the_stop(page: SolvePageScript) -> None:
    told = page.ask("estimate", spot=REFERENCE["PT1"], hands="groups")
    assert told["exact_bytes"] > told["bytes"]
    assert page.ask("estimate", spot=REFERENCE["PT1"], hands="exact")["exact_bytes"] == 0
    stopped = page.solve(REFERENCE["PT1"], hands="groups", target=0.5)
    assert (stopped["hands"], stopped["exact_exploitability"]) == ("groups", None)
    exact = page.until("exact")
    assert exact["iterations"] == stopped["iterations"]
    assert exact["exploitability"] > stopped["exploitability"]
    assert page.ask("stop")["exact_exploitability"] == exact["exploitability"]


def test_groups_say_what_they_cannot_do(page: SolvePageScript) -> None:
    page.solve(REFERENCE["PT1"], hands="groups", target=0.5)
    assert page.ask("node", path="check")["kind"] == "decision"
    deal = page.ask("node", path="check, check")
    assert (deal["kind"], deal["cards"]) == ("deal", [])
    assert "only the first street" in deal["words"]
    for refused, words in (
        (page.ask("node", path="check, check, 5d"), "only the first street"),
        (page.ask("save"), "cannot be saved"),
    ):
        assert refused["type"] == "refused"
        assert words in refused["text"]
    river = page.ask("estimate", spot=RIVER, hands="groups")
    assert not river["fits"]
    assert "choose Exact" in river["why_not"]


@pytest.mark.long
def test_what_is_too_large_is_told_and_refused(page: SolvePageScript) -> None:
    flop = {
        "board": "Kc8h5h", "pot": 60, "effective_stack": 900, "range_oop": "random", "range_ip": "random",
        "bet_sizes": {"flop": {"bet": "50%"}, "turn": {"bet": "50%"}, "river": {"bet": "50%"}},
    }  # fmt: skip
    told = page.ask("estimate", spot=flop, hands="exact")
    assert told["bytes"] > MOST_BYTES
    assert not told["fits"]
    assert "choose Fast" in told["why_not"]
    refused = page.ask("start", spot=flop, hands="exact")
    assert (refused["type"], refused["text"]) == ("refused", told["why_not"])
    assert page.ask("estimate", spot=flop, hands="groups")["fits"]
    menus = {"bet": "10%, 20%, 30%, 40%, 50%, 60%, 70%, a", "raise": "20%, 50%, a"}
    many = {**flop, "bet_sizes": {"flop": menus, "turn": menus, "river": menus}}
    told = page.ask("estimate", spot=many, hands="groups")
    assert not told["fits"]
    assert "nodes" in told["why_not"]
    assert "nodes" in page.ask("start", spot=many)["text"]


def test_a_page_without_a_solve_and_a_spot_that_is_wrong(page: SolvePageScript) -> None:
    for kind in ("node", "stop", "go_on", "save", "csv"):
        refused = page.ask(kind)
        assert (refused["type"], "start a solve" in refused["text"]) == ("refused", True)
    refused = page.ask("start", spot={**TURN, "pot": 0})
    assert (refused["type"], refused["solved"]) == ("refused", False)
    assert "pot is 0" in refused["text"]
    assert page.solve(TURN, target=1.0)["by"] == "target"  # the page can go on


def test_two_pages_do_not_see_each_other(server: Served) -> None:
    with solve_page(server.address) as one, solve_page(server.address) as two:
        one.solve(RIVER, target=0.5)
        two.solve(TURN, target=0.5)
        assert one.ask("node")["street"] == "river"
        assert two.ask("node")["street"] == "turn"
