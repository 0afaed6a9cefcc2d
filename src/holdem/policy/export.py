"""A policy as JSON or CSV for other people's tools, row by row, however large it is.

Toy games are exported as a tabular policy with OpenSpiel's information states and action numbers:

    {"strategy": {"0pb": {"0": 0.95, "1": 0.05}, ...}}

Hold'em rows carry the betting line, street, position and bucket, before the flop also the hand, and whether training
ever visited the row. In CSV every action has a line of its own.
"""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import IO

import numpy as np

from holdem.abstraction.betting.line import choices
from holdem.abstraction.betting.toy_infosets import toy_infosets
from holdem.abstraction.betting.tree import NodeKind, position_names
from holdem.cards.ranges import CLASS_NAMES, NUM_CLASSES
from holdem.game.toy_games import toy_game
from holdem.policy.hands import is_lossless
from holdem.policy.policy import AveragePolicy
from holdem.types import STREET_NAMES

ROW_KEYS = ("line", "street", "position", "bucket", "hand", "visited")


@dataclass(frozen=True)
class Selection:
    """Which rows to export: those of one street (None: all), at most so many (None: all)."""

    street: int | None = None
    max_rows: int | None = None


def count_rows(policy: AveragePolicy, selection: Selection) -> int:
    """How many rows an export will have."""
    by_street = policy.tree.counts.decisions.sum(axis=1) * np.array(policy.info.buckets_per_street)
    rows = int(by_street.sum() if selection.street is None else by_street[selection.street])
    return rows if selection.max_rows is None else min(rows, selection.max_rows)


def write_json(policy: AveragePolicy, file: IO[str], selection: Selection, progress: Callable[[int], None]) -> None:
    """Write the selected rows as one JSON object."""
    if is_lossless(policy):
        opening, closing = '{"strategy": {', "}}"
        texts = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in _toy_rows(policy, selection))
    else:
        head = {"game": policy.config.name, "iterations": policy.info.iterations}
        opening, closing = json.dumps(head)[:-1] + ', "rows": [', "]}"
        texts = (json.dumps({**described, "actions": row}) for described, row in _bucket_rows(policy, selection))
    file.write(opening)
    for number, text in enumerate(islice(texts, selection.max_rows)):
        file.write((",\n" if number else "\n") + text)
        progress(1)
    file.write(f"\n{closing}\n")


def write_csv(policy: AveragePolicy, file: IO[str], selection: Selection, progress: Callable[[int], None]) -> None:
    """Write the selected rows as CSV, a line for each action."""
    writer = csv.writer(file, lineterminator="\n")
    rows: Iterator[tuple[list[object], dict[str, float]]]
    if is_lossless(policy):
        writer.writerow(("information_state", "action", "probability"))
        rows = (([name], row) for name, row in _toy_rows(policy, selection))
    else:
        writer.writerow((*ROW_KEYS, "action", "probability"))
        rows = ((list(described.values()), row) for described, row in _bucket_rows(policy, selection))
    for columns, row in islice(rows, selection.max_rows):
        writer.writerows((*columns, action, probability) for action, probability in row.items())
        progress(1)


def _nodes(policy: AveragePolicy, selection: Selection) -> list[int]:
    tree = policy.tree
    chosen = tree.kind == NodeKind.DECISION
    if selection.street is not None:
        chosen = chosen & (tree.street == selection.street)
    nodes: list[int] = np.flatnonzero(chosen).tolist()
    return nodes


def _toy_rows(policy: AveragePolicy, selection: Selection) -> Iterator[tuple[str, dict[str, float]]]:
    """Information state, and the probability of each of OpenSpiel's action numbers."""
    game = toy_game(policy.config)
    for node in _nodes(policy, selection):
        rows = policy.rows(node)[0].tolist()
        for infoset in toy_infosets(game, policy.tree, [node]):
            numbers = map(str, infoset.action_numbers)
            yield infoset.information_state, dict(zip(numbers, rows[infoset.bucket], strict=True))


def _bucket_rows(policy: AveragePolicy, selection: Selection) -> Iterator[tuple[dict[str, object], dict[str, float]]]:
    """What a row is, by `ROW_KEYS`, and the probability of each action in words."""
    tree = policy.tree
    positions = position_names(tree.config)
    classes = policy.info.buckets_per_street[0] == NUM_CLASSES
    for node in _nodes(policy, selection):
        street = int(tree.street[node])
        where = (tree.describe(node), STREET_NAMES[street], positions[int(tree.player[node])])
        actions = choices(tree, node)
        rows, visited = policy.rows(node)
        for bucket, (row, seen) in enumerate(zip(rows.tolist(), visited.tolist(), strict=True)):
            hand = CLASS_NAMES[bucket] if street == 0 and classes else ""
            values = (*where, bucket, hand, seen)
            yield dict(zip(ROW_KEYS, values, strict=True)), dict(zip(actions, row, strict=True))
