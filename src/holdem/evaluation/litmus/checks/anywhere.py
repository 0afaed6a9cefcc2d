"""`anywhere`: how often hands do something on a whole street, each place counted as often as the policy comes there.

    - name: Aces are never folded before the flop
      kind: anywhere
      street: preflop            # on a later street `board` names its cards, such as Ks7d2c
      hands: AA
      action: fold
      at_most: 0.001

The figure is how often a player with such a hand does it, of all the times that it could on that street, when everybody
plays the policy; the places with the largest shares are named. It is computed over the whole tree, with the opponents'
hands taken as independent of each other and of the hand (card removal changes it by a few per cent of itself). Rows
that training never visited are neither counted nor judged.
"""

from typing import Literal

from pydantic import model_validator

from holdem.abstraction.betting.tree import position_names
from holdem.blueprint.view import summarise
from holdem.cards.cards import parse_cards
from holdem.evaluation.litmus.check import ActionName, Findings, LitmusCheck, Share, percent
from holdem.evaluation.litmus.reach import ActionShares, action_shares
from holdem.evaluation.litmus.spots import NotInThisGame, PolicySpots
from holdem.types import STREET_NAMES

PLACES_NAMED = 3


class Anywhere(LitmusCheck):
    """What hands do on a street, over all of its decisions."""

    kind: Literal["anywhere"]
    street: Literal["preflop", "flop", "turn", "river"] = "preflop"
    board: str = ""
    hands: str
    action: ActionName
    at_most: Share
    cause: str = "too little training, or a bug in the rules of the game that was trained"

    @model_validator(mode="after")
    def _board_fits_street(self) -> "Anywhere":
        due = (0, 3, 4, 5)[STREET_NAMES.index(self.street)]
        if len(parse_cards(self.board)) != due:
            raise ValueError(f"the {self.street} needs a board of {due} cards, as in board: {'Ks7d2c5h9s'[: 2 * due]}")
        return self

    def judge(self, spots: PolicySpots) -> Findings:
        findings = Findings()
        street, board = STREET_NAMES.index(self.street), parse_cards(self.board)
        if street >= spots.policy.config.num_streets or not spots.tree.counts.decisions[street].any():
            findings.left_out.append(f"nobody acts on the {self.street} of {spots.policy.config.name}")
            return findings
        try:
            shares = action_shares(spots, street, board, self.hands, self.action)
        except NotInThisGame as error:
            findings.left_out.append(str(error))
            return findings
        for name, found in zip(position_names(spots.policy.config), shares, strict=True):
            if found.chances > 0:
                self._judge_position(spots, name, found, findings)
            findings.judged += found.judged
            findings.unvisited += found.unvisited
        return findings

    def _judge_position(self, spots: PolicySpots, name: str, found: ActionShares, findings: Findings) -> None:
        board = parse_cards(self.board)
        worst = sorted(found.by_node.items(), key=lambda place: -place[1])[:PLACES_NAMED]
        places = "; ".join(
            f"{percent(share / found.chances)} after {summarise(spots.policy, node, board).line!r}"
            for node, share in worst
        )
        what = f"{self.hands}: {self.action} {percent(found.rate)} of the times it can, allowed {percent(self.at_most)}"
        findings.compare(found.rate, self.at_most, True, f"{name}, {self.street}", f"{what} ({places})")
