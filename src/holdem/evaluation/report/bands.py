"""Shares of a range beside the band that is wanted: a panel for each litmus check, a bar for each position."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

from holdem.evaluation.report.charts import ACCENT, BAD, INK, MUTED, RULE, WIDTH_INCHES, style_axes, svg_element

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW_INCHES = 0.3
HEAD_INCHES = 0.75
"""Title and axis of a panel."""
LETTERS = 52
"""What fits above half of the width."""
BAND: dict[str, Any] = {"height": 0.84, "linewidth": 0, "color": MUTED}


@dataclass(frozen=True)
class BandRow:
    """A share and its band, from 0 to 1; `share` is None where training did not tell. `passed`: within the slack."""

    name: str
    share: float | None
    low: float
    high: float
    passed: bool


@dataclass(frozen=True)
class BandPanel:
    """One check."""

    title: str
    rows: tuple[BandRow, ...]
    slack: float

    @property
    def inches(self) -> float:
        """Its height."""
        return HEAD_INCHES + ROW_INCHES * len(self.rows) + 0.15 * (len(self.title) // LETTERS)


def panels_of(litmus: Mapping[str, Any] | None) -> list[BandPanel]:
    """The checks of shares in what `holdem litmus` found."""
    panels = []
    for check in (litmus or {}).get("checks", []):
        slack = float(check.get("slack") or 0.0)
        rows = tuple(_row(figure, slack) for figure in check.get("figures") or [])
        if any(row.share is not None for row in rows):
            panels.append(BandPanel(check["name"], rows, slack))
    return panels


def _row(figure: Mapping[str, Any], slack: float) -> BandRow:
    share, low, high = figure["found"], figure["low"], figure["high"]
    passed = share is not None and low - slack - 1e-9 <= share <= high + slack + 1e-9
    return BandRow(figure["position"], share, low, high, passed)


def band_chart(panels: Sequence[BandPanel]) -> str:
    """All panels in two columns of about the same height, each with a scale of its own."""
    return svg_element(_figure(panels), "bands")


def _figure(panels: Sequence[BandPanel]) -> Any:
    # Imported here: it takes half a second that no other command should pay.
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    columns = _two_columns(panels)
    height = max(sum(panel.inches for panel in column) for column in columns)
    layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.06)
    figure = Figure(figsize=(WIDTH_INCHES, height), layout=layout)
    figure.patch.set_alpha(0.0)
    for part, column in zip(figure.subfigures(1, len(columns), squeeze=False)[0], columns, strict=True):
        part.patch.set_alpha(0.0)
        blank = height - sum(panel.inches for panel in column)
        heights = [float(len(panel.rows)) for panel in column] + ([blank / ROW_INCHES] if blank > 0.05 else [])
        grid = part.add_gridspec(len(heights), 1, height_ratios=heights)
        for number, panel in enumerate(column):
            _draw(part.add_subplot(grid[number]), panel)
    return figure


def _two_columns(panels: Sequence[BandPanel]) -> list[list[BandPanel]]:
    """In reading order: the first column takes panels until it has half of the height."""
    half = sum(panel.inches for panel in panels) / 2
    first: list[BandPanel] = []
    while len(first) < len(panels) and sum(p.inches for p in first) + panels[len(first)].inches / 2 <= half:
        first.append(panels[len(first)])
    rest = list(panels[len(first) :])
    return [column for column in (first, rest) if column]


def _draw(axes: "Axes", panel: BandPanel) -> None:
    style_axes(axes)
    axes.set_title(fill(panel.title, LETTERS), loc="left", fontsize=9.5, color=INK)
    for place, row in enumerate(reversed(panel.rows)):
        low, high = max(row.low - panel.slack, 0.0), min(row.high + panel.slack, 1.0)
        axes.barh(place, 100 * (high - low), left=100 * low, alpha=0.16, **BAND)
        axes.barh(place, 100 * (row.high - row.low), left=100 * row.low, alpha=0.30, **BAND)
        colour = ACCENT if row.passed else BAD
        if row.share is not None:
            axes.barh(place, 100 * row.share, height=0.34, color=colour)
        words = "not trained" if row.share is None else f"{100 * row.share:.1f} %"
        label: dict[str, Any] = {"xytext": (4, 0), "textcoords": "offset points", "va": "center", "fontsize": 9}
        end = max(100 * (row.share or 0.0), 100 * high)
        axes.annotate(words, (end, place), color=MUTED if row.share is None else INK if row.passed else BAD, **label)
    axes.set_yticks(range(len(panel.rows)), [row.name for row in reversed(panel.rows)])
    axes.set_ylim(-0.6, len(panel.rows) - 0.4)
    top = max(max(row.high + panel.slack, row.share or 0.0) for row in panel.rows)
    axes.set_xlim(0.0, 100 * max(top, 0.01) * 1.22)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    axes.grid(axis="x", color=RULE, linewidth=0.8)
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.tick_params(axis="x", labelsize=8)
