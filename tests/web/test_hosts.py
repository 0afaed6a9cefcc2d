"""Names of servers: what a Host or Origin header may look like, and what it means."""

import pytest

from holdem.errors import ConfigError
from holdem.web.hosts import Host, own_names, parse_origin


@pytest.mark.parametrize(
    ("text", "name", "port"),
    [
        ("localhost", "localhost", None),
        ("LocalHost:8000", "localhost", 8000),
        ("localhost.", "localhost", None),
        ("127.0.0.1:80", "127.0.0.1", 80),
        ("[::1]", "::1", None),
        ("[0:0:0:0:0:0:0:1]:65535", "::1", 65535),
        ("[2001:DB8::1]:9", "2001:db8::1", 9),
        ("my_machine.example-site.org:1", "my_machine.example-site.org", 1),
    ],
)
def test_hosts(text: str, name: str, port: int | None) -> None:
    assert Host.parse(text) == Host(name, port)


@pytest.mark.parametrize(
    "text",
    ["", ":8000", "a:", "a:b", "a:-1", "a:65536", "a:999999", "a b", "a/b", "a@b", "user:pass@a", "[::1", "::1", "[]",
     "[a]", "[127.0.0.1]", "[::1]x", "[::1%25eth0]", "a..b", ".a", "-a", "a-", "é", "a\n", "a,b", "*", "a:8 0", "a:٣"],
)  # fmt: skip
def test_what_is_no_host(text: str) -> None:
    assert Host.parse(text) is None


@pytest.mark.parametrize(
    "text",
    ["", "null", "http://", "http://[", "http://[::1", "http://a:b", "http://a:99999", "//a", "a", "file:///etc/passwd",
     "http://a/", "http://a/path", "http://a?x", "http://a#x", "http://u:p@a", "ftp://a", "http://a http://b",
     "http:a"],
)  # fmt: skip
def test_what_is_no_origin(text: str) -> None:
    assert parse_origin(text) is None


def test_origins() -> None:
    assert parse_origin("http://LOCALHOST:8000") == ("http", Host("localhost", 8000))
    assert parse_origin("https://[::1]") == ("https", Host("::1"))


def test_own_names() -> None:
    assert own_names("127.0.0.1") == {"localhost", "127.0.0.1", "::1"}
    assert own_names("127.0.0.2", ["Poker.Example", "[::2]"]) >= {"127.0.0.2", "poker.example", "::2"}
    assert own_names("0.0.0.0") > own_names("127.0.0.1")  # and the names of the machine
    for name in ("http://a", "a:80", "*", "", "a/b"):
        with pytest.raises(ConfigError, match="--allow-host"):
            own_names("127.0.0.1", [name])
