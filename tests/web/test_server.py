"""Addresses: what can be listened at, what a browser is told, and under which names pages are given out."""

import pytest

from holdem.errors import ConfigError
from holdem.web.hosts import is_loopback
from holdem.web.server import address_of, chosen_token, listen


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("127.0.0.2", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False)],
)
def test_which_hosts_are_only_this_machine(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
    token = chosen_token(host, None)
    assert (token is None) is loopback
    assert token is None or len(token) >= 32  # 24 random bytes


def test_a_free_port_and_its_address() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert address_of(listener) == f"http://127.0.0.1:{port}"
        with pytest.raises(ConfigError, match=f"port {port} of 127.0.0.1 is in use"):
            listen("127.0.0.1", port)
    with listen("0.0.0.0", 0) as listener:
        assert address_of(listener).startswith("http://localhost:")


def test_hosts_that_are_not_here() -> None:
    with pytest.raises(ConfigError, match="is not an address of any machine"):
        listen("no.such.host.invalid", 0)
    with pytest.raises(ConfigError, match="is not an address of this machine"):
        listen("192.0.2.1", 0)  # reserved for documents
