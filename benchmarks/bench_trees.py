"""Betting trees: time to count and to build a million nodes, and the kernel against its plain-Python twin."""

from benchmarks.measurement import Measurement, best_seconds
from holdem.abstraction.betting import reference_tree
from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree, count_tree
from holdem.game.presets import load_preset

MILLION = 1_000_000


def run() -> list[Measurement]:
    """Figures per million nodes; the target of building is a second."""
    sixmax, headsup, leduc = (load_preset(name) for name in ("sixmax_100bb", "headsup_100bb", "leduc"))
    tree = build_tree(sixmax)
    millions = tree.num_nodes / MILLION
    counting = best_seconds(lambda: count_tree(sixmax)) / millions
    building = best_seconds(lambda: build_tree(sixmax)) / millions
    layout = best_seconds(lambda: layout_rows(tree, (169, 50, 50, 50))) / millions

    small_nodes = count_tree(leduc).nodes
    root = reference_tree.first_state(leduc)
    plain = best_seconds(lambda: sum(1 for _ in reference_tree.walk(leduc, root))) * MILLION / small_nodes
    twin = "plain Python (Leduc)"
    return [
        Measurement("count sixmax_100bb, per million nodes", counting, "s", twin, plain),
        Measurement("build sixmax_100bb, per million nodes", building, "s", twin, plain, "< 1 s"),
        Measurement("lay out rows, per million nodes", layout, "s"),
        Measurement("build headsup_100bb", best_seconds(lambda: build_tree(headsup)), "s"),
    ]
