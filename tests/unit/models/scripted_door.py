"""A door that gives scripted replies, as a replay does: nothing is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pydantic import JsonValue

from gate.types import Call, Reply


class ScriptedDoor:
    """Gives bodies in turn, and remembers the calls; an exception in their place is raised."""

    def __init__(self, *script: JsonValue | Exception, cached: bool = False) -> None:
        self.script = list(script)
        self.calls: list[Call] = []
        self.costs: list[float | None] = []
        self.cached = cached
        self.busy = 0
        self.busiest = 0

    async def call(
        self,
        call: Call,
        send: Callable[[], Awaitable[JsonValue]],
        price: Callable[[JsonValue], float | None],
    ) -> Reply:
        """Give the next body; the last one is given for ever."""
        self.calls.append(call)
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        await asyncio.sleep(0)
        self.busy -= 1
        body = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(body, Exception):
            raise body
        self.costs.append(price(body))
        return Reply(body=body, latency_s=1.25, cached=self.cached)
