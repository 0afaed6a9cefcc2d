"""What a local best response may do on each street, as a word: `c`, `fc`, `fcpa`, `eight` or `wide`.

Lisý and Bowling restrict it street by street, because a rule that looks one bet ahead is at its best late in the hand:
their strongest settings only call before the flop and on the flop, and bet from the turn on.

    c     always check or call
    fc    fold, or check and call
    fcpa  the same, a bet of the pot, and all-in
    eight fold, check and call, and eight sizes: 0.25, 0.5, 0.75, 1, 1.5, 2 and 3 pots, and all-in
    wide  fold, check and call, and 56 sizes from the smallest legal one to all-in, each the same factor larger
"""

from holdem.errors import ConfigError
from holdem.game.actions import Action
from holdem.game.hand import Hand
from holdem.types import STREET_NAMES

ALWAYS_CALL = "c"
POT_SHARES = {"fcpa": (1.0,), "eight": (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)}
"""Bets as shares of the pot after a call; all-in comes on top."""
MENUS = (ALWAYS_CALL, "fc", *POT_SHARES, "wide")
WIDE_SIZES = 56

Menus = tuple[str, str, str, str]


def parse_menus(actions: str, streets: str) -> Menus:
    """The menu of each street: one word with the streets where it counts, or four words, as `c,c,fc,fcpa`."""
    words = [word.strip().lower() for word in actions.split(",")]
    unknown = [word for word in words if word not in MENUS]
    if unknown or len(words) not in (1, 4):
        what = f"{unknown[0]!r} is not a set of actions" if unknown else f"{len(words)} sets of actions do not fit"
        raise ConfigError(f"{what}; give one of {', '.join(MENUS)}, or four, one for each street, such as c,c,fc,fcpa")
    if len(words) == 4:
        return words[0], words[1], words[2], words[3]
    chosen = _parse_streets(streets)
    preflop, flop, turn, river = (words[0] if street in chosen else ALWAYS_CALL for street in range(4))
    return preflop, flop, turn, river


def _parse_streets(text: str) -> set[int]:
    if text.strip().lower() == "all":
        return set(range(4))
    names = [name.strip().lower() for name in text.split(",")]
    unknown = [name for name in names if name not in STREET_NAMES]
    if unknown:
        raise ConfigError(f"{unknown[0]!r} is not a street; give some of {','.join(STREET_NAMES)}, or all")
    return {STREET_NAMES.index(name) for name in names}


def raises_of(menu: str, hand: Hand) -> list[Action]:
    """The bets and raises of a menu that the seat to act may make, smallest first."""
    legal = hand.legal_actions()
    least, most = legal.min_raise_to, legal.max_raise_to
    if least is None or most is None or menu in (ALWAYS_CALL, "fc"):
        return []
    if menu in POT_SHARES:
        assert hand.actor is not None
        called = hand.street_bets[hand.actor] + legal.call_amount
        pot = hand.pot + legal.call_amount
        amounts = {min(max(called + round(share * pot), least), most) for share in POT_SHARES[menu]} | {most}
    else:
        steps = WIDE_SIZES - 1
        amounts = {round(least * (most / least) ** (step / steps)) for step in range(WIDE_SIZES)}
    return [Action.raise_to(amount) for amount in sorted(amounts)]
