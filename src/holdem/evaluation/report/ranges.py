"""Preflop ranges of a report: 13 × 13 grids as SVG, each class filled in proportion to what it does."""

from collections.abc import Sequence
from html import escape

import numpy as np

from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind
from holdem.blueprint.colours import IMPOSSIBLE, UNVISITED, action_colours
from holdem.blueprint.view import StrategyView, view_strategy
from holdem.cards.ranges import CLASS_KINDS, CLASS_NAMES, grid_cell
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Float64

CELL = 30
ANSWERS_SHOWN = 3


def range_figures(policy: AveragePolicy) -> list[str]:
    """Opening of every position, and the answers of the last one to the first raises."""
    nodes = [*opening_nodes(policy.tree), *answer_nodes(policy.tree)]
    return [range_figure(view_strategy(policy, node)) for node in nodes]


def opening_nodes(tree: BettingTree) -> list[int]:
    """Where a position acts first in the hand, everybody before it having folded."""
    nodes, node = [], 0
    while tree.kind[node] == NodeKind.DECISION and tree.street[node] == 0:
        nodes.append(node)
        folded = [child for child in tree.children(node) if tree.action[child] == ActionCode.FOLD]
        if not folded:
            break
        node = folded[0]
    return nodes


def answer_nodes(tree: BettingTree) -> list[int]:
    """Where the next player answers each opening of the last who can open, a call first; at most so many."""
    opener = opening_nodes(tree)[-1]
    played = [child for child in tree.children(opener) if tree.action[child] != ActionCode.FOLD]
    answered = [child for child in played if tree.kind[child] == NodeKind.DECISION and tree.street[child] == 0]
    return answered[:ANSWERS_SHOWN]


def range_figure(view: StrategyView) -> str:
    """A grid with its title and legend."""
    colours = action_colours(view.summary.actions)
    names = [f"{a} {100 * share:.1f} %" for a, share in zip(view.summary.actions, view.frequencies(), strict=True)]
    entries = list(zip(colours, names, strict=True))
    if (view.possible & ~view.visited).any():
        entries.append((UNVISITED, "never visited in training"))
    legend = "".join(f'<span><i style="background:{colour}"></i>{escape(name)}</span>' for colour, name in entries)
    caption = f"{escape(view.summary.line)}<span>{escape(view.summary.turn)}</span>"
    return f'<figure><figcaption>{caption}</figcaption>\n{grid_svg(view)}\n<div class="legend">{legend}</div></figure>'


def grid_svg(view: StrategyView) -> str:
    """What a view does with the 169 classes."""
    actions = view.summary.actions
    return classes_svg(actions, action_colours(actions), view.class_probabilities(), view.class_visited())


def classes_svg(
    actions: Sequence[str], colours: Sequence[str], rows: Float64, visited: Float64, names: bool = True
) -> str:
    """The 169 classes, suited hands above the diagonal.

    rows: (169, actions), the share of each action; visited: (169,), 0 where nothing is known, NaN where no hand can be
    names: whether each cell has its name written in it; if not, pairs have, in letters that a small grid can show
    """
    inside = CELL - 1 if names else CELL - 3  # a small grid needs wider lines to show its cells
    parts = [f'<svg viewBox="0 0 {13 * CELL} {13 * CELL}" width="{13 * CELL}" role="img">']
    for number, (name, kind) in enumerate(zip(CLASS_NAMES, CLASS_KINDS, strict=True)):
        row, column = grid_cell(kind)
        parts.append(f'<g transform="translate({column * CELL} {row * CELL})">')
        if np.isnan(visited[number]) or visited[number] == 0.0:
            parts.append(_rectangle(0.0, 1.0, IMPOSSIBLE if np.isnan(visited[number]) else UNVISITED, inside))
        else:
            shares = zip(actions, rows[number], strict=True)
            words = ", ".join(f"{action} {100 * share:.1f} %" for action, share in shares)
            parts.append(f"<title>{name}: {escape(words)}</title>")
            starts = np.concatenate([[0.0], np.cumsum(rows[number])])
            parts += [
                _rectangle(float(start), float(share), colour, inside)
                for start, share, colour in zip(starts, rows[number], colours, strict=False)
                if share > 0.0
            ]
        place = f'x="{CELL / 2:g}" y="{CELL * (0.64 if names else 0.7):g}" text-anchor="middle"'
        written = f'<text {place} font-size="{11 if names else 17}">{name}</text>' if names or row == column else ""
        parts.append(f"{written}</g>")
    return "".join(parts) + "</svg>"


def _rectangle(start: float, share: float, colour: str, inside: int) -> str:
    return f'<rect x="{start * inside:.2f}" width="{share * inside:.2f}" height="{inside}" fill="{colour}"/>'
