"""Hand histories in PHH, the Poker Hand History format, one hand in a `.phh` text or several in a `.phhs`.

Player k of a PHH is our position k - 1, heads-up too: there p1 is the big blind and p2 the button, although
the blinds are listed small one first. What PHH has no field for (a short deck, house rules) travels in fields
that begin with an underscore; the betting abstraction of a game is not part of a hand and does not travel.
Files are parsed with pokerkit, and played again under our rules, so an impossible hand is refused. Where an amount of a
file is written with decimals, such as dollars and cents, all of its amounts are read in hundredths, or in a smaller
unit if one of them needs it: the hands of a file have the same chips.
"""

import math
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from holdem.cards.cards import Cards, format_cards, parse_cards
from holdem.errors import HoldemError, IllegalAction
from holdem.game import records as rec
from holdem.game.actions import Action
from holdem.game.hand import Hand
from holdem.game.replay import replay
from holdem.types import GameConfig
from holdem.util.configs import check_config
from holdem.util.words import counted

if TYPE_CHECKING:
    from pokerkit import HandHistory

SECTION = re.compile(r"^[ \t]*\[[^],\n]*\][ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
"""The line that begins a hand of a `.phhs` file; a line of a list over several lines has commas."""
_FIELD_AMOUNTS = re.compile(
    r"""\n[ \t]*["']?(?:antes|blinds_or_straddles|min_bet|starting_stacks|finishing_stacks|winnings)["']?[ \t]*="""
    r"""[ \t]*(\[[^]=]*|[^\n=[]*)"""
)
"""A number, or a list up to its end."""
_BET_AMOUNTS = re.compile(r"cbr[ \t]+([\d.]+)")
_DECIMALS = re.compile(r"\d\.([\d_]+)")
_NUMBERS = (int, float, Decimal)
_MOST_DIGITS = 15
_MOST_PLACES = 4
"""Decimal places of an amount: some currencies have as many."""
_AMOUNT = re.compile(rf"\d{{1,{_MOST_DIGITS}}}(?:\.\d{{1,{_MOST_DIGITS}}})?")
_MOST_PLAYERS = 6
_HOUSE_RULES = ("ranks", "all_in_reopens")
_MOST_RAKE_PERCENT = 15
"""Of the pots: more is no rake, and a file that tells it tells of another hand."""


def to_phh(hand: Hand | Sequence[rec.Record]) -> str:
    """One hand as the text of a `.phh` file."""
    return _to_history(hand).dumps() + "\n"


def to_phhs(hands: Iterable[Hand | Sequence[rec.Record]]) -> str:
    """Several hands as the text of a `.phhs` file."""
    from pokerkit import HandHistory

    return HandHistory.dumps_all([_to_history(hand) for hand in hands]) + "\n"


def from_phh(text: str) -> Hand:
    """The hand in the text of a `.phh` file."""
    if SECTION.search(text):
        raise HoldemError("the PHH text is in sections, one a hand; read it with from_phhs")
    return from_phhs("[1]\n" + text)[0]


def from_phhs(text: str, unit: int | None = None) -> list[Hand]:
    """All hands in the text of a `.phhs` file, in order; `unit` is the file's, if the text is a part of it."""
    from pokerkit import HandHistory

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            histories = list(HandHistory.loads_all(text))
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        reason = " ".join(str(error).split())
        raise HoldemError(f"the PHH text cannot be read: {reason}; check its fields") from None
    unit = unit_of(text) if unit is None else unit
    return [_from_history(history, unit) for history in histories]


def unit_of(text: str) -> int:
    """Our chips in one of a text's: 100 if any amount is written with decimals, more where they are finer."""
    written = [*_FIELD_AMOUNTS.findall("\n" + text), *_BET_AMOUNTS.findall(text)]
    decimals = [place for amount in written for place in _DECIMALS.findall(amount)]
    places = [len(place.replace("_", "").rstrip("0")) for place in decimals]
    readable = [count for count in places if count <= _MOST_PLACES]
    return 10 ** max(2, *readable) if readable else 1


def told_payoffs(hand: Hand, fields: Mapping[str, Any], unit: int) -> tuple[int, ...]:
    """Chips that each seat won in a hand that is over: less the rake if its fields tell of one, else by the rules."""
    awards = _awards(hand)
    with_returned = list(awards)  # as some rooms tell what was won
    for record in hand.records:
        if isinstance(record, rec.UncalledBetReturned):
            with_returned[record.seat] += record.amount
    for name, chips in (("finishing_stacks", hand.stacks), ("winnings", awards), ("winnings", with_returned)):
        rake = _rake(hand, chips, fields.get(name), unit)
        if rake is not None:
            return tuple(won - taken for won, taken in zip(hand.payoffs, rake, strict=True))
    return hand.payoffs


# Writing


def _to_history(hand: Hand | Sequence[rec.Record]) -> "HandHistory":
    from pokerkit import HandHistory

    records = hand.records if isinstance(hand, Hand) else list(hand)
    played = replay(records)
    config, count, button = played.config, played.num_seats, played.button
    seats = [played.seat_at(position) for position in range(count)]
    house_rules = {
        f"_{name}": getattr(config, name)
        for name in _HOUSE_RULES
        if getattr(config, name) != GameConfig.model_fields[name].default
    }
    if config.num_streets != 4:
        house_rules["_board_cards"] = list(config.board_cards)
    if played.show_all:
        house_rules["_show_all"] = True
    return HandHistory(
        variant="NT",
        ante_trimming_status=True,
        antes=[config.ante] * count,
        blinds_or_straddles=[config.small_blind, config.big_blind, config.straddle, 0, 0, 0][:count],
        min_bet=_min_bet(config),
        starting_stacks=[played.starting_stacks[seat] for seat in seats],
        actions=[line for record in records if (line := _action(record, button, count))],
        seats=[seat + 1 for seat in seats],
        seat_count=count,
        finishing_stacks=[played.stacks[seat] for seat in seats] if played.is_over else None,
        user_defined_fields={"_game": config.name, **house_rules},
    )


def _min_bet(config: GameConfig) -> int:
    return config.big_blind or config.ante or 1


def _action(record: rec.Record, button: int, count: int) -> str:
    """The PHH line of a record; empty for what PHH leaves to the rules."""

    def player(seat: int) -> str:
        return f"p{(seat - button - 1) % count + 1}"

    match record:
        case rec.HoleCardsDealt(seat=seat, cards=cards):
            return f"d dh {player(seat)} {format_cards(cards) if cards else '????'}"
        case rec.BoardDealt(cards=cards):
            return f"d db {format_cards(cards)}"
        case rec.Fold(seat=seat):
            return f"{player(seat)} f"
        case rec.Check(seat=seat) | rec.Call(seat=seat):
            return f"{player(seat)} cc"
        case rec.Bet(seat=seat, amount=amount) | rec.Raise(seat=seat, amount=amount):
            return f"{player(seat)} cbr {amount}"
        case rec.CardsShown(seat=seat, cards=cards):
            return f"{player(seat)} sm {format_cards(cards)}"
        case rec.CardsMucked(seat=seat):
            return f"{player(seat)} sm"
    return ""


# Reading


def _from_history(history: "HandHistory", unit: int) -> Hand:
    _check_lists(history)
    actions = [line.split("#")[0].split() for line in history.actions]
    config = _config(history, unit)
    button, seats = _seating(history)
    pairs: list[Cards | None] = [None] * len(seats)
    board: Cards = ()
    try:
        for words in actions:
            match words:
                case ["d", "db", cards]:
                    board += parse_cards(cards)
                case ["d", "dh", player, cards] if "?" not in cards:
                    seat = _seat(player, seats)
                    pairs[seat] = (pairs[seat] or ()) + parse_cards(cards)
        by_position = _chips(history.starting_stacks, "starting_stacks", unit)
        stacks = [by_position[seats.index(seat)] for seat in range(len(seats))]
        show_all = bool(history.user_defined_fields.get("_show_all", False))
        hand = Hand(config, pairs, board, button=button, stacks=stacks, show_all=show_all)
        for words in actions:
            _apply(hand, words, seats, unit)
        _show(hand, actions, seats, finished=history.finishing_stacks is not None)
    except HoldemError as error:
        raise HoldemError(f"the PHH hand cannot be played: {error}") from None
    _check_result(hand, history, seats, unit)
    return hand


def _check_lists(history: "HandHistory") -> None:
    """Each list of a PHH holds what it should; pokerkit looks only when it plays."""
    kinds: dict[str, type | tuple[type, ...]] = {
        "actions": str,
        "antes": _NUMBERS,
        "blinds_or_straddles": _NUMBERS,
        "starting_stacks": _NUMBERS,
        "finishing_stacks": _NUMBERS,
        "seats": int,
    }
    for name, kind in kinds.items():
        values = getattr(history, name)
        optional = values is None and name in ("finishing_stacks", "seats")
        if not optional and not (isinstance(values, list) and all(isinstance(value, kind) for value in values)):
            raise HoldemError(f"PHH {name} is {values!r:.60}, not a list of the right kind; check the field")


def _config(history: "HandHistory", unit: int) -> GameConfig:
    if history.variant != "NT":
        raise HoldemError(f"PHH variant {history.variant!r} is not no-limit hold'em; only NT can be read")
    count = len(history.starting_stacks)
    if not 2 <= count <= _MOST_PLAYERS:
        raise HoldemError(f"the hand has {counted(count, 'player')}; hands of two to six can be read")
    antes = _chips(history.antes, "antes", unit)
    blinds = _chips(history.blinds_or_straddles or [], "blinds_or_straddles", unit)
    if len(set(antes)) > 1:
        raise HoldemError(f"PHH antes {antes} are not the same for everybody; only equal antes can be read")
    if min(blinds[2:], default=0) < 0:
        raise HoldemError(
            f"PHH blinds_or_straddles {blinds} have a negative number: somebody posted a blind to come back, and such "
            "hands cannot be read"
        )
    if min(blinds, default=0) < 0 or any(blinds[3:]) or len(blinds) < 2:
        raise HoldemError(f"PHH blinds_or_straddles {blinds} are not a small blind, a big blind and at most a straddle")
    stacks = _chips(history.starting_stacks, "starting_stacks", unit)
    _check_short_antes(history, antes, stacks)
    extra = history.user_defined_fields
    values: dict[str, Any] = {
        "name": extra.get("_game", "phh"),
        "num_players": count,
        "stacks": stacks,
        "small_blind": blinds[0],
        "big_blind": blinds[1],
        "straddle": blinds[2] if len(blinds) > 2 else 0,
        "ante": antes[0] if antes else 0,
    }
    values |= {name: extra[f"_{name}"] for name in (*_HOUSE_RULES, "board_cards") if f"_{name}" in extra}
    config = check_config(GameConfig, values, source="PHH")
    min_bet = _chips([history.min_bet], "min_bet", unit)[0]
    if min_bet != _min_bet(config):
        raise HoldemError(f"PHH min_bet {min_bet} is not the big blind {blinds[1]}; only such games can be read")
    return config


def _check_short_antes(history: "HandHistory", antes: Sequence[int], stacks: Sequence[int]) -> None:
    """Refuse a hand in which somebody with less than the ante may win all of the others' antes: nobody can here."""
    settled = history.ante_trimming_status or history.finishing_stacks is not None  # `_check_result` compares those
    if not settled and min(stacks) < max(antes, default=0):
        raise HoldemError(
            f"PHH ante_trimming_status is not true, and a stack of {min(stacks)} is below the ante of {max(antes)}; "
            "only trimmed antes can be read"
        )


def _chips(values: Iterable[Any], name: str, unit: int) -> list[int]:
    """Whole chips, or a HoldemError naming the field."""
    result = []
    for value in values:
        known = isinstance(value, _NUMBERS) and not isinstance(value, bool) and math.isfinite(value)
        chips = Decimal(str(value)) * unit if known else None
        if chips is None or chips != int(chips):
            raise HoldemError(f"PHH {name} has {value}, which is not a whole number of chips; multiply all amounts")
        result.append(int(chips))
    return result


def _seating(history: "HandHistory") -> tuple[int, list[int]]:
    """The button and our seat of each player; seat numbers of a larger table are closed up in order."""
    count = len(history.starting_stacks)
    numbers = list(history.seats or [])
    if len(numbers) == count and len(set(numbers)) == count:
        ranks = [sorted(numbers).index(number) for number in numbers]
        if ranks == [(ranks[0] + place) % count for place in range(count)]:
            return ranks[-1], ranks
    return count - 1, list(range(count))


def _seat(player: str, seats: list[int]) -> int:
    players = [f"p{number}" for number in range(1, len(seats) + 1)]
    if player not in players:
        raise HoldemError(f"{player!r:.40} is not a player; players are p1 to p{len(seats)}")
    return seats[players.index(player)]


def _apply(hand: Hand, words: list[str], seats: list[int], unit: int) -> None:
    if not words or words[0] == "d":
        return
    seat = _seat(words[0], seats)
    match words[1:]:
        case ["cc"] if hand.actor is None:
            return  # pokerkit asks for a check when all opponents are all-in; we do not
        case ["f" | "cc" | "cbr", *_] if hand.actor != seat:
            raise IllegalAction(f"'{' '.join(words)}' is out of turn: seat {hand.actor} is to act; check the order")
        case ["f"]:
            hand.act(Action.fold(), recorded=True)
        case ["cc"]:
            hand.check_or_call()
        case ["cbr", amount] if _AMOUNT.fullmatch(amount):
            hand.bet_or_raise_to(_chips([Decimal(amount)], "cbr", unit)[0])
        case ["sm"] | ["sm", _]:
            return  # whatever the order of these lines: `_show` comes back to them
        case _:
            raise HoldemError(f"'{' '.join(words)}' is not a PHH action; write f, cc, cbr AMOUNT or sm")


def _show(hand: Hand, actions: Sequence[list[str]], seats: list[int], finished: bool) -> None:
    """The showdown in the order of the rules; programs list those who show in orders of their own, or the winner alone.

    Cards shown as `????` cannot win, as in pokerkit: they are a muck.
    Of a hand whose end is told, a seat of which nothing is said has mucked: `_check_result` sees whether that can be.
    Otherwise the hand waits for it, as one that was written down before its end does, and nobody behind it has shown.
    """
    told: dict[int, str] = {}
    for words in actions:
        match words:
            case [player, "sm"]:
                told[_seat(player, seats)] = ""
            case [player, "sm", "-"]:
                told[_seat(player, seats)] = _dealt(hand, _seat(player, seats), player)
            case [player, "sm", cards]:
                told[_seat(player, seats)] = "" if "?" in cards else cards
    while (seat := hand.showdown_seat) is not None and (seat in told or finished):
        if told.get(seat):
            hand.show(seat, parse_cards(told[seat]))
        else:
            hand.muck(seat)
    _check_showdown(hand, told, {seat: f"p{number}" for number, seat in enumerate(seats, start=1)})


def _dealt(hand: Hand, seat: int, player: str) -> str:
    """The cards that a seat was dealt, which `sm -` shows."""
    cards = hand.hole_cards[seat]
    if cards is None:
        raise HoldemError(f"'{player} sm -' shows cards that the hand does not tell; write them in place of the -")
    return format_cards(cards)


def _check_showdown(hand: Hand, told: dict[int, str], names: dict[int, str]) -> None:
    """Refuse a hand in which somebody shows behind a seat of which nothing is known, or mucks and wins."""
    won = {seat for record in hand.records if isinstance(record, rec.PotAwarded) for seat in record.winners}
    done = {record.seat for record in hand.records if isinstance(record, rec.CardsShown | rec.CardsMucked)}
    for seat in told:
        if hand.showdown_seat is not None and seat not in done:
            silent = names[hand.showdown_seat]
            raise HoldemError(
                f"{names[seat]} is at the showdown, and nothing is said of {silent}, whose turn is before; "
                f"write '{silent} sm' if it mucked, or finishing_stacks"
            )
        if not told[seat] and seat in won:
            way_out = "leave out its hole cards" if hand.hole_cards[seat] else "write the cards that were shown"
            raise HoldemError(f"{names[seat]} mucks a hand that wins; {way_out}")


def _check_result(hand: Hand, history: "HandHistory", seats: list[int], unit: int) -> None:
    if history.finishing_stacks is None or not hand.is_over:
        return
    told = _chips(history.finishing_stacks, "finishing_stacks", unit)
    played = [hand.stacks[seat] for seat in seats]
    if told != played and _rake(hand, hand.stacks, history.finishing_stacks, unit) is None:
        raise HoldemError(f"PHH finishing_stacks {told} are not {played}, which the rules give; check the actions")


def _awards(hand: Hand) -> list[int]:
    """What the pots brought, by seat."""
    awards = [0] * hand.num_seats
    for record in hand.records:
        if isinstance(record, rec.PotAwarded):
            for seat, share in zip(record.winners, record.shares, strict=True):
                awards[seat] += share
    return awards


def _rake(hand: Hand, chips: Sequence[int], told: object, unit: int) -> list[int] | None:
    """What seats have less of by a list of a file than by the rules; None if that is no rake.

    `chips` are by seat, the list by player. A rake comes out of pots: only winners have less.
    """
    count = hand.num_seats
    if not isinstance(told, list) or len(told) != count:
        return None
    try:
        by_player = _chips(told, "winnings", unit)
    except HoldemError:
        return None
    awards = _awards(hand)
    taken = [chips[seat] - by_player[hand.position(seat)] for seat in range(count)]
    if not all(0 <= less <= award for less, award in zip(taken, awards, strict=True)):
        return None
    return taken if 100 * sum(taken) <= _MOST_RAKE_PERCENT * sum(awards) else None
