"""What a solve takes in time and memory, told before anything is allocated."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdem.errors import ConfigError, HoldemError
from holdem.realtime.solve import DEFAULT_TARGET_PERCENT, build_solver
from holdem.realtime.subgame.groups.lifted import exact_bytes
from holdem.realtime.subgame.nodes.lock import check_locks
from holdem.realtime.subgame.nodes.path import parse_path
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import Spot
from holdem.realtime.subgame.tree_size import count_tree
from holdem.web.solve.messages import LONGEST_MESSAGE, LONGEST_SENTENCE, HandsKind, Plain

GROUPS = 16
MOST_NODES = 100_000
"""Of the betting tree, which is built in plain Python: a second or two for as many."""
MOST_SIZES = 32
"""In one menu: each decision of the tree looks at all of its menu, however few of them are different bets there."""
MOST_LETTERS = LONGEST_MESSAGE
"""Of all texts of a spot, however few of them a file stores: no more could come in a message."""
NANOSECONDS_PER_ENTRY = {"exact": 4.0, "groups": 7.0}
"""One iteration over one action of one hand, one thread (16 November 2026, 2-core Linux server: 3.2 to 5.0 and 6.3 to
8.4 over a narrow and a wide turn and a wide flop)."""
ITERATIONS_TO_HALF_A_PERCENT = 140
"""The same spots took 63 to 193."""
LEAST_TARGET = 0.01
RIVER_CARDS, CARD_LENGTH = 5, 2


@dataclass(frozen=True)
class SolveEstimate:
    """Sizes of a solve; `why_not` is a sentence where it cannot be solved here."""

    hands: tuple[int, int]
    nodes: int
    bytes: int
    seconds: float | None
    why_not: str = ""
    exact_bytes: int = 0
    """What the exploitability with exact hands takes besides, for a moment after each stop; 0 where it is left out."""

    def to_plain(self) -> Plain:
        """The answer that a page gets."""
        seconds = None if self.seconds is None else float(f"{self.seconds:.2g}")
        return {
            "type": "estimate",
            "hands": list(self.hands),
            "nodes": self.nodes,
            "bytes": self.bytes,
            "exact_bytes": self.exact_bytes,
            "seconds": seconds,
            "fits": not self.why_not,
            "why_not": self.why_not,
        }


def checked_solver(spot: Spot, hands: HandsKind, threads: int) -> SubgameSolver:
    """The solver of a spot before anything is allocated; a ConfigError for what cannot be solved in a page."""
    check_spot(spot, hands)
    if hands == "exact":
        return SubgameSolver(spot, threads=threads)  # its size is checked exactly before it is allocated
    return build_solver(spot, threads, groups=GROUPS)


def check_spot(spot: Spot, hands: HandsKind = "exact") -> None:
    """Refuse a spot that a page does not solve, before its tree is built."""
    _check_letters(spot)
    _check_groups(spot, hands)
    longest = max((len(menu) for sizes in spot.sizes.values() for menu in (sizes.bet, *sizes.raises)), default=0)
    if longest > MOST_SIZES:
        raise ConfigError(
            f"a menu has {longest:,} bet sizes, and a page solves menus of up to {MOST_SIZES}; give fewer bet sizes"
        )
    nodes = count_tree(spot.root(), spot.sizes_of, spot.played).nodes
    if nodes > MOST_NODES:
        raise ConfigError(f"the tree has {nodes:,} nodes, and a page solves up to {MOST_NODES:,}; give fewer bet sizes")


def _check_letters(spot: Spot) -> None:
    letters = _letters(spot.question())
    if letters > MOST_LETTERS:
        raise ConfigError(
            f"the texts of the spot have {letters:,} letters, and a page takes up to {MOST_LETTERS:,}; give fewer locks"
        )


def _letters(value: Any) -> int:
    """Of all texts in a value, each as often as it is there; whatever else is there counts as one."""
    if isinstance(value, str):
        return 1 + len(value)
    if isinstance(value, Mapping):
        return 1 + sum(_letters(key) + _letters(part) for key, part in value.items())
    if isinstance(value, list | tuple):
        return 1 + sum(map(_letters, value))
    return 1


def _check_groups(spot: Spot, hands: HandsKind) -> None:
    if hands == "exact":
        return
    if len(spot.board) == RIVER_CARDS:
        raise ConfigError("a river has no later street that Fast could shorten; choose Exact")
    for lock in spot.locks:
        if isinstance(lock, dict) and any(_is_card(token) for token in str(lock.get("node", "")).split(",")):
            raise ConfigError("with Fast only the first street can be locked; choose Exact")


def _is_card(token: str) -> bool:
    token = token.strip()
    return token == "*" or (bool(token) and len(parse_path(token)[0]) == CARD_LENGTH)


def check_locks_of(solver: SubgameSolver) -> None:
    """Refuse locks of another spot, as they are left when sizes, pot or stacks were changed."""
    try:
        check_locks(solver)
    except HoldemError as error:
        raise ConfigError(f"a lock does not fit the spot: {error}; remove the lock, or change the spot back") from None


def bytes_of(solver: SubgameSolver) -> int:
    """Everything that a solve allocates, with the copy of the best average that it keeps."""
    size = solver.estimate()
    return size.total_bytes + 4 * size.entries


def estimate(
    content: Plain, hands: HandsKind, target: float | None, most_bytes: int, threads: int = 1
) -> SolveEstimate:
    """Sizes of the solve of a spot as a file writes it; what is no spot, or cannot be solved here, says why not."""
    try:
        solver = checked_solver(Spot.from_plain(content), hands, threads)
        check_locks_of(solver)
    except HoldemError as error:
        return SolveEstimate((0, 0), 0, 0, None, str(error)[:LONGEST_SENTENCE])
    size, needed = solver.estimate(), bytes_of(solver)
    iteration = NANOSECONDS_PER_ENTRY[hands] * 1e-9 * size.entries / solver.threads
    # An exploitability falls about as 1 / iterations^1.5.
    wanted = max(LEAST_TARGET, DEFAULT_TARGET_PERCENT if target is None else target)
    iterations = ITERATIONS_TO_HALF_A_PERCENT * (0.5 / wanted) ** (2 / 3)
    seconds, why_not = iteration * iterations, too_large(needed, hands, most_bytes)
    exact = exact_bytes(solver)
    exact = exact if needed + exact <= most_bytes else 0
    return SolveEstimate(size.hands, size.nodes, needed, seconds, why_not, exact)


def too_large(needed: int, hands: HandsKind, most_bytes: int) -> str:
    """A sentence if a solve takes more than it may."""
    if needed <= most_bytes:
        return ""
    way_out = "Fast, " if hands == "exact" else ""
    return (
        f"it takes {needed / 1e6:,.0f} MB, and a solve may take {most_bytes / 1e6:,.0f} MB here; "
        f"choose {way_out}fewer bet sizes or smaller ranges"
    )
