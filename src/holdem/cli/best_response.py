"""`holdem best-response`: how exploitable a strategy is; exact where that can be computed."""

import json
import math
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from holdem.abstraction.betting.tree import position_names
from holdem.blueprint.buckets import matching_bucketing
from holdem.blueprint.tree_values import TreeValues, check_two_players
from holdem.cli.app import run_command
from holdem.cli.chosen_run import chosen_run
from holdem.cli.output_paths import writable_file
from holdem.errors import ConfigError
from holdem.evaluation.compare import exact_evaluator
from holdem.evaluation.response.learned import STAGES, OwnResult, exploitability, gain, learn_responses, own_results
from holdem.evaluation.response.sampled.response import SampledBestResponse, Samples
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.policy import AveragePolicy
from holdem.policy.unpacked_models import run_name
from holdem.types import GameConfig
from holdem.util.artifacts import atomic_write
from holdem.util.logs import start_logging
from holdem.util.parallel import workers_for
from holdem.util.progress import ProgressBar
from holdem.util.signals import StopSignals

EXACT = "exact best response"
LEARNED = "response learned with the same buckets and bets; a lower bound"
SAMPLED = "best response within the betting tree on sampled boards, exact cards; biased upwards"


def command(
    run: Annotated[Path | None, typer.Argument(help="A run or models/NAME; left out: the newest under runs/.")] = None,
    flops: Annotated[int, typer.Option(help="Hold'em: flops to sample.")] = Samples.flops,
    turns: Annotated[int, typer.Option(help="Turns to sample below each flop; 49 are all of them.")] = Samples.turns,
    rivers: Annotated[int, typer.Option(help="Rivers to sample below each turn; 48 are all of them.")] = Samples.rivers,
    seed: Annotated[int, typer.Option(help="Which boards.")] = 0,
    learned: Annotated[bool, typer.Option("--learned", help="Learn an answer with the same buckets.")] = False,
    iterations: Annotated[int, typer.Option(min=1_000, help="Hands that a learned answer learns from.")] = 20_000_000,
    seat: Annotated[
        str | None, typer.Option(help="Who learns with --learned, such as BTN; left out: every position for itself.")
    ] = None,
    threads: Annotated[int, typer.Option(min=0, help="Threads; 0 is every core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the figures to a JSON file.", callback=writable_file)] = None,
) -> None:
    """Measure what a perfect answer to a strategy wins.

    It is exact on toy games and jam or fold, and on sampled boards in hold'em. On sampled boards the answer knows which
    boards are in the sample, so the figure is too high; more turns, rivers and flops bring it down. --learned asks
    something else: what does somebody win who sees the same buckets? That is how far training still has to go, and a
    lower bound. It works for up to six players: one position learns, all others keep to the strategy, and what counts
    is what it wins beyond the strategy in the same seat. Ctrl+C prints what there is so far.

    Examples:

        holdem best-response runs/leduc

        holdem best-response runs/blueprint

        holdem best-response runs/blueprint --flops 12 --turns 8 --rivers 8 --json

        holdem best-response runs/blueprint --learned

        holdem best-response runs/three --learned --seat BTN --iterations 5000000
    """
    start_logging("warning")
    samples = Samples(flops, turns, rivers)
    run = chosen_run(run)
    policy = AveragePolicy.load(run)
    if seat is not None and not learned:
        raise ConfigError("--seat says who learns an answer; use it together with --learned")
    begun = time.monotonic()
    evaluator = None if learned else exact_evaluator(policy)
    with StopSignals() as stop:
        if learned:
            figures = _learned(policy, seat, iterations, seed, threads, stop)
        elif evaluator is not None:
            figures = _exact(policy, evaluator)
        else:
            figures = _sampled(policy, samples, seed, threads, stop)
    figures = {"policy": run_name(run), "game": policy.config.name, **figures, "seconds": time.monotonic() - begun}
    if out is not None:
        with atomic_write(out) as file:
            file.write(json.dumps(figures, indent=2).encode() + b"\n")
    typer.echo(json.dumps(figures) if as_json else "\n".join(_sentences(figures)))
    raise typer.Exit(stop.exit_status)


def _unit(config: GameConfig) -> tuple[str, float]:
    """The unit of the figures, and how many of it a chip is."""
    return ("mbb/hand", 1000.0 / config.big_blind) if config.big_blind else ("chips/hand", 1.0)


def _exact(policy: AveragePolicy, evaluator: TreeValues) -> dict[str, Any]:
    unit, factor = _unit(policy.config)
    responses = evaluator.responses(policy.strategy())
    return {
        "method": EXACT,
        "unit": unit,
        "exploitability": responses.exploitability * factor,
        "positions": {
            name: {"best_response": best * factor, "own_strategy": own * factor}
            for name, best, own in zip(
                position_names(policy.config), responses.best.tolist(), responses.expected.tolist(), strict=True
            )
        },
    }


def _learned(
    policy: AveragePolicy, seat: str | None, iterations: int, seed: int, threads: int, stop: StopSignals
) -> dict[str, Any]:
    """Two positions that both learn: exploitability. Otherwise what each learner gains."""
    game = TrainingGame.from_config(policy.config, matching_bucketing(policy))
    positions = _positions(policy.config, seat)
    both = len(positions) == game.num_players == 2
    stopped = partial(_is_stopped, stop)
    own_hands = 0 if both else iterations // STAGES
    with ProgressBar("hands", own_hands + len(positions) * iterations) as bar:
        own: Sequence[OwnResult] = ()
        if not both:
            own = own_results(game, policy, own_hands, first=iterations, seed=seed, progress=bar, stopped=stopped)
        responses = learn_responses(
            game,
            policy,
            iterations,
            positions=positions,
            seed=seed,
            threads=workers_for(threads),
            progress=bar,
            stopped=stopped,
        )
    names = position_names(policy.config)
    learned = {names[p]: answer for p, answer in zip(positions, responses, strict=True) if answer is not None}
    if not learned or (both and len(learned) < 2):
        typer.echo("interrupted before anybody had learned enough to be measured", err=True)
        raise typer.Exit(stop.exit_status)
    unit, factor = _unit(policy.config)
    won, interval = exploitability(list(learned.values()))
    everybody = len(learned) == game.num_players
    answers = {name: {"learned_response": response.won * factor} for name, response in learned.items()}
    for name, response in () if both else learned.items():
        result = own[names.index(name)]
        more, half = gain(response, result)
        answers[name] |= {"own_strategy": result.won * factor, "gain": more * factor, "gain_half_ci95": half * factor}
    return {
        "method": LEARNED,
        "unit": unit,
        "num_players": game.num_players,
        "exploitability": won * factor if everybody else None,
        "ci95": [(won - interval) * factor, (won + interval) * factor] if everybody else None,
        "iterations": min(response.iterations for response in learned.values()),
        "seed": seed,
        "complete": len(learned) == len(positions) and all(r.iterations == iterations for r in learned.values()),
        "positions": answers,
    }


def _is_stopped(stop: StopSignals) -> bool:
    return stop.received is not None


def _positions(config: GameConfig, seat: str | None) -> list[int]:
    """The position of that name, all of them without one."""
    names = position_names(config)
    if seat is None:
        return list(range(len(names)))
    if seat.upper() not in names:
        raise ConfigError(f"--seat {seat}: {config.name} has no such position; choose one of {', '.join(names)}")
    return [names.index(seat.upper())]


def _sampled(policy: AveragePolicy, samples: Samples, seed: int, threads: int, stop: StopSignals) -> dict[str, Any]:
    config = policy.config
    check_two_players(config)
    evaluator = SampledBestResponse.of_policy(policy)
    with ProgressBar("flops", min(samples.flops, evaluator.num_flops)) as bar:
        done = evaluator.flop_values(samples, seed, threads, bar, lambda: stop.received is not None)
    if stop.received and not evaluator.first.covered_by(done.flops):
        typer.echo("interrupted before flops for every hand were done", err=True)
        raise typer.Exit(stop.exit_status)
    result = evaluator.result(done)
    unit, factor = _unit(config)
    figure = result.exploitability * factor
    half = None if result.with_half_the_flops is None else result.with_half_the_flops * factor
    interval = result.interval * factor
    return {
        "method": EXACT if result.exact else SAMPLED,
        "unit": unit,
        "exploitability": figure,
        "ci95_over_flops": [figure - interval, figure + interval] if math.isfinite(interval) else None,
        "with_half_the_flops": half,
        "samples": {"flops": result.flops, "turns": samples.turns, "rivers": samples.rivers, "seed": seed},
        "complete": stop.received is None,
        "nodes": done.nodes,
        "positions": {
            name: {"best_response": values.best * factor, "own_strategy": values.expected * factor}
            for name, values in zip(position_names(config), result.positions, strict=True)
        },
    }


def _sentences(figures: dict[str, Any]) -> list[str]:
    unit = figures["unit"]
    digits = 5 if unit == "chips/hand" else 1
    if figures["method"] == LEARNED and any("gain" in value for value in figures["positions"].values()):
        return _gain_sentences(figures, unit, digits)
    if figures["method"] == LEARNED:
        low, high = figures["ci95"]
        return [
            f"exploitability of {figures['policy']}: at least {figures['exploitability']:,.{digits}f} {unit}, "
            "by a learned answer",
            *(
                f"  {name}: the answer wins {value['learned_response']:,.{digits}f}"
                for name, value in figures["positions"].items()
            ),
            f"  {figures['game']}, {figures['iterations']:,} hands learned from"
            f"{'' if figures['complete'] else ' (interrupted)'}, seed {figures['seed']}; 95 % interval "
            f"{low:,.{digits}f} to {high:,.{digits}f}",
            "  it sees the same buckets and bets as the strategy; more hands bring the figure up",
        ]
    lines = [f"exploitability of {figures['policy']}: {figures['exploitability']:,.{digits}f} {unit}"]
    lines += [
        f"  {name}: a best response wins {value['best_response']:,.{digits}f}, the strategy itself "
        f"{value['own_strategy']:,.{digits}f}"
        for name, value in figures["positions"].items()
    ]
    if figures["method"] == EXACT:
        return [*lines, f"  {figures['game']}, exact"]
    counts = figures["samples"]
    interval = figures["ci95_over_flops"]
    words = "95 % interval over flops {:,.0f} to {:,.0f}".format(*interval) if interval else "no interval for one flop"
    lines.append(
        f"  {figures['game']}, {counts['flops']} flops × {counts['turns']} turns × {counts['rivers']} rivers, seed "
        f"{counts['seed']}; {words}"
    )
    if figures["with_half_the_flops"] is not None:
        lines.append(f"  half as many flops: {figures['with_half_the_flops']:,.1f}")
    lines.append("  the responder knows which boards were sampled, so this is too high; more boards bring it down")
    return lines


def _gain_sentences(figures: dict[str, Any], unit: str, digits: int) -> list[str]:
    """What each learner wins beyond the strategy in its seat."""
    lines = [f"answers to {figures['policy']}, each learned by one position while all others keep to it, {unit}:"]
    for name, value in figures["positions"].items():
        lines.append(
            f"  {name}: the answer wins {value['learned_response']:,.{digits}f}, the strategy itself "
            f"{value['own_strategy']:,.{digits}f}: at least {value['gain']:,.{digits}f} "
            f"± {value['gain_half_ci95']:,.{digits}f} more"
        )
    if figures["exploitability"] is not None:
        low, high = figures["ci95"]
        mean = f"{figures['exploitability']:,.{digits}f} ({low:,.{digits}f} to {high:,.{digits}f})"
        lines.append(f"  the mean over all positions: {mean}")
    lines += [
        f"  {figures['game']}, {figures['iterations']:,} hands learned from"
        f"{'' if figures['complete'] else ' (interrupted)'}, seed {figures['seed']}; 95 % intervals",
        "  it sees the same buckets and bets as the strategy; more hands bring the figures up",
    ]
    if figures["num_players"] > 2:
        lines.append("  with three or more players a strategy that cannot be answered may still lose, to two opponents")
    return lines


if __name__ == "__main__":
    run_command(command)
