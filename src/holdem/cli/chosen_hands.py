"""The hands of a file for the verbs that go through them: one, or all that can be read."""

from dataclasses import dataclass
from pathlib import Path

import typer

from holdem.errors import ArtifactError, ConfigError, HoldemError
from holdem.table.history.hand_history import StoredHand
from holdem.table.history.hand_texts import HandTexts
from holdem.util.words import counted


@dataclass(frozen=True)
class ChosenHands:
    """Hands with their numbers, of a file with `count` of them; `unreadable` are left out."""

    count: int
    hands: list[tuple[int, StoredHand]]
    unreadable: int = 0


def chosen_hands(file: Path, hand: int | None) -> ChosenHands:
    """One hand by its number, or all; those that cannot be read are left out with a line, refused if that is all."""
    texts = HandTexts.of_file(file)
    if hand is not None and hand > len(texts):
        raise ConfigError(f"{file} has {counted(len(texts), 'hand')}; --hand {hand} is not one of them")
    if hand is not None:
        return ChosenHands(len(texts), [(hand, texts.hand(hand))])
    hands, refused = [], list[HoldemError]()
    for number in range(1, len(texts) + 1):
        try:
            hands.append((number, texts.hand(number)))
        except HoldemError as error:
            refused.append(error)
    if not hands and not refused:
        raise ArtifactError(f"there is no hand in {file}; give a .phh or .phhs file with hands")
    if not hands:
        raise refused[0]
    if refused:
        typer.echo(f"left out: {counted(len(refused), 'hand')} that cannot be read; the first: {refused[0]}", err=True)
    return ChosenHands(len(texts), hands, len(refused))
