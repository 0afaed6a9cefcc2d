"""`holdem lbr --published`: local best response in its four published settings, as one table."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from holdem.cli.lbr_match import KeptMatch
from holdem.errors import HoldemError
from holdem.evaluation.response.local.kept_deals import KeptDeals
from holdem.evaluation.response.local.match import (
    METHOD,
    LocalBestResponseResult,
    MeasuredMean,
)
from holdem.evaluation.response.local.published import AGENTS, PUBLISHED, SOURCE
from holdem.util.progress import ProgressBar
from holdem.util.signals import StopSignals

Results = dict[str, LocalBestResponseResult | None]
"""By the actions of a setting; None where no deal was played."""


@dataclass(frozen=True)
class PublishedMatch(KeptMatch):
    """A match in the four published settings."""

    def play(self, kept: KeptDeals, stopped: Callable[[], bool]) -> None:
        """Play what is missing, setting by setting; when `stopped` turns true, no more."""
        for number, setting in enumerate(PUBLISHED, start=1):
            if stopped() or len(kept.chips(setting.actions)) >= self.deals:
                continue
            with ProgressBar(f"setting {number} of {len(PUBLISHED)}, hands", 2 * self.deals) as bar:
                self.play_missing(kept, setting.actions, setting.menus, bar, stopped)

    def results(self, kept: KeptDeals) -> Results:
        """What the deals say, each setting over as many as were asked for at most."""
        return {setting.actions: self.result_of(kept, setting.actions, setting.menus) for setting in PUBLISHED}

    def to_plain(self, results: Results) -> dict[str, Any]:
        """As JSON."""
        rows = []
        for setting in PUBLISHED:
            result = results[setting.actions]
            figures = {"hands": 0} if result is None else result.to_plain()
            rows.append({"actions": setting.actions, **figures, "published": setting.to_plain()})
        return {
            "opponent": self.opponent,
            "game": self.config.name,
            "seed": self.seed,
            "complete": self.is_complete(results),
            "settings": rows,
            "method": METHOD,
            "source": SOURCE,
        }

    def is_complete(self, results: Results) -> bool:
        """Whether all hands that were asked for were played."""
        return all(result is not None and result.hands == 2 * self.deals for result in results.values())


def run_published(match: PublishedMatch, out: Path | None, as_json: bool) -> int:
    """Play, keep and print; the exit status."""
    with KeptDeals(out, match.fingerprint, [setting.actions for setting in PUBLISHED]) as kept, StopSignals() as stop:
        before = sum(2 * len(kept.chips(setting.actions)) for setting in PUBLISHED)
        if before:
            typer.echo(f"going on from {before:,} hands in {out}", err=True)
        failure = _failure(lambda: match.play(kept, lambda: stop.received is not None))
        results = match.results(kept)
        figures = match.to_plain(results)
        kept.save(figures)
    if as_json:
        typer.echo(json.dumps(figures))
    else:
        _print(match, results)
    if out is not None and not figures["complete"]:
        typer.echo(f"the hands so far are in {out}; the same command goes on from there", err=True)
    if failure is not None:
        raise failure
    return stop.exit_status


def _failure(play: Callable[[], None]) -> HoldemError | None:
    """What ended the playing, if anything did: hands before it count."""
    try:
        play()
    except HoldemError as error:
        return error
    return None


def mean_text(estimate: MeasuredMean) -> str:
    """`1,215 ± 78`."""
    return f"{estimate.mbb_per_hand:,.0f} ± {estimate.interval:,.0f}"


def _print(match: PublishedMatch, results: Results) -> None:
    console = Console()
    console = console if console.is_terminal else Console(width=160)
    stack = match.config.starting_stacks[0] / match.config.big_blind
    typer.echo(f"{match.opponent}: what local best response wins from it, mbb/hand with 95 % intervals")
    typer.echo(f"  {match.config.name}, stacks of {stack:g} big blinds, seed {match.seed}")
    console.print(_table(match, results))
    typer.echo(f"  last three columns: published figures, {SOURCE}, for orientation;")
    typer.echo("  other agents, other stacks where the head says so, other sizes where LBR's are wide")
    typer.echo("  above zero is a lower bound on exploitability; below zero proves nothing")


def _table(match: PublishedMatch, results: Results) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("LBR's actions\nby street", no_wrap=True)
    for head in ("mbb/hand", "hands", *(f"{agent.name}\n{agent.big_blinds} bb" for agent in AGENTS)):
        table.add_column(head, justify="right", no_wrap=True)
    for setting in PUBLISHED:
        result = results[setting.actions]
        measured = ("–", "0") if result is None else (mean_text(result.won), f"{result.hands:,}")
        cells = (setting.actions, *measured, *map(mean_text, setting.figures))
        table.add_row(*map(Text, cells))
    return table
