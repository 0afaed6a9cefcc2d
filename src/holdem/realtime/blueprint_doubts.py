"""Why what a blueprint says at a decision of a real table may be a guess."""

from dataclasses import dataclass

from holdem.blueprint.agent import BlueprintAgent
from holdem.blueprint.walk import NodeShares
from holdem.game.agent import Observation

UNTRAINED = "training hardly ever came here with these cards, so the frequencies are a guess"
STANDS_IN = "this betting is not in the tree; the nearest that is stands in"
MOSTLY = 0.5


@dataclass(frozen=True)
class Doubts:
    """`notes`: sentences, none where there is nothing to say; `guessed`: whether training hardly ever came here."""

    nodes: NodeShares
    """What the history stands for in the tree."""
    notes: tuple[str, ...] = ()
    guessed: bool = False

    @property
    def caveats(self) -> tuple[str, ...]:
        """Of the notes those that keep figures from being quite the truth."""
        return tuple(note for note in self.notes if note in (STANDS_IN, UNTRAINED))


NO_DOUBTS = Doubts([])


def doubts_of(blueprint: BlueprintAgent, observation: Observation) -> Doubts:
    """The doubts of a decision with the cards that the seat holds."""
    stood_in = blueprint.walk.stand_ins.total()
    nodes = blueprint.node_probabilities(observation)
    if not nodes:
        return Doubts(nodes)
    notes = [f"bets off the tree are taken for {len(nodes)} lines of it"] if len(nodes) > 1 else []
    if blueprint.walk.stand_ins.total() > stood_in:
        notes = [STANDS_IN]
    guessed = blueprint.trained_share(observation) < MOSTLY
    return Doubts(nodes, (*notes, UNTRAINED) if guessed else tuple(notes), guessed)
