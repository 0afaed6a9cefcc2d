"""`python -m benchmarks.models measure RUN --out results.json`: measure a run as a model."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.models.measuring import measure
from benchmarks.models.results_file import ResultsFile
from benchmarks.models.steps import HEADS_UP, OPTIONAL, PARTS, Plan
from benchmarks.resumable import policy_digest, tell_errors
from holdem.errors import ConfigError
from holdem.evaluation.baselines import BASELINES, open_baseline
from holdem.policy.policy import AveragePolicy
from holdem.policy.run_names import named_run
from holdem.util.parallel import available_cores
from holdem.util.words import shell_command

EXAMPLES = """examples:
  python -m benchmarks.models measure runs/blueprint --out results.json
  python -m benchmarks.models measure runs/six --out six.json --parts baselines,reverse --hands loose-aggressive=400000
  python -m benchmarks.models measure runs/long --out long.json --against "make train=runs/blueprint"
"""


def main(arguments: list[str]) -> None:
    options = _parser().parse_args(arguments)
    against, hands = _against(options.against), _hands(options.hands)
    run = named_run(Path(options.run))
    if options.out.is_dir() or not options.out.parent.is_dir():
        raise ConfigError(f"{options.out} cannot be written; name a file in a folder that is there")
    seats = AveragePolicy.load(run).config.num_players
    parts = _parts(options.parts, seats, bool(against))
    opponents = tuple(BASELINES) if not options.opponents else _opponents(options.opponents)
    plan = Plan(run, options.out, hands, against, seats, options.num_workers, opponents, options.seed)
    steps = plan.steps(parts)
    machine = options.machine or f"{available_cores()}-core {sys.platform} machine"
    results = ResultsFile(options.out, policy_digest(str(run)), machine, _command(options, parts, against))
    sys.exit(measure(results, steps))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models", description="Measure trained runs as models.")
    verbs = parser.add_subparsers(required=True, metavar="measure")
    verb = verbs.add_parser(
        "measure",
        help="measure a run and write its results as JSON; what the file has already is not measured again",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verb.add_argument("run", metavar="RUN", help="a run, a snapshot or models/NAME")
    verb.add_argument("--out", type=Path, required=True, help="the JSON file; an older one is gone on with")
    verb.add_argument("--parts", help=f"with commas between: {','.join(PARTS)}; all but {OPTIONAL[0]} if left out")
    verb.add_argument(
        "--hands",
        action="append",
        default=[],
        metavar="[NAME=]N",
        help="hands against each baseline, or of NAME: a baseline, a part, or part:baseline; may be repeated",
    )
    verb.add_argument("--opponents", help="some of the baselines, with commas between; all if left out")
    verb.add_argument(
        "--against", action="append", default=[], metavar="[NAME=]RUN", help="a run to play matches against; repeat it"
    )
    verb.add_argument("--num-workers", type=int, default=0, help="processes; 0 is every core")
    verb.add_argument("--seed", type=int, default=0, help="which deals: others than those that something was chosen by")
    verb.add_argument("--machine", help="what results say about the machine, in words")
    return parser


def _parts(text: str | None, seats: int, has_opponents: bool) -> tuple[str, ...]:
    """The parts that were asked for and that the game has; all if nothing was said."""
    asked = [part.strip() for part in text.split(",")] if text else [part for part in PARTS if part not in OPTIONAL]
    for part in asked:
        if part not in PARTS:
            raise ConfigError(f"there is no part {part!r}; choose from {', '.join(PARTS)}")
    if text and "matches" in asked and not has_opponents:
        raise ConfigError("matches need somebody to play against; name a run with --against")
    left_out = {"reverse": "is the same match as baselines"} if seats == 2 else dict.fromkeys(HEADS_UP, "is heads-up")
    for part in asked:
        if text and part in left_out:
            print(f"{part} {left_out[part]} and is left out at {seats} seats", file=sys.stderr)
    return tuple(dict.fromkeys(part for part in asked if part not in left_out))


def _opponents(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        open_baseline(name)  # a wrong name gets the nearest one
    return names


def _hands(texts: Sequence[str]) -> dict[str, int]:
    """Hands by name, "" for those without."""
    played = [part for part in PARTS if part != "litmus"]
    found = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        part, _, opponent = name.rpartition(":")
        if name and name not in played and not (part in ("", *played) and (part == "matches" or opponent in BASELINES)):
            known = f"{', '.join(played)}, {', '.join(BASELINES)}"
            raise ConfigError(f"--hands {text}: there is no {name!r}; choose from {known}, or part:baseline")
        if not number.isdecimal() or int(number) < 2:
            raise ConfigError(f"--hands {text}: write a whole number from 2 on, as in --hands random=30000")
        found[name] = int(number)
    return found


def _against(texts: Sequence[str]) -> dict[str, Path]:
    """Opponents, as they were typed, by the name that results have for them."""
    found: dict[str, Path] = {}
    for text in texts:
        name, _, path = text.rpartition("=")
        found[name or shown(Path(path))] = Path(path)
    return found


def shown(path: Path) -> str:
    """A path as results tell it: from the working directory, and nothing of where that is."""
    if not path.is_absolute():
        return path.as_posix()
    inside = path.is_relative_to(Path.cwd())
    return path.relative_to(Path.cwd()).as_posix() if inside else path.name


def _command(options: argparse.Namespace, parts: tuple[str, ...], against: Mapping[str, Path]) -> str:
    """The command that does the same again."""
    words = ["python", "-m", "benchmarks.models", "measure", shown(Path(options.run)), "--out", options.out.name]
    words += ["--parts", ",".join(parts)]
    words += ["--opponents", options.opponents] if options.opponents else []
    for text in options.hands:
        words += ["--hands", text]
    words += ["--seed", str(options.seed)] if options.seed else []
    for name, run in against.items():
        words += ["--against", shown(run) if name == shown(run) else f"{name}={shown(run)}"]
    return shell_command(*words)


if __name__ == "__main__":
    tell_errors(main, sys.argv[1:])
