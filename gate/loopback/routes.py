"""Which part of the world answers a request, and what was asked so far."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from gate.loopback.claude import Claude
from gate.loopback.exchange import Reply, Request, claude_error, google_error, json_reply
from gate.loopback.faults import Call, fault_for, no_login
from gate.loopback.gemini import Gemini
from gate.loopback.gemini_judge import is_judging
from gate.loopback.github import GRAPHQL, PREFIX, SERVER_PREFIX, GitHub
from gate.loopback.ledger import Ledger
from gate.loopback.serving_pages import hosts, serve_page
from gate.loopback.settings import WorldSettings
from gate.loopback.storm import KINDS, Refuse, refuse_as_claude, refuse_as_google, request_digest

_VERTEX = re.compile(
    r"^/(?P<version>v1|v1beta1)/projects/[^/]+/locations/[^/]+/publishers/(?P<maker>google|anthropic)"
    r"/models/(?P<model>[^/:]+):(?P<verb>\w+)$"
)
_KEY = re.compile(r"^/(?P<version>v1|v1beta)/models/(?P<model>[^/:]+):(?P<verb>\w+)$")
_DIRECT = {"/v1/messages": "create", "/v1/messages/count_tokens": "count"}
_COUNT = "count-tokens"


class World:
    """One loopback world with its memory."""

    def __init__(
        self,
        settings: WorldSettings,
        clock: Callable[[], float],
        ledger: Ledger | None = None,
    ) -> None:
        self.settings = settings
        self._ledger = ledger
        self._gemini = Gemini(settings)
        self._claude = Claude(settings, clock)
        self.github = GitHub(settings.faults)
        self._counts: Counter[tuple[str, str]] = Counter()
        self._bodies: deque[dict[str, str]] = deque(maxlen=settings.kept_bodies)
        self._seen: Counter[tuple[str, bytes]] = Counter()

    def respond(self, request: Request) -> Reply:
        """Return the reply to a request."""
        if request.path.startswith("/_world/"):
            return self._about(request)
        below = (f"{PREFIX}/", f"{SERVER_PREFIX}/")
        if request.path.startswith(below) or request.path in GRAPHQL:
            return self.github.respond(request)
        self._counts[request.method, request.path] += 1
        if request.method in ("GET", "HEAD"):
            return serve_page(request)
        self._bodies.append(
            {
                "method": request.method,
                "path": request.path,
                "body": request.body.decode("utf-8", "replace"),
            }
        )
        return self._vendor(request)

    def _about(self, request: Request) -> Reply:
        path = request.path
        if path == "/_world/github":
            if request.method == "POST":
                self.github.memory.seed(request.fields() or {})
            return json_reply(200, self.github.memory.told())
        if path == "/_world/requests":
            rows = [{"method": m, "path": p, "count": n} for (m, p), n in self._counts.items()]
            return json_reply(200, {"requests": rows})
        if path == "/_world/bodies":
            return json_reply(200, {"bodies": list(self._bodies)})
        if path == "/_world/hosts":
            return json_reply(200, {"hosts": list(hosts())})
        known = "/_world/requests, /_world/bodies, /_world/hosts and /_world/github"
        return json_reply(404, {"error": f"there are {known}"})

    def _vendor(self, request: Request) -> Reply:
        on_vertex = _VERTEX.match(request.path)
        by_key = _KEY.match(request.path)
        if on_vertex and on_vertex["maker"] == "google":
            return self._google(request, on_vertex, vertex=True)
        if by_key:
            return self._google(request, by_key, vertex=False)
        if on_vertex and on_vertex["verb"] == "rawPredict":
            return self._anthropic(request, on_vertex["model"])
        if request.path in _DIRECT:
            return self._anthropic(request, None)
        return google_error(404, "NOT_FOUND", f"The loopback world has no {request.path}.")

    def _google(self, request: Request, match: re.Match[str], *, vertex: bool) -> Reply:
        body = request.fields()
        call = Call("target", vertex, match["model"], body or {}, self._count(request))
        if vertex and not _bearer(request):
            return no_login(call)
        if not vertex and not request.headers.get("x-goog-api-key"):
            message = (
                "Method doesn't allow unregistered callers (callers without established identity). "
                "Please use API Key or other form of API consumer identity to call this API."
            )
            return google_error(403, "PERMISSION_DENIED", message)
        if body is None:
            return google_error(400, "INVALID_ARGUMENT", "Invalid JSON payload received.")
        if match["verb"] != "generateContent":
            message = f"The loopback world does not do {match['verb']}: call generateContent."
            return google_error(400, "INVALID_ARGUMENT", message)
        if is_judging(body):
            call = replace(call, side="judge", google=True)
        fault = fault_for(self.settings.faults, call)
        if isinstance(fault, Reply):
            return fault
        return self._through_storm(
            request,
            call,
            refuse_as_google,
            lambda: self._gemini.generate(call, match["version"], fault),
        )

    def _anthropic(self, request: Request, model: str | None) -> Reply:
        body = request.fields()
        vertex = model is not None
        counting = model == _COUNT or _DIRECT.get(request.path) == "count"
        asked = model if model not in (None, _COUNT) else str((body or {}).get("model", ""))
        call = Call("judge", vertex, asked or "", body or {}, self._count(request))
        if not _bearer(request) and (vertex or not request.headers.get("x-api-key")):
            return no_login(call)
        if body is None:
            return claude_error(400, "invalid_request_error", "The request body is not valid JSON.")
        if not asked:
            return claude_error(400, "invalid_request_error", "model: Field required")
        if body.get("stream"):
            message = "The loopback world does not stream."
            return claude_error(400, "invalid_request_error", message)
        fault = fault_for(self.settings.faults, call)
        if isinstance(fault, Reply):
            return fault
        return self._through_storm(
            request,
            call,
            refuse_as_claude,
            lambda: self._claude.count(call) if counting else self._claude.create(call, fault),
        )

    def _through_storm(
        self, request: Request, call: Call, refuse: Refuse, work: Callable[[], Reply]
    ) -> Reply:
        """Do the work unless the storm comes first, and enter in the books what is billed."""
        storm = self.settings.storm
        struck = None if storm is None else storm.strikes(request, call.seen)
        kind = None if struck is None else KINDS[struck]
        done = work() if kind is None or kind.billed else None
        billed = done is not None and done.status == HTTPStatus.OK
        if self._ledger is not None:
            self._ledger.enter(
                side=call.side,
                request=request_digest(request),
                seen=call.seen,
                fault=struck,
                billed=done if billed else None,
            )
        if kind is not None and kind.refuse is not None:
            return kind.refuse(refuse)
        reply = done or Reply(HTTPStatus.OK, b"")
        return reply if kind is None or kind.spoil is None else kind.spoil(reply)

    def _count(self, request: Request) -> int:
        """Return how often this very body was sent to this path before."""
        key: tuple[str, Any] = (request.path, request.body)
        self._seen[key] += 1
        return self._seen[key] - 1


def _bearer(request: Request) -> bool:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return kind.lower() == "bearer" and bool(token.strip())
