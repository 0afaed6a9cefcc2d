"""A hand again from its records, checked against the rules record by record."""

from collections.abc import Iterable

from holdem.cards.cards import Cards
from holdem.errors import HoldemError
from holdem.game import records as rec
from holdem.game.actions import Action
from holdem.game.hand import Hand


def replay(records: Iterable[rec.Record]) -> Hand:
    """The hand that these records tell, whole or up to the last of them."""
    history = list(records)
    if not history or not isinstance(history[0], rec.HandStarted):
        raise HoldemError("a hand history must begin with HandStarted; give all records of the hand")
    started = history[0]
    pairs: list[Cards | None] = [None] * started.config.num_players
    board: Cards = ()
    for record in history:
        if isinstance(record, rec.HoleCardsDealt):
            if not 0 <= record.seat < len(pairs):
                raise HoldemError(f"{record}: there are only {len(pairs)} seats; check the history")
            pairs[record.seat] = record.cards
        elif isinstance(record, rec.BoardDealt):
            board += record.cards
    hand = Hand(started.config, pairs, board, button=started.button, stacks=started.stacks, show_all=started.show_all)
    for record in history:
        _apply(hand, record)
    for number, (told, played) in enumerate(zip(history, hand.records, strict=False)):
        if told != played:
            raise HoldemError(f"record {number} is '{told}' where the rules give '{played}'; check the history")
    if len(history) > len(hand.records):
        raise HoldemError(f"record {len(hand.records)} '{history[len(hand.records)]}' comes too early or too late")
    return hand


def _apply(hand: Hand, record: rec.Record) -> None:
    """Tell the hand what it cannot know by itself: actions, and cards that were not known when it began."""
    match record:
        case rec.Fold():
            hand.act(Action.fold(), recorded=True)
        case rec.Check() | rec.Call():
            hand.check_or_call()
        case rec.Bet(amount=amount) | rec.Raise(amount=amount):
            hand.bet_or_raise_to(amount)
        case rec.CardsShown(seat=seat, cards=cards) if hand.showdown_seat == seat:
            hand.show(seat, cards)
        case rec.CardsMucked(seat=seat) if hand.showdown_seat == seat:
            hand.muck(seat)
