"""How big the trees of games are, as a table: `python -m holdem.abstraction.betting.tree_sizes [game ...]`.

A game is the name of a preset or a YAML file. Nothing of tree size is allocated.
"""

import sys
from collections.abc import Sequence

from holdem.abstraction.betting.tree import count_tree
from holdem.errors import HoldemError
from holdem.game.presets import load_game, preset_names
from holdem.game.toy_games import num_buckets, toy_game
from holdem.types import GameConfig

LAPTOP_BUCKETS = (169, 50, 50, 50)

HEADER = (
    "| game | players | decisions | nodes | infosets | table | tree |",
    "|---|---:|---:|---:|---:|---:|---:|",
)


def default_buckets(config: GameConfig) -> tuple[int, ...]:
    """Buckets per street for an estimate: 169 and 50 in hold'em, every hand its own in Kuhn and Leduc."""
    if config.variant == "holdem":
        return LAPTOP_BUCKETS[: config.num_streets]
    return tuple(num_buckets(toy_game(config), street) for street in range(config.num_streets))


def size_line(config: GameConfig) -> str:
    """One line of the table."""
    counts, buckets = count_tree(config), default_buckets(config)
    cells = (
        config.name,
        f"{config.num_players}",
        f"{counts.decision_nodes:,}",
        f"{counts.nodes:,}",
        f"{counts.rows(buckets):,}",
        format_bytes(counts.table_bytes(buckets)),
        format_bytes(counts.tree_bytes),
    )
    return f"| {' | '.join(cells)} |"


def format_bytes(count: int) -> str:
    """`1.2 GB`, in powers of ten."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"


def main(names: Sequence[str]) -> int:
    """Print the table of the named games, or of all presets; the exit status."""
    try:
        lines = [size_line(load_game(name)) for name in names or preset_names()]
    except HoldemError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join((*HEADER, *lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
