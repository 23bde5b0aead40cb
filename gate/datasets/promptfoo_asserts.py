"""promptfoo's assertions as sentences of `expect_assertions`, where that is honest.

There a program matches strings; here a judge reads the answer and is told what to look for. What
only a program can check (a pattern, a script, a distance of vectors) becomes no sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gate.datasets.promptfoo_vars import Unfilled, fill, is_file
from gate.wire.yaml import Block, Items, Node, Scalar

__all__ = ["Left", "carry_assertion"]


@dataclass(frozen=True, order=True)
class Left:
    """Something that is not carried over."""

    line: int
    """Its line, from 1."""
    says: str
    """What it is, and what to do instead where there is something."""


_ANYHOW = ", in capitals or not"
_EACH: Mapping[str, Callable[[str], str]] = {
    "equals": lambda text: f'answers with exactly "{text}" and nothing else',
    "not-equals": lambda text: f'does not answer with exactly "{text}"',
    "contains": lambda text: f'contains the text "{text}"',
    "not-contains": lambda text: f'does not contain the text "{text}"',
    "icontains": lambda text: f'contains the text "{text}"{_ANYHOW}',
    "not-icontains": lambda text: f'does not contain the text "{text}"{_ANYHOW}',
    "starts-with": lambda text: f'begins with the text "{text}"',
    "not-starts-with": lambda text: f'does not begin with the text "{text}"',
    "llm-rubric": str,
    "model-graded-closedqa": str,
    "g-eval": str,
    "factuality": lambda text: f'agrees with this and contradicts none of it: "{text}"',
}
"""Type -> the sentence of each of its values."""
_LISTS = {
    "contains-all": "contains",
    "icontains-all": "icontains",
    "not-contains-any": "not-contains",
    "not-icontains-any": "not-icontains",
}
"""Type of several values that must all hold -> type of each of them."""
_ANY: Mapping[str, str] = {
    "contains-any": "contains at least one of these texts",
    "icontains-any": f"contains at least one of these texts{_ANYHOW}",
}
"""Type of several values of which one is enough -> the beginning of its sentence."""
_SAME = {"model-graded-factuality": "factuality"}
_INSTEAD = {
    "answer-relevance": "`quality` measures relevance anyway",
    "context-faithfulness": "the scorer `faithfulness` measures it on the cited pages",
    "context-recall": "the scorer `citations` measures source coverage on the cited pages",
    "context-relevance": "`quality` rates the sources anyway",
    "cost": "`policy.limits.usd_per_1k` in gate.yaml",
    "latency": "`policy.limits.p50_latency_s` in gate.yaml",
}
"""Type -> what there is in its place."""
_FORBIDDING = ("transform", "contextTransform")
"""Keys after which the assertion is of something else than the answer."""
_KNOWN = ("type", "value")


def carry_assertion(
    node: Node, values: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[Left, ...]]:
    """Return the sentences of one assertion, and what of it is not carried over."""
    kind_node = node.get("type") if isinstance(node, Block) else None
    if not isinstance(node, Block) or not isinstance(kind_node, Scalar):
        return (), (Left(node.line, "an assertion without a type"),)
    kind, line = kind_node.text, node.line
    for key in _FORBIDDING:
        if node.get(key) is not None:
            return (), (Left(line, f"assertion {kind}: its `{key}` makes another text of it"),)
    weight = node.get("weight")
    if isinstance(weight, Scalar) and weight.value == 0:
        return (), (Left(line, f"assertion {kind}: of weight 0, it decides nothing"),)
    try:
        sentences = _sentences(_SAME.get(kind, kind), node, values)
    except Unfilled as error:
        return (), (Left(line, f"assertion {kind}: {error}"),)
    if not sentences:
        instead = _INSTEAD.get(kind, "a judge that reads the answer cannot check it")
        return (), (Left(line, f"assertion {kind}: {instead}"),)
    more = [entry for entry in node.entries if entry.key not in _KNOWN]
    return sentences, tuple(
        Left(entry.line, f"`{entry.key}` of assertion {kind}, which itself is carried over")
        for entry in more
    )


def _sentences(kind: str, node: Block, values: Mapping[str, str]) -> tuple[str, ...]:
    """Return its sentences; none for a type that has none. Raises Unfilled."""
    if kind in _ANY:
        texts = ", ".join(f'"{text}"' for text in _texts(node, values, split=True))
        return (f"{_ANY[kind]}: {texts}",)
    single = _LISTS.get(kind, kind)
    if single not in _EACH:
        return ()
    return tuple(_EACH[single](text) for text in _texts(node, values, split=kind in _LISTS))


def _texts(node: Block, values: Mapping[str, str], *, split: bool) -> list[str]:
    """Return its values with variables filled in; `split` is for a list with commas in one text.

    Raises Unfilled where there is none, and for what lies in a file.
    """
    value = node.get("value")
    if isinstance(value, Scalar) and split:
        texts = [part.strip() for part in value.text.split(",")]
    elif isinstance(value, Scalar):
        texts = [value.text]
    elif isinstance(value, Items) and all(isinstance(one, Scalar) for one in value.items):
        texts = [one.text for one in value.items if isinstance(one, Scalar)]
    else:
        raise Unfilled("its value is no text")
    if any(is_file(text) for text in texts):
        raise Unfilled("its value lies in a file: write it out")
    filled = [fill(text, values).strip() for text in texts]
    if not filled or not all(filled):
        raise Unfilled("its value is empty")
    return filled
