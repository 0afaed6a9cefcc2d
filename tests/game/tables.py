"""Hands for the tests: a table in one call, actions as a short text, and random hands of every kind."""

import random
from typing import Any

from holdem.cards import format_cards
from holdem.cards.cards import Cards
from holdem.game import Game, GameConfig, Hand
from holdem.game.deal import deck_of


def table(
    stacks: tuple[int, ...],
    actions: str = "",
    *,
    pairs: str = "",
    board: str = "2c7d9hJsKc",
    button: int | None = None,
    **rules: Any,
) -> Hand:
    """A hand with blinds 50 and 100, and by seat stacks and `pairs`, hole cards with spaces between."""
    game = Game(GameConfig(num_players=len(stacks), **rules))
    hole_cards = pairs.split() if pairs else None
    hand = game.new_hand(seed=1, button=button, stacks=stacks, hole_cards=hole_cards, board=board)
    return play(hand, actions)


def play(hand: Hand, actions: str) -> Hand:
    """Act for whoever is to act: `f` folds, `c` checks or calls, `r300` bets or raises to 300."""
    for word in actions.split():
        if word == "f":
            hand.fold()
        elif word == "c":
            hand.check_or_call()
        else:
            hand.bet_or_raise_to(int(word[1:]))
    return hand


def story(hand: Hand) -> list[str]:
    """The history after the hole cards, as text."""
    lines = [str(record) for record in hand.records]
    dealt = max(number for number, line in enumerate(lines) if "is dealt" in line)
    return lines[dealt + 1 :]


def random_rules(rng: random.Random) -> GameConfig:
    """Rules of every kind: short decks and boards, antes, straddles, stacks below the blinds."""
    count = rng.randint(2, 6)
    big_blind = rng.choice((1, 2, 7, 100))
    return GameConfig(
        num_players=count,
        small_blind=rng.choice((0, big_blind // 2, big_blind)),
        big_blind=big_blind,
        ante=rng.choice((0, 0, 1, big_blind)),
        straddle=rng.choice((0, 2 * big_blind)) if count > 2 else 0,
        all_in_reopens=rng.random() < 0.2,
        ranks=rng.choice(("23456789TJQKA", "23456789TJQKA", "6789TJQKA")),
        board_cards=rng.choice(((0, 3, 4, 5), (0, 3, 4, 5), (0, 3, 4), (0, 3))),
        stacks=tuple(rng.randint(1, rng.choice((3, 15, 200)) * big_blind) for _ in range(count)),
    )


def random_hand(rng: random.Random, *, watched: bool = False, until: float = 0.0) -> Hand:
    """A hand played at random; `watched`: unknown cards come to light on the way, or never.

    `until` is the chance to stop before each action.
    """
    config = random_rules(rng)
    count = config.num_players
    cards = rng.sample(deck_of(config.ranks), 2 * count + config.board_cards[-1])
    pairs: list[Cards] = [tuple(cards[2 * seat : 2 * seat + 2]) for seat in range(count)]
    board = tuple(cards[2 * count :])
    known = [pair if not watched or rng.random() < 0.4 else None for pair in pairs]
    show_all = rng.random() < 0.2
    hand = Hand(config, known, () if watched else board, button=rng.randrange(count), show_all=show_all)
    while not hand.is_over:
        if hand.actor is not None:
            if rng.random() < until:
                break
            _act(hand, rng)
        elif hand.showdown_seat is not None:
            seat = hand.showdown_seat
            if hand.can_muck(seat) and rng.random() < 0.5:
                hand.muck(seat)
            else:
                hand.show(seat, pairs[seat])
        else:
            start = len(hand.board)
            hand.deal_board(board[start : start + hand.awaited_board_cards])
    return hand


def _act(hand: Hand, rng: random.Random) -> None:
    legal = hand.legal_actions()
    if legal.min_raise_to is not None and legal.max_raise_to is not None and rng.random() < 0.35:
        top = rng.choice((legal.min_raise_to, min(legal.max_raise_to, 3 * legal.min_raise_to), legal.max_raise_to))
        hand.bet_or_raise_to(rng.randint(legal.min_raise_to, top))
    elif legal.can_fold and rng.random() < 0.3:
        hand.fold()
    else:
        hand.check_or_call()


def snapshot(hand: Hand) -> dict[str, Any]:
    """Everything that can be seen of a hand."""
    return {
        "records": hand.records,
        "stacks": hand.stacks,
        "street_bets": hand.street_bets,
        "pots": hand.pots,
        "live": hand.live,
        "actor": hand.actor,
        "legal": hand.legal_actions() if hand.actor is not None else None,
        "board": format_cards(hand.board),
        "street": hand.street,
        "is_over": hand.is_over,
        "showdown_seat": hand.showdown_seat,
        "awaited_board_cards": hand.awaited_board_cards,
    }
