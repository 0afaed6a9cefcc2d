"""Results that a report can show, as `holdem eval --out` writes them: anything else is refused before it is drawn."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, FiniteFloat, ValidationError

from holdem.errors import ArtifactError
from holdem.util.files.regular import read_json
from holdem.util.words import shell_command

Interval = tuple[FiniteFloat, FiniteFloat]
Portion = Annotated[float, Field(ge=0.0, le=1.0)]


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


class PositionFigures(BaseModel):
    """How often a position does something, and the band that is wanted."""

    position: str
    found: Portion | None
    low: Portion
    high: Portion


class LitmusCheckFigures(BaseModel):
    """The parts of a check that are drawn."""

    slack: Portion | None = None
    figures: list[PositionFigures] = []
    untrained: list[str] = []


class LitmusFigures(BaseModel):
    """What `holdem litmus` found."""

    counts: dict[str, int]
    checks: list[LitmusCheckFigures]


class ReportResults(BaseModel):
    """Every part may be missing, but not all of them."""

    opponents: dict[str, OpponentFigures] | None = None
    lbr: LocalBestResponseFigures | LossFigures | None = None
    lbr_snapshots: list[SnapshotFigures] | None = None
    litmus: LitmusFigures | None = None
    commands: list[str] | None = None


def read_results(path: Path, run: Path) -> dict[str, Any]:
    """The content of a file of results of a run, or an ArtifactError."""
    again = shell_command("holdem", "eval", "--policy", run, "--out", path)
    try:
        content = read_json(path)
        known = ReportResults.model_validate(content).model_dump(exclude_none=True)
    except FileNotFoundError:
        raise ArtifactError(f"{path} does not exist; make it with: {again}") from None
    except ValidationError:
        known = {}
    except (OSError, ValueError) as error:
        raise ArtifactError(f"{path} cannot be read as JSON ({error}); make it again with: {again}") from None
    if not known:
        raise ArtifactError(f"{path} does not hold the results of an evaluation; make it again with: {again}")
    return dict(content)
