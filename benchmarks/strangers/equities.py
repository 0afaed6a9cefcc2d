"""Equities of all 1,326 holes at once against a weighted range, by sampled boards.

The sample of a board is drawn from its cards alone, so a hole's equity on a board is always the same number: a strategy
made of equities can be told and played exactly. Before the flop a class (such as AKs) has one equity, the mean of its
holes, because suits mean nothing there.
"""

from functools import cache, lru_cache

import numpy as np

from benchmarks.strangers.hand_ranks import shares_card, strengths
from holdem.cards.cards import HOLE_CARDS, NUM_CARDS, NUM_HOLE_PAIRS, Cards
from holdem.util.arrays import Float64, Int64

SAMPLES = {0: 600, 3: 10, 4: 8, 5: 1}
"""Complete boards by the number of cards on the table."""

_LOW, _HIGH = HOLE_CARDS.astype(np.int64).T
_SUITED = _LOW % 4 == _HIGH % 4
_CLASS = np.unique(np.stack([_LOW // 4, _HIGH // 4, _SUITED]), axis=1, return_inverse=True)[1].reshape(-1)
_CLASS_SIZES = np.bincount(_CLASS)


def equities(board: Cards, weights: Float64) -> Float64:
    """(1326,) chance to win, ties counted half, against holes of these weights; one half where nothing is possible."""
    won, mass = np.zeros((2, NUM_HOLE_PAIRS))
    for places in _samples(board) if board else _preflop_samples():
        more_won, more_mass = _showdown(places, weights)
        won += more_won
        mass += more_mass
    if not board:
        won, mass = (np.bincount(_CLASS, values)[_CLASS] / _CLASS_SIZES[_CLASS] for values in (won, mass))
    return np.asarray(np.divide(won, mass, out=np.full(NUM_HOLE_PAIRS, 0.5), where=mass > 1e-12))


@lru_cache(maxsize=512)
def against_any(board: Cards) -> Float64:
    """(1326,) equities against a hole of which nothing is known."""
    return equities(board, np.ones(NUM_HOLE_PAIRS))


@lru_cache(maxsize=512)
def standing(board: Cards) -> Float64:
    """(1326,) the share of all possible holes with a smaller equity, equal ones counted half: 0 worst, 1 best."""
    found = against_any(board)
    others = np.sort(found[~shares_card(board)])
    below, up_to = (np.searchsorted(others, found, side=side) for side in ("left", "right"))
    return np.asarray((below + up_to) / (2.0 * len(others)))


@cache
def _preflop_samples() -> list[Int64]:
    """Kept for good: they take a second, and every hand begins with them."""
    return _sampled_places(())


@lru_cache(maxsize=256)
def _samples(board: Cards) -> list[Int64]:
    return _sampled_places(tuple(sorted(board)))


def _sampled_places(board: Cards) -> list[Int64]:
    """`_places` on random boards of five cards that begin with this one, drawn from its cards alone."""
    generator = np.random.default_rng([len(board), *board])
    left = np.setdiff1d(np.arange(NUM_CARDS), board)
    missing, count = 5 - len(board), SAMPLES[len(board)]
    if missing == 1:
        picked = generator.choice(left, count, replace=False)[:, None]
    else:
        picked = np.array([generator.choice(left, missing, replace=False) for _ in range(count)])
    return [_places((*board, *cards)) for cards in picked.astype(int).tolist()]


def _showdown(places: Int64, weights: Float64) -> tuple[Float64, Float64]:
    """(1326,) weight that each hole beats on five cards, ties counted half, and weight that it can meet.

    Sums go up the places; what shares a card with a hole is taken off by inclusion and exclusion.
    """
    holes, count = np.flatnonzero(places >= 0), int(places.max()) + 1
    place, low, high, weight = places[holes], _LOW[holes], _HIGH[holes], weights[holes]
    at = np.bincount(place, weight, minlength=count)
    keys = np.concatenate([low * count + place, high * count + place])
    at_card = np.bincount(keys, np.tile(weight, 2), minlength=NUM_CARDS * count).reshape(NUM_CARDS, count)
    below, below_card = np.cumsum(at) - at, np.cumsum(at_card, axis=1) - at_card
    weaker = below[place] - below_card[low, place] - below_card[high, place]
    equal = at[place] - at_card[low, place] - at_card[high, place] + weight
    card = at_card.sum(axis=1)
    won, mass = np.zeros((2, NUM_HOLE_PAIRS))
    won[holes] = weaker + 0.5 * equal
    mass[holes] = at.sum() - card[low] - card[high] + weight
    return won, mass


def _places(board: Cards) -> Int64:
    """(1326,) the place of each hole among the strengths on five cards, the weakest 0; -1 if it cannot be held."""
    found = strengths(board)
    seen = np.bincount(found) > 0
    seen[0] = False
    return np.asarray(np.cumsum(seen)[found] - 1)
