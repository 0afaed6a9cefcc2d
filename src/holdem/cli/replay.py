"""`holdem replay`: hands of a history file, one after the other, readable in a terminal."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from holdem.cards.cards import format_cards
from holdem.cli.app import run_command
from holdem.cli.card_text import card_text
from holdem.cli.chosen_hands import chosen_hands
from holdem.game import records as rec
from holdem.table.history.hand_history import StoredHand
from holdem.table.history.record_words import said_of
from holdem.table.history.seen_chips import SeenChips
from holdem.types import STREET_NAMES


def command(
    file: Annotated[Path, typer.Argument(help="A .phhs or .phh file.")],
    hand: Annotated[int | None, typer.Option(min=1, help="Only this hand, counted from 1 in the file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a hand.")] = False,
) -> None:
    """Step through the hands of a history file.

    Enter for the next one on a terminal, all at once in a pipe. Reads what this project writes and PHH files of
    no-limit hold'em from elsewhere; every hand is played again under the rules, so that pots and stacks are right or
    the hand is left out.

    Examples:

        holdem replay hands.phhs

        holdem replay hands.phhs --hand 17

        holdem replay hands.phhs --json | head -1
    """
    chosen = chosen_hands(file, hand)
    console = Console(highlight=False)
    for place, (number, one) in enumerate(chosen.hands, 1):
        if as_json:
            typer.echo(json.dumps(_plain(number, one)))
            continue
        console.print(_title(number, chosen.count, one), soft_wrap=True)
        for line in _lines(one):
            console.print(line, soft_wrap=True)
        if place < len(chosen.hands) and console.is_terminal and sys.stdin.isatty():
            if input("Enter for the next hand, q to stop: ").strip().lower().startswith("q"):
                return
        else:
            console.print()


def _title(number: int, count: int, stored: StoredHand) -> Text:
    hand, fields = stored.hand, stored.fields
    when = ""
    if {"year", "month", "day"} <= fields.keys():
        day = "-".join(str(fields[unit]).zfill(2) for unit in ("year", "month", "day"))
        when = f", {day} {fields.get('time', '')} {fields.get('time_zone', '')}".rstrip()
    text = Text(f"Hand {number} of {count}", style="bold")
    text.append(f"  {hand.config.name}, blinds {hand.config.small_blind}/{hand.config.big_blind}{when}", style="dim")
    return text


def _lines(stored: StoredHand) -> Iterator[Text]:
    """The hand in words: seats, then street by street with the pot before it, then what everybody won."""
    hand = stored.hand
    width = max(map(len, stored.players))
    for seat, name in enumerate(stored.players):
        marks = [word for word, there in (("button", seat == hand.button), ("hero", seat == stored.hero)) if there]
        cards = next((r.cards for r in hand.records if isinstance(r, rec.HoleCardsDealt) and r.seat == seat), None)
        line = Text(f"  {name:<{width}}  {hand.starting_stacks[seat]:>9,}  ")
        line.append_text(card_text(cards) if cards else Text("?? ??", style="dim"))
        yield line.append(f"  {', '.join(marks)}" if marks else "", style="dim")
    yield Text(STREET_NAMES[0], style="bold")
    board: tuple[int, ...] = ()
    chips = SeenChips(rec.HandStarted(hand.config, hand.button, hand.starting_stacks))
    for record in hand.records:
        chips.follow(record)
        if isinstance(record, rec.BoardDealt):
            board += record.cards
            line = Text(f"{STREET_NAMES[record.street]} ", style="bold").append_text(card_text(board))
            yield line.append(f"  pot {chips.pot:,}", style="dim")
        elif not isinstance(record, rec.HandStarted | rec.HoleCardsDealt):
            yield _sentence(record, stored.players)
    payoffs = stored.payoffs
    if payoffs is not None:
        results = (f"{name} {won:+,}" for name, won in zip(stored.players, payoffs, strict=True))
        yield Text(f"  result: {', '.join(results)}", style="bold")
    else:
        yield Text("  the hand is not finished", style="dim")


def _sentence(record: rec.Record, players: tuple[str, ...]) -> Text:
    """A record with the player's name in place of the seat, and coloured cards."""
    match record:
        case rec.CardsShown(seat=seat, cards=cards):
            return Text(f"  {said_of(players[seat], 'show')} ").append_text(card_text(cards))
        case rec.PotAwarded(pot=pot, amount=amount, winners=winners, shares=shares):
            name = f"side pot {pot}" if pot else "pot"
            parts = (f"{said_of(players[seat], 'win')} {share:,}" for seat, share in zip(winners, shares, strict=True))
            return Text(f"  {name} of {amount:,}: {', '.join(parts)}")
        case rec.HandStarted() | rec.BoardDealt():
            return Text(f"  {record}")
    verb, blank, rest = str(record).removeprefix(f"seat {record.seat} ").partition(" ")
    return Text(f"  {said_of(players[record.seat], verb.removesuffix('s'))}{blank}{rest}")


def _plain(number: int, stored: StoredHand) -> dict[str, Any]:
    hand = stored.hand
    return {
        "hand": number,
        "name": stored.name,
        "game": hand.config.name,
        "players": stored.players,
        "button": hand.button,
        "hero": stored.hero,
        "stacks": hand.starting_stacks,
        "hole_cards": [format_cards(cards) if cards else None for cards in hand.hole_cards],
        "board": format_cards(hand.board),
        "records": [str(record) for record in hand.records],
        "finished": hand.is_over,
        "won": stored.payoffs,
    }


if __name__ == "__main__":
    run_command(command)
