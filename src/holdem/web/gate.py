"""Who is let in, before anything else looks at a request: the right host, the right page, the right token.

- The Host header must be a name of this server, so that no other site can pose as it (`hosts`).
- A websocket of a page, whatever a page sends, and the data that it asks for must come from a page of this server:
  browsers let any page open a websocket anywhere, send forms, and ask for data as if it were a picture.
- Where others than this machine reach the port, there is a token. It is in the link that the server prints; the first
  visit moves it into a cookie that scripts and other sites cannot use, and the link loses it.

A refusal is one sentence. All answers, refusals too, get the same headers.
"""

import hashlib
import hmac
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from holdem.web.hosts import Host, parse_origin

TOKEN = "token"
"""The name of the token in a link."""
HEADERS = {
    # Nothing from elsewhere is loaded, nothing in a page is a script, and no other page may frame this one.
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


OTHER_SITES = ("cross-site", "same-site")
"""What browsers say of requests for pages of other sites, also where they send no Origin, as for pictures."""
READING = ("GET", "HEAD", "OPTIONS")
"""Methods of requests that send nothing."""


class Refused(Exception):
    """One sentence, and the status that goes with it."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Gate:
    """An ASGI application around another."""

    def __init__(
        self,
        app: ASGIApp,
        names: frozenset[str],
        *,
        any_address: bool = False,
        token: str | None = None,
        cookie: str = "holdem_token",
    ) -> None:
        """`names`: those of this server; `any_address`: hosts in numbers pass too; `cookie`: that of the token."""
        self.app, self.names, self.any_address, self.cookie = app, names, any_address, cookie
        self._token = None if token is None else _digest(token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        send = _with_headers(send) if scope["type"] == "http" else send
        try:
            answer = self._look(scope)
        except Refused as refused:
            answer = JSONResponse({"error": str(refused)}, status_code=refused.status)
        if answer is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await answer(scope, receive, send)
        else:
            await WebSocket(scope, receive, send).send_denial_response(answer)

    def _look(self, scope: Scope) -> Response | None:
        """None if the request may pass; Refused, or the way to the link without the token."""
        headers = Headers(scope=scope)
        host = self._host(headers)
        if scope["path"].startswith("/data/") and headers.get("sec-fetch-site") in OTHER_SITES:
            raise Refused(403, "pages of other sites may not ask for this")
        self._check_origin(headers, host, scope["type"] == "websocket" or scope["method"] not in READING)
        if self._token is None:
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in query if name == TOKEN]
        in_link = any(hmac.compare_digest(_digest(value), self._token) for value in given)
        if not in_link and not self._in_cookie(headers):
            raise Refused(403, "this needs the token: open the whole link that the server printed, ?token=... included")
        if not in_link or scope["type"] == "websocket" or scope["path"].startswith(("/data/", "/static/")):
            return None
        return self._without_token(scope, [pair for pair in query if pair[0] != TOKEN])

    def _host(self, headers: Headers) -> Host:
        given = headers.getlist("host")
        host = Host.parse(given[0]) if len(given) == 1 else None
        if host is None:
            raise Refused(400, "the Host header is not the name of a server; type the address again")
        if host.name not in self.names and not (self.any_address and host.is_address):
            raise Refused(403, f"{host.name:.100} is not a name of this server; allow it with --allow-host")
        return host

    def _check_origin(self, headers: Headers, host: Host, own_only: bool) -> None:
        given = headers.getlist("origin")
        if not given:
            return  # not a browser
        if given == ["null"]:
            if own_only:
                raise Refused(403, "a page without an address of its own may not play here")
            return
        origin = parse_origin(given[0]) if len(given) == 1 else None
        if origin is None:
            raise Refused(400, "the Origin header is not the address of a web page; reload the page")
        scheme, page = origin
        if own_only and page.with_default_port(scheme) != host.with_default_port(scheme):
            raise Refused(403, f"pages of {page.name:.100} may not play here")

    def _in_cookie(self, headers: Headers) -> bool:
        assert self._token is not None
        kept = cookie_parser("; ".join(headers.getlist("cookie"))).get(self.cookie, "")
        return hmac.compare_digest(kept.encode(), self._token)

    def _without_token(self, scope: Scope, query: list[tuple[str, str]]) -> Response:
        """Store the token, and on to the same page without it."""
        assert self._token is not None
        # Only the path: with two slashes at its beginning it would be the address of another server.
        path = "/" + quote(scope["path"].lstrip("/\\"))
        answer = RedirectResponse(path + (f"?{urlencode(query)}" if query else ""), status_code=303)
        behind_tls = scope["scheme"] == "https"  # as a proxy on this machine says it
        answer.set_cookie(
            self.cookie, self._token.decode(), httponly=True, samesite="strict", path="/", secure=behind_tls
        )
        return answer


def _digest(token: str) -> bytes:
    """What is compared and kept in cookies in place of the token: of one length, and of letters that all may carry."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest().encode()


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sending
