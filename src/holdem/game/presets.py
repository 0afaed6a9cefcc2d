"""Games by name: one YAML file each, whose keys are the fields of `GameConfig`.

They live in `configs/games/`, and a wheel brings them along (`holdem.util.shipped`).
"""

import difflib
from pathlib import Path

from holdem.errors import ConfigError
from holdem.types import GameConfig
from holdem.util.configs import check_config, read_yaml
from holdem.util.shipped import GAMES, shipped_root

PRESET_BY_PLAYERS = {
    2: "headsup_100bb",
    3: "threemax_100bb",
    4: "fourmax_100bb",
    5: "fivemax_100bb",
    6: "sixmax_100bb",
}
"""The hold'em game for each number of players."""


def preset_names() -> list[str]:
    """The names that `load_preset` knows, sorted."""
    return GAMES.names()


def load_preset(name: str) -> GameConfig:
    """The game of that name."""
    names = preset_names()
    if name not in names:
        nearest = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
        hint = f"did you mean {nearest[0]}? " if nearest else ""
        raise ConfigError(f"there is no game {name!r}; {hint}known games: {', '.join(names)}")
    return load_game_file(shipped_root() / GAMES.folder / f"{name}.yaml")


def load_game_file(path: Path) -> GameConfig:
    """The game in a YAML file; its name is the file's unless the file gives one."""
    return check_config(GameConfig, {"name": path.stem, **read_yaml(path)}, source=path.name)


def load_game(name_or_path: str | Path) -> GameConfig:
    """A preset's name, or the path of a YAML file (it has a folder or ends in .yaml)."""
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml") or len(path.parts) > 1:
        return load_game_file(GAMES.find(path))
    return load_preset(str(name_or_path))
