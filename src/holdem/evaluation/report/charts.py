"""The charts of a report, drawn by matplotlib as SVG that lies inside the page and takes its colours from it.

Matplotlib is given colours that nobody uses, and they are replaced by the page's CSS variables afterwards.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, MUTED, RULE, ACCENT, BAD = "#010203", "#040506", "#070809", "#0a0b0c", "#0d0e0f"
VARIABLES = {
    INK: "var(--ink)",
    MUTED: "var(--muted)",
    RULE: "var(--rule)",
    ACCENT: "var(--accent)",
    BAD: "var(--bad)",
}
WIDTH_INCHES = 8.5
INTERVAL: dict[str, Any] = {"color": ACCENT, "linewidth": 3.5, "solid_capstyle": "round", "alpha": 0.45}
"""How a 95 % interval is drawn."""


@dataclass(frozen=True)
class Bar:
    """A mean and its 95 % interval, under a name."""

    name: str
    mean: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Point:
    """One place on a curve, with an interval where there is one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


def interval_chart(bars: Sequence[Bar], axis: str) -> str:
    """Means with intervals, one line each, and a rule at zero."""
    figure, axes = _canvas(0.42 * len(bars) + 0.9)
    for place, bar in enumerate(reversed(bars)):
        if bar.low is not None and bar.high is not None:
            axes.plot([bar.low, bar.high], [place, place], **INTERVAL)
        axes.plot([bar.mean], [place], "o", color=ACCENT, markersize=7)
        above: dict[str, Any] = {"xytext": (0, 7), "textcoords": "offset points", "ha": "center"}
        axes.annotate(f"{bar.mean:+,.0f}", (bar.mean, place), **above, fontsize=9, color=INK)
    axes.axvline(0.0, color=MUTED, linewidth=1)
    axes.set_yticks(range(len(bars)), [bar.name for bar in reversed(bars)])
    axes.set_ylim(-0.6, len(bars) - 0.3)
    axes.margins(x=0.12)
    axes.grid(axis="x", color=RULE, linewidth=0.8)
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.set_xlabel(axis, color=MUTED)
    return svg_element(figure, "intervals")


def curve_chart(points: Sequence[Point], x_axis: str, y_axis: str, logarithmic: bool = False) -> str:
    """A curve through measured points, with their intervals."""
    figure, axes = _canvas(3.1)
    axes.plot([p.x for p in points], [p.y for p in points], "-o", color=ACCENT, linewidth=2, markersize=5)
    for p in points:
        if p.low is not None and p.high is not None:
            axes.plot([p.x, p.x], [p.low, p.high], **INTERVAL)
    if logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")
        _plain_decades(axes.xaxis, [p.x for p in points])
        _plain_decades(axes.yaxis, [p.y for p in points])
    else:
        axes.xaxis.set_major_formatter(lambda value, _: compact(value))
        axes.set_ylim(bottom=min(0.0, *(p.y for p in points), *(p.low for p in points if p.low is not None)))
        axes.set_xlim(left=0.0)
    axes.grid(color=RULE, linewidth=0.8)
    axes.set_xlabel(x_axis, color=MUTED)
    axes.set_ylabel(y_axis, color=MUTED)
    return svg_element(figure, y_axis)


def compact(value: float) -> str:
    """`600k`, `2M`, `0.05`: a number on an axis."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if unit == 'k' else size):g}{unit}"
    return f"{value:g}"


def _plain_decades(axis: Any, values: Sequence[float]) -> None:
    """Numbers instead of powers on a logarithmic axis; between the decades only where there are few of them."""
    from matplotlib.ticker import NullFormatter

    axis.set_major_formatter(lambda value, _: compact(value))
    if max(values) > 15.0 * min(values):
        axis.set_minor_formatter(NullFormatter())
    else:
        axis.set_minor_formatter(lambda value, _: compact(value) if f"{value:e}"[0] in "2346" else "")


def _canvas(height: float) -> "tuple[Any, Axes]":
    # Imported here: it takes half a second that no other command should pay.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH_INCHES, height), layout="constrained")
    figure.patch.set_alpha(0.0)
    axes = figure.add_subplot()
    style_axes(axes)
    return figure, axes


def style_axes(axes: "Axes") -> None:
    """Two thin axes in the colours of the page, and nothing behind them."""
    axes.patch.set_alpha(0.0)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(RULE)
    axes.tick_params(colors=MUTED, which="both")


def svg_element(figure: Any, salt: str) -> str:
    """The picture as an `<svg>` element in the page's colours, with text as text."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}):
        FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None})  # type: ignore[no-untyped-call]
    text = buffer.getvalue()
    text = text[text.index("<svg") :].strip()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r' xmlns(:\w+)?="[^"]*"', "", text).replace("xlink:href", "href")
    text = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px", text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    return text
