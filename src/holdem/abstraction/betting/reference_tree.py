"""The rules of a betting tree in plain Python: what `kernels/tree.py` computes, said slowly and clearly.

Amounts are totals of a position since the start of the hand, antes included. There are no chance nodes: when
a betting round closes, the next state is the first decision of the next street. Tests compare every node of
small trees with this file; the builder takes its root from here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from holdem.abstraction.betting.sizes import BetSize, BettingSpot, first_raise_menu, raise_totals, street_menus
from holdem.abstraction.kernels.tree import CALL, DECISION, FOLD, FOLD_WIN, RAISE, SHOWDOWN
from holdem.types import GameConfig


@dataclass(frozen=True)
class BettingState:
    """Everything that decides how betting goes on. `pending` are the positions that must still act."""

    chips_in: tuple[int, ...]
    level: int
    street_base: int
    min_raise: int
    player: int
    pending: frozenset[int]
    folded: frozenset[int]
    acted_at: tuple[int, ...]
    """The level at which each position last acted on this street, -1 before its turn."""
    entered: int
    """Players who had not folded when this street began."""
    street: int = 0
    raises: int = 0
    terminal: int = DECISION


def minimum_bet(config: GameConfig) -> int:
    """The smallest opening bet of a street."""
    return config.big_blind or config.ante or 1


def limpers(config: GameConfig) -> frozenset[int]:
    """Positions that may be the first to call the big blind."""
    limps, names = config.betting.limps, config.position_names
    return frozenset(p for p, name in enumerate(names) if limps is True or (limps and name in limps))


def defenders(config: GameConfig) -> frozenset[int]:
    """Positions that may call one raise however many are in: the big blind and the straddle, if the game says so."""
    if not config.betting.invested_may_call or config.big_blind == 0:
        return frozenset()
    big_blind = 0 if config.num_players == 2 else 1
    return frozenset({big_blind, big_blind + 1} if config.straddle else {big_blind})


def first_state(config: GameConfig) -> BettingState:
    """The state after antes, blinds and straddle, with the first player to act."""
    stacks, count = config.starting_stacks, config.num_players
    posts = [0] * count
    first = 0
    if config.big_blind > 0:
        small, big = (1, 0) if count == 2 else (0, 1)
        posts[small], posts[big] = config.small_blind, config.big_blind
        first = (big + 1) % count
    bet = config.big_blind
    # A straddle is posted whole or not at all.
    if config.straddle > 0 and stacks[first] >= config.ante + config.straddle:
        posts[first] = bet = config.straddle
        first = (first + 1) % count
    chips_in = tuple(min(stack, config.ante + post) for stack, post in zip(stacks, posts, strict=True))
    state = BettingState(
        chips_in=chips_in,
        level=config.ante + bet,
        street_base=config.ante,
        min_raise=max(bet, minimum_bet(config)),
        player=first,
        pending=frozenset(p for p in range(count) if chips_in[p] < stacks[p]),
        folded=frozenset(),
        acted_at=(-1,) * count,
        entered=count,
    )
    return settle(config, state)


def settle(config: GameConfig, state: BettingState) -> BettingState:
    """Give the turn to the next pending player; if nobody is, open the next street or end the hand."""
    positions = range(config.num_players)
    live = [p for p in positions if p not in state.folded]
    able = frozenset(p for p in live if state.chips_in[p] < config.starting_stacks[p])
    if len(live) == 1:
        return replace(state, player=-1, terminal=FOLD_WIN)
    pending = state.pending
    # The only one with chips left is asked only if there is something for him to call.
    if len(able) == 1 and not any(is_facing(config, state, p) for p in pending):
        pending = frozenset()
    if pending:
        player = min(pending, key=lambda p: (p - state.player) % config.num_players)
        return replace(state, player=player, pending=pending)
    if len(able) <= 1 or state.street + 1 == config.num_streets:
        return replace(state, player=-1, terminal=SHOWDOWN, pending=pending)
    return replace(
        state,
        street=state.street + 1,
        street_base=state.level,
        min_raise=minimum_bet(config),
        raises=0,
        pending=able,
        entered=len(live),
        acted_at=(-1,) * config.num_players,
        player=min(able),
    )


def matchable_total(config: GameConfig, state: BettingState, player: int) -> int:
    """The largest total that some opponent still in could have put in at the end."""
    others = set(range(config.num_players)) - state.folded - {player}
    return max(config.starting_stacks[p] for p in others)


def call_total(config: GameConfig, state: BettingState, player: int) -> int:
    """What the player has in after a check or call."""
    to_match = min(state.level, config.starting_stacks[player], matchable_total(config, state, player))
    return max(to_match, state.chips_in[player])


def is_facing(config: GameConfig, state: BettingState, player: int) -> bool:
    """Whether there is a bet to call."""
    return call_total(config, state, player) > state.chips_in[player]


def legal_menu_actions(config: GameConfig, state: BettingState) -> list[tuple[int, int]]:
    """The (action, total) pairs of a decision: fold, check or call, raises from small to large."""
    player = state.player
    facing = is_facing(config, state, player)
    raises = [(RAISE, total) for total in _raises(config, state)]
    actions = [(FOLD, state.chips_in[player])] if facing else []
    if _may_call(config, state, facing, bool(raises)):
        actions.append((CALL, call_total(config, state, player)))
    return actions + raises


def _raises(config: GameConfig, state: BettingState) -> list[int]:
    betting, player = config.betting, state.player
    if state.raises >= betting.max_raises[state.street]:
        return []
    acted_at = state.acted_at[player]
    if acted_at >= 0 and state.level - acted_at < state.min_raise and not config.all_in_reopens:
        return []  # only all-ins below a full raise came since this player acted
    chips = state.chips_in[player]
    spot = BettingSpot(
        level=state.level,
        street_base=state.street_base,
        chips_in=chips,
        pot_after_call=sum(state.chips_in) + state.level - chips,
        min_raise=state.min_raise,
        effective_stack=min(config.starting_stacks[player], matchable_total(config, state, player)),
        streets_left=config.num_streets - state.street,
    )
    return raise_totals(_menu(config, state), spot, betting.merge_threshold, betting.all_in_threshold)


def _menu(config: GameConfig, state: BettingState) -> tuple[BetSize, ...]:
    betting, sizes = config.betting, config.betting.sizes
    if state.street == 0 and state.raises == 0:
        menu = first_raise_menu(config, _is_limped(state), state.player)
        if menu is not None:
            return menu
    if state.street > 0 and betting.crowd_sizes is not None and state.entered >= betting.crowd_from:
        sizes = betting.crowd_sizes
    elif state.street > 0 and betting.multiway_sizes is not None and state.entered >= betting.multiway_from:
        sizes = betting.multiway_sizes
    menus = street_menus(sizes, state.street, False, "sizes")
    return menus[min(state.raises, len(menus) - 1)]


def _may_call(config: GameConfig, state: BettingState, facing: bool, can_raise: bool) -> bool:
    """Checking and calling all-in are always possible, and other calls too, but for limps and crowded flops."""
    betting, player = config.betting, state.player
    if not facing or state.street > 0 or state.level >= config.starting_stacks[player]:
        return True
    if state.raises == 0 and can_raise and player not in limpers(config) and not (betting.limps and _is_limped(state)):
        return False
    if state.raises <= betting.invested_may_call and state.acted_at[player] >= 0:
        return True
    if state.raises <= 1 and player in defenders(config):
        return True
    others = set(range(config.num_players)) - state.folded - {state.player}
    chips, stacks = state.chips_in, config.starting_stacks
    in_already = [p for p in others if chips[p] >= state.level or chips[p] == stacks[p]]
    limits = betting.players_by_raises
    return len(in_already) < limits[min(state.raises, len(limits) - 1)]


def _is_limped(state: BettingState) -> bool:
    """Whether somebody has acted and is still in: before the first raise, by a call or a check."""
    return any(level >= 0 for level in state.acted_at)


def act(config: GameConfig, state: BettingState, action: int, total: int) -> BettingState:
    """The state after the player to act folds, calls or raises to a total."""
    player = state.player
    pending = state.pending - {player}
    if action == FOLD:
        return settle(config, replace(state, folded=state.folded | {player}, pending=pending))
    chips_in = (*state.chips_in[:player], total, *state.chips_in[player + 1 :])
    level, min_raise, raises = state.level, state.min_raise, state.raises
    if action == RAISE:
        min_raise = max(min_raise, total - level)  # an all-in below a full raise leaves it as it was
        level, raises = total, raises + 1
        others = set(range(config.num_players)) - state.folded - {player}
        pending = frozenset(p for p in others if chips_in[p] < config.starting_stacks[p])
    acted_at = (*state.acted_at[:player], level, *state.acted_at[player + 1 :])
    state = replace(state, chips_in=chips_in, level=level, min_raise=min_raise, raises=raises)
    return settle(config, replace(state, pending=pending, acted_at=acted_at))


def walk(config: GameConfig, state: BettingState) -> Iterator[BettingState]:
    """Every state of the tree below `state`, parents before children, children in the order of actions."""
    yield state
    if state.terminal == DECISION:
        for action, total in legal_menu_actions(config, state):
            yield from walk(config, act(config, state, action, total))
