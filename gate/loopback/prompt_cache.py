"""The prompt cache of the stand-in for Claude: which prefix was sent before, byte for byte.

Order: tools, system, messages. A change of tools or of the output format loses everything; a change
of tool_choice, thinking or effort loses the messages. A prefix shorter than the model's minimum is
never cached, without a word.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gate.loopback.claude_rules import content_blocks
from gate.loopback.tokens import count_tokens
from gate.models.catalogue import ModelCard

_LOOK_BACK = 20
_SECONDS = {"5m": 300.0, "1h": 3600.0}


@dataclass(frozen=True, slots=True)
class CacheUse:
    """How the tokens of a prompt were billed."""

    plain: int
    """Tokens that no cache touched."""
    read: int
    """Tokens read from the cache."""
    written_5m: int
    """Tokens written for five minutes."""
    written_1h: int
    """Tokens written for an hour."""


@dataclass(frozen=True, slots=True)
class _Step:
    """The prompt up to and including one block."""

    digest: str
    tokens: int
    ttl: str | None


class PromptCache:
    """Remembers prefixes until they expire; a read renews them."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._until: dict[str, tuple[float, float]] = {}

    def use(self, body: Mapping[str, Any], card: ModelCard) -> CacheUse:
        """Return how a prompt is billed, and remember its marked prefixes."""
        assert card.claude is not None
        steps = _steps(body, card)
        total = steps[-1].tokens if steps else 0
        now = self._clock()
        marked = [
            (number, step)
            for number, step in enumerate(steps)
            if step.ttl and step.tokens >= card.claude.min_cached_tokens
        ]
        read = max((self._found(steps, number, now) for number, _ in marked), default=0)
        written = {"5m": 0, "1h": 0}
        before = read
        for _, step in marked:
            assert step.ttl is not None
            if step.tokens > before:
                written[step.ttl] += step.tokens - before
                before = step.tokens
            seconds = _SECONDS[step.ttl]
            self._until[step.digest] = (now + seconds, seconds)
        plain = total - read - sum(written.values())
        return CacheUse(plain, read, written["5m"], written["1h"])

    def _found(self, steps: list[_Step], number: int, now: float) -> int:
        """Return the tokens of the longest remembered prefix at or shortly before a mark."""
        for step in reversed(steps[max(0, number - _LOOK_BACK) : number + 1]):
            until, seconds = self._until.get(step.digest, (0.0, 0.0))
            if until > now:
                self._until[step.digest] = (now + seconds, seconds)
                return step.tokens
        return 0


def prompt_tokens(body: Mapping[str, Any], card: ModelCard) -> int:
    """Return how many tokens a prompt has."""
    steps = _steps(body, card)
    return steps[-1].tokens if steps else 0


def _steps(body: Mapping[str, Any], card: ModelCard) -> list[_Step]:
    assert card.claude is not None
    config = body.get("output_config") or {}
    whole = [card.id, config.get("format")]
    later = [
        body.get("tool_choice"),
        body.get("thinking"),
        config.get("effort") or card.claude.default_effort,
    ]
    digest = hashlib.sha256(_plain(whole))
    steps: list[_Step] = []
    tokens = 0

    def add(role: str, blocks: list[dict[str, Any]]) -> None:
        nonlocal tokens
        for block in blocks:
            bare = {name: value for name, value in block.items() if name != "cache_control"}
            text = block.get("text")
            tokens += count_tokens(text if isinstance(text, str) else _plain(bare).decode())
            digest.update(_plain([role, bare]))
            mark = block.get("cache_control")
            steps.append(_Step(digest.hexdigest(), tokens, mark.get("ttl", "5m") if mark else None))

    add("tools", [dict(tool) for tool in body.get("tools") or []])
    add("system", content_blocks(body.get("system")))
    digest.update(_plain(later))
    for message in body.get("messages") or []:
        add(str(message.get("role")), content_blocks(message.get("content")))
    if body.get("cache_control") and steps:
        last = steps[-1]
        steps[-1] = _Step(last.digest, last.tokens, body["cache_control"].get("ttl", "5m"))
    return steps


def _plain(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False).encode()
