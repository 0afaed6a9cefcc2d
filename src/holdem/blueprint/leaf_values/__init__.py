"""What the rest of a hand is worth where the betting of a street closes: tables that AIVAT reads.

A leaf is a node of the blueprint's betting tree where a street begins (its first decision): the cards of that street
are not yet dealt there. For each leaf there is a bucket × bucket table of what position 0 wins from position 1 by the
end of the hand (net chips since its beginning, so that position 1 wins the opposite), if both play on with a
continuation of the blueprint: as it is, or biased to fold, to call, to raise, that is with those probabilities times
five (Brown, Sandholm and Amos 2018, "Depth-limited solving"; Brown and Sandholm 2019, "Superhuman AI for multiplayer
poker"). The buckets are those of the street that closed, so a leaf is a table read and no card has to be dealt.

    values = LeafValues.open("runs/blueprint")      # memory-mapped; refused if the policy has changed since
    values.has(node)                                # is this node a leaf?
    values.values(node)                             # (buckets, buckets) chips: row position 0, column position 1
    values.values(node, first=Continuation.CALL)    # position 0 biased to call, position 1 as it is
    values.choices(node, chooser=1)                 # (4, buckets, buckets): position 1 may pick, position 0 as it is
    values.equity(street)                           # (buckets, buckets) chance to win minus chance to lose

Seven of the sixteen pairs of continuations are stored: one player plays on as it is and the other in one of four
ways, whichever position it has (4 + 4 − 1). With int16 that is 38 kB a leaf with 50 buckets a street (122 MB for the
485 + 2,977 leaves of heads-up 100 bb, plus 12 MB for 29 before the flop) and 560 kB with 200 (1.9 GB).
"""

from holdem.blueprint.leaf_values.continuations import PAIRS, Continuation
from holdem.blueprint.leaf_values.tables import LeafValues

__all__ = ["PAIRS", "Continuation", "LeafValues"]
