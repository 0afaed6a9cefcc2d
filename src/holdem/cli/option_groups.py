"""Options of long verbs under headings, by the names of their parameters; short verbs have one list.

An option whose name means something else in one place says so there, with Typer's `rich_help_panel`.
"""

from collections.abc import Sequence
from typing import Any

FEW = 8
"""A page with so many options or fewer has no headings."""
HEADINGS = {
    "Budget": "num_iterations time_budget_seconds hands max_hands lbr_hands stop_loss target time_budget_ms max_iters "
    "iterations",
    "Game and players": "game game_config num_players buckets policy checkpoint agent opponents opponent profile seat "
    "player hand seed spot names fixed_seats",
    "Learning": "sampling discount_interval regret_discount_alpha strategy_discount_beta exploration_epsilon "
    "enable_pruning pruning_threshold pruning_probability",
    "Boards": "flops turns rivers",
    "Nodes and hands": "",
    "Search": "solver",
    "Workers": "num_workers batch_size threads memory_limit most_solves solve_memory",
    "Instances": "num_instances merge_interval cluster instance_id instance_range",
    "Saving": "snapshot_interval_seconds checkpoint_interval keep tensorboard",
    "Files": "config logdir resume_from history log out save png report runs",
    "Connection": "host port ports token allow_host open_browser connect_seconds silence_seconds start_seconds",
    "Time limits": "response_seconds hand_seconds average_hand_seconds",
}
"""Heading → the parameters under it, in this order on the page."""
OTHERS = "Other options"

_HEADING_OF = {name: heading for heading, names in HEADINGS.items() for name in names.split()}


def group_options(options: Sequence[Any]) -> dict[str, list[Any]]:
    """Heading → options, in the order of the page; without headings where there are few."""
    if len(options) - 1 <= FEW:  # --help is one of them
        return {"Options": list(options)}
    groups: dict[str, list[Any]] = {heading: [] for heading in (*HEADINGS, OTHERS)}
    for option in options:
        panel = getattr(option, "rich_help_panel", None)
        groups[panel or _HEADING_OF.get(option.name, OTHERS)].append(option)
    return {heading: group for heading, group in groups.items() if group}
