"""Results that a report can show, as `holdem eval --out` writes them: anything else is refused before it is drawn."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, FiniteFloat, ValidationError

from holdem.errors import ArtifactError
from holdem.util.files.regular import read_json

Interval = tuple[FiniteFloat, FiniteFloat]


class OpponentFigures(BaseModel):
    """Against one opponent."""

    hands: int
    bb_per_100: FiniteFloat
    ci95: Interval | None = None
    method: str = ""


class LossFigures(BaseModel):
    """What is lost to local best response."""

    mbb_per_hand: FiniteFloat
    ci95: Interval | None = None


class LocalBestResponseFigures(BaseModel):
    """In all and by position."""

    won: LossFigures
    in_big_blind: LossFigures | None = None
    on_button: LossFigures | None = None
    as_dealt: LossFigures | None = None
    hands: int = 0
    menus: dict[str, str] = {}


class SnapshotFigures(LossFigures):
    """The same of one snapshot of a run."""

    iterations: int
    hands: int
    seconds: FiniteFloat | None = None


class LitmusFigures(BaseModel):
    """What `holdem litmus` found."""

    counts: dict[str, int]
    checks: list[dict[str, Any]]


class ReportResults(BaseModel):
    """Every part may be missing, but not all of them."""

    opponents: dict[str, OpponentFigures] | None = None
    lbr: LocalBestResponseFigures | LossFigures | None = None
    lbr_snapshots: list[SnapshotFigures] | None = None
    litmus: LitmusFigures | None = None
    commands: list[str] | None = None


def read_results(path: Path) -> dict[str, Any]:
    """The content of a file of results, or an ArtifactError."""
    try:
        content = read_json(path)
        known = ReportResults.model_validate(content).model_dump(exclude_none=True)
    except FileNotFoundError:
        raise ArtifactError(f"{path} does not exist; make it with: holdem eval --policy RUN --out {path}") from None
    except ValidationError:
        known = {}
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{path} cannot be read as JSON ({error}); make it again with holdem eval") from None
    if not known:
        raise ArtifactError(f"{path} does not hold the results of an evaluation; make it again with holdem eval")
    return dict(content)
