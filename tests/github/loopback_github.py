"""A small stateful GitHub on the loopback address, which can fail on purpose.

Every request and response is checked against GitHub's published description where that is at hand.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from loopback_description import OPERATIONS, Description
from loopback_graphql import answer_query
from loopback_repository import BOT, Pull, RefusalError, Repository
from loopback_routes import ROUTES, Answer, Asked

TOKENS = {"bot-token": True, "read-only-token": False}
"""Tokens of the bot's, and whether they may write."""

_TEMPLATES = [
    (
        template,
        re.compile(
            re.sub(r"\{[a-z_]+\}", "([^/]+)", template).replace("/contents/([^/]+)", "/contents/(.+)")
        ),
    )
    for template in OPERATIONS
]


@dataclass
class Fault:
    """Something that goes wrong with a matching request."""

    kind: str
    """``before`` / ``after``: status without / after carrying it out; ``drop``: carried out, connection closed;
    ``lose``: one comment of a review gets lost; ``slow``; ``act``: ``action`` is called first."""
    verb: str = "POST"
    path: str = "/reviews$"
    status: int = 502
    message: str = "Bad Gateway"
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 1
    action: Callable[[], None] = lambda: None

    def matches(self, verb: str, path: str) -> bool:
        return self.times > 0 and verb == self.verb and re.search(self.path, path) is not None


@dataclass(frozen=True)
class Logged:
    """A request that was made, and the status of its answer."""

    verb: str
    path: str
    body: Any
    status: int


class LoopbackGitHub:
    """The server; a context manager."""

    def __init__(self, description: Description | None) -> None:
        self.description = description
        self.repository = Repository()
        self.faults: list[Fault] = []
        self.bad_lines: set[tuple[str, int]] = set()
        """Places that GitHub refuses although its diff shows them."""
        self.log: list[Logged] = []
        self.problems: list[str] = []
        """What was wrong with requests or answers."""
        self.lock = threading.RLock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> LoopbackGitHub:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def reset(self) -> None:
        """A fresh repository without faults."""
        with self.lock:
            self.repository = Repository()
            self.faults, self.log, self.problems, self.bad_lines = [], [], [], set()

    def requests(self, verb: str, path: str) -> list[Logged]:
        """The requests made so far to paths that match."""
        return [item for item in self.log if item.verb == verb and re.search(path, item.path)]

    def pull(self, number: int = 1) -> Pull:
        return self.repository.pulls[number]

    def respond(self, verb: str, url: str, token: str, raw: bytes) -> tuple[int, dict[str, str], Any, bool]:
        """Status, headers, JSON, and whether the connection is closed without an answer."""
        parts = urlsplit(url)
        path, query = parts.path, dict(parse_qsl(parts.query))
        body = json.loads(raw) if raw else None
        with self.lock:
            fault = next((item for item in self.faults if item.matches(verb, path)), None)
            if fault is not None:
                fault.times -= 1
                if fault.kind == "act":
                    fault.action()
                if fault.kind == "before":
                    self.log.append(Logged(verb, path, body, fault.status))
                    return fault.status, fault.headers, {"message": fault.message}, False
            status, headers, answer = self._carried_out(verb, path, query, token, body, fault)
            self.log.append(Logged(verb, path, body, status))
        if fault is not None and fault.kind == "slow":
            time.sleep(0.4)
        if fault is not None and fault.kind == "after":
            return fault.status, fault.headers, {"message": fault.message}, False
        return status, headers, answer, fault is not None and fault.kind in ("drop", "slow")

    def _carried_out(
        self, verb: str, path: str, query: dict[str, str], token: str, body: Any, fault: Fault | None
    ) -> tuple[int, dict[str, str], Any]:
        try:
            if token not in TOKENS:
                raise RefusalError(401, "Bad credentials")
            if path == "/graphql":
                return 200, {}, answer_query(self.repository, body, BOT, TOKENS[token])
            template, names = self._template(path)
            problem = self._request_problem(verb.lower(), template, query, body)
            if problem is not None:
                self.problems.append(f"{verb} {path}: {problem}")
                raise RefusalError(422, "Validation Failed", [problem])
            if verb != "GET" and not TOKENS[token]:
                raise RefusalError(403, "Resource not accessible by integration")
            bad = self.bad_lines
            asked = Asked(
                self.repository,
                self.url,
                BOT,
                names,
                query,
                body,
                bad,
                fault is not None and fault.kind == "lose",
            )
            answer = ROUTES[template, verb.lower()](asked)
            return answer.status, answer.headers, self._full(verb.lower(), template, answer)
        except RefusalError as refusal:
            body = {"message": refusal.message, "documentation_url": "https://docs.github.com/rest"}
            if refusal.errors is not None:
                body["errors"] = refusal.errors
            return refusal.status, {}, body
        except AssertionError as error:
            self.problems.append(f"{verb} {path}: {error}")
            return 500, {}, {"message": "the loopback server broke the description"}

    def _template(self, path: str) -> tuple[str, list[str]]:
        for template, pattern in _TEMPLATES:
            found = pattern.fullmatch(path)
            if found is not None:
                names = [unquote(name) for name in found.groups()]
                if f"{names[0]}/{names[1]}" != self.repository.name:
                    raise RefusalError(404, "Not Found")
                return template, names[2:]
        raise RefusalError(404, "Not Found")

    def _request_problem(self, verb: str, template: str, query: dict[str, str], body: Any) -> str | None:
        if (template, verb) not in ROUTES:
            return f"{verb} is not taken here"
        if self.description is None:
            return None if body is None or isinstance(body, dict) else "the body must be an object"
        parameters = self.description.check_parameters(verb, template, query)
        return parameters or self.description.check_request(verb, template, body)

    def _full(self, verb: str, template: str, answer: Answer) -> Any:
        if self.description is None or answer.raw is not None:
            return answer.body if answer.raw is None else answer.raw
        return self.description.answer(verb, template, answer.status, answer.body)


def _handler(github: LoopbackGitHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def answer(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            token = (self.headers.get("Authorization") or "").rpartition(" ")[2]
            if self.path.startswith("/archive/"):
                data = ROUTES_ARCHIVE(github.repository, self.path.removeprefix("/archive/"))
                self._send(200, {"Content-Type": "application/gzip"}, data)
                return
            status, headers, body, dropped = github.respond(self.command, self.path, token, raw)
            if dropped:
                self.close_connection = True
                return
            self._send(status, headers, b"" if body is None else json.dumps(body).encode())

        def _send(self, status: int, headers: dict[str, str], data: bytes) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = do_DELETE = answer  # noqa: N815 - names that http.server calls

        def log_message(self, *_arguments: object) -> None:
            return

    from loopback_routes import archive as ROUTES_ARCHIVE  # noqa: N812

    return Handler
