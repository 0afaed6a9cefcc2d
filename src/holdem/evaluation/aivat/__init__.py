"""AIVAT: the result of a hand without most of its luck, and with the same mean (Burch, Schmid, Moravčík, Morrill and
Bowling 2018, "AIVAT: a new variance reduction technique for agent evaluation in imperfect information games").

Two ideas, both exact. *Control variates*: wherever chance or a player with a known strategy moves, the mean of any
guess about the rest of the hand is known, so the guess after the move minus that mean may be taken off the result.
*Imaginary observations*: a known player could have held any hand that plays this way, so the result is averaged over
all of them. What is guessed changes how much noise goes away, never the mean.

The guesses are the blueprint's own values (`holdem.blueprint.leaf_values`). A hand may have one known player or two.
With two, everything is averaged over both ranges, the cards that were really dealt do not matter any more, and only
public events (board cards and actions) are left to correct for. With one, the other player's cards are what they are,
their deal is corrected for, and its actions are not.
"""

from holdem.evaluation.aivat.walk import Aivat, AivatHand

__all__ = ["Aivat", "AivatHand"]
