"""A picture of the buckets of a street: the equity distribution inside each, and how many deals it has."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from holdem.abstraction.bucketing import HandBucketing
from holdem.util.artifacts import atomic_write


def draw_streets(bucketing: HandBucketing, streets: Iterable[str], folder: Path) -> list[Path]:
    """Write one PNG per street into a folder; returns the files."""
    return [_draw(bucketing, street, folder / f"{street}.png") for street in streets]


def _draw(bucketing: HandBucketing, street: str, path: Path) -> Path:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    report = bucketing.report[street]
    histogram = report["equity_histogram"].astype(float)
    columns = histogram / np.maximum(histogram.sum(axis=1, keepdims=True), 1.0)
    buckets = len(columns)
    figure = Figure(figsize=(11, 6.5), layout="constrained")
    FigureCanvasAgg(figure)
    top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    top.imshow(columns.T, origin="lower", aspect="auto", extent=(-0.5, buckets - 0.5, 0, 100), cmap="viridis")
    top.errorbar(
        np.arange(buckets),
        100 * report["equity_mean"],
        yerr=100 * report["equity_deviation"],
        fmt=".",
        markersize=3,
        linewidth=0.7,
        color="white",
    )
    top.set_ylabel("equity against a random hand, %")
    kept = f"{100 * report['variance_explained']:.2f} % of equity variance kept"
    top.set_title(f"{street}: {buckets} buckets, {kept}")
    bottom.bar(np.arange(buckets), 100 * report["share"], width=0.9, color="tab:green")
    bottom.set_ylabel("deals, %")
    bottom.set_xlabel("bucket, weakest first")
    with atomic_write(path) as file:
        figure.savefig(file, format="png", dpi=110)
    return path
