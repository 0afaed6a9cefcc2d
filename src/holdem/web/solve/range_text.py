"""Ranges as text and as weights, in both directions: the notation is that of `holdem.cards.ranges`."""

from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from holdem.cards.cards import NUM_HOLE_PAIRS, check_distinct, hole_index, parse_cards
from holdem.cards.ranges import Range
from holdem.errors import CardError, ConfigError
from holdem.realtime.subgame.nodes.view import hand_name
from holdem.web.solve.messages import Plain

DIGITS = 5
"""Behind the point of a weight: nobody paints finer."""
LEAST_WEIGHT = 1e-5
"""A smaller one is raised to it: a hand that is given does not vanish."""
HAND_LETTERS, HAND_CARDS = 4, 2

Weight = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class RangeAsked(BaseModel):
    """A text or weights of single hands; hands that touch the `board` are dropped."""

    model_config = ConfigDict(strict=True, extra="forbid")

    text: str | None = Field(default=None, max_length=100_000)
    weights: dict[str, Weight] | None = Field(default=None, max_length=NUM_HOLE_PAIRS)
    board: str = Field(default="", max_length=40)

    @classmethod
    def read(cls, body: bytes) -> "RangeAsked":
        """What a page has sent, or a ConfigError."""
        try:
            asked = cls.model_validate_json(body)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            where = f"{first['loc'][-1]!s:.40}: " if first["loc"] else ""
            raise ConfigError(f"{where}{first['msg']:.150}; send a text or weights of hands") from None
        if (asked.text is None) == (asked.weights is None):
            raise ConfigError("a range is a text or weights of hands; send one of them")
        return asked


def answer_range(asked: RangeAsked) -> Plain:
    """The range in both forms, weights to five digits, and whether they were given finer."""
    found = _range_of(asked).without(check_distinct(parse_cards(asked.board)))
    rounded = Range(np.where(found.weights > 0, np.maximum(np.round(found.weights, DIGITS), LEAST_WEIGHT), 0.0))
    weights = {hand_name(hand): float(rounded.weights[hand]) for hand in np.flatnonzero(rounded.weights)[::-1].tolist()}
    combos = round(rounded.combinations, DIGITS)
    return {"text": range_words(rounded), "weights": weights, "combos": combos, "rounded": rounded != found}


def range_words(hands: Range) -> str:
    """The notation; the empty range is an empty text."""
    return str(hands) if hands.weights.any() else ""


def _range_of(asked: RangeAsked) -> Range:
    if asked.text is not None:
        return Range.parse(asked.text) if asked.text.strip() else Range(np.zeros(NUM_HOLE_PAIRS))
    weights = np.zeros(NUM_HOLE_PAIRS)
    for hand, weight in (asked.weights or {}).items():
        cards = parse_cards(hand) if len(hand) == HAND_LETTERS else ()
        if len(cards) != HAND_CARDS:
            raise CardError(f"{hand!r:.20} is not a hand; write two cards, such as AhKd")
        weights[hole_index(*cards)] = weight
    return Range(weights)
