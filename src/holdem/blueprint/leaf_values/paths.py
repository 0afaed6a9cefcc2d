"""What a chain of streets forgets: hands followed through the last three streets, instead of street by street.

Buckets of the turn do not tell from which flop a hand came, and yet that matters for the river. Following whole hands
forgets nothing, but has the noise of whole hands. So the difference between both is measured for the blueprint's own
table, and as much of it is added as is not noise: n / (n + m) of it for a pair that n hands had. What is forgotten is
taken to be larger where values vary more, m times smaller than their variance in the mean square; m comes from the
leaf's own differences (some hundred hands). The tables of the other continuations get the same difference.
"""

import numpy as np

from holdem.blueprint.kernels import leaf_values as kernels
from holdem.blueprint.leaf_values.continuations import play_street
from holdem.blueprint.leaf_values.start_values import bilinear, start_values, street_ends
from holdem.blueprint.leaf_values.tables import LeafValues
from holdem.blueprint.leaf_values.transitions import CardCounts
from holdem.util.arrays import Float32, Float64

AS_IS = slice(0, 1)


def forgotten_value(values: LeafValues, leaf: int, chain: Float32, cards: CardCounts) -> tuple[Float32, float]:
    """(pairs,) chips to add to the tables of a leaf two streets before the end, and the squared error that is left.

    chain: (pairs,) the blueprint's table of the leaf, computed street by street
    """
    assert cards.paths is not None
    hands = np.zeros(len(chain))
    hands[: len(cards.paths.hands)] = cards.paths.hands
    sums, squares = _follow(values, leaf, cards, len(chain))
    seen = np.maximum(hands, 1.0)
    means = sums / seen
    variance = np.maximum(squares / seen - means**2, 0.0)
    return shrunk(np.where(hands > 0.0, means - chain, 0.0), variance, hands)


def shrunk(difference: Float64, variance: Float64, hands: Float64) -> tuple[Float32, float]:
    """As much of a noisy difference as is not noise, and the mean squared error that is left.

    difference, variance, hands: (pairs,) means, the variance of one hand, how many there were
    """
    shares = hands / hands.sum()
    noise = variance / np.maximum(hands, 1.0)
    real = max(float(shares @ (difference**2 - noise)), 0.0) / max(float(shares @ variance), 1e-30)
    kept = real * hands / (real * hands + 1.0)
    return (kept * difference).astype(np.float32), float(shares @ (kept * noise))


def _follow(values: LeafValues, leaf: int, cards: CardCounts, count: int) -> tuple[Float64, Float64]:
    """(pairs,) sums and squares of what the kept hands are worth at a leaf when both play the blueprint."""
    assert cards.paths is not None
    tree, play = values.policy.tree, play_street(values.policy, leaf)
    reach = np.stack(play.reach)[:, :, AS_IS]
    folds, stakes, leaves = street_ends(tree, play)
    first, second = reach[:, 0], reach[:, 1]
    ends = np.stack([bilinear(first, second, amounts).reshape(-1) for amounts in (folds, stakes)])
    ways = np.zeros((ends.shape[1], len(leaves)), dtype=np.float32)
    fixed, at_stake = np.zeros((2, len(cards.equity[-1]) ** 2, len(leaves)), dtype=np.float32)
    for column, (place, child) in enumerate(leaves):
        ways[:, column] = (first[place, 0][:, None] * second[place, 0]).reshape(-1)
        start = start_values(values, child, cards.equity[-1])
        assert start.at_stake is not None
        fixed[:, column], at_stake[:, column] = start.fixed[0], start.at_stake[0]
    sums, squares = np.zeros((2, count))
    kernels.add_paths(cards.paths.pairs, cards.paths.signs, ends, ways, fixed, at_stake, sums, squares)
    return sums, squares
