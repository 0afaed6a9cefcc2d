"""What `holdem models` prints about models: facts, how they were trained, results with intervals.

`training` and `results` of a model are plain data of any shape (`ShippedModel`); what is not of the usual shape is left
out here, and `--json` has all of it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from holdem.policy.fingerprint import fingerprint_hash
from holdem.policy.models import ShippedModel
from holdem.policy.models.catalogue import FOLDER, PREFIX
from holdem.util.words import shell_command

if TYPE_CHECKING:
    from holdem.blueprint.openings import Opening

Plain = dict[str, Any]
MATCHES = (
    ("baselines", "one seat of the model, the opponent in all others"),
    ("baselines_search", "the same with search from the flop on"),
    ("reverse", "the opponent in one seat, the model in all others: what the opponent wins"),
    ("matches", "against other blueprints"),
)
"""Keys of results that are lists of matches, and what they are."""
MOST = 1e15
"""Figures beyond it are none: a file may hold a number of thousands of digits, or infinity."""
PICTURES = Path("docs/pictures/models")
"""Of a checkout, beside its `assets/models`."""
SECONDS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def to_plain(model: ShippedModel) -> Plain:
    """Everything about a model as JSON data."""
    return {
        "name": model.name,
        "run": f"{PREFIX}/{model.name}",
        "title": model.title,
        "game": model.game.name,
        "seats": model.game.num_players,
        "stack_blinds": model.stack_blinds,
        "buckets_per_street": list(model.buckets_per_street),
        "iterations": model.iterations,
        "created": model.created,
        "licence": model.licence,
        "holdem_version": model.holdem_version,
        "bytes": model.bytes_on_disk,
        "folder": str(model.folder),
        "fingerprint": fingerprint_hash(model.fingerprint),
        "levels": list(model.packed.levels),
        "policy_sha256": model.packed.sha256,
        "training": model.training,
        "results": model.results,
    }


def list_table(models: Sequence[ShippedModel]) -> Table:
    """A line for each."""
    table = Table()
    for name in ("model", "game", "seats", "stacks", "iterations", "trained for", "date", "size", "worst baseline"):
        right = name in ("seats", "stacks", "iterations", "trained for", "size")
        table.add_column(name, justify="right" if right else "left", no_wrap=name not in ("game", "worst baseline"))
    for model in models:
        table.add_row(*map(shown, _cells(model)))
    return table


def _cells(model: ShippedModel) -> list[str]:
    return [
        model.name,
        model.game.name,
        str(model.game.num_players),
        f"{model.stack_blinds:g} bb",
        f"{model.iterations:,}",
        duration(model.training.get("seconds")) or "–",
        model.created,
        f"{model.bytes_on_disk / 1e6:.1f} MB",
        worst_baseline(model.results) or "–",
    ]


def shown(text: str) -> Text:
    """Text of a file for a terminal, which obeys no escape sequences in it."""
    return Text(text if text.isprintable() else ascii(text)[1:-1])


def worst_baseline(results: Mapping[str, Any]) -> str:
    """`+52.1 ± 3.0 bb/100 (pot-odds)`: the opponent that it wins least from; nothing if none was measured."""
    rows = [row for row in _rows(results, "baselines") if _is_number(row.get("bb_per_100"))]
    if not rows:
        return ""
    worst = min(rows, key=lambda row: row["bb_per_100"])
    return f"{_rate(worst, 'bb_per_100')} bb/100 ({worst.get('opponent', '?')})"


def duration(seconds: object) -> str:
    """`5 h 20 min`; nothing for what is no time."""
    if not _is_number(seconds):
        return ""
    left, words = round(float(seconds)), []  # type: ignore[arg-type]
    for length, unit in SECONDS:
        if left >= length:
            words.append(f"{left // length} {unit}")
            left %= length
    return " ".join(words[:2]) or "0 s"


def model_lines(model: ShippedModel) -> Iterator[str]:
    """What it is, and how it was trained."""
    buckets = " / ".join(map(str, model.buckets_per_street))
    yield f"{PREFIX}/{model.name}: {model.title}"
    yield f"{model.game.name}, {model.game.num_players} seats, {model.stack_blinds:g} bb; {buckets} buckets"
    packed = f"{model.bytes_on_disk / 1e6:.1f} MB packed, licence {model.licence}"
    yield f"{packed}, written on {model.created} by holdem {model.holdem_version}"
    yield from _training_lines(model)


def _training_lines(model: ShippedModel) -> Iterator[str]:
    training = model.training
    parts = [f"{model.iterations:,} iterations"]
    if time := duration(training.get("seconds")):
        parts.append(f"in {time}")
    workers = training.get("workers")
    if _is_number(workers):
        parts.append("with 1 worker" if workers == 1 else f"with {workers} workers")
    parts += [f"on {training[key]}" for key in ("machine", "date") if isinstance(training.get(key), str)]
    yield f"trained: {' '.join(parts)}"
    yield from _commands(training.get("commands"))
    yield "packed from that run:"
    yield f"    {_pack_command(model)}"
    yield f"fingerprint {fingerprint_hash(model.fingerprint)}, SHA-256 of {model.packed.path.name}:"
    yield f"    {model.packed.sha256}"


def _pack_command(model: ShippedModel) -> str:
    """The command that packs it again; `RUN` stands for the run where no command says where that was written."""
    words = [word for command in _commands(model.training.get("commands")) for word in command.split()]
    run = next((after for word, after in reversed([*pairwise(words)]) if word == "--logdir"), "RUN")
    steps = model.packed.levels
    levels = ",".join(map(str, steps if len({*steps}) > 1 else steps[:1]))
    title = ("--title", model.title, "--levels", levels)
    return shell_command("holdem", "models", "pack", run, f"{FOLDER.as_posix()}/{model.name}", *title)


def _commands(commands: object) -> Iterator[str]:
    if isinstance(commands, list):
        yield from (f"    {command}" for command in commands if isinstance(command, str))


def result_tables(results: Mapping[str, Any]) -> Iterator[Table]:
    """A table for each kind of match, and one for local best response."""
    for key, title in MATCHES:
        rows = _rows(results, key)
        if rows:
            cells = (
                (row.get("opponent", "?"), _rate(row, "bb_per_100"), _hands(row), row.get("note", "")) for row in rows
            )
            yield _table(f"{key}: {title}", ("opponent", "bb/100", "hands", "note"), cells)
    rows = _rows(results, "lbr")
    if rows:
        cells = (
            (row.get("setting", "?"), "yes" if row.get("search") else "no", _rate(row, "mbb_per_hand"), _hands(row))
            for row in rows
        )
        title = "local best response: what the model loses at least"
        yield _table(title, ("setting", "search", "mbb/hand", "hands"), cells)


def result_lines(results: Mapping[str, Any]) -> Iterator[str]:
    """Litmus checks, and when, where and how everything was measured."""
    litmus = results.get("litmus")
    if isinstance(litmus, dict):
        failed = litmus.get("failed")
        names = f"; failed: {', '.join(map(str, failed))}" if isinstance(failed, list) and failed else ""
        yield f"litmus: {litmus.get('passed', '?')} of {litmus.get('checks', '?')} checks passed{names}"
    measured = results.get("measured")
    if isinstance(measured, dict):
        where = [str(measured[key]) for key in ("date", "machine") if key in measured]
        yield f"measured: {', '.join(where)}; 95 % intervals"
        yield from _commands(measured.get("commands"))


def plain_opening(opening: "Opening") -> Plain:
    """As JSON data."""
    return {
        "position": opening.position,
        "raise": opening.raises,
        "call": opening.calls,
        "fold": opening.folds,
    }


def opening_lines(model: ShippedModel, openings: "Sequence[Opening]") -> Iterator[str]:
    """A line for each position, without what it never does, and what shows the hands of each."""
    if not openings:
        return
    yield "when everybody before folded, in % of hands:"
    for opening in openings:
        shares = (("raises", opening.raises), ("calls", opening.calls), ("folds", opening.folds))
        yield f"    {opening.position}: {', '.join(f'{verb} {100 * share:.1f} %' for verb, share in shares if share)}"
    yield "the hands of each:"
    folds = [f"{opening.position} fold" for opening in openings]
    for before in range(len(openings)):
        line = [f'"{", ".join(folds[:before])}"'] if before else []
        yield "    " + " ".join(["holdem show", f"{PREFIX}/{model.name}", *line])
    for checkout in model.folder.absolute().parents[2:3]:
        picture = checkout / PICTURES / f"{model.name}.png"
        if picture.is_file():
            yield f"a picture of them: {picture}"


def _table(title: str, names: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Without columns in which nobody has anything to say."""
    cells = [[str(cell) for cell in row] for row in rows]
    kept = [place for place in range(len(names)) if any(row[place] for row in cells)]
    table = Table(title=Text(title), title_justify="left")
    for place in kept:
        right = names[place] in ("bb/100", "mbb/hand", "hands")
        table.add_column(names[place], justify="right" if right else "left")
    for row in cells:
        table.add_row(*(shown(row[place]) for place in kept))
    return table


def _rows(results: Mapping[str, Any], key: str) -> list[Plain]:
    found = results.get(key)
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _rate(row: Mapping[str, Any], key: str) -> str:
    """`+52.1 ± 3.0`."""
    if not _is_number(row.get(key)):
        return "?"
    interval = f" ± {row['interval']:.1f}" if _is_number(row.get("interval")) else ""
    return f"{row[key]:+,.1f}{interval}"


def _hands(row: Mapping[str, Any]) -> str:
    return f"{row['hands']:,}" if _is_number(row.get("hands")) else "?"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -MOST < value < MOST
