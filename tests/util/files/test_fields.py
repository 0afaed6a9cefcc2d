"""Types of what a file holds: strict, and wrong ones are said in a few words."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from holdem.util.files.fields import Count, FieldError, JsonObject, checked_fields, plain_json


@dataclass(frozen=True)
class Thing:
    count: Count
    share: float
    data: JsonObject
    names: list[str]
    note: str | None = None


GOOD: dict[str, Any] = {"count": 3, "share": 1, "data": {"a": (1, np.float32(2.5))}, "names": ["x"], "other": object()}


def test_fields_of_their_types() -> None:
    assert checked_fields(Thing, GOOD) == Thing(3, 1.0, {"a": [1, 2.5]}, ["x"])


@pytest.mark.parametrize(
    ("name", "value"),
    [("count", True), ("count", "3"), ("count", -1), ("count", 2**63), ("count", 3.0), ("count", np.arange(1)),
     ("share", "1"), ("share", float("nan")), ("share", None), ("data", []), ("data", {"a": np.arange(2)}),
     ("data", {"a": b"x"}), ("names", "x"), ("names", [1]), ("names", {"x": 1}), ("note", 5)],
)  # fmt: skip
def test_wrong_types_are_named(name: str, value: object) -> None:
    with pytest.raises(FieldError, match=f"has a wrong '{name}") as refusal:
        checked_fields(Thing, {**GOOD, name: value})
    assert "\n" not in str(refusal.value)


def test_missing_fields_and_no_fields() -> None:
    with pytest.raises(FieldError, match="has no 'names'"):
        checked_fields(Thing, {name: value for name, value in GOOD.items() if name != "names"})
    with pytest.raises(FieldError, match="in place of fields"):
        checked_fields(Thing, [1])


def test_json_that_is_nested_too_deep() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(FieldError, match="too deep"):
        checked_fields(Thing, {**GOOD, "data": {"a": deep}})
    assert plain_json({"a": (None, np.int64(5))}) == {"a": [None, 5]}


@pytest.mark.parametrize("number", [float("nan"), float("inf"), np.float64("-inf")])
def test_what_json_has_no_number_for_is_refused(number: float) -> None:
    with pytest.raises(FieldError, match=r"'data.* is no number that JSON has"):
        checked_fields(Thing, {**GOOD, "data": {"deep": [{"down": number}]}})
