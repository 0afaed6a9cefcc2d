"""The litmus checks of a report."""

from collections.abc import Mapping
from typing import Any

from holdem.evaluation.report import page as html

KINDS = {"passed": "good", "failed": "bad", "never visited": "warn", "not in this game": "warn"}


def litmus_section(litmus: Mapping[str, Any] | None) -> str:
    """What `holdem litmus` found; nothing where it was not asked."""
    if not litmus:
        return ""
    rows = [
        [check["name"], _verdict(check), f"{check['judged_hands']:,}", _closest(check)] for check in litmus["checks"]
    ]
    violations = [
        [check["name"], found["where"], found["what"], check["usual_cause"]]
        for check in litmus["checks"]
        for found in check["violations"]
    ]
    parts = [
        html.paragraph(
            "Does the strategy make sense in poker terms? Passing proves no strength; failing is a sign of a fault."
        ),
        html.table(("check", "verdict", "hands judged", "closest figure, limit"), rows, numbers=(2, 3)),
    ]
    untrained = [[check["name"], place] for check in litmus["checks"] for place in check.get("untrained") or []]
    if untrained:
        parts.append(html.table(("not judged", "where training came too rarely"), untrained))
    if violations:
        parts.append(html.table(("violation of", "where", "how much", "usual cause"), violations))
    return html.section("Litmus checks", *parts)


def _verdict(check: Mapping[str, Any]) -> str:
    return html.coloured(check["verdict"], KINDS.get(check["verdict"], "warn"))


def _closest(check: Mapping[str, Any]) -> str:
    closest = check.get("closest")
    return "–" if not closest else f"{closest['found']:.3g}, {closest['limit']:.3g}"
