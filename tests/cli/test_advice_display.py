"""How a recommendation is shown: a panel for people, a line for pipes, JSON for programs."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from holdem.cards import parse_cards
from holdem.cli.advice_display import AdviceDisplay, advice_line, advice_panel
from holdem.cli.card_text import card_text
from holdem.game import Action, Game, observe
from holdem.realtime.search.decision import Decision, Method
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.recommendation import Recommendation

CALL = Action.check_or_call()


def recommendation(evs: tuple[float, ...] | None = (0.0, 31.4, float("nan"))) -> Recommendation:
    """The big blind with ace-king faces a raise to 300."""
    hand = Game.from_preset("headsup_100bb").new_hand(hole_cards=["AhKd", None])
    hand.act(Action.raise_to(300))
    actions = (Action.fold(), CALL, Action.raise_to(900))
    decision = Decision(actions, (0.05, 0.7, 0.25), evs, CALL, Method.SEARCH, 312, 0.078, "21 nodes")
    return Recommendation(observe(hand), decision, None, "solved subgame" if evs else "not computed")


def rendered(found: Recommendation) -> str:
    console = Console(file=io.StringIO(), width=120, color_system=None)
    console.print(advice_panel(found, 7))
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_a_panel_tells_everything() -> None:
    text = rendered(recommendation())
    for words in (
        "hand 7 · preflop · BB", "A♥ K♦", "board –", "pot 400, 200 to call, 9,900 behind", "→ call 200", "70 %", "+31",
        "  raise to 900", "search, 312 iterations, 78.0 ms (21 nodes); worth: solved subgame",
    ):  # fmt: skip
        assert words in text, words
    assert "nan" not in text
    # The bars are 20 cells for 100 per cent.
    assert [line.count("█") for line in text.splitlines()[2:5]] == [1, 14, 5]


def test_worth_that_was_not_computed_is_not_shown() -> None:
    text = rendered(recommendation(None))
    assert "worth: not computed" in text
    assert "+" not in text


def test_a_line_for_a_pipe() -> None:
    line = advice_line(recommendation(), 7)
    assert line.startswith("hand 7, preflop, pot 400: BB with AhKd → call 200 [fold 5 % +0, call 200 70 % +31")
    assert "\n" not in line


def test_json_lines_and_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    display = AdviceDisplay(as_json=True)
    display.show(recommendation())
    advisor = Advisor(lambda _: recommendation().decision)
    advisor.recommend(recommendation().observation)
    display.summary(advisor, 3, Path("hands.phhs"), "3 hands were played")
    first, last = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first["event"] == "recommendation"
    assert [action["ev"] for action in first["actions"]] == [0.0, 31.4, None]
    assert last == {
        "event": "summary", "hands": 3, "won": 0, "decisions": {"search": 1}, "not_understood": 0, "remarks": {},
        "history": "hands.phhs", "ended_by": "3 hands were played",
    }  # fmt: skip


def test_four_suits_in_four_colours() -> None:
    text = card_text(parse_cards("AcKdQhJs"))
    assert text.plain == "A♣ K♦ Q♥ J♠"
    assert len({span.style for span in text.spans}) == 4
    assert card_text(()).plain == "–"
