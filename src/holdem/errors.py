"""What can go wrong through no fault of the code, each with a sentence that names the way out.

The command line prints the message of a `HoldemError` on one line and ends with status 2; anything else
is a defect and shows its traceback.
"""


class HoldemError(Exception):
    """A problem that the user can mend; the message is one sentence."""

    exit_status = 2


class CardError(HoldemError, ValueError):
    """Cards, hands or ranges that cannot be: unknown, repeated, too many or too few."""


class ConfigError(HoldemError, ValueError):
    """A configuration value that is unknown, of the wrong kind or out of range."""


class IllegalAction(HoldemError, ValueError):
    """An action that the rules do not allow now."""


class ArtifactError(HoldemError):
    """A file that is missing, damaged, too new, or made for something else."""


class ArtifactMissing(ArtifactError):
    """A file that is not there: whoever can do without it may."""


class WrongKind(ArtifactError):
    """A whole file, and one of another kind: it must not be written over."""


class FolderInUse(HoldemError):
    """A folder into which another run is writing."""


class RunFailed(HoldemError):
    """A run that could not go on through no mistake of the user; what was saved is valid."""

    exit_status = 1


class AgentFailed(RunFailed):
    """An agent of somebody's own that failed at a decision; hands before it count."""
