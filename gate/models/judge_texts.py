"""What is added to a scorer's prompt, whoever judges: the form of the reply, and what to mend."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, NamedTuple

from pydantic import JsonValue

from gate.templates import render
from gate.types import Prompt

ReplyForm = Literal["json_schema", "text"]
"""How the judge is asked to reply."""
_AS_JSON = "models/prompts/as_json.md.j2"
_REPAIR = "models/prompts/repair.md.j2"
TEMPLATES = (_AS_JSON, _REPAIR)
"""The texts that are added to a scorer's prompt."""
_SHOWN = 4000
"""Characters of an unreadable reply that the repair shows."""


class Texts(NamedTuple):
    """The two parts of a prompt that may show the form."""

    system: str
    """The system text."""
    own: str
    """What differs from case to case; it comes last."""


def with_form(prompt: Prompt, schema: Mapping[str, JsonValue], form: ReplyForm) -> Texts:
    """Return the system text and the own part, with the schema where this form must show it.

    A prompt that wants its schema in the own part gets it at the end of that part, in text form;
    one whose system text shows it already gets nothing.
    """
    if form != "text" or prompt.schema_in == "system":
        return Texts(prompt.system, prompt.own)
    in_own = prompt.schema_in == "own"
    # The own part is paid in full at each call, so its schema stands on one line.
    shown = json.dumps(schema, indent=None if in_own else 2, ensure_ascii=False)
    asked = render(_AS_JSON, schema=shown).strip()
    if in_own:
        return Texts(prompt.system, f"{prompt.own}\n\n{asked}")
    return Texts(f"{prompt.system}\n\n{asked}", prompt.own)


def repair_text(reply: str, problem: str) -> str:
    """Return the block that shows an unreadable reply and what was wrong with it."""
    shown = reply if len(reply) <= _SHOWN else f"{reply[:_SHOWN]}…"
    quoted = json.dumps(shown, ensure_ascii=False)
    return render(_REPAIR, reply=quoted, problem=problem).strip()
