"""`holdem review`: a person's hands beside the blueprint or the solver, decision by decision."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from holdem.cli.app import run_command
from holdem.cli.card_text import card_text
from holdem.cli.chosen_run import chosen_run
from holdem.cli.table_options import MinIters, NumWorkers, Policy, TimeBudget, search_config
from holdem.errors import ArtifactError, ConfigError
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.open_advisor import open_bot
from holdem.table.advice.review import ReviewedDecision, check_player, decisions_of, review_decision, seat_to_review
from holdem.table.history.hand_history import StoredHand, read_history
from holdem.types import STREET_NAMES
from holdem.util.artifacts import atomic_write
from holdem.util.logs import start_logging
from holdem.util.progress import ProgressBar
from holdem.util.words import counted

WORST = 5


def command(
    file: Annotated[Path, typer.Argument(help="A .phhs or .phh file, such as `holdem play` writes.")],
    policy: Policy = None,
    player: Annotated[str | None, typer.Option(help="Whose hands; left out: from whose seat they were seen.")] = None,
    hand: Annotated[int | None, typer.Option(min=1, help="Only this hand, counted from 1 in the file.")] = None,
    solver: Annotated[
        bool, typer.Option("--solver", help="Compare with a solve of the real situation from the flop on.")
    ] = False,
    time_budget_ms: TimeBudget = 1000.0,
    min_iters: MinIters = 300,
    num_workers: NumWorkers = 1,
    deals: Annotated[int, typer.Option(min=10, help="Deals of an estimate; four times more halve its error.")] = 2000,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the JSON object into a file.")] = None,
) -> None:
    """Compare hands with what the bot would have done.

    What you did, how often it does the same, and the chips that the difference is worth. Chips lost are the worth of
    the bot's own play less that of yours, at that decision; figures beyond two standard errors are bold, and negative
    ones are gains. Worth comes from rollouts with the blueprint, with a standard error; with --solver it comes from the
    solved subgame where there is one.

    Examples:

        holdem review runs/blueprint/hands/play_20260101_200000.phhs

        holdem review hands.phhs --solver --time-budget-ms 2000

        holdem review hands.phhs --player Alice --policy runs/blueprint --json
    """
    start_logging("warning")
    stored = read_history(file)
    if hand is not None and hand > len(stored):
        raise ConfigError(f"{file} has {counted(len(stored), 'hand')}; --hand {hand} is not one of them")
    check_player(stored, player)
    chosen = list(enumerate(stored, 1)) if hand is None else [(hand, stored[hand - 1])]
    policy = chosen_run(policy)
    search = search_config(solver, "fast", time_budget_ms, min_iters, num_workers)
    with open_bot(policy, search, deals) as (_, advisor):
        reviewed = _review(advisor, chosen, player)
    content = {"file": str(file), "policy": str(policy), "solver": solver, **summary(reviewed)}
    content["decisions"] = [decision.to_plain() for decision in reviewed]
    if out is not None:
        _write(out, content)
    if as_json:
        typer.echo(json.dumps(content))
    else:
        _print(Console(highlight=False), reviewed)


def _review(advisor: Advisor, hands: list[tuple[int, StoredHand]], player: str | None) -> list[ReviewedDecision]:
    reviewed = []
    with ProgressBar("hands", len(hands)) as bar:
        for number, one in hands:
            seat = seat_to_review(one, player)
            if seat is not None:
                decisions = decisions_of(one.hand, seat)
                reviewed += [review_decision(advisor, number, seen, taken) for seen, taken in decisions]
            bar(1)
    return reviewed


def summary(reviewed: list[ReviewedDecision]) -> dict[str, Any]:
    """Decisions and chips lost, in all and by street; errors of independent estimates add up in squares."""
    streets: dict[str, list[ReviewedDecision]] = defaultdict(list)
    for decision in reviewed:
        streets[decision.street].append(decision)
    return {
        "hands": len({decision.hand for decision in reviewed}),
        "lost": _total(reviewed),
        "by_street": {name: _total(streets[name]) for name in STREET_NAMES if name in streets},
    }


def _total(reviewed: list[ReviewedDecision]) -> dict[str, Any]:
    known = [decision for decision in reviewed if decision.lost is not None]
    variance = sum((decision.lost_error or 0.0) ** 2 for decision in known)
    return {
        "decisions": len(reviewed),
        "measured": len(known),
        "chips": round(sum(decision.lost or 0.0 for decision in known), 2),
        "standard_error": round(variance**0.5, 2),
    }


def _print(console: Console, reviewed: list[ReviewedDecision]) -> None:
    if not reviewed:
        console.print("there is nothing to review: no decision with known cards")
        return
    console = console if console.is_terminal else Console(width=160, highlight=False)
    console.print(_table("every decision", reviewed))
    worst = sorted((d for d in reviewed if d.clear), key=lambda d: -(d.lost or 0.0))[:WORST]
    if worst:
        console.print(_table("lost most", worst))
    figures = summary(reviewed)
    for name, total in (*figures["by_street"].items(), ("in all", figures["lost"])):
        chips = f"{round(total['chips']):,} ± {total['standard_error']:,.0f} chips lost"
        part = f" ({total['measured']} measured)" if total["measured"] < total["decisions"] else ""
        console.print(f"{name:>8}: {counted(total['decisions'], 'decision'):>14}, {chips}{part}")
    sources = Counter(decision.recommendation.ev_source.partition(",")[0] for decision in reviewed)
    console.print("worth: " + ", ".join(f"{count} by {source}" for source, count in sources.items()), style="dim")


def _table(title: str, reviewed: list[ReviewedDecision]) -> Table:
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("hand", "street", "cards", "board", "pot", "you", "bot, same", "bot", "chips lost"):
        numbers = name in ("hand", "pot", "bot, same", "chips lost")
        table.add_column(name, no_wrap=True, justify="right" if numbers else "left")
    for decision in reviewed:
        seen = decision.recommendation.observation
        lost = "–" if decision.lost is None else f"{round(decision.lost):+,}" if round(decision.lost) else "0"
        error = f" ± {decision.lost_error:,.0f}" if decision.lost_error else ""
        table.add_row(
            str(decision.hand), decision.street, card_text(seen.hole_cards), card_text(seen.board), f"{seen.pot:,}",
            decision.taken_words, f"{100 * decision.frequency:.0f} %", favourite(decision), lost + error,
            style="bold" if decision.clear else "",
        )  # fmt: skip
    return table


def favourite(decision: ReviewedDecision) -> str:
    """The bot's most frequent action with its share."""
    found = decision.recommendation.decision
    best = max(range(len(found.actions)), key=lambda place: found.probabilities[place])
    words = decision.recommendation.words(found.actions[best])
    return f"{words} {100 * found.probabilities[best]:.0f} %"


def _write(path: Path, content: dict[str, Any]) -> None:
    try:
        with atomic_write(path) as file:
            file.write(json.dumps(content, indent=1).encode())
    except OSError as error:
        raise ArtifactError(f"{path} cannot be written ({error.strerror}); give another --out") from None


if __name__ == "__main__":
    run_command(command)
