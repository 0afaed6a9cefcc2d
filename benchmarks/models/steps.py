"""The steps of measuring a model: each is one verb in a process of its own, and what of its JSON is kept.

A step is small enough to be done again and large enough to be worth keeping: one opponent, one set of checks, or local
best response in its four settings, which keeps its deals itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holdem.errors import ConfigError
from holdem.evaluation.baselines import BASELINES
from holdem.evaluation.litmus.litmus import Verdict
from holdem.policy.policy import AveragePolicy
from holdem.policy.run_names import named_run

Json = dict[str, Any]
Entries = list[Json]

HANDS = {"baselines": 30_000, "baselines_search": 2_000, "lbr": 10_000, "lbr_search": 400, "matches": 1_000_000}
MANY_SEATS_HANDS = 100_000
"""Against baselines with three and more seats, where luck is larger: about ± 12 bb/100 of a tight player at six."""

PARTS = ("baselines", "baselines_search", "reverse", "litmus", "lbr", "lbr_search", "matches")
OPTIONAL = ("baselines_search",)
HEADS_UP = ("lbr", "lbr_search")
WITH_SEARCH = ("baselines_search", "lbr_search")


@dataclass(frozen=True)
class Step:
    """One command. `key`: the list of the results that its entries belong to, and `entries` makes them of its JSON.

    same: what an entry of this step says of itself
    hands: as many as were asked for, 0 where there are none
    partial: whether what an interrupted command says is worth keeping, since the next one goes on from there
    statuses: with which the verb ends when it did its work
    """

    part: str
    key: str
    name: str
    words: tuple[str, ...]
    entries: Callable[[Json], Entries]
    same: Json = field(default_factory=dict)
    hands: int = 0
    partial: bool = False
    statuses: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Plan:
    """What is measured: of which run, with how many hands, against whom, and where deals of LBR are kept.

    hands: by `part`, `opponent` (of baselines and reverse) or `part:opponent`, and "" for baselines and reverse
    against: other runs by the name that results have for them
    opponents: the baselines to play against
    seed: which deals
    """

    run: Path
    out: Path
    hands: Mapping[str, int]
    against: Mapping[str, Path]
    seats: int
    num_workers: int = 0
    opponents: tuple[str, ...] = tuple(BASELINES)
    seed: int = 0

    def steps(self, parts: tuple[str, ...]) -> list[Step]:
        """In the order of the parts."""
        makers: dict[str, Callable[[], list[Step]]] = {
            "baselines": lambda: [self._baseline(name) for name in self.opponents],
            "baselines_search": lambda: [self._with_search(name) for name in self.opponents],
            "reverse": lambda: [self._reverse(name) for name in self.opponents],
            "litmus": lambda: [self._litmus()],
            "lbr": lambda: [self._local_best_response("lbr", str(self.run))],
            "lbr_search": lambda: [self._local_best_response("lbr_search", f"search:{self.run}")],
            "matches": lambda: [self._match(name, run) for name, run in self.against.items()],
        }
        return [step for part in parts for step in makers[part]()]

    def hands_of(self, part: str, opponent: str = "") -> int:
        """Hands of a step: what was said most precisely, else the usual number."""
        plain = part in ("baselines", "reverse")
        for name in (f"{part}:{opponent}", opponent if plain else None, part, "" if plain else None):
            if name is not None and name in self.hands:
                return self.hands[name]
        return MANY_SEATS_HANDS if plain and self.seats > 2 else HANDS["baselines" if plain else part]

    def _played(self, hands: int) -> tuple[str, ...]:
        deals = ("--seed", str(self.seed)) if self.seed else ()
        return "--hands", str(hands), "--num-workers", str(self.num_workers), *deals, "--json"

    def _against_baseline(self, part: str, name: str, words: tuple[str, ...], entry: Callable[[Json], Json]) -> Step:
        hands, same = self.hands_of(part, name), {"opponent": name}
        words = *words, *self._played(hands)
        return Step(part, part, name, words, lambda found: [same | entry(found)], same, hands)

    def _baseline(self, name: str) -> Step:
        words = "eval", "--policy", str(self.run), "--opponents", name, "--lbr-hands", "0", "--no-litmus"
        return self._against_baseline("baselines", name, words, lambda found: _rate(found["opponents"][name]))

    def _with_search(self, name: str) -> Step:
        words = "match", f"search:{self.run}", *[name] * (self.seats - 1)
        return self._against_baseline("baselines_search", name, words, _first_with_method)

    def _reverse(self, name: str) -> Step:
        words = "match", name, *[str(self.run)] * (self.seats - 1)
        return self._against_baseline("reverse", name, words, lambda found: _rate(found["agents"][0]))

    def _litmus(self) -> Step:
        words = "litmus", str(self.run), "--json"
        return Step("litmus", "litmus", "checks", words, _litmus_entry, statuses=(0, 1))  # 1 if a check failed

    def _local_best_response(self, part: str, opponent: str) -> Step:
        hands, same = self.hands_of(part), {"search": part in WITH_SEARCH}
        kept = self.out.with_name(f"{self.out.stem}.{part}.json")
        words = "lbr", opponent, "--published", "--out", str(kept), *self._played(hands)
        return Step(part, "lbr", "four settings", words, lambda found: _settings(found, same), same, hands, True)

    def _match(self, name: str, typed: Path) -> Step:
        run = named_run(typed)
        hands, same = self.hands_of("matches", name), {"opponent": name, "note": self._note(run)}
        words = "match", str(self.run), *[str(run)] * (self.seats - 1), *self._played(hands)
        return Step("matches", "matches", name, words, lambda found: [same | _rate(found["agents"][0])], same, hands)

    def _note(self, run: Path) -> str:
        """What tells an opponent from an older one of its name."""
        policy = AveragePolicy.load(run)
        if policy.config.num_players != self.seats:
            raise ConfigError(
                f"{run} is for {policy.config.num_players} seats, and the run that is measured for {self.seats}; "
                "name another --against"
            )
        seated = "" if self.seats == 2 else ", in all other seats"
        return f"{policy.info.iterations:,} iterations{seated}"


def _rate(found: Json) -> Json:
    """bb/100 of an agent; one deal alone has no interval."""
    ends = found["ci95"]
    interval = None if ends is None else round((ends[1] - ends[0]) / 2, 2)
    return {"bb_per_100": round(found["bb_per_100"], 2), "interval": interval, "hands": found["hands"]}


def _first_with_method(found: Json) -> Json:
    return {**_rate(found["agents"][0]), "note": f"with search, {found['method']}"}


def _litmus_entry(found: Json) -> Entries:
    """Checks about spots that the game does not have are not counted."""
    verdicts = {check["name"]: check["verdict"] for check in found["checks"]}
    failed = [name for name, verdict in verdicts.items() if verdict == Verdict.FAILED.value]
    counts = found["counts"]
    judged = len(found["checks"]) - counts[Verdict.LEFT_OUT.value]
    return [{"passed": counts[Verdict.PASSED.value], "checks": judged, "failed": failed}]


def _settings(found: Json, same: Json) -> Entries:
    """Settings of which at least one deal was played."""
    entries = []
    for row in found["settings"]:
        if row["hands"]:
            ends = row["won"]["ci95"]
            interval = None if ends is None else round((ends[1] - ends[0]) / 2, 1)
            figures = {"mbb_per_hand": round(row["won"]["mbb_per_hand"], 1), "interval": interval}
            entries.append({"setting": row["actions"], **same, **figures, "hands": row["hands"]})
    return entries
