"""The HTML of a report: one page with everything inside, for light and dark screens and for paper.

Colours are CSS variables, which the pictures use too: they are SVG inside the page, so they follow the reader's theme.
"""

from collections.abc import Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1b2330; --muted: #5d6878; --rule: #dde2e9; --accent: #2f6fd0;
  --good: #1c7f4b; --bad: #bf3b35; --warn: #946400; --code: #eef1f5; }
@media (prefers-color-scheme: dark) { :root {
  --page: #12161c; --card: #1a2028; --ink: #e8ecf1; --muted: #9aa6b5; --rule: #313a46; --accent: #6da5f5;
  --good: #5cc48d; --bad: #f08078; --warn: #e0b355; --code: #232b35; } }
@media print { :root { color-scheme: light;
  --page: #ffffff; --card: #ffffff; --ink: #000000; --muted: #444444; --rule: #bbbbbb; --accent: #1d56ac;
  --good: #12633a; --bad: #a02a25; --warn: #7a5200; --code: #f2f2f2; }
  body { font-size: 10pt; } section { break-inside: avoid; box-shadow: none !important; }
  .grids figure, .smalls figure { break-inside: avoid; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
header h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; }
header p { margin: 0; color: var(--muted); max-width: none; }
section { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 1.25rem 1.5rem;
  margin-top: 1.25rem; }
h2 { font-size: 1.2rem; margin: 0 0 .75rem; }
h3 { font-size: 1rem; margin: 1.1rem 0 .5rem; }
p { margin: .5rem 0; max-width: 46rem; }
.note { color: var(--muted); font-size: .9rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: .75rem; margin-top: 1.25rem; }
.tile { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: .8rem 1rem; }
.tile b { display: block; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.tile span { color: var(--muted); font-size: .85rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { color: var(--muted); font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
pre { background: var(--code); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto; font-size: .88rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
td code { overflow-wrap: anywhere; }
figure { margin: 0; }
figcaption { font-size: .9rem; margin-bottom: .4rem; }
figcaption span { color: var(--muted); display: block; }
svg { width: 100%; height: auto; display: block; }
svg text { font-family: inherit; }
.chart { color: var(--ink); margin: .5rem 0; }
.facts table { width: auto; min-width: min(100%, 34rem); }
.facts td:first-child { color: var(--muted); padding-right: 2rem; }
.grids { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1.5rem; }
.smalls { display: grid; grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); gap: 1rem;
  margin-bottom: .75rem; }
.smalls figcaption { margin-bottom: .25rem; line-height: 1.3; }
.smalls figcaption span { font-size: .8rem; }
@media (max-width: 46rem) { .smalls { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.legend { display: flex; flex-wrap: wrap; gap: .2rem .9rem; font-size: .82rem; margin-top: .3rem; }
.legend i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .35em; }
"""


def page(title: str, subtitle: str, body: Sequence[str]) -> str:
    """The whole document."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<header><h1>{escape(title)}</h1><p>{escape(subtitle)}</p></header>\n"
        + "\n".join(part for part in body if part)
        + "\n</main>\n</body>\n</html>\n"
    )


def section(title: str, *parts: str) -> str:
    """A card with a heading."""
    return f"<section>\n<h2>{escape(title)}</h2>\n" + "\n".join(part for part in parts if part) + "\n</section>"


def paragraph(text: str, note: bool = False) -> str:
    """A paragraph of plain text."""
    return f'<p class="note">{escape(text)}</p>' if note else f"<p>{escape(text)}</p>"


def tiles(figures: Sequence[tuple[str, str]]) -> str:
    """The few figures that matter most: a value and what it is."""
    cells = (f'<div class="tile"><b>{escape(value)}</b><span>{escape(what)}</span></div>' for value, what in figures)
    return f'<div class="tiles">{"".join(cells)}</div>'


def facts(rows: Sequence[Sequence[str]]) -> str:
    """What something is, and what it is called: a table of two columns without a head."""
    lines = "".join(f"<tr><td>{escape(name)}</td><td>{_text(value)}</td></tr>\n" for name, value in rows)
    return f'<div class="scroll facts"><table><tbody>\n{lines}</tbody></table></div>'


class Html(str):
    """Text that is HTML already; every other text is escaped."""


def _text(cell: str) -> str:
    return cell if isinstance(cell, Html) else escape(cell)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """A table of text; the columns in `numbers` are aligned to the right."""

    def cell(tag: str, column: int, text: str) -> str:
        kind = ' class="number"' if column in numbers else ""
        return f"<{tag}{kind}>{_text(text)}</{tag}>"

    head = "".join(cell("th", column, name) for column, name in enumerate(columns))
    lines = ("<tr>" + "".join(cell("td", c, text) for c, text in enumerate(row)) + "</tr>" for row in rows)
    body = "\n".join(lines)
    return f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'


def coloured(text: str, kind: str) -> Html:
    """Text in the colour of something `good`, `bad` or to `warn` of."""
    return Html(f'<span class="{kind}">{escape(text)}</span>')


def code(text: str) -> Html:
    """A short piece of code inside a table."""
    return Html(f"<code>{escape(text)}</code>")


def listing(lines: Sequence[str]) -> str:
    """Commands, as somebody would type them."""
    return f"<pre><code>{escape(chr(10).join(lines))}</code></pre>"


def figure(picture: str, caption: str, aside: str = "") -> str:
    """A picture with a caption above it."""
    extra = f"<span>{escape(aside)}</span>" if aside else ""
    return f'<figure class="chart"><figcaption>{escape(caption)}{extra}</figcaption>\n{picture}\n</figure>'
