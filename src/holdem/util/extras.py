"""What is not installed with the core: whoever needs more than it says so before the work begins, with the command."""

from importlib.util import find_spec

from holdem.errors import ConfigError

EXTRAS = {"matplotlib": "report", "tensorboard": "tensorboard", "ray": "cluster"}
"""Module, which is also the name of its distribution → the extra of this package that brings it."""


def is_installed(module: str) -> bool:
    """Whether a module can be imported, without importing it."""
    return find_spec(module) is not None


def require(module: str, what: str) -> None:
    """Refuse `what` in one sentence if the module of an extra is not installed."""
    if not is_installed(module):
        raise ConfigError(f"{what} needs the extra {EXTRAS[module]!r}; install it with: pip install {module}")
