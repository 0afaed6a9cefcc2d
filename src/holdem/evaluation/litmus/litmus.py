"""Litmus checks: whether a strategy is absurd, in poker terms (the idea is robopoker's `litmus`).

They do not measure strength: a policy that passes may still lose, one that fails has something wrong with it that
a person would see at once. Each check is a paragraph of a YAML file (`configs/litmus.yaml`, docs/litmus.md).

    report = run_litmus(AveragePolicy.load("runs/blueprint"))
    report.passed, report.violations
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from holdem.abstraction.bucketing import HandBucketing
from holdem.errors import CardError, ConfigError
from holdem.evaluation.litmus.check import Findings, LitmusCheck
from holdem.evaluation.litmus.file import load_checks
from holdem.evaluation.litmus.spots import PolicySpots
from holdem.policy.policy import AveragePolicy


class Verdict(StrEnum):
    """What became of a check.

    `UNVISITED`: training never came to rows that it is about. `LEFT_OUT`: the game has no such spot.
    """

    PASSED = "passed"
    FAILED = "failed"
    UNVISITED = "never visited"
    LEFT_OUT = "not in this game"


@dataclass(frozen=True)
class CheckResult:
    """One check and what it saw."""

    check: LitmusCheck
    findings: Findings

    @property
    def verdict(self) -> Verdict:
        """Failed with one violation; passed only if something was judged, and nothing was left to training."""
        if self.findings.violations:
            return Verdict.FAILED
        if self.findings.untrained:
            return Verdict.UNVISITED
        if self.findings.closest is not None:
            return Verdict.PASSED
        return Verdict.UNVISITED if self.findings.unvisited and not self.findings.judged else Verdict.LEFT_OUT

    def to_plain(self) -> dict[str, object]:
        """As JSON data."""
        found = self.findings
        return {
            "name": self.check.name,
            "kind": self.check.kind,
            "verdict": self.verdict.value,
            "judged_hands": found.judged,
            "unvisited_hands": found.unvisited,
            "closest": None if found.closest is None else {"found": found.closest[0], "limit": found.closest[1]},
            "violations": [asdict(violation) for violation in found.violations],
            "untrained": found.untrained,
            "slack": getattr(self.check, "slack", None),
            "figures": [asdict(figure) for figure in found.figures],
            "left_out": found.left_out,
            "notes": found.notes,
            "usual_cause": self.check.cause,
        }


@dataclass(frozen=True)
class LitmusReport:
    """All checks that are for this number of players."""

    game: str
    iterations: int
    results: tuple[CheckResult, ...]

    def count(self, verdict: Verdict) -> int:
        """Checks with this verdict."""
        return sum(result.verdict is verdict for result in self.results)

    @property
    def passed(self) -> bool:
        """Nothing absurd was found."""
        return self.count(Verdict.FAILED) == 0

    def to_plain(self) -> dict[str, object]:
        """As JSON data."""
        return {
            "game": self.game,
            "iterations": self.iterations,
            "passed": self.passed,
            "counts": {verdict.value: self.count(verdict) for verdict in Verdict},
            "checks": [result.to_plain() for result in self.results],
        }


def run_litmus(
    policy: AveragePolicy,
    checks: Sequence[LitmusCheck] | None = None,
    bucketing: HandBucketing | None = None,
    progress: Callable[[int], None] | None = None,
) -> LitmusReport:
    """Judge a hold'em policy; `bucketing` with its tables saves the time of computing buckets on each board."""
    config = policy.config
    if config.variant != "holdem":
        raise ConfigError(
            f"litmus checks speak of hold'em hands, and this is a policy of {config.name}; "
            "its exploitability is exact: see the report of the run"
        )
    spots = PolicySpots(policy, bucketing)
    results = []
    for check in checks if checks is not None else load_checks():
        if config.num_players in check.players:
            results.append(_judged(check, spots))
        if progress is not None:
            progress(1)
    if not any(result.findings.closest for result in results):
        untrained = [reason for result in results for reason in result.findings.untrained]
        if untrained:
            raise ConfigError(
                f"none of the checks could judge this policy of {config.name} ({untrained[0]}); train it for longer"
            )
        reasons = [reason for result in results for reason in result.findings.left_out]
        raise ConfigError(
            f"none of the checks could judge this policy of {config.name}"
            + (f" ({reasons[0]})" if reasons else "")
            + "; write checks for its spots, see docs/litmus.md"
        )
    return LitmusReport(config.name, policy.info.iterations, tuple(results))


def _judged(check: LitmusCheck, spots: PolicySpots) -> CheckResult:
    try:
        return CheckResult(check, check.judge(spots))
    except (CardError, ConfigError) as error:
        raise ConfigError(f"check {check.name!r}: {error}") from None
