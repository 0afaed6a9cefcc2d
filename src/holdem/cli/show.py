"""`holdem show`: what a trained policy does at one point of the betting."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holdem.abstraction.betting.line import parse_line
from holdem.blueprint.line_view import LineView, view_line
from holdem.blueprint.picture import save_picture
from holdem.blueprint.small_game_view import view_small_game
from holdem.blueprint.view import StrategyView, plain_summary, view_strategy
from holdem.cards import format_cards, hole_index, parse_cards
from holdem.cli.app import run_command
from holdem.cli.chosen_run import chosen_run
from holdem.cli.output_paths import picture_file
from holdem.cli.strategy_grid import hand_sentence, infoset_table, print_grid, title
from holdem.errors import CardError, ConfigError
from holdem.policy.policy import AveragePolicy
from holdem.util.files.regular import is_there


def command(
    run: Annotated[Path | None, typer.Argument(help="A run or models/NAME; left out: the newest under runs/.")] = None,
    line: Annotated[
        str, typer.Argument(help="The betting so far, streets apart: 'SB raise 2.5bb, BB call | Ks7d2c'.")
    ] = "",
    hand: Annotated[str | None, typer.Option(help="One hand as a line: AhKd (Kuhn, Leduc: a card number).")] = None,
    png: Annotated[Path | None, typer.Option(help="Save the grid as a picture.", callback=picture_file)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    reach: Annotated[
        bool, typer.Option("--reach/--no-reach", help="Weigh each hand by how it gets here, or all alike.")
    ] = True,
) -> None:
    """Show the strategy at one point of the betting.

    As a 13 × 13 grid, one hand, a picture, or JSON. In the grid, suited hands are above the diagonal; a cell shows the
    most frequent action and its per cent, and is coloured in proportion to all actions, the further the more of the
    class gets there. Totals weigh each hand by the chance that both players' betting leaves it; --no-reach counts every
    hand alike.

    Examples:

        holdem show

        holdem show "SB raise 2.5bb"

        holdem show runs/blueprint "SB raise 2.5bb, BB call | Ks7d2c" --hand AhKd

        holdem show runs/blueprint "SB raise 2.5bb, BB call | Ks7d2c check" --png flop.png
    """
    run, line = _run_and_line(run, line)
    policy = AveragePolicy.load(chosen_run(run))
    if policy.config.variant != "holdem":
        _show_small_game(policy, line, hand, png, as_json)
        return
    where = parse_line(policy.tree, line, nearest=True)
    for sentence in where.replaced:
        typer.echo(f"note: {sentence}", err=True)
    view = (view_line if reach else view_strategy)(policy, where.node, where.board)
    if png is not None:
        save_picture(view, png)
    if hand is not None:
        _show_hand(view, hand, as_json)
    elif as_json:
        typer.echo(json.dumps(view.to_plain()))
    else:
        print_grid(Console(), view)
    if png is not None and not as_json:
        typer.echo(f"wrote {png}")


def _run_and_line(run: Path | None, line: str) -> tuple[Path | None, str]:
    """A single argument with blanks, commas or a bar in it, and no file of that name, is a line of the newest run."""
    text = str(run or "")
    if line or not any(mark in text for mark in " ,|") or is_there(Path(text)):
        return run, line
    return None, text


def _show_hand(view: StrategyView, hand: str, as_json: bool) -> None:
    cards = parse_cards(hand)
    if len(cards) != 2:
        raise CardError(f"{hand!r} is not a hand; write two cards, such as AhKd")
    number = hole_index(*cards)
    if not view.possible[number]:
        raise CardError(f"{format_cards(cards)} cannot be held here: a card is on the board or not in the deck")
    row, visited = view.probabilities[number], bool(view.visited[number])
    reach = float(view.reach[view.position, number]) if isinstance(view, LineView) else 1.0
    if as_json:
        probabilities = dict(zip(view.summary.actions, row.tolist(), strict=True))
        content = {"board": format_cards(view.board), "hand": format_cards(cards), "visited": visited}
        content |= {"reach": reach} if isinstance(view, LineView) else {}
        typer.echo(json.dumps({**plain_summary(view.summary), **content, "probabilities": probabilities}))
    else:
        typer.echo(hand_sentence(format_cards(cards), view.summary.actions, row, visited))
        if reach < 1.0:
            typer.echo(f"{format_cards(cards)} gets here {100 * reach:.1f} % of the time")


def _show_small_game(policy: AveragePolicy, line: str, hand: str | None, png: Path | None, as_json: bool) -> None:
    """Kuhn and Leduc have no grid: their infosets at the node are a table."""
    if png is not None:
        raise ConfigError(f"--png draws the 169 classes of hold'em, and {policy.config.name} has none; use --json")
    view = view_small_game(policy, parse_line(policy.tree, line).node, hand)
    if as_json:
        typer.echo(json.dumps(view.to_plain()))
        return
    console = Console()
    console.print(title(view.summary))
    console.print(infoset_table(view.summary.actions, view.rows))


if __name__ == "__main__":
    run_command(command)
