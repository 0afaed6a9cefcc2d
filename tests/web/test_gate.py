"""Who is let in, over real sockets: hosts, origins and tokens, on every route and on the websocket."""

import http.client
import json
import socket
from collections.abc import Iterator

import pytest
from websockets.exceptions import InvalidStatus

from holdem.errors import ConfigError
from holdem.web.app import PAGES
from holdem.web.server import chosen_token, link_of
from tests.web.pages import Served, jam_or_fold_table, served

ROUTES = [*PAGES, "/data/policies", "/data/strategy?policy=jam", "/data/runs", "/data/curves?run=x",
          "/data/exploitability?run=x", "/data/line_spot?policy=jam&line=", "/data/solve/token/solve", "/data/table",
          "/data/histories", "/static/widgets/cards.js", "/nothing"]  # fmt: skip
SOCKETS = ["/play", "/solve", "/review"]
SECRET = "a b&c=d/ä?"
"""A token of a user's own; it has to be written differently in a link."""
UPGRADE = {
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("local")
    with served(jam_or_fold_table(folder), folder, allowed=["poker.example"]) as running:
        yield running


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Guarded as one that all networks reach; it listens on this machine only."""
    folder = tmp_path_factory.mktemp("public")
    with served(jam_or_fold_table(folder), folder, host="0.0.0.0", token=SECRET) as running:
        yield running


def ask(
    server: Served, path: str, *headers: tuple[str, str], method: str = "GET"
) -> tuple[int, http.client.HTTPMessage, str]:
    """One request with these headers and no others."""
    host, _, port = server.address.removeprefix("http://").partition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=60)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value.encode())
    connection.endheaders()
    response = connection.getresponse()
    found = response.status, response.headers, response.read().decode()
    connection.close()
    return found


def upgrade(server: Served, *headers: tuple[str, str], path: str = "/play") -> tuple[int, str]:
    """The refusal of a websocket."""
    status, _, text = ask(server, path, *UPGRADE.items(), *headers)
    return status, text


def accepted(server: Served, *headers: tuple[str, str], path: str = "/play") -> bool:
    """Whether a websocket opens: the answer's first line alone, since what follows has no end."""
    host, _, port = server.address.removeprefix("http://").partition(":")
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in (*UPGRADE.items(), *headers)), "", ""]
    with socket.create_connection((host, int(port)), timeout=60) as raw:
        raw.sendall("\r\n".join(lines).encode())
        return raw.recv(100).startswith(b"HTTP/1.1 101 ")


def own_host(server: Served) -> str:
    return server.address.removeprefix("http://")


def sentence(text: str) -> str:
    content = json.loads(text)
    assert list(content) == ["error"]
    assert "\n" not in content["error"] and len(content["error"]) < 300
    return str(content["error"])


@pytest.mark.parametrize("path", ROUTES)
def test_a_name_that_is_not_ours_gets_nothing_anywhere(local: Served, public: Served, path: str) -> None:
    for server in (local, public):
        for host in ("evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example"):
            status, headers, text = ask(server, path, ("Host", host))
            assert status == 403
            assert "is not a name of this server" in sentence(text)
            assert headers["X-Content-Type-Options"] == "nosniff"
            for socket_path in SOCKETS:
                assert upgrade(server, ("Host", host), path=socket_path)[0] == 403


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "localhost.", "127.0.0.1", "[::1]", "[0:0::1]:80", "Poker.Example:443"]
)
def test_our_own_names(local: Served, host: str) -> None:
    assert ask(local, "/data/runs", ("Host", host))[0] == 200
    assert accepted(local, ("Host", host))


@pytest.mark.parametrize("host", ["192.0.2.7", "127.0.0.2", "[2001:db8::1]:8000"])
def test_addresses_in_numbers_pass_only_where_the_server_has_such(local: Served, public: Served, host: str) -> None:
    assert ask(local, "/", ("Host", host))[0] == 403
    assert "token" in sentence(ask(public, "/", ("Host", host))[2])  # the host passed, and the token is missing
    assert "token" in sentence(ask(public, "/", ("Host", socket.gethostname()))[2])


@pytest.mark.parametrize("host", ["", ":80", "a:b", "[::1", "a b", "a/b", "localhost:99999", "ä", "localhost,evil"])
def test_a_host_that_is_none_is_a_sentence(local: Served, host: str) -> None:
    status, _, text = ask(local, "/", ("Host", host))
    assert status == 400
    assert upgrade(local, ("Host", host))[0] == 400
    if text.startswith("{"):  # the parser of the server may be quicker
        assert "Host" in sentence(text)


def test_two_hosts_or_none_are_refused(local: Served) -> None:
    assert ask(local, "/", ("Host", "localhost"), ("Host", "evil.example"))[0] == 400
    assert ask(local, "/")[0] == 400


@pytest.mark.parametrize("origin", ["http://[", "http://a:b", "http://", "x", "http://a/b", "http://[::1", "ä", ""])
def test_an_origin_that_is_none_is_a_400(local: Served, origin: str, caplog: pytest.LogCaptureFixture) -> None:
    host = ("Host", own_host(local))
    status, text = upgrade(local, host, ("Origin", origin))
    assert status == 400
    assert "Origin" in sentence(text)
    assert ask(local, "/", host, ("Origin", origin))[0] == 400
    assert not caplog.records  # no traceback


@pytest.mark.parametrize("path", SOCKETS)
def test_a_websocket_is_for_pages_of_this_server(local: Served, path: str) -> None:
    host = ("Host", own_host(local))
    port = own_host(local).partition(":")[2]
    for origin in ("http://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", f"http://localhost:{port}", "null"):
        status, text = upgrade(local, host, ("Origin", origin), path=path)
        assert status == 403
        assert "may not play here" in sentence(text)
        assert ask(local, "/data/runs", host, ("Origin", origin))[0] == 200  # no browser shows that to another page
    for site, status in {"cross-site": 403, "same-site": 403, "same-origin": 200, "none": 200}.items():
        assert ask(local, "/data/runs", host, ("Sec-Fetch-Site", site))[0] == status  # as a browser asks for a picture
        assert ask(local, "/", host, ("Sec-Fetch-Site", site))[0] == 200, "links from elsewhere work"
    assert accepted(local, host, path=path)
    assert accepted(local, host, ("Origin", local.address), path=path)
    assert accepted(local, ("Host", "Poker.example"), ("Origin", "http://poker.example:80"), path=path)
    assert accepted(local, ("Host", "poker.example"), ("Origin", "https://poker.example"), path=path)


def post(server: Served, path: str, *headers: tuple[str, str]) -> tuple[int, str]:
    host, _, port = server.address.removeprefix("http://").partition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=60)
    connection.request("POST", path, b'{"text": "AA"}', dict(headers))
    response = connection.getresponse()
    found = response.status, response.read().decode()
    connection.close()
    return found


def test_what_is_sent_comes_from_pages_of_this_server(local: Served, public: Served) -> None:
    """Browsers let any page send a form anywhere; only the answer is kept from it."""
    for path in ("/data/range", "/data/solve/upload"):
        for origin in ("http://evil.example", "http://127.0.0.1:1", "null"):
            status, text = post(local, path, ("Origin", origin))
            assert status == 403
            assert "may not play here" in sentence(text)
        assert post(local, path, ("Host", "evil.example"))[0] == 403
        assert post(public, path)[0] == 403
    assert post(local, "/data/range", ("Origin", local.address))[0] == 200
    assert post(local, "/data/range")[0] == 200


@pytest.mark.parametrize("path", ROUTES)
def test_without_the_token_nothing_is_given_out(public: Served, path: str) -> None:
    host = ("Host", own_host(public))
    joint = "&" if "?" in path else "?"
    for asked in (path, f"{path}{joint}token=", f"{path}{joint}token=wrong", f"{path}{joint}token=%FF%00"):
        for cookie in ("", "holdem_token=x", f"holdem_token_{own_host(public).partition(':')[2]}=x; =;;,\\"):
            status, headers, text = ask(public, asked, host, ("Cookie", cookie))
            assert status == 403
            assert "this needs the token" in sentence(text)
            assert headers["Set-Cookie"] is None
    for socket_path in SOCKETS:
        assert upgrade(public, host, path=socket_path)[0] == 403


def test_the_link_becomes_a_cookie_and_the_cookie_opens_everything(public: Served) -> None:
    host = ("Host", own_host(public))
    link = link_of("", SECRET)
    status, headers, _ = ask(public, f"/strategy{link.removeprefix('/')}&policy=jam&line=", host)
    assert (status, headers["Location"]) == (303, "/strategy?policy=jam&line=")
    assert headers["Referrer-Policy"] == "no-referrer"
    pair, *attributes = headers["Set-Cookie"].split("; ")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(attributes)
    assert SECRET not in pair
    assert "Secure" not in attributes
    behind_tls = ask(public, link, host, ("X-Forwarded-Proto", "https"))[1]["Set-Cookie"]
    assert behind_tls.endswith("; Secure")
    cookie = ("Cookie", f"other=1; bad={{}}; {pair}")
    for path in ROUTES:
        assert ask(public, path, host, cookie)[0] != 403
    assert ask(public, "/", host, cookie)[0] == 200
    for socket_path in SOCKETS:
        assert accepted(public, host, cookie, ("Origin", public.address), path=socket_path)
        assert upgrade(public, host, cookie, ("Origin", "http://evil.example"), path=socket_path)[0] == 403
    # Scripts have no cookies: what they ask for, they get with the token in the link.
    assert ask(public, "/data/runs" + link.removeprefix("/"), host)[0] == 200
    assert accepted(public, host, path="/play" + link.removeprefix("/"))


def test_the_way_to_the_page_leads_to_no_other_server(public: Served) -> None:
    query = link_of("", SECRET).removeprefix("/")
    for path in ("//evil.example/", "/%2Fevil.example", "/\\evil.example", "/%5Cevil.example"):
        status, headers, _ = ask(public, path + query, ("Host", own_host(public)))
        assert status == 303
        assert headers["Location"].startswith("/evil.example")


def test_a_page_with_a_cookie_plays(public: Served) -> None:
    with pytest.raises(InvalidStatus, match="403"), public.page():
        pass
    headers = ask(public, link_of("", SECRET), ("Host", own_host(public)))[1]
    with public.page(additional_headers={"Cookie": headers["Set-Cookie"].split(";")[0]}) as page:
        assert page.next()["type"] == "welcome"


def test_which_tokens_there_are() -> None:
    assert chosen_token("127.0.0.1", None) is None
    assert chosen_token("127.0.0.1", "long enough") == "long enough"
    first, second = chosen_token("0.0.0.0", None), chosen_token("0.0.0.0", None)
    assert first != second
    for short in ("", "1234567"):
        with pytest.raises(ConfigError, match="--token has"):
            chosen_token("0.0.0.0", short)
