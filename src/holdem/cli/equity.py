"""`holdem equity`: chances at showdown of one hand or range against another."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from holdem.cards import Cards, Equity, Range, equity, format_cards, parse_cards
from holdem.cards.preflop_equity import class_weights, preflop_equity
from holdem.cli.app import run_command
from holdem.util.progress import ProgressBar


def command(
    hero: Annotated[str, typer.Argument(help="A hand or range: AhKd, AA, '22+, A2s+', random.")],
    villain: Annotated[str, typer.Argument(help="The other hand or range.")] = "random",
    board: Annotated[str, typer.Option(help="Board cards on the table, none to five: Ks7d2c.")] = "",
    samples: Annotated[
        int | None, typer.Option(help="Sample this many random deals instead of counting all of them.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sampling.")] = 0,
    threads: Annotated[int, typer.Option(min=0, help="Threads to use; 0 is every core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compute the equity of a hand or range against another.

    It is exact, or sampled with a standard error. Ties count half. Ranges are written as 22+, TT-66, A2s+, AQs-A2s,
    KTo+, AK, AhKd, 76s:0.5 or random.

    Examples:

        holdem equity AA KK

        holdem equity AhKd "22+, A2s+" --board Ks7d2c

        holdem equity AKs random --samples 1000000
    """
    cards = parse_cards(board)
    result = _from_table(hero, villain) if not cards and samples is None else None
    if result is None:
        result = _count(hero, villain, cards, samples, seed, threads)
    if as_json:
        typer.echo(json.dumps(_figures(hero, villain, format_cards(cards), result)))
    else:
        _print_table(hero, villain, format_cards(cards, " "), result)


def _from_table(hero: str, villain: str) -> Equity | None:
    """Before the flop, of whole classes such as AA or A2s+: all deals were counted once, and compiled code is not
    needed to look them up.
    """
    first, second = class_weights(Range.parse(hero)), class_weights(Range.parse(villain))
    return None if first is None or second is None else preflop_equity(first, second)


def _count(hero: str, villain: str, board: Cards, samples: int | None, seed: int, threads: int) -> Equity:
    """Going through the deals."""
    with ProgressBar("boards" if samples is None else "deals", 1) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar(done - bar.done)

        return equity(hero, villain, board, samples=samples, seed=seed, threads=threads, progress=show)


def _figures(hero: str, villain: str, board: str, result: Equity) -> dict[str, object]:
    return {
        "hands": [hero, villain],
        "board": board,
        "equity": [result.equity, 1.0 - result.equity],
        "win": [result.win, result.lose],
        "tie": result.tie,
        "standard_error": result.standard_error,
        "deals": result.deals,
        "exact": result.exact,
    }


def _print_table(hero: str, villain: str, board: str, result: Equity) -> None:
    table = Table("hand", "equity", "win", "tie", title=f"board {board}" if board else None)
    error = "" if result.exact else f" ± {100 * result.standard_error:.2f}"
    table.add_row(hero, f"{100 * result.equity:.2f} %{error}", f"{100 * result.win:.2f} %", f"{100 * result.tie:.2f} %")
    table.add_row(villain, f"{100 * (1 - result.equity):.2f} %{error}", f"{100 * result.lose:.2f} %", "")
    console = Console()
    console.print(table)
    method = "exact" if result.exact else f"sampled, standard error {100 * result.standard_error:.3f} points"
    console.print(f"{method}, {result.deals:,.0f} deals; ties count half", highlight=False)


if __name__ == "__main__":
    run_command(command)
