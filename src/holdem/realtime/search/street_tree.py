"""The betting tree of the current street of a real hand, rooted at the start of that street.

The bets really made on the street are sizes of the tree, so no bet on the table is rounded to another. Where the street
ends with play going on, the tree ends in a leaf. Stacks may differ, seats may be all-in or have folded.
"""

import re
from dataclasses import dataclass

from holdem.abstraction.betting.reference_tree import BettingState, minimum_bet
from holdem.abstraction.betting.tree import ActionCode, BettingTree, build_tree
from holdem.errors import HoldemError
from holdem.game import records as rec
from holdem.game.actions import Action, ActionKind
from holdem.game.agent import PublicState, public_state
from holdem.game.game import Game
from holdem.realtime.search.history import action_of, beginning
from holdem.types import STREET_NAMES, BettingConfig, GameConfig, StreetMenus

MOST_NODES = 200_000


@dataclass(frozen=True)
class Menu:
    """Sizes of a search tree: for the first bet of a street, for raises, and how many of both."""

    bets: str
    raises: str
    max_raises: int

    def __str__(self) -> str:
        bets, raises = (re.sub(r"\ba\b", "all-in", sizes) for sizes in (self.bets, self.raises))
        return f"bets {bets}; raises {raises}; at most {self.max_raises} of both"


MENUS = (
    Menu("33%, 75%, 150%, a", "75%, a", 4),
    Menu("33%, 75%, 150%, a", "75%, a", 3),
    Menu("50%, 100%, a", "75%, a", 3),
    Menu("50%, 100%, a", "a", 2),
    Menu("75%, a", "a", 2),
    Menu("75%", "a", 2),
    Menu("75%", "75%", 1),
)
"""From large trees to small ones."""
GROUPED_MENUS = (
    *MENUS[1:4],
    Menu("33%, 75%, 150%", "75%", 2),
    Menu("50%, 100%", "75%", 2),
    Menu("75%", "75%", 2),
    Menu("75%", "75%", 1),
)
"""The same where the next street is in groups: there all-ins, which compare all pairs of hands, are what costs most."""


@dataclass(frozen=True)
class StreetTree:
    """A tree of one street and the line that was played in it: the nodes from the root to the decision asked about."""

    tree: BettingTree
    line: tuple[int, ...]

    @property
    def decision(self) -> int:
        """The node of the decision that is asked about."""
        return self.line[-1]


def seats_by_position(state: PublicState) -> list[int]:
    """The seat of each position."""
    count = state.config.num_players
    return [(state.button + 1 + position) % count for position in range(count)]


def street_actions(state: PublicState) -> list[Action]:
    """The actions of the current street, in order."""
    actions: list[Action] = []
    for record in state.history:
        if isinstance(record, rec.BoardDealt):
            actions = []
        elif (action := action_of(record)) is not None:
            actions.append(action)
    return actions


def street_start(state: PublicState) -> BettingState:
    """The betting at the start of the current street, by position."""
    stacks = starting_stacks(state)
    seats = seats_by_position(state)
    folded_here = {record.seat for record in _records_of_street(state) if isinstance(record, rec.Fold)}
    chips_in = tuple(stacks[p] - state.stacks[seat] - state.street_bets[seat] for p, seat in enumerate(seats))
    live = [p for p, seat in enumerate(seats) if state.live[seat] or seat in folded_here]
    able = frozenset(p for p in live if chips_in[p] < stacks[p])
    level = max(chips_in[p] for p in live)
    return BettingState(
        chips_in=chips_in,
        level=level,
        street_base=level,
        min_raise=minimum_bet(state.config),
        player=min(able),
        pending=able,
        folded=frozenset(range(len(seats))) - set(live),
        acted_at=(-1,) * len(seats),
        entered=len(live),
        street=state.street,
    )


def starting_stacks(state: PublicState) -> tuple[int, ...]:
    """Chips of each position before the hand."""
    started = beginning(state)
    return tuple(started.stacks[seat] for seat in seats_by_position(state))


def street_tree(state: PublicState, menu: Menu) -> StreetTree:
    """The tree of the current street with this menu and the sizes really bet."""
    actions = street_actions(state)
    root = street_start(state)
    tree = build_tree(_street_config(state, menu, actions), MOST_NODES, root)
    line = [0]
    for action in actions:
        line.append(_child(tree, line[-1], action))
    return StreetTree(tree, tuple(line))


def _records_of_street(state: PublicState) -> list[rec.Record]:
    start = max(i for i, record in enumerate(state.history) if isinstance(record, rec.BoardDealt))
    return list(state.history[start:])


def _street_config(state: PublicState, menu: Menu, actions: list[Action]) -> GameConfig:
    """The rules of the hand with a betting abstraction of this street alone."""
    config = state.config
    amounts = [action.amount for action in actions if action.kind is ActionKind.RAISE_TO]
    depth = max(menu.max_raises, len(amounts) + 1)
    menus = []
    for number in range(depth):
        sizes = menu.bets if number == 0 else menu.raises
        if number >= menu.max_raises:
            sizes = "a"
        menus.append(f"{sizes}, {amounts[number]}c" if number < len(amounts) else sizes)
    betting = BettingConfig(sizes=StreetMenus(**{STREET_NAMES[state.street]: tuple(menus)}), max_raises=(depth,) * 4)
    return config.model_copy(
        update={
            "stacks": starting_stacks(state),
            "betting": betting,
            "board_cards": config.board_cards[: state.street + 1],
        }
    )


def _child(tree: BettingTree, node: int, action: Action) -> int:
    """The child of a real action; a bet of more than anybody can call is the all-in of the tree."""
    if action.kind is not ActionKind.RAISE_TO:
        child = tree.find_child(node, action)
    else:
        raises = [c for c in tree.children(node) if tree.action[c] == ActionCode.RAISE]
        child = min(raises, key=lambda c: abs(int(tree.amount[c]) - action.amount), default=None)
    if child is None:
        raise HoldemError(f"{action} has no place in the tree of this street after {tree.describe(node)!r}")
    return child


def example_states(config: GameConfig) -> list[PublicState]:
    """Rivers, turns and flops that two players, or three, or more reached by calling and checking: what a search is
    measured on."""
    states: list[PublicState] = []
    for left in range(2, config.num_players + 1):
        hand = Game(config).new_hand(0)
        met: dict[int, PublicState] = {}
        while hand.actor is not None:
            if hand.street not in met and hand.street > 0:
                met[hand.street] = public_state(hand)
            folds = hand.street == 0 and sum(public_state(hand).live) > left
            hand.act(Action.fold() if folds else Action.check_or_call())
        states += [met[street] for street in sorted(met, reverse=True)]
    return states
