"""The YAML file of litmus checks: a list of checks, each with its kind; unknown keys and kinds name the nearest one.

include: default             # run the shipped checks as well
checks:
  - name: ...
    kind: limit
"""

import difflib
from pathlib import Path
from typing import Any

from holdem.errors import ConfigError
from holdem.evaluation.litmus.check import LitmusCheck
from holdem.evaluation.litmus.checks.anywhere import Anywhere
from holdem.evaluation.litmus.checks.defence import Defence
from holdem.evaluation.litmus.checks.ladder import Ladder
from holdem.evaluation.litmus.checks.limit import Limit
from holdem.evaluation.litmus.checks.order import Order
from holdem.evaluation.litmus.checks.shares import Shares
from holdem.evaluation.litmus.checks.widening import Widening
from holdem.util.configs import check_config, read_yaml
from holdem.util.shipped import LITMUS_CHECKS, shipped_root

KINDS: dict[str, type[LitmusCheck]] = {
    "anywhere": Anywhere,
    "defence": Defence,
    "ladder": Ladder,
    "limit": Limit,
    "order": Order,
    "shares": Shares,
    "widening": Widening,
}
FILE_KEYS = ("checks", "include")


def default_file() -> Path:
    """The shipped checks."""
    return shipped_root() / LITMUS_CHECKS.folder / "litmus.yaml"


def load_checks(path: Path | None = None) -> list[LitmusCheck]:
    """The checks of a file; none given: the shipped ones."""
    path = default_file() if path is None else LITMUS_CHECKS.find(path)
    content = read_yaml(path)
    for key in content:
        if key not in FILE_KEYS:
            raise ConfigError(f"{path.name}: unknown key {key!r}; {_nearest(str(key), FILE_KEYS)}")
    if content.get("include", "default") != "default":
        raise ConfigError(f"{path.name}: include is {content['include']!r}; only `include: default` is known")
    entries = content.get("checks", [])
    if not isinstance(entries, list):
        raise ConfigError(f"{path.name}: checks must be a list, each entry beginning with `- name:`")
    checks = load_checks() if "include" in content and path != default_file() else []
    checks += [_check(entry, f"{path.name}, check {number}") for number, entry in enumerate(entries, start=1)]
    if not checks:
        raise ConfigError(f"{path.name} holds no checks; see docs/litmus.md for how to write one")
    return checks


def _check(entry: Any, where: str) -> LitmusCheck:
    if not isinstance(entry, dict):
        raise ConfigError(f"{where} must hold `key: value` lines, not a {type(entry).__name__}")
    if "name" in entry:
        where = f"{where} ({entry['name']})"
    kind = entry.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ConfigError(f"{where}: kind {kind!r} is not known; {_nearest(str(kind), tuple(KINDS))}")
    return check_config(KINDS[kind], entry, where)


def _nearest(word: str, known: tuple[str, ...]) -> str:
    nearest = difflib.get_close_matches(word, known, n=1, cutoff=0.4)
    return f"did you mean {nearest[0]}?" if nearest else f"known: {', '.join(known)}"
