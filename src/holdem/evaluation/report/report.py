"""One HTML page about a policy, to send to somebody: what it wins, how it got there, what it plays, what is not known.

    write_report(Path("report"), Path("runs/blueprint"), results)     # report/report.html

`results` is what evaluation found, as plain data; every part may be missing:

    opponents       {name: {"hands", "bb_per_100", "ci95": [low, high], "method"}}
    lbr             what `holdem lbr --json` prints
    lbr_snapshots   [{"iterations", "seconds", "hands", "mbb_per_hand", "ci95"}]
    litmus          what `holdem litmus --json` prints; its shares by position are drawn
    commands        [the commands that made these figures]
"""

import os
import platform
import shlex
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdem import __version__
from holdem.evaluation.report import page as html
from holdem.evaluation.report.charts import Bar, Point, curve_chart, interval_chart
from holdem.evaluation.report.facts import facts_section, limits_section
from holdem.evaluation.report.litmus import litmus_section
from holdem.evaluation.report.positions import positions_section
from holdem.evaluation.report.progress import duration, exploitability_section, lbr_figure, lbr_section
from holdem.evaluation.report.ranges import range_figures
from holdem.evaluation.report.training import read_summary, scalar_curve
from holdem.policy.policy import AveragePolicy
from holdem.util.artifacts import write_text

REPORT_NAME = "report.html"
Results = Mapping[str, Any]


def write_report(folder: Path, run: Path | None, results: Results) -> Path:
    """Write `report.html` into a folder and return its path; without a run, only the results are in it."""
    policy = AveragePolicy.load(run) if run is not None and _has_policy(run) else None
    run_folder = None if policy is None or policy.path is None else policy.path.parent
    body = [
        html.tiles(_headline(run_folder, policy, results)),
        _opponents_section(results),
        lbr_section(results),
        "" if run_folder is None else exploitability_section(run_folder, results),
        "" if policy is None or policy.config.variant != "holdem" else positions_section(policy, results.get("litmus")),
        "" if policy is None or policy.config.variant != "holdem" else _ranges_section(policy),
        litmus_section(results.get("litmus")),
        "" if run_folder is None else _speed_section(run_folder),
        limits_section(policy, results),
        "" if policy is None else facts_section(policy),
        _commands_section(results),
    ]
    name = policy.config.name if policy is not None else "results"
    made = f"made on {time.strftime('%d %B %Y, %H:%M')} by holdem {__version__}"
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    path = folder / REPORT_NAME
    write_text(path, html.page(f"Report: {name}", f"{made} on {machine}", body))
    return path


def _has_policy(run: Path) -> bool:
    """A checkpoint may be evaluated before its run has written a policy; a path that is wrong is refused later."""
    return run.suffix == ".json" or not run.is_dir() or (run / "avg_policy.json").exists()


def _headline(run: Path | None, policy: AveragePolicy | None, results: Results) -> list[tuple[str, str]]:
    figures = []
    if policy is not None and run is not None:
        figures.append((f"{policy.info.iterations:,}", "iterations"))
        seconds = read_summary(run).get("seconds")
        if seconds:
            figures.append((duration(seconds), "of training"))
    opponents = results.get("opponents") or {}
    if opponents:
        beaten = sum(1 for found in opponents.values() if found.get("ci95") and found["ci95"][0] > 0)
        figures.append((f"{beaten} of {len(opponents)}", "opponents beaten, whole interval above zero"))
    lbr = lbr_figure(results)
    if lbr is not None:
        figures.append((f"{lbr['mbb_per_hand']:,.0f}", "mbb/hand lost to local best response, a lower bound"))
    litmus = results.get("litmus")
    if litmus:
        counts = litmus["counts"]
        figures.append((f"{counts['passed']} of {counts['passed'] + counts['failed']}", "litmus checks passed"))
    return figures


def _opponents_section(results: Results) -> str:
    opponents = results.get("opponents") or {}
    if not opponents:
        return ""
    bars = [Bar(name, found["bb_per_100"], *(found.get("ci95") or (None, None))) for name, found in opponents.items()]
    rows = []
    for name, found in opponents.items():
        low, high = found.get("ci95") or (None, None)
        interval = "–" if low is None or high is None else f"{low:+,.1f} to {high:+,.1f}"
        kind = "good" if low is not None and low > 0 else "bad" if high is not None and high < 0 else "warn"
        words = {"good": "wins", "bad": "loses", "warn": "undecided"}[kind]
        mean = f"{found['bb_per_100']:+,.1f}"
        rows.append([name, f"{found['hands']:,}", mean, interval, html.coloured(words, kind), found.get("method", "")])
    return html.section(
        "Win rates",
        html.paragraph("Big blinds won a hundred hands against each opponent, with 95 % intervals."),
        html.figure(interval_chart(bars, "bb/100"), "Win rate by opponent"),
        html.table(("opponent", "hands", "bb/100", "95 % interval", "", "method"), rows, numbers=(1, 2, 3)),
    )


def _ranges_section(policy: AveragePolicy) -> str:
    return html.section(
        "Preflop ranges",
        html.paragraph(
            "Each cell is a class of hands, filled in proportion to what it does; suited hands are above the diagonal. "
            "The shares in the legend are over all hands, each as likely as any other."
        ),
        '<div class="grids">' + "\n".join(range_figures(policy)) + "</div>",
    )


def _speed_section(run: Path) -> str:
    summary = read_summary(run)
    if not summary:
        return ""
    rows = [
        ["iterations a second", f"{summary.get('iterations_per_second', 0):,.0f}"],
        ["node visits a second", f"{summary.get('nodes_per_second', 0) / 1e6:,.1f} million"],
        ["worker processes", f"{summary.get('workers', 1)}"],
        ["memory at most", f"{summary.get('peak_memory_bytes', 0) / 1e9:,.2f} GB"],
        ["infosets visited", f"{summary.get('infosets_touched', 0):,}"],
        ["the run", f"{summary.get('exit_reason', '?')} after {duration(summary.get('seconds', 0.0))}"],
    ]
    points = scalar_curve(run, "Performance/NodesPerSecond")
    chart = ""
    if len(points) > 1:
        scaled = [Point(point.x, point.y / 1e6) for point in points]
        chart = html.figure(curve_chart(scaled, "iterations", "million a second"), "Node visits a second")
    return html.section("Training speed", html.facts(rows), chart)


def _commands_section(results: Results) -> str:
    commands = [*(results.get("commands") or []), *filter(None, [this_command()])]
    return html.section("The commands that made these figures", html.listing(commands)) if commands else ""


def this_command() -> str | None:
    """The command that is running, as it was typed; None in somebody's own program."""
    program = Path(sys.argv[0])
    if program.stem == "holdem" or program.parts[-3:] == ("holdem", "cli", "main.py"):
        return shlex.join(["holdem", *sys.argv[1:]])
    if program.parts[-3:-1] == ("holdem", "cli"):
        return shlex.join(["python", "-m", f"holdem.cli.{program.stem}", *sys.argv[1:]])
    return None
