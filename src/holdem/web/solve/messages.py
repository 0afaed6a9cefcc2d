"""What a Solve page may say, checked to the letter before anybody acts on it."""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from holdem.errors import ConfigError

LONGEST_MESSAGE = 65_536
"""Letters; two ranges of single combinations with weights take half of it."""
LONGEST_SOLVE_SECONDS = 3_600.0
LONGEST_SENTENCE = 500
NOT_UNDERSTOOD = (
    'a message is {"type": "start", "request": 1, "spot": {...}} or so, and this one is not; nothing was done'
)

Plain = dict[str, Any]
HandsKind = Literal["exact", "groups"]
Target = Annotated[float, Field(ge=0.0, le=100.0, allow_inf_nan=False)]
Seconds = Annotated[float, Field(gt=0.0, le=LONGEST_SOLVE_SECONDS, allow_inf_nan=False)]
PathText = Annotated[str, Field(max_length=2_000)]


class Asked(BaseModel):
    """`request`: a number that the answer repeats."""

    model_config = ConfigDict(strict=True, extra="forbid")

    request: int = Field(ge=0, le=1 << 53)


class EstimateAsked(Asked):
    """What a solve would take."""

    type: Literal["estimate"]
    spot: Plain
    hands: HandsKind = "exact"
    target: Target | None = None


class StartAsked(Asked):
    """Solve a spot; what was solved before is forgotten."""

    type: Literal["start"]
    spot: Plain
    hands: HandsKind = "exact"
    target: Target | None = None
    seconds: Seconds | None = None


class StopAsked(Asked):
    """Pause."""

    type: Literal["stop"]


class GoOnAsked(Asked):
    """Solve on."""

    type: Literal["go_on"]
    target: Target | None = None
    seconds: Seconds | None = None


class NodeAsked(Asked):
    """Everything about one node."""

    type: Literal["node"]
    path: PathText = ""


class NextSpotAsked(Asked):
    """The spot that begins with the last card of a path, with both ranges as they get there."""

    type: Literal["next_spot"]
    path: PathText


class SaveAsked(Asked):
    """The file of `holdem solve --save`."""

    type: Literal["save"]


class CsvAsked(Asked):
    """One node as a table."""

    type: Literal["csv"]
    path: PathText = ""


class OpenAsked(Asked):
    """Go on from a file that was uploaded."""

    type: Literal["open"]
    upload: str = Field(max_length=64)


PageMessage = (
    EstimateAsked | StartAsked | StopAsked | GoOnAsked | NodeAsked | NextSpotAsked | SaveAsked | CsvAsked | OpenAsked
)
_READER: TypeAdapter[PageMessage] = TypeAdapter(Annotated[PageMessage, Field(discriminator="type")])


def read_message(text: str | None) -> PageMessage:
    """A message of a page, or a ConfigError with one sentence."""
    if not text or len(text) > LONGEST_MESSAGE:
        raise ConfigError(NOT_UNDERSTOOD)
    return read_checked(text)


def read_checked(text: str) -> PageMessage:
    """A message that was read before and written anew, by which it may have grown: 1e15 becomes 1000000000000000.0."""
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = str(first["loc"][-1]) if len(first["loc"]) > 1 else ""
        if not field or field.startswith("function") or first["type"] in ("json_invalid", "union_tag_invalid"):
            raise ConfigError(NOT_UNDERSTOOD) from None
        raise ConfigError(f"{field:.40}: {first['msg']:.150}; nothing was done") from None


def request_of(text: str | None) -> int | None:
    """The number of a message that was not understood, if it has one."""
    try:
        content = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    number = content.get("request") if isinstance(content, dict) else None
    return number if type(number) is int and 0 <= number <= 1 << 53 else None


def refusal(request: int | None, sentence: str, solved: bool | None = None) -> Plain:
    """One sentence with the way out; `solved`, where it is known: whether what was solved before is still there."""
    refused: Plain = {"type": "refused", "request": request, "text": sentence[:LONGEST_SENTENCE]}
    return refused if solved is None else {**refused, "solved": solved}


def as_text(message: Plain) -> str:
    """A message as it travels; numbers that JSON does not have are a defect."""
    return json.dumps(message, allow_nan=False, separators=(",", ":"))
