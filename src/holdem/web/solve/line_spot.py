"""A spot from a line of a blueprint: what both players bring there, by the average policy."""

from itertools import pairwise

import numpy as np

from holdem.abstraction.betting.line import format_line, parse_line
from holdem.abstraction.betting.sizes import SizeKind, street_menus
from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind, position_names
from holdem.blueprint.line_reach import line_reach
from holdem.cards.cards import Cards, format_cards
from holdem.cards.ranges import Range
from holdem.errors import ConfigError
from holdem.realtime.subgame.spot import PLAYER_NAMES, format_street
from holdem.realtime.subgame.tree import StreetSizes
from holdem.types import STREET_NAMES
from holdem.util.arrays import Float64
from holdem.web.run_folder import OpenPolicy, RunFolder
from holdem.web.solve.messages import Plain

DIGITS = 4
"""Behind the point of a weight; the most likely hand of a range weighs one."""
LATER_STREETS = {"bet": "75%", "raise": ["a"]}
"""One size and an all-in raise: with all sizes of a blueprint's tree on turns and rivers, a flop takes five times the
memory, a gigabyte."""
LEAST_WEIGHT = 0.005
"""What weighs less is left out: an average never quite forgets, and such hands would double the size of a solve."""


def line_spot(runs: RunFolder, name: str, line: str) -> Plain:
    """The spot of a policy's line, with the names of both players' positions; ConfigError where there is none."""
    opened = runs.policy(name)
    return spot_of_line(opened, line)


def spot_of_line(opened: OpenPolicy, line: str) -> Plain:
    """From the flop on, two players left, the board named."""
    policy, tree = opened.policy, opened.policy.tree
    if policy.config.variant != "holdem" or not policy.config.has_whole_deck:
        raise ConfigError(f"{policy.config.name} is not solved here; choose a policy of hold'em with all 52 cards")
    where = parse_line(tree, line, nearest=True)
    node, board = where.node, where.board
    players = _checked_players(tree, node, board)
    reach = line_reach(policy, opened.buckets, node, board)
    if not all(reach[player].any() for player in players):
        raise ConfigError("the policy never plays this line with any hand; choose another line")
    names = position_names(tree.config)
    return {
        "spot": _spot(tree, node, board, players, reach),
        "positions": [names[player] for player in players],
        "line": format_line(tree, node, board).strip(),
        "replaced": list(where.replaced),
        "big_blind": tree.config.big_blind,
    }


def _checked_players(tree: BettingTree, node: int, board: Cards) -> list[int]:
    """The two positions that are left, the one out of position first."""
    if tree.kind[node] != NodeKind.DECISION:
        raise ConfigError("the hand is over after this line; take a shorter one")
    street = int(tree.street[node])
    if street == 0:
        raise ConfigError("spots are solved from the flop on; choose a line that goes there")
    players = [player for player in range(tree.num_players) if not int(tree.folded[node]) >> player & 1]
    if len(players) != 2:
        raise ConfigError(f"{len(players)} players are left, and a spot is solved for two; choose a line with two")
    if len(board) != tree.config.board_cards[street]:
        due = tree.config.board_cards[street]
        raise ConfigError(f"the {STREET_NAMES[street]} has {due} cards; name them, as in `SB call, BB check | Ks7d2c`")
    return players


def _spot(tree: BettingTree, node: int, board: Cards, players: list[int], reach: Float64) -> Plain:
    chips = tree.chips_in[node].tolist()
    base = tree.chips_in[_first_of_street(tree, node)].tolist()
    bets = [chips[player] - base[player] for player in players]
    stacks = [tree.config.starting_stacks[player] - base[player] for player in players]
    to_act = players.index(int(tree.player[node]))
    spot: Plain = {
        "board": format_cards(board, " "),
        "pot": sum(chips) - sum(bets),
        "effective_stack": min(stacks),
        "bet_sizes": _sizes(tree, node),
    }
    for name, player in zip(PLAYER_NAMES, players, strict=True):
        spot[f"range_{name}"] = scaled_text(reach[player])
    if any(bets) or to_act:
        spot |= {"bets": bets, "to_act": PLAYER_NAMES[to_act]}
    return {**spot, "min_bet": max(1, tree.config.big_blind)}


def scaled_text(reach: Float64) -> str:
    """A range as it gets somewhere, (1326,) weights, as text: its most likely hand weighs one."""
    weights = np.round(reach / reach.max(), DIGITS)
    weights[weights < LEAST_WEIGHT] = 0.0
    return str(Range(weights))


def _first_of_street(tree: BettingTree, node: int) -> int:
    """The first decision of the street of a node."""
    while tree.street[int(tree.parent[node])] == tree.street[node]:
        node = int(tree.parent[node])
    return node


def _sizes(tree: BettingTree, node: int) -> dict[str, Plain]:
    """The menu of the tree on this street, and a short one on later streets, for both players alike."""
    first = int(tree.street[node])
    saw_it = sum(not int(tree.folded[_first_of_street(tree, node)]) >> player & 1 for player in range(tree.num_players))
    found = {STREET_NAMES[first]: _menus(tree, first, saw_it, _raises_so_far(tree, node))}
    for street in range(first + 1, tree.config.num_streets):
        found[STREET_NAMES[street]] = dict(LATER_STREETS)
    return found


def _menus(tree: BettingTree, street: int, players: int, raises: int) -> Plain:
    """A street that so many players began, after so many bets and raises; an empty menu ends the raising."""
    betting = tree.config.betting
    menus = betting.sizes
    if betting.multiway_sizes is not None and players >= betting.multiway_from:
        menus = betting.multiway_sizes
    if betting.crowd_sizes is not None and players >= betting.crowd_from:
        menus = betting.crowd_sizes
    parsed = street_menus(menus, street, opens_unbet=True, field="sizes")
    by_number = [parsed[min(number, len(parsed) - 1)] for number in range(betting.max_raises[street])]
    opening = tuple(size for size in (by_number[0] if by_number else ()) if size.kind is not SizeKind.TIMES)
    # A spot that begins behind several raises counts them as one bet.
    return format_street(StreetSizes(opening, (*by_number[max(1, raises) :], ())))


def _raises_so_far(tree: BettingTree, node: int) -> int:
    """Bets and raises on the street of a node."""
    path = tree.path(node)
    return sum(
        int(tree.action[after]) == ActionCode.RAISE and tree.street[before] == tree.street[node]
        for before, after in pairwise(path)
    )
