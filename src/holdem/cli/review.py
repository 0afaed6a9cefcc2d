"""`holdem review`: a person's hands beside the blueprint or the solver, decision by decision."""

import json
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from holdem.cli.app import run_command
from holdem.cli.card_text import card_text
from holdem.cli.chosen_hands import chosen_hands
from holdem.cli.chosen_run import chosen_run
from holdem.cli.table_options import MinIters, NumWorkers, Policy, TimeBudget, search_config
from holdem.errors import ArtifactError, ConfigError
from holdem.policy.file_names import HANDS_NAME, MANIFEST_NAME
from holdem.policy.run_names import find_run
from holdem.policy.unpacked_models import run_name
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.open_advisor import can_be_searched, open_bot, trained_game
from holdem.table.advice.review import (
    ReviewedDecision,
    check_player,
    own_decisions_of,
    review_decision,
    seat_to_review,
    summary,
    worst,
)
from holdem.table.history.hand_history import StoredHand
from holdem.table.history.record_words import YOU
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
        bool, typer.Option("--solver/--no-solver", help="Solve the real situation from the flop on.")
    ] = True,
    time_budget_ms: TimeBudget = 1000.0,
    min_iters: MinIters = 300,
    num_workers: NumWorkers = 1,
    deals: Annotated[int, typer.Option(min=10, help="Deals of an estimate; four times more halve its error.")] = 2000,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the JSON object into a file.")] = None,
) -> None:
    """Compare hands with what the bot would have done.

    What you did, how often it does the same, and the chips that it lost: the worth of the best action less that of
    yours, at that decision; what is clearly lost is bold. From the flop on worth comes from a solve of the real
    situation, with --no-solver and before the flop from rollouts with the blueprint, with a standard error. An action
    that the blueprint hardly ever takes has no worth that it could tell. Losses in brackets are of decisions that the
    bot hardly ever comes to; they are guesses, and count in no sum.

    Examples:

        holdem review runs/blueprint/hands/play_20260101_200000.phhs

        holdem review hands.phhs --time-budget-ms 2000

        holdem review hands.phhs --player Alice --policy runs/blueprint --json
    """
    start_logging("warning")
    of_file = chosen_hands(file, hand)
    chosen = of_file.hands
    check_player([one for _, one in chosen], player)
    size = _usual_size(chosen)
    policy = chosen_run(policy or _policy_beside(file, size[0]), "", *size)
    game = trained_game(policy)
    fitting = [one for one in chosen if one[1].hand.num_seats == game.num_players]
    if not fitting:
        raise ConfigError(f"no hand has {game.num_players} seats, as {run_name(policy)} has; choose one with --policy")
    solver = solver and can_be_searched(game)
    search = search_config(solver, "fast", time_budget_ms, min_iters, num_workers)
    with open_bot(policy, search, deals, advises=True) as (_, advisor):
        reviewed, decisions = _review(advisor, fitting, player)
    left_out = len(chosen) - len(fitting)
    if left_out:
        what = f"{counted(left_out, 'hand')} with another number of seats than {run_name(policy)} has"
        typer.echo(f"left out: {what}; review them with another --policy", err=True)
    content = {"file": str(file), "policy": run_name(policy), "solver": solver, "left_out": left_out}
    content["unreadable"] = of_file.unreadable
    content |= summary(reviewed)
    content["decisions"] = decisions
    if out is not None:
        _write(out, content)
    if as_json:
        typer.echo(json.dumps(content))
    else:
        _print(Console(highlight=False), reviewed, player or YOU)


def _policy_beside(file: Path, seats: int | None) -> Path | None:
    """The policy, a run or a model, in whose folder hands of so many seats lie: they were played with it."""
    folder = file.absolute().parent
    run = find_run(folder.parent) if folder.name == HANDS_NAME else None
    if run is None or not (run / MANIFEST_NAME).is_file() or trained_game(run).num_players != seats:
        return None
    typer.echo(f"using {run_name(run)}, in whose folder the hands lie", err=True)
    return run


def _usual_size(hands: list[tuple[int, StoredHand]]) -> tuple[int | None, float | None]:
    """The number of seats that most of the hands have, and the median of how deep those are, in big blinds."""
    if not hands:
        return None, None
    seats = Counter(one.hand.num_seats for _, one in hands).most_common(1)[0][0]
    return seats, median(one.stack_blinds for _, one in hands if one.hand.num_seats == seats)


def _review(
    advisor: Advisor, hands: list[tuple[int, StoredHand]], player: str | None
) -> tuple[list[ReviewedDecision], list[dict[str, Any]]]:
    """Every decision for tables and sums, and as plain data."""
    reviewed, plain = [], []
    with ProgressBar("hands", len(hands)) as bar:
        for number, one in hands:
            seat = seat_to_review(one, player)
            if seat is not None:
                for seen, taken in own_decisions_of(one, seat):
                    decision = review_decision(advisor, number, seen, taken)
                    reviewed.append(decision.for_sums())
                    plain.append(decision.to_plain())
            bar(1)
    return reviewed, plain


def _print(console: Console, reviewed: list[ReviewedDecision], who: str) -> None:
    if not reviewed:
        console.print("there is nothing to review: no decision with known cards")
        return
    console = console if console.is_terminal else Console(width=160, highlight=False)
    console.print(_table("every decision", reviewed, who))
    mistakes = worst(reviewed, WORST)
    if mistakes:
        console.print(_table("lost most", mistakes, who))
    figures = summary(reviewed)
    digits = max(decision.recommendation.digits for decision in reviewed)
    for name, total in (*figures["by_street"].items(), *figures["by_position"].items(), ("in all", figures["lost"])):
        chips = f"{total['chips']:,.{digits}f}{_error_words(total['error'], digits)} chips lost"
        part = f" ({total['measured']} measured)" if total["measured"] < total["decisions"] else ""
        console.print(f"{name:>8}: {counted(total['decisions'], 'decision'):>14}, {chips}{part}")
    if figures["not_counted_words"]:
        console.print(figures["not_counted_words"])
    sources = Counter(decision.recommendation.ev_source.partition(",")[0] for decision in reviewed)
    console.print("worth: " + ", ".join(f"{count} by {source}" for source, count in sources.items()), style="dim")


def _table(title: str, reviewed: list[ReviewedDecision], who: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("hand", "street", "cards", "board", "pot", who, "bot, same", "bot", "chips lost"):
        numbers = name in ("hand", "pot", "bot, same", "chips lost")
        table.add_column(Text(name), no_wrap=True, justify="right" if numbers else "left")
    for decision in reviewed:
        seen = decision.recommendation.observation
        table.add_row(
            str(decision.hand), decision.street, card_text(seen.hole_cards), card_text(seen.board), f"{seen.pot:,}",
            decision.taken_words, f"{100 * decision.frequency:.0f} %", favourite(decision), lost_words(decision),
            style="bold" if decision.clear else "",
        )  # fmt: skip
    return table


def lost_words(decision: ReviewedDecision) -> str:
    """`67`, `12 ± 5` of an estimate, `(2,755)` where it does not count, `–` where it is not known."""
    if decision.lost is None:
        return "–"
    digits = decision.recommendation.digits
    words = f"{max(decision.lost, 0.0):,.{digits}f}{_error_words(decision.lost_error, digits)}"
    return words if decision.counted else f"({words})"


def _error_words(error: float | None, digits: int) -> str:
    """` ± 5`, at least one of the last digit; nothing where nothing was estimated."""
    return f" ± {max(error, 10.0**-digits):,.{digits}f}" if error else ""


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
