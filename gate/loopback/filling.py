"""What a stand-in judge says, whichever vendor's shape it is sent in: the form, filled in."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gate.loopback.blind import Filled, blind_rule
from gate.loopback.drifting import stricter
from gate.loopback.faults import Spoken
from gate.loopback.judging.form import fields_of, schema_in
from gate.loopback.judging.judge import rule
from gate.loopback.judging.sections import outside, read_sections
from gate.loopback.strict import strict_rule

_WANTED = re.compile(r"\bform `([a-z]+)`")
"""How the user names one of several forms in the system text."""


def filled(prompt: str, schema: Mapping[str, Any], spoken: Spoken | None) -> Filled:
    """Return the form that a prompt's sections are rated in; a fault may make the judge another.

    Raises UnknownKeyError for a key without a rule.
    """
    given, fields = read_sections(prompt), fields_of(schema)
    if spoken is not None and spoken.strict:
        return strict_rule(given, fields)
    if spoken is not None and spoken.stricter:
        return stricter(rule(given, fields), fields)
    if spoken is not None and spoken.blind_to is not None:
        return blind_rule(spoken.blind_to, given, fields)
    return rule(given, fields)


def spelled(form: Filled, prompt: str, *, structured: bool) -> str:
    """Return a filled form as a model writes it: in plain text, about every other one is fenced."""
    text = json.dumps(form, ensure_ascii=False)
    fenced = not structured and int(digest_of(prompt)[:2], 16) % 2 == 0
    return f"```json\n{text}\n```" if fenced else text


def shown_schema(system: str, turns: Sequence[Sequence[str]]) -> Mapping[str, Any] | None:
    """Return the form that the prompt shows: in the system text, or in the last words of the user.

    `turns` are the user's, each with its texts. Of several forms in the system text it is the one
    that the user names. What is fenced is material and shows no form. The last text may be a
    request to mend a reply, with the form in the one before it.
    """
    texts = list(_last_first(turns))
    named = next((name for text in texts for name in _WANTED.findall(text)[-1:]), None)
    if named is not None:
        return schema_in(system.partition(f"## Form `{named}`\n")[2].partition("\n## ")[0])
    in_system = schema_in(system)
    if in_system is not None:
        return in_system
    return next((found for text in texts if (found := schema_in(text)) is not None), None)


def digest_of(value: Any) -> str:
    """Return the SHA-256 of a JSON value."""
    return hashlib.sha256(
        json.dumps(value, sort_keys=True, ensure_ascii=False).encode()
    ).hexdigest()


def _last_first(turns: Sequence[Sequence[str]]) -> Iterator[str]:
    for turn in turns:
        yield from (outside(text) for text in reversed(turn))
