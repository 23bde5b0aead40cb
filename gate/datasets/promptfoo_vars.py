"""promptfoo's variables: the values of a test, and `{{name}}` filled in with them.

Plain names alone. promptfoo renders Nunjucks, with filters, loops and code; nothing is run here,
and a text that needs more than a name is not filled in.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from gate.wire.yaml import Block, Items, Node, Scalar

__all__ = ["Unfilled", "combinations", "fill", "is_file", "is_prompt_file", "merged"]

LONGEST = 100_000
"""Most characters of a text that is filled in."""

_NAME = re.compile(r"\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}")
_LOGIC = re.compile(r"\{\{|\{%|\{#")
_PROMPT_FILE = re.compile(
    r"\w+://\S*|exec:.*|\S+\.(?:txt|md|j2|jsonl?|ya?ml|csv|xlsx?|[cm]?[jt]s|py|rb|sh)(?::\w+)?"
)


class Unfilled(ValueError):
    """A text that cannot be carried over, and why."""


def is_file(text: str) -> bool:
    """Whether a value lies in a file."""
    return text.startswith("file://")


def is_prompt_file(text: str) -> bool:
    """Whether a prompt lies elsewhere: there `prompt.txt` alone is a file's name."""
    return _PROMPT_FILE.fullmatch(text.strip()) is not None


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return the text with each `{{name}}` replaced; values are not read again.

    Raises Unfilled for a name without a value, for more than names, and above 100,000 characters.
    """
    if _LOGIC.search(_NAME.sub("", text)):
        raise Unfilled("it needs more than {{name}}: filters, paths or blocks are not filled in")
    names = _NAME.findall(text)
    missing = [name for name in names if name not in values]
    if missing:
        raise Unfilled(f"it needs the variable {missing[0]}, which has no value here")
    if len(text) + sum(len(values[name]) for name in names) > LONGEST:
        raise Unfilled(f"filled in, it has more than {LONGEST:,} characters")
    return _NAME.sub(lambda match: values[match[1]], text)


def merged(first: Block | None, second: Block | None) -> dict[str, Node]:
    """Return the variables of both; the second's win."""
    blocks = [block for block in (first, second) if block is not None]
    return {entry.key: entry.value for block in blocks for entry in block.entries}


def combinations(variables: Mapping[str, Node]) -> Iterator[dict[str, str]]:
    """Give every combination of values, as promptfoo does: a list stands for each of its items.

    Raises Unfilled for a value that is no text and no list of texts, and for one in a file.
    """
    choices: list[Sequence[str]] = []
    for name, node in variables.items():
        items = node.items if isinstance(node, Items) else (node,)
        texts = [one.text for one in items if isinstance(one, Scalar)]
        if len(texts) < len(items) or not texts:
            raise Unfilled(f"its variable {name} is no text and no list of texts")
        if any(is_file(text) for text in texts):
            raise Unfilled(f"its variable {name} lies in a file: write it out")
        choices.append(texts)
    for values in itertools.product(*choices):
        yield dict(zip(variables, values, strict=True))
