"""Cards for people at a terminal: `K♠ 7♦ 2♣` in the four colours of suits."""

from collections.abc import Iterable

from rich.text import Text

from holdem.cards.cards import format_card

SUITS = {"c": ("♣", "green"), "d": ("♦", "blue"), "h": ("♥", "red"), "s": ("♠", "default")}


def card_text(cards: Iterable[int]) -> Text:
    """Cards with coloured suits, a dash for none."""
    text = Text()
    for card in cards:
        name = format_card(card)
        symbol, colour = SUITS[name[1]]
        text.append(f"{' ' if text else ''}{name[0]}{symbol}", style=f"bold {colour}")
    return text if text else Text("–", style="dim")
