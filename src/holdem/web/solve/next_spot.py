"""The spot behind a dealt card: what both players bring there, by the strategies of a solve.

A street at a time, spots are solved whose whole tree is too large, and *Fast* shows the first street only.
"""

import numpy as np

from holdem.cards.cards import HOLE_CARDS, Cards, format_cards, parse_card
from holdem.cards.ranges import joint_weight
from holdem.errors import CardError, ConfigError
from holdem.realtime.subgame.nodes.path import Place, parse_path
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.subgame.spot import PLAYER_NAMES
from holdem.realtime.subgame.tree import SubgameNodeKind
from holdem.util.arrays import Float64
from holdem.web.solve.line_spot import scaled_text
from holdem.web.solve.messages import Plain
from holdem.web.solve.node_data import LEAST_REACH, is_card, place_of


def next_spot(solution: Solution, path: str) -> Plain:
    """The spot that begins with the last card of a path; an error in one sentence where there is none."""
    tokens = parse_path(path)
    if not tokens or not is_card(tokens[-1]):
        raise CardError("the path ends without a card; name the one that is dealt, such as 5h")
    *way, dealt = tokens
    place = place_of(solution, tuple(way))
    node = solution.solver.tree.nodes[place.node]
    if node.kind != SubgameNodeKind.DEAL:
        raise CardError(f"no card is dealt where {dealt} is named; go to the end of the betting round")
    card, before = parse_card(dealt), (*solution.spot.board, *place.dealt)
    if card in before:
        raise CardError(f"{dealt} is on the board already")
    reach = _reach(solution, place, card)
    return {
        "board": format_cards(Cards((*before, card)), " "),
        "pot": int(solution.spot.pot + sum(node.chips_in)),
        "effective_stack": int(solution.spot.effective_stack - max(node.chips_in)),
        **{f"range_{name}": scaled_text(own) for name, own in zip(PLAYER_NAMES, reach, strict=True)},
        "bet_sizes": solution.spot.question().get("bet_sizes", {}),
        "min_bet": int(solution.spot.min_bet),
    }


def _reach(solution: Solution, place: Place, card: int) -> Float64:
    """(2, 1326) of both players once the card is dealt; a ConfigError where nobody comes."""
    reach = solution.reach(place)
    reach[:, np.isin(HOLE_CARDS, card).any(axis=1)] = 0.0
    whole = np.stack(solution.spot.ranges).sum(axis=1)
    if (reach.sum(axis=1) <= LEAST_REACH * whole).any() or not joint_weight(reach[0], reach[1]):
        raise ConfigError("the solve never comes here with hands that can meet; choose another line")
    return reach
