"""Files that come with the package: found by their path in the repository or by name, from any folder.

In a checkout they lie where a reader of the repository expects them (`configs/`, `assets/`, `examples/`); a wheel
carries the same folders in `holdem/shipped/`. A file of the working directory always wins.

    PROFILES.find(Path("default"))                             # assets/table_profiles/default.json, here or shipped
    CONFIGS.find(Path("configs/parallel_training.yaml"))       # also where there is no folder configs/
"""

import difflib
import os
from dataclasses import dataclass
from pathlib import Path

import holdem
from holdem.errors import ConfigError
from holdem.util.files.regular import is_there


def shipped_root() -> Path:
    """The folder that holds `configs/` and `assets/`: the checkout, or the package's own copy."""
    package = Path(holdem.__file__).parent
    checkout = package.parents[1]
    return checkout if (checkout / "configs" / "games").is_dir() else package / "shipped"


def models_folder() -> Path:
    """Where the models of the package lie, unless HOLDEM_MODELS names another folder."""
    named = os.environ.get("HOLDEM_MODELS")
    if not named:
        return shipped_root() / "assets" / "models"
    if not Path(named).is_dir():
        raise ConfigError(f"HOLDEM_MODELS names {named}, which is no folder; correct it, or unset it")
    return Path(named)


@dataclass(frozen=True)
class ShippedFolder:
    """Files of one kind. `what` names one in an error, such as `a table profile`."""

    folder: str
    suffix: str
    what: str
    stem: str = "*"
    left_out: str = ""
    """A file of another kind in the same folder."""

    def find(self, typed: Path) -> Path:
        """The file that a user means: a path that is there, a path of the repository, or a name without its suffix."""
        if is_there(typed) and typed.is_file():
            return typed
        folder = Path(self.folder)
        if typed.parent in (Path(), folder):
            names = dict.fromkeys((typed.name, typed.name + self.suffix))
            found = (root / folder / name for root in (Path(), shipped_root()) for name in names)
            for path in found:
                if is_there(path) and path.is_file():
                    return path
        if is_there(typed):
            return typed  # a folder or a pipe: whoever reads it says what is wrong
        raise ConfigError(f"{typed} does not exist; {self._hint(typed)}")

    def names(self) -> list[str]:
        """What can be typed for a shipped file, sorted."""
        return sorted(path.stem for path in self.files())

    def files(self) -> list[Path]:
        """The shipped files, sorted."""
        found = (shipped_root() / self.folder).glob(f"{self.stem}{self.suffix}")
        return sorted(path for path in found if path.is_file() and path.stem != self.left_out)

    def _hint(self, typed: Path) -> str:
        beside = [str(path) for path in sorted(typed.parent.glob(f"*{self.suffix}"))] if is_there(typed.parent) else []
        names = self.names()
        nearest = difflib.get_close_matches(str(typed), [*beside, *names], n=1, cutoff=0.6)
        nearest = nearest or difflib.get_close_matches(typed.stem, names, n=1, cutoff=0.6)
        if nearest:
            return f"did you mean {nearest[0]}?"
        return f"name {self.what} of yours, or a shipped one: {', '.join(names)}"


GAMES = ShippedFolder("configs/games", ".yaml", "a game file")
CONFIGS = ShippedFolder("configs", ".yaml", "a file of settings", left_out="litmus")
LITMUS_CHECKS = ShippedFolder("configs", ".yaml", "a file of litmus checks", stem="litmus")
PROFILES = ShippedFolder("assets/table_profiles", ".json", "a table profile")
BUCKET_SETTINGS = ShippedFolder("assets/abstraction", ".yaml", "a file of bucket settings")
SPOTS = ShippedFolder("assets/spots", ".json", "a file of spots")
EXAMPLES = ShippedFolder("examples", "", "an example")
FOLDERS = (CONFIGS, LITMUS_CHECKS, GAMES, PROFILES, BUCKET_SETTINGS, SPOTS, EXAMPLES)
"""Every kind of file that is shipped."""
