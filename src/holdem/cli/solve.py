"""`holdem solve`: one spot, range against range, to a given exploitability or for a given time."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from holdem.blueprint.picture import save_picture
from holdem.cards import Range, format_cards
from holdem.cli.app import run_command
from holdem.cli.output_paths import picture_file, writable_file, write_figures
from holdem.cli.strategy_grid import print_grid
from holdem.errors import ConfigError
from holdem.realtime.solve import build_solver, solve_subgame, warm_up
from holdem.realtime.subgame.files import is_saved_solution, load_solution, save_solution
from holdem.realtime.subgame.groups.lifted import exact_exploitability
from holdem.realtime.subgame.groups.street import StreetGroups
from holdem.realtime.subgame.nodes.lock import parse_lock
from holdem.realtime.subgame.nodes.path import find_decision, parse_path
from holdem.realtime.subgame.nodes.picture import action_words, range_view
from holdem.realtime.subgame.nodes.view import NodeView, hand_name
from holdem.realtime.subgame.solution import Solution
from holdem.realtime.subgame.solver import SubgameSolver
from holdem.realtime.subgame.spot import Spot, read_spots
from holdem.util.parallel import workers_for
from holdem.util.progress import ProgressBar
from holdem.util.shipped import SPOTS
from holdem.util.signals import StopSignals
from holdem.util.words import counted

CARD_LENGTH, TURN_CARDS = 2, 4
NODES = "Nodes and hands"
"""A heading of the help."""


def command(
    file: Annotated[
        Path | None, typer.Argument(help="A spot, {'spots': [...]}, or a saved solve; left out: the shipped spots.")
    ] = None,
    spot: Annotated[str | None, typer.Option(help="The id of the spot, if the file has several; else all.")] = None,
    target: Annotated[float | None, typer.Option(min=0.0, help="Exploitability to reach, per cent of the pot.")] = None,
    time_budget_ms: Annotated[float | None, typer.Option(min=0.0, help="Stop after so many milliseconds.")] = None,
    max_iters: Annotated[int | None, typer.Option(min=1, help="Stop after so many iterations.")] = None,
    threads: Annotated[int, typer.Option(min=0, help="Threads for turns and flops; 0 is every core.")] = 1,
    compressed: Annotated[bool, typer.Option("--compressed", help="16-bit tables: half the memory.")] = False,
    groups: Annotated[
        int | None,
        typer.Option(min=2, max=64, help="Flops, turns: hands of a river in so many groups; 16 is usual."),
    ] = None,
    node: Annotated[str, typer.Option(help="The node to show: 'bet 45, call, 5h'.", rich_help_panel=NODES)] = "",
    hands: Annotated[
        str | None, typer.Option(help="Show these hands one by one: 'AA, AdKc'.", rich_help_panel=NODES)
    ] = None,
    lock: Annotated[
        list[str] | None, typer.Option(help="Lock a node: 'bet 45: Fold 0.3, Call 0.7'.", rich_help_panel=NODES)
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the figures as JSON.", callback=writable_file)] = None,
    png: Annotated[
        Path | None, typer.Option(help="Draw the 13 × 13 picture of the node.", callback=picture_file)
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Save the solve, to ask again or to go on.", callback=writable_file)
    ] = None,
) -> None:
    """Solve a heads-up spot after the flop.

    Prints EVs, exploitability, and what every hand does at any node. Without a target, a time budget or a number of
    iterations, the target is half a per cent of the pot. A saved solve is only asked, unless one of the three is given:
    then it goes on.

    Examples:

        holdem solve --spot PR1

        holdem solve --spot PT1 --target 0.1 --threads 2 --out PT1.json

        holdem solve spot.json

        holdem solve spot.json --node "check, bet 45" --hands "AA, AdKc" --png node.png

        holdem solve wide_flop.json --groups 16 --target 1 --threads 2

        holdem solve spot.json --lock "bet 45: Fold 0.5, Call 0.5" --save locked.solve
    """
    file = _spot_file(file, spot)
    path, wanted = parse_path(node), None if hands is None else Range.parse(hands)
    limits = {"target_percent": target, "time_budget_ms": time_budget_ms, "max_iterations": max_iters}
    threads = workers_for(threads)
    results = []
    with StopSignals() as stop:
        if is_saved_solution(file):
            _check_places(file, [out, png], [out, png, save])  # a saved solve that goes on may take its own place
            if groups is not None:
                raise ConfigError(f"{file} is a saved solve with exact hands; leave --groups out")
            saved = _load(file, spot, lock, threads)
            solvers = [saved.solver]
            solutions = (_go_on(one, limits, stop) for one in [saved])
        else:
            _check_places(file, [out, png, save], [out, png, save])
            chosen = _choose(read_spots(file), spot, lock or [], file)
            if len(chosen) > 1 and (save or png):
                raise ConfigError(f"{file} has {len(chosen)} spots, and one file holds one; choose with --spot ID")
            _check_groups(groups, path, save)
            solvers = [build_solver(one, threads, compressed, groups=groups) for one in chosen]
            solutions = (_solve(solver, limits, stop) for solver in solvers)
        if path:
            for solver in solvers:
                find_decision(solver.tree, solver.boards, path)
        warm_up(compressed, groups, max(solver.threads for solver in solvers))
        for solution in solutions:
            view = solution.node(node)
            _print_solution(Console(), solution, view, wanted)
            results.append({**solution.to_plain(), **({"node": view.to_plain()} if node or hands else {})})
            if png is not None:
                save_picture(range_view(view), png)
            if save is not None:
                save_solution(solution, save)
            if stop.received:
                break
    if out is not None:
        write_figures(out, results[0] if len(results) == 1 else {"spots": results})
    for written in (out, png, save):
        if written is not None:
            typer.echo(f"wrote {written}")
    if stop.received:
        raise typer.Exit(stop.exit_status)


def _spot_file(typed: Path | None, spot: str | None) -> Path:
    """The file that is named, or the shipped spots, of which one must be chosen."""
    if typed is not None:
        return SPOTS.find(typed)
    shipped = SPOTS.find(Path("subgames"))
    if spot is None:
        known = ", ".join(one.name for one in read_spots(shipped))
        raise ConfigError(f"name a file with a spot, or a shipped one with --spot: {known}")
    return shipped


def _check_groups(groups: int | None, path: tuple[str, ...], save: Path | None) -> None:
    """What a solve with groups cannot do."""
    if groups is not None and any(len(token) == CARD_LENGTH for token in path):
        raise ConfigError("with --groups only the first street can be shown; name a node of it, or leave --groups out")
    if groups is not None and save is not None:
        raise ConfigError("a solve with --groups cannot be saved; leave --save or --groups out")


def _check_places(file: Path, others: list[Path | None], written: list[Path | None]) -> None:
    """Refuse to write over the question, or one answer over another."""
    if file.resolve() in [path.resolve() for path in others if path is not None]:
        raise ConfigError(f"{file} is what is to be solved, and it would be written over; name another file")
    places = [path.resolve() for path in written if path is not None]
    if len(set(places)) < len(places):
        raise ConfigError("--out, --png and --save would write over each other; name different files")


def _choose(spots: list[Spot], wanted: str | None, locks: list[str], file: Path) -> list[Spot]:
    chosen = [spot for spot in spots if wanted is None or spot.id == wanted]
    if not chosen:
        raise ConfigError(f"{file.name} has no spot {wanted!r}; it has {', '.join(spot.name for spot in spots)}")
    parsed = tuple(parse_lock(text) for text in locks)
    return [_locked(spot, parsed) for spot in chosen] if parsed else chosen


def _locked(spot: Spot, locks: tuple[dict[str, Any], ...]) -> Spot:
    every = (*spot.locks, *locks)
    return replace(spot, locks=every, plain={**spot.plain, "locks": [dict(lock) for lock in every]})


def _load(file: Path, wanted: str | None, lock: list[str] | None, threads: int) -> Solution:
    if lock:
        raise ConfigError(f"{file} is a saved solve; a node can be locked only before solving, so give the spot")
    solution = load_solution(file, threads)
    if wanted not in (None, solution.spot.id):
        raise ConfigError(f"{file} is a saved solve of {solution.spot.name!r}, not of {wanted!r}; leave --spot out")
    return solution


def _go_on(solution: Solution, limits: dict[str, Any], stop: StopSignals) -> Solution:
    if all(limit is None for limit in limits.values()):
        return solution
    return solution.go_on(stop=lambda: stop.received is not None, **limits)


def _solve(solver: SubgameSolver, limits: dict[str, Any], stop: StopSignals) -> Solution:
    with ProgressBar(f"{solver.spot.name}: towards the target", 100) as bar:

        def show(iterations: int, percent: float) -> None:
            # An exploitability falls about as 1 / iterations^1.5, so progress is linear in its power −2/3.
            wanted = limits["target_percent"] or 0.5
            done = 1.0 if percent <= wanted else (wanted / percent) ** (2 / 3)
            bar(int(100 * done) - bar.done)

        return solve_subgame(solver, stop=lambda: stop.received is not None, progress=show, **limits)


def _print_solution(console: Console, solution: Solution, view: NodeView, hands: Range | None) -> None:
    spot, result, estimate = solution.spot, solution.result, solution.solver.estimate()
    name, board = escape(spot.name), format_cards(spot.board, " ")
    oop, ip = solution.expected_values
    percent = round(solution.exploitability_percent, 4) + 0.0
    console.print(
        f"[bold]{name}[/bold]  {board}, pot {spot.pot}, stack {spot.effective_stack}, "
        f"{estimate.hands[0]} and {counted(estimate.hands[1], 'hand')}, {estimate.total_bytes / 1e6:.2f} MB",
        highlight=False,
    )
    console.print(
        f"EV {oop:.3f} oop, {ip:.3f} ip; exploitability {percent:.4f} % of the pot after "
        f"{counted(result.iterations, 'iteration')}, {result.seconds * 1000:.1f} ms ({result.stopped_by})",
        highlight=False,
    )
    if solution.solver.grouping is not None:
        console.print(_about_groups(solution.solver.grouping, len(spot.board)), highlight=False)
        exact = exact_exploitability(solution.solver)
        if exact is not None:
            console.print(f"with exact hands on all rivers: {100 * exact / spot.pot:.4f} % of the pot", highlight=False)
    print_grid(console, range_view(view))
    table = Table("action", "frequency", "EV")
    means = view.mean_action_values
    for action, share in view.frequencies.items():
        table.add_row(action_words(action), f"{100 * share:.1f} %", _chips(means[action]))
    table.add_row("all", "", _chips(view.expected_value))
    console.print(table)
    if hands is not None:
        console.print(_hand_table(view, hands))


def _about_groups(grouping: StreetGroups, board_cards: int) -> str:
    rivers = "every river" if board_cards == TURN_CARDS else f"{grouping.rivers} rivers drawn below every turn"
    return (
        f"{grouping.groups} groups of hands on {rivers}: the exploitability is that of this game, in which hands of a "
        "group play alike"
    )


def _hand_table(view: NodeView, hands: Range) -> Table:
    wanted = hands.weights > 0
    table = Table("hand", "EV", *(f"{action_words(action)} (EV)" for action in view.actions))
    for i, hand in enumerate(view.hands):
        if wanted[hand] and view.weights[i] > 0:
            cells = zip(view.strategy[i], view.action_values[i], strict=True)
            words = [f"{100 * share:.1f} % ({_chips(value)})" for share, value in cells]
            table.add_row(hand_name(int(hand)), _chips(view.values[i]), *words)
    return table


def _chips(value: float) -> str:
    return "–" if np.isnan(value) else f"{round(value, 2) + 0.0:.2f}"


if __name__ == "__main__":
    run_command(command)
