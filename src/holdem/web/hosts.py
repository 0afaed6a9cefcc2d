"""Names of servers as requests write them: the Host header, the Origin header, and which names are ours.

A page of another site can have its own name point at this machine and then read what we answer (DNS rebinding). The
browser still says which name it asked for, so requests for names that are not ours are refused. An address written in
numbers has no name server behind it that could lie.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from holdem.errors import ConfigError

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
DEFAULT_PORTS = {"http": 80, "https": 443}

_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,62}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,62}[a-z0-9_])?)*\.?")
_NETLOC = re.compile(r"(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9_.-]{1,253}))(?::([0-9]{1,5}))?")


@dataclass(frozen=True)
class Host:
    """A server: its name in small letters, or its address as Python writes it; the port if one is named."""

    name: str
    port: int | None = None

    @classmethod
    def parse(cls, text: str) -> "Host | None":
        """From `name`, `name:8000`, `1.2.3.4` or `[::1]:8000`; None for anything else."""
        match = _NETLOC.fullmatch(text)
        if match is None:
            return None
        port = None if match[3] is None else int(match[3])
        if port is not None and port > 65535:
            return None
        if match[1] is not None:
            address = _address(match[1])
            return cls(address, port) if address is not None and ":" in address else None
        name = match[2].lower()
        if not _NAME.fullmatch(name):
            return None
        return cls(_address(name) or name.removesuffix("."), port)

    @property
    def is_address(self) -> bool:
        """Whether it is written in numbers."""
        return _address(self.name) is not None

    def with_default_port(self, scheme: str) -> "Host":
        """The same, with the port that a scheme means where none is named."""
        return self if self.port is not None else Host(self.name, DEFAULT_PORTS[scheme])


def parse_origin(text: str) -> tuple[str, Host] | None:
    """The scheme and the server of an Origin header; None if it is not one of a web page."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    host = Host.parse(parts.netloc)
    if parts.scheme not in DEFAULT_PORTS or host is None or text.lower() != f"{parts.scheme}://{parts.netloc.lower()}":
        return None
    return parts.scheme, host


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches that address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def own_names(host: str, allowed: Iterable[str] = ()) -> frozenset[str]:
    """The names of a server that listens at `host`; `allowed` are the user's, ConfigError if one is no name."""
    given = [host, *LOOPBACK_NAMES]
    if not is_loopback(host):
        given += [socket.gethostname(), socket.getfqdn()]
    found = {_address(name) or name.lower().removesuffix(".") for name in given}
    for name in allowed:
        parsed = Host.parse(f"[{name}]" if ":" in name and not name.startswith("[") else name)
        if parsed is None or parsed.port is not None:
            raise ConfigError(f"--allow-host {name!r:.100} is not the name of a host; write for example poker.example")
        found.add(parsed.name)
    return frozenset(found)


def _address(text: str) -> str | None:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return None
