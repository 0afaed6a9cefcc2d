"""One node of a solve as a page shows it: strategies, EVs, equities and what both ranges are made of.

EVs are as in `holdem solve`: chips expected from the pot less chips put in from the root on, so the two players' EVs
add up to the pot of the root. A hand's `weight` is how much of it gets here by its own actions, where the most likely
hand of its range has 1 at the root; means over several hands weigh each also by the hands that it can meet. Where no
pair of hands can meet, and for a hand that meets none, nothing was trained, so no strategy is told but a locked one.
"""

from dataclasses import dataclass

import numpy as np

from holdem.blueprint.colours import action_colours
from holdem.blueprint.tree_values import sums_by
from holdem.cards.cards import NUM_CARDS, NUM_HOLE_PAIRS, Cards, format_card
from holdem.cards.equity import equities_of_ranges
from holdem.cards.made_hands import DRAW_NAMES, MADE_NAMES, made_hands
from holdem.cards.ranges import CLASS_NAMES, CLASS_OF_HOLE, NUM_CLASSES, opposing_weight
from holdem.errors import ConfigError
from holdem.realtime.search.street_solution import LEAST_FREQUENCY
from holdem.realtime.subgame.flat_tree import goes_on
from holdem.realtime.subgame.nodes.path import Place, find_place, parse_path
from holdem.realtime.subgame.nodes.picture import action_words
from holdem.realtime.subgame.nodes.view import NodeView, hand_name
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.subgame.spot import PLAYER_NAMES
from holdem.realtime.subgame.tree import Node, SubgameNodeKind
from holdem.types import STREET_NAMES
from holdem.util.arrays import Bools, Float64, Int8
from holdem.web.solve.messages import Plain

ONLY_THE_FIRST_STREET = "Fast shows only the first street; go on with the next one, or choose Exact to see what follows"
RIVER_CARDS, CARD_LENGTH = 5, 2
LEAST_REACH = 1e-6
"""Of a range. Where less of it comes, the other player had nothing to train against, and answers at random."""


def node_data(solution: Solution, path: str) -> Plain:
    """Everything about the node that a path leads to; IllegalAction or CardError where there is none."""
    tokens = parse_path(path)
    place = place_of(solution, tokens)
    node = solution.solver.tree.nodes[place.node]
    steps = _steps(solution, tokens)
    found: Plain = {
        "path": [step["label"] for step in steps],
        "steps": steps,
        "board": [format_card(card) for card in (*solution.spot.board, *place.dealt)],
        **_chips(solution, node),
    }
    if node.kind == SubgameNodeKind.DECISION:
        return {**found, "kind": "decision", **_decision(solution, place, tokens)}
    if node.kind == SubgameNodeKind.DEAL:
        return {**found, "kind": "deal", **_deal(solution, place)}
    return {**found, "kind": "end", "words": _ending(solution, node, place)}


def place_of(solution: Solution, tokens: tuple[str, ...]) -> Place:
    """Where a path leads to, with groups on the first street only."""
    if solution.solver.grouping is not None and any(map(is_card, tokens)):
        raise ConfigError(ONLY_THE_FIRST_STREET)
    return find_place(solution.solver.tree, solution.solver.boards, tokens)


def is_card(token: str) -> bool:
    """Whether a part of a path is a card; no action is as short."""
    return len(token) == CARD_LENGTH


def _chips(solution: Solution, node: Node) -> Plain:
    spot = solution.spot
    return {
        "pot": spot.pot + sum(node.chips_in),
        "stacks": [spot.effective_stack - chips for chips in node.chips_in],
        "street": STREET_NAMES[node.street],
    }


def _steps(solution: Solution, tokens: tuple[str, ...]) -> list[Plain]:
    """The way from the root: who acted or what was dealt, with all that there was to choose from."""
    tree, boards = solution.solver.tree, solution.solver.boards
    steps: list[Plain] = []
    for count, token in enumerate(tokens):
        place = find_place(tree, boards, tokens[:count])
        node = tree.nodes[place.node]
        chips = _chips(solution, node)
        step: Plain = {"pot": chips["pot"], "street": chips["street"]}
        if node.kind == SubgameNodeKind.DEAL:
            step |= {"kind": "deal", "player": None, "label": token, "actions": []}
        else:
            taken = find_place(tree, boards, tokens[: count + 1]).steps[-1][3]
            step |= {"kind": "decision", "player": PLAYER_NAMES[node.player], "label": node.actions[taken]}
            step["actions"] = list(node.actions)
        steps.append(step)
    return steps


def _deal(solution: Solution, place: Place) -> Plain:
    if solution.solver.grouping is not None:
        return {"cards": [], "words": ONLY_THE_FIRST_STREET}
    used = {*solution.spot.board, *place.dealt}
    return {"cards": [format_card(card) for card in range(NUM_CARDS) if card not in used], "words": "a card is dealt"}


def _ending(solution: Solution, node: Node, place: Place) -> str:
    pot = solution.spot.pot + sum(node.chips_in)
    if node.kind == SubgameNodeKind.FOLD:
        winner = PLAYER_NAMES[1 - node.player]
        return f"{PLAYER_NAMES[node.player]} folds, and {winner} wins the pot of {pot}"
    missing = RIVER_CARDS - len(solution.spot.board) - len(place.dealt)
    if node.kind == SubgameNodeKind.ALL_IN or missing:
        return f"both are all-in for a pot of {pot}, and the board is dealt out"
    return f"both show their hands for a pot of {pot}"


@dataclass(frozen=True)
class _Ranges:
    """Both players at a node, over all hole pairs.

    reach, equities: (2, 1326); joint: (2, 1326) reach times the reach of the hands that it can meet; or, where no
    two hands meet, reach alone
    """

    reach: Float64
    joint: Float64
    equities: Float64
    meet: bool

    def means(self, player: int, values: Float64, members: Float64 | None = None) -> float:
        """Of values by hand, over those that get here; NaN where there are none."""
        weights = self.joint[player] * ~np.isnan(values)
        weights = weights if members is None else weights * np.nan_to_num(members)
        total = weights.sum()
        return float(weights @ np.nan_to_num(values) / total) if total > 0 else float("nan")


def _ranges(solution: Solution, place: Place, board: Cards) -> _Ranges:
    reach = solution.reach(place)
    joint = np.stack([reach[player] * opposing_weight(reach[1 - player]) for player in (0, 1)])
    if joint.any():
        return _Ranges(reach, joint, np.stack(equities_of_ranges(reach[0], reach[1], board)), meet=True)
    return _Ranges(reach, reach, np.full((2, NUM_HOLE_PAIRS), np.nan), meet=False)


def _decision(solution: Solution, place: Place, tokens: tuple[str, ...]) -> Plain:
    view = solution.node(tokens)
    ranges = _ranges(solution, place, view.board)
    player = view.player
    strategy = np.zeros((NUM_HOLE_PAIRS, len(view.actions)))
    values = np.full((NUM_HOLE_PAIRS, len(view.actions)), np.nan)
    strategy[view.hands], values[view.hands] = view.strategy, view.action_values
    evs = np.where(strategy > 0, strategy * values, 0.0).sum(axis=1)
    evs[np.isnan(values).all(axis=1)] = np.nan
    reached, locked = _is_reached(solution, ranges), solution.solver.is_locked(place)
    values[:, _undefended(solution, place, ranges.reach[player], strategy)] = np.nan
    if not reached:
        evs[:], values[:] = np.nan, np.nan
    if not locked:
        strategy[~(reached & (ranges.joint[player] > 0))] = np.nan
    own = ranges.means(player, evs)
    whole = solution.spot.pot + sum(solution.spot.bets)
    both = [own, whole - own] if player == 0 else [whole - own, own]
    made, draws = made_hands(view.board)
    return {
        "player": PLAYER_NAMES[player],
        "actions": _actions(view, ranges, strategy, values),
        "ev": _plain(np.array(both), 3),
        "equity": _plain(np.array([ranges.means(one, ranges.equities[one]) for one in (0, 1)]), 4),
        "locked": locked,
        "reached": reached,
        "classes": _classes(ranges, player, strategy, evs, view.board),
        "hands": _hands(ranges, player, strategy, values, evs, (made, draws)),
        "made_names": MADE_NAMES,
        "draw_names": DRAW_NAMES,
        "opponent": _class_weights(ranges.reach[1 - player], view.board),
        "composition": {
            name: _composition(ranges, one, strategy if one == player else None, (made, draws), view.board)
            for one, name in enumerate(PLAYER_NAMES)
        },
    }


def _is_reached(solution: Solution, ranges: _Ranges) -> bool:
    """Whether both players come to a node, with hands that can meet; else no strategy there means anything."""
    whole = np.stack(solution.spot.ranges).sum(axis=1)
    return bool((ranges.reach.sum(axis=1) > LEAST_REACH * whole).all() and ranges.meet)


def _undefended(solution: Solution, place: Place, reach: Float64, strategy: Float64) -> Bools:
    """(actions,) those that no hand takes and that do not end the hand: what answers them is not trained."""
    tree = solution.solver.tree
    whole = solution.spot.ranges[tree.nodes[place.node].player].sum()
    return np.asarray(np.array(goes_on(tree, place.node)) & (reach @ strategy <= LEAST_REACH * whole))


def _actions(view: NodeView, ranges: _Ranges, strategy: Float64, values: Float64) -> list[Plain]:
    """Frequencies over the range, and EVs over the hands that take the action, if it is taken."""
    words = [action_words(label) for label in view.actions]
    rows = []
    for place, (label, text, colour) in enumerate(zip(view.actions, words, action_colours(words), strict=True)):
        share = ranges.means(view.player, strategy[:, place])
        value = ranges.means(view.player, values[:, place], strategy[:, place])
        value = value if share >= LEAST_FREQUENCY else float("nan")
        row = {"label": label, "words": text, "colour": colour}
        rows.append({**row, "frequency": _number(share, 4), "ev": _number(value, 3)})
    return rows


def _by_class(values: Float64) -> Float64:
    return sums_by(CLASS_OF_HOLE.astype(np.int64), values, NUM_CLASSES)


def _combos(board: Cards) -> Float64:
    """(169,) hands of each class that the board leaves."""
    return _by_class((made_hands(board)[0] >= 0).astype(np.float64))


def _class_weights(reach: Float64, board: Cards) -> dict[str, float]:
    combos, sums = _combos(board), _by_class(reach)
    return {name: round(float(sums[i] / combos[i]), 5) for i, name in enumerate(CLASS_NAMES) if sums[i] > 0}


def _classes(ranges: _Ranges, player: int, strategy: Float64, evs: Float64, board: Cards) -> dict[str, Plain]:
    combos, reach = _combos(board), _by_class(ranges.reach[player])
    joint = np.where(_by_class(ranges.joint[player])[CLASS_OF_HOLE] > 0, ranges.joint[player], ranges.reach[player])
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.stack([_known_mean(joint, column) for column in strategy.T], axis=1)
        means = [_known_mean(joint, values) for values in (evs, ranges.equities[player])]
    found = {}
    for number in np.flatnonzero(reach > 0).tolist():
        found[CLASS_NAMES[number]] = {
            "weight": round(float(reach[number] / combos[number]), 5),
            "shares": _plain(shares[number], 4),
            "ev": _number(means[0][number], 3),
            "equity": _number(means[1][number], 4),
            "combos": int(combos[number]),
        }
    return found


def _known_mean(weights: Float64, values: Float64) -> Float64:
    """(169,) means by class of the values that are known."""
    known = weights * ~np.isnan(values)
    return _by_class(known * np.nan_to_num(values)) / _by_class(known)


def _hands(
    ranges: _Ranges, player: int, strategy: Float64, values: Float64, evs: Float64, kinds: tuple[Int8, Int8]
) -> dict[str, list[Plain]]:
    """Hands that get here by class, aces first."""
    found: dict[str, list[Plain]] = {}
    here = np.flatnonzero(ranges.reach[player] > 0)[::-1]
    rows = zip(
        here.tolist(), ranges.reach[player, here].round(5).tolist(),
        map(_plain_row, strategy[here].round(4).tolist()), map(_plain_row, values[here].round(3).tolist()),
        _plain(evs[here], 3), _plain(ranges.equities[player, here], 4),
        kinds[0][here].tolist(), kinds[1][here].tolist(), strict=True,
    )  # fmt: skip
    for hand, weight, shares, action_evs, value, equity, made, draw in rows:
        found.setdefault(CLASS_NAMES[int(CLASS_OF_HOLE[hand])], []).append(
            {
                "cards": hand_name(hand), "weight": weight, "shares": shares, "evs": action_evs, "ev": value,
                "equity": equity, "made": MADE_NAMES[made], "draw": DRAW_NAMES[draw],
            }
        )  # fmt: skip
    return found


def _composition(
    ranges: _Ranges, player: int, strategy: Float64 | None, kinds: tuple[Int8, Int8], board: Cards
) -> list[Plain]:
    """Made hands, and before the river draws beside them: shares of the range, best first, those that there are."""
    total = ranges.joint[player].sum()
    rows: list[Plain] = []
    for kind, names, numbers in (("made", MADE_NAMES, kinds[0]), ("draw", DRAW_NAMES, kinds[1])):
        for number, name in enumerate(names):
            members = (numbers == number).astype(np.float64)
            weight = ranges.joint[player] @ members
            if not weight > 0 or (kind == "draw" and len(board) == RIVER_CARDS):
                continue
            equity = ranges.means(player, ranges.equities[player], members)
            row: Plain = {"kind": kind, "name": name, "share": round(float(weight / total), 5)}
            row["equity"] = _number(equity, 4)
            if strategy is not None:
                shares = [ranges.means(player, column, members) for column in strategy.T]
                row["shares"] = _plain(np.array(shares), 4)
            rows.append(row)
    return rows


def _number(value: float, digits: int) -> float | None:
    return None if np.isnan(value) else round(float(value), digits) + 0.0


def _plain(values: Float64, digits: int) -> list[float | None]:
    """Rounded numbers for JSON, which has no NaN."""
    return _plain_row((values.round(digits) + 0.0).tolist())


def _plain_row(values: list[float]) -> list[float | None]:
    return [None if value != value else value for value in values]
