"""What a policy of Kuhn or Leduc does at one decision: a row for everything that the player may know there."""

from dataclasses import dataclass

from holdem.abstraction.betting.toy_infosets import toy_infosets
from holdem.blueprint.view import NodeSummary, plain_summary, summarise
from holdem.errors import CardError
from holdem.game.toy_games import toy_game
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float64


@dataclass(frozen=True)
class SmallGameView:
    """A decision and its rows: information state, (actions,) probabilities, whether training came by."""

    summary: NodeSummary
    rows: list[tuple[str, Float64, bool]]

    def to_plain(self) -> dict[str, object]:
        """The view as JSON data."""
        states = {
            name: {"visited": seen, "probabilities": dict(zip(self.summary.actions, row.tolist(), strict=True))}
            for name, row, seen in self.rows
        }
        return {**plain_summary(self.summary), "information_states": states}


def view_small_game(policy: AveragePolicy, node: int, card: str | None = None) -> SmallGameView:
    """All rows of a decision, or those with one card."""
    summary = summarise(policy, node)
    game = toy_game(policy.config)
    if card is not None and card not in map(str, game.deck):
        raise CardError(f"{card!r} is not a card of {policy.config.name}; its cards are 0 to {game.deck[-1]}")
    probabilities, visited = policy.rows(node)
    rows = [
        (infoset.information_state, probabilities[infoset.bucket], bool(visited[infoset.bucket]))
        for infoset in toy_infosets(game, policy.tree, [node])
        if card in (None, str(infoset.hole[0]))
    ]
    return SmallGameView(summary, rows)
