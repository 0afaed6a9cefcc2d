"""Recommendations and hands for people (a panel on a terminal, a line in a pipe) and for programs (JSON lines)."""

import json
from math import isnan
from pathlib import Path
from typing import Any

import typer
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from holdem.cards.cards import format_cards
from holdem.cli.card_text import card_text
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.recommendation import Recommendation, position_name, smallest_loss, words_of
from holdem.table.history.observed_hand import ObservedHand, SeatObserver
from holdem.types import STREET_NAMES
from holdem.util.words import counted

BAR_CELLS = 20


class AdviceDisplay(SeatObserver):
    """Prints what a seat's advisor finds and how its hands end."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.console = Console()
        self.total = 0
        self._hand = 0

    def hand_started(self, hand: ObservedHand) -> None:
        """Remember the number."""
        self._hand = hand.number

    def show(self, recommendation: Recommendation) -> None:
        """One recommendation."""
        if self.as_json:
            self.line("recommendation", {"hand": self._hand + 1, **recommendation.to_plain()})
        elif self.console.is_terminal:
            self.console.print(advice_panel(recommendation, self._hand + 1))
        else:
            typer.echo(advice_line(recommendation, self._hand + 1))

    def hand_over(self, hand: ObservedHand) -> None:
        """How a hand ended for the seat."""
        won = hand.payoffs[hand.seat]
        self.total += won
        if self.as_json:
            shown = {str(seat): format_cards(cards) for seat, cards in hand.shown.items()}
            self.line("hand", {"hand": hand.number + 1, "won": won, "total": self.total, "shown": shown})
        else:
            typer.echo(f"hand {hand.number + 1}: {won:+,} chips, {self.total:+,} in all")

    def summary(self, advisor: Advisor, hands: int, history: Path, why: str = "") -> None:
        """What there is at the end, on stderr for people, so that a pipe holds only advice."""
        methods = {method.value: count for method, count in advisor.decisions.items() if count}
        content: dict[str, Any] = {
            "hands": hands, "won": self.total, "decisions": methods,
            "not_understood": advisor.not_understood, "remarks": advisor.remarks, "history": str(history),
            "ended_by": why,
        }  # fmt: skip
        if self.as_json:
            self.line("summary", content)
            return
        how = ", ".join(f"{count:,} by {name}" for name, count in methods.items()) or "none"
        typer.echo(
            f"{why + ': ' if why else ''}{counted(hands, 'hand')}, {self.total:+,} chips; decisions: {how}", err=True
        )
        for what, count in advisor.remarks.items():
            typer.echo(f"{what}: {counted(count, 'time')}", err=True)
        if advisor.not_understood:
            typer.echo(
                f"not understood: {counted(advisor.not_understood, 'state')}; the log has the whole text", err=True
            )
        typer.echo(f"hands are in {history}", err=True)

    def line(self, event: str, content: dict[str, Any]) -> None:
        """One JSON line."""
        typer.echo(json.dumps({"event": event, **content}))


def advice_line(recommendation: Recommendation, number: int) -> str:
    """A recommendation in one line."""
    seen = recommendation.observation
    shares = ", ".join(map(" ".join, _rows(recommendation)))
    return (
        f"hand {number}, {STREET_NAMES[seen.street]} {format_cards(seen.board)}".rstrip()
        + f", pot {seen.pot:,}: {position_name(seen)} with {format_cards(seen.hole_cards)} "
        f"→ {recommendation.chosen_words} [{shares}] {recommendation.how}; {_sources(recommendation)}"
    )


def advice_panel(recommendation: Recommendation, number: int) -> Panel:
    """A recommendation as a panel."""
    seen = recommendation.observation
    head = Text.assemble(
        card_text(seen.hole_cards), "  board ", card_text(seen.board), f"  pot {seen.pot:,}",
        f", {seen.legal.call_amount:,} to call" if seen.legal.call_amount else "",
        f", {seen.stacks[seen.seat]:,} behind",
    )  # fmt: skip
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for words, share, worth in _rows(recommendation):
        chosen = words == recommendation.chosen_words
        bar = "█" * round(float(share.rstrip(" %")) / 100 * BAR_CELLS)
        style = "bold" if chosen else ""
        table.add_row(f"{'→' if chosen else ' '} {words}", share, f"{bar:<{BAR_CELLS}}", worth, style=style)
    foot = Text(f"{recommendation.how}; {_sources(recommendation)}", style="dim")
    title = f"hand {number} · {STREET_NAMES[seen.street]} · {position_name(seen)}"
    return Panel(Group(head, table, foot), title=title, title_align="left", expand=False)


def _sources(recommendation: Recommendation) -> str:
    """Where worth comes from, and how far it can be trusted."""
    trust = f", {recommendation.accuracy_words}" if recommendation.accuracy_words else ""
    return f"worth: {recommendation.ev_source}{trust}"


def _rows(recommendation: Recommendation) -> list[tuple[str, str, str]]:
    """Words, share and worth of each action."""
    decision, errors, digits = recommendation.decision, recommendation.ev_errors, recommendation.digits
    least = smallest_loss(recommendation.observation)
    rows = []
    for index, (action, percent) in enumerate(zip(decision.actions, recommendation.percents, strict=True)):
        worth = ""
        if decision.evs is not None and not isnan(decision.evs[index]):
            spread = f" ± {errors[index]:,.{digits}f}" if errors is not None and errors[index] >= least else ""
            worth = f"{decision.evs[index]:+,.{digits}f}{spread}"
        rows.append((words_of(action, recommendation.observation), f"{percent} %", worth))
    return rows
