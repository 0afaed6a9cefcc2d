"""How a run got better, as a section of the report: exploitability where it is known, else what can be measured."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdem.evaluation.report import page as html
from holdem.evaluation.report.charts import Point, curve_chart
from holdem.evaluation.report.training import exact_exploitability, scalar_curve, snapshots_of, training_axis
from holdem.policy.policy import AveragePolicy

Results = Mapping[str, Any]


def lbr_figure(results: Results) -> dict[str, Any] | None:
    """The figure of local best response in results, wherever it lies: `lbr["won"]`, or `lbr` itself."""
    lbr = results.get("lbr")
    if not isinstance(lbr, Mapping):
        return None
    won = lbr.get("won", lbr)
    return dict(won) if isinstance(won, Mapping) and "mbb_per_hand" in won else None


def exploitability_section(run: Path, results: Results) -> str:
    """The best that is known of the snapshots: exact, a lower bound, or the norm of the regrets."""
    title = "Exploitability against training time"
    snapshots = snapshots_of(run)
    exact = exact_exploitability(snapshots)
    if exact is not None:
        values, unit = exact
        places, axis = training_axis([(snapshot.iterations, snapshot.seconds) for snapshot in snapshots])
        points = [Point(x, y) for x, y in zip(places, values, strict=True)]
        rows = [_snapshot_cells(s.iterations, s.seconds, f"{v:.5g}") for s, v in zip(snapshots, values, strict=True)]
        note = "Exact: the best possible answer to each snapshot was computed, cards and betting of the whole game."
        chart = curve_chart(points, axis, unit, logarithmic=len(points) > 2 and min(values) > 0)
        return html.section(
            title,
            html.paragraph(note),
            html.figure(chart, f"Exploitability, {unit}"),
            html.table(("iterations", "training", f"exploitability, {unit}"), rows, numbers=(0, 1, 2)),
        )
    measured = results.get("lbr_snapshots") or []
    if measured:
        return html.section(title, *_lbr_parts(measured))
    return _regret_section(run, AveragePolicy.load(run).config.num_players)


def _lbr_parts(measured: list[dict[str, Any]]) -> list[str]:
    places, axis = training_axis([(found["iterations"], found.get("seconds")) for found in measured])
    points = [
        Point(x, found["mbb_per_hand"], *(found.get("ci95") or (None, None)))
        for x, found in zip(places, measured, strict=True)
    ]
    rows = [
        _snapshot_cells(
            f["iterations"],
            f.get("seconds"),
            f"{f['hands']:,}",
            f"{f['mbb_per_hand']:,.0f}",
            interval_text(f.get("ci95")),
        )
        for f in measured
    ]
    return [
        html.paragraph(
            "What each snapshot loses to local best response (Lisý and Bowling 2017), which knows its strategy and "
            "takes the best of a few bets as if everybody checked afterwards: a lower bound on exploitability in the "
            "real game."
        ),
        html.figure(
            curve_chart(points, axis, "mbb/hand"),
            "Lost to local best response, mbb/hand",
        ),
        html.table(
            ("iterations", "training", "hands", "lost, mbb/hand", "95 % interval"), rows, numbers=(0, 1, 2, 3, 4)
        ),
    ]


def _regret_section(run: Path, num_players: int) -> str:
    points = [point for point in scalar_curve(run, "Regret/L2Norm") if point.y > 0]
    if len(points) < 2:
        return ""
    missing = (
        "Exploitability of the snapshots was not measured (holdem report --lbr-hands does it)."
        if num_players == 2
        else f"Nobody can measure exploitability with {num_players} players."
    )
    return html.section(
        "Training progress",
        html.paragraph(
            f"{missing} What is measurable without playing: the norm of the average positive regret, which training "
            "drives towards zero. It says that learning goes on, not how strong the policy is."
        ),
        html.figure(
            curve_chart(points, "iterations", "chips", logarithmic=True), "Norm of the average positive regret, chips"
        ),
    )


def lbr_section(results: Results) -> str:
    """What the final policy loses to local best response; nothing where it was not measured."""
    figure = lbr_figure(results)
    if figure is None:
        return ""
    lbr = results["lbr"]
    named = {
        "in all": figure,
        "LBR in the big blind": lbr.get("in_big_blind"),
        "LBR on the button": lbr.get("on_button"),
        "in all, luck of the cards included": lbr.get("as_dealt"),
    }
    known = {name: found for name, found in named.items() if found}
    rows = [[name, f"{f['mbb_per_hand']:,.0f}", interval_text(f.get("ci95"))] for name, f in known.items()]
    menus = lbr.get("menus") or {}
    played = f"{lbr['hands']:,} hands" if "hands" in lbr else ""
    allowed = ", ".join(f"{street} {menu}" for street, menu in menus.items())
    return html.section(
        "Local best response",
        html.paragraph(
            "A lower bound on exploitability in the real game (Lisý and Bowling 2017): what the policy loses to "
            "somebody who knows it and takes the best of a few bets as if everybody checked afterwards."
        ),
        html.table(("", "lost, mbb/hand", "95 % interval"), rows, numbers=(1, 2)),
        html.paragraph("; ".join(filter(None, (played, allowed and f"LBR's actions: {allowed}"))), note=True),
    )


def _snapshot_cells(iterations: int, seconds: float | None, *figures: str) -> list[str]:
    return [f"{iterations:,}", "–" if not seconds else duration(seconds), *figures]


def interval_text(ci95: Any) -> str:
    """`120 to 180`, or a dash."""
    return "–" if not ci95 else f"{ci95[0]:,.0f} to {ci95[1]:,.0f}"


def duration(seconds: float) -> str:
    """`1 min`, `2.5 h`, `8.0 days`."""
    for size, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 0.999 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"
