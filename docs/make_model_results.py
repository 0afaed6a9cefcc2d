"""Prints the section "Shipped models" of docs/results.md, as Markdown, from what the models say about themselves.

    python -m docs.make_model_results                         # every model in assets/models
    python -m docs.make_model_results headsup=results.json    # a file of `benchmarks.models measure`

The figures are those of `results` in each `model.json`; `benchmarks/models/__init__.py` says what they mean.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from docs.make_model_pictures import MODELS, PICTURES
from holdem.errors import ArtifactError
from holdem.util.files.regular import read_json
from holdem.util.words import counted

Json = Mapping[str, Any]
ORDER = ("headsup", "headsup_200bb", "threemax", "sixmax")
MATCHES = {
    "baselines": "The model in one seat, the opponent in all others",
    "baselines_search": "The same with search, as the bot plays",
    "reverse": "The opponent in one seat, the model in all others, so there a loss is wanted",
    "matches": "Against other runs",
}


def section(models: Mapping[str, Json]) -> str:
    """The whole section; models by name, each with its `results` and, if it is known, its `title`."""
    known = [name for name in ORDER if name in models]
    names = [*known, *sorted(set(models) - set(known))]
    return "\n\n".join(["## Shipped models", *(block for name in names for block in blocks(name, models[name]))]) + "\n"


def blocks(name: str, model: Json) -> list[str]:
    """The paragraphs and tables of one model."""
    results: Json = model["results"]
    title = model.get("title")
    written = [f"### `models/{name}`" + (f": {title}" if title else ""), _measured(results)]
    written += [_table(heading, results[part]) for part, heading in MATCHES.items() if results.get(part)]
    for part, write in WRITERS.items():
        if results.get(part):
            written.append(write(results[part]))
    if (PICTURES / f"{name}.png").exists():
        written.append(f"![opening ranges of models/{name} by position](pictures/models/{name}.png)")
    return written


def _measured(results: Json) -> str:
    measured = results.get("measured")
    if not measured:
        return "Not measured."
    commands = "\n".join(measured["commands"])
    return f"Measured on {measured['date']}, {measured['machine']}, 95 % intervals:\n\n```\n{commands}\n```"


def _table(heading: str, entries: list[Json]) -> str:
    """bb/100 against each opponent, and what was noted."""
    noted = any(entry.get("note") for entry in entries)
    head = ["opponent", "bb/100", "hands", *(["note"] if noted else [])]
    rows = [
        [
            entry["opponent"],
            _mean(entry["bb_per_100"], entry["interval"], ",.1f", "+"),
            f"{entry['hands']:,}",
            *([entry.get("note") or ""] if noted else []),
        ]
        for entry in entries
    ]
    return f"{heading}:\n\n{_markdown(head, rows)}"


def _local_best_response(entries: list[Json]) -> str:
    settings = list(dict.fromkeys(entry["setting"] for entry in entries))
    found = {(entry["setting"], entry["search"]): entry for entry in entries}
    rows = [
        [f"`{setting}`", *(_lbr_cell(found.get((setting, search))) for search in (False, True))] for setting in settings
    ]
    head = ["what LBR may do by street", "without search, mbb/hand", "with search, mbb/hand"]
    heading = "What local best response wins from it; above zero is a lower bound on exploitability"
    return f"{heading}:\n\n{_markdown(head, rows)}"


def _lbr_cell(entry: Json | None) -> str:
    if entry is None:
        return "not measured"
    return f"{_mean(entry['mbb_per_hand'], entry['interval'], ',.0f')} ({entry['hands']:,} hands)"


def _litmus(found: Json) -> str:
    """Failed checks by name; what neither passed nor failed was never visited."""
    passed = f"Litmus: {found['passed']} of {counted(found['checks'], 'check')} passed"
    unvisited = found["checks"] - found["passed"] - len(found["failed"])
    parts = [passed]
    if found["failed"]:
        parts.append(f"failed: {', '.join(found['failed'])}")
    if unvisited:
        parts.append(f"{unvisited} about spots that training never visited")
    return "; ".join(parts) + "."


WRITERS: dict[str, Callable[[Any], str]] = {"lbr": _local_best_response, "litmus": _litmus}


def _mean(mean: float, interval: float | None, form: str, sign: str = "") -> str:
    """`+8.0 ± 1.8`, with a true minus."""
    text = format(mean, sign + form).replace("-", "−")
    return text if interval is None else f"{text} ± {interval:{form}}"


def _markdown(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def shipped() -> dict[str, Json]:
    """What the models in the repository say, by name."""
    return {path.parent.name: _read(path) for path in sorted(MODELS.glob("*/model.json"))}


def _read(path: Path) -> Json:
    try:
        content = read_json(path)
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{path} cannot be read ({error}); write it again") from None
    if not isinstance(content, dict):
        raise ArtifactError(f"{path} holds no results; name the file of a model or of a measurement")
    return content


def main(words: list[str]) -> None:
    """Print the section about the models that are named, or about all that are shipped."""
    named = (word.partition("=") for word in words)
    models = {name: {"results": _read(Path(path))} for name, _, path in named} or shipped()
    if not models:
        raise ArtifactError(f"there is no model in {MODELS.parent.name}/{MODELS.name}; name NAME=results.json")
    print(section(models), end="")


if __name__ == "__main__":
    from benchmarks.resumable import tell_errors

    tell_errors(main, sys.argv[1:])
