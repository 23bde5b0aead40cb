"""What a candidate changes of what decides, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gate.decision.edits import FileChange, edits, quoted
from gate.types import Case
from gate.wire.yaml import Block, load
from tests.fakes import case


def listed(
    base: str,
    candidate: str,
    *,
    owned: Mapping[str, frozenset[str]] | None = None,
    cases: tuple[Sequence[Case], Sequence[Case]] = ((), ()),
    files: Sequence[FileChange] = (),
) -> tuple[str, ...]:
    """The edits between two gate.yaml."""
    before, now = load(base, "base"), load(candidate, "candidate")
    assert isinstance(before, Block)
    assert isinstance(now, Block)
    return edits(before, now, owned or {}, cases, files)


@pytest.mark.parametrize(
    ("base", "candidate", "said"),
    [
        ("policy: {q: 0.1}", "policy: {q: 0.5}", "`policy.q`: `0.1` → `0.5`"),
        ("name: a", "name: a\npolicy: {q: 0.5}", "`policy.q`: (left out) → `0.5`"),
        ("name: a\npolicy: {q: 0.5}", "name: a", "`policy.q`: `0.5` → (left out)"),
        ("scorers: [a, b]", "scorers: [a]", '`scorers`: `["a", "b"]` → `["a"]`'),
        ("scorers: [ü]", "scorers: [é]", '`scorers`: `["ü"]` → `["é"]`'),
        ("keep: true", "keep: 1", "`keep`: `true` → `1`"),
        ("name: a", 'name: ""', '`name`: `a` → ""'),
    ],
)
def test_edits__keys_of_gate_yaml(base: str, candidate: str, said: str) -> None:
    """By dotted key, with what it was and what it would be."""
    assert (said,) == listed(base, candidate)


def test_edits__layout_and_comments_are_none() -> None:
    """Only values count."""
    assert () == listed("policy: {q: 0.1}  # strict", "policy:\n  q: 0.1\n")


def test_edits__values_of_connections_are_not_shown() -> None:
    """Somebody may have written a key there."""
    assert ("`connections.google.api_key`: changed",) == listed(
        "connections: {google: {api_key: hunter2}}", "connections: {google: {api_key: other}}"
    )


def test_edits__own_keys_of_a_followed_target_are_none() -> None:
    """They are followed, so there is nothing to ignore."""
    base = "targets:\n  a: {use: gemini, model: x, road: y}"
    candidate = "targets:\n  a: {use: gemini, model: z, road: w}"

    assert ("`targets.a.road`: `y` → `w`",) == listed(
        base, candidate, owned={"a": frozenset({"model"})}
    )


def test_edits__targets_that_come_and_go() -> None:
    """A rename is both."""
    assert (
        "`targets.a` removed: it is asked all the same",
        "`targets.b` added: it is not asked",
    ) == listed("targets:\n  a: {use: gemini}", "targets:\n  b: {use: gemini}")


def test_edits__options_of_a_target_that_come_and_go() -> None:
    """What only one side has is an edit, too."""
    assert (
        "`targets.a.old`: `1` → (left out)",
        "`targets.a.new`: (left out) → `2`",
    ) == listed("targets:\n  a: {use: gemini, old: 1}", "targets:\n  a: {use: gemini, new: 2}")


def test_edits__target_of_another_kind() -> None:
    """Nothing of it is followed, and what it would be is said."""
    assert (
        "`targets.a` is of another kind: nothing of it is followed",
        "`targets.a.use`: `gemini` → `own.py:A`",
    ) == listed("targets:\n  a: {use: gemini}", "targets:\n  a: {use: own.py:A}")


def test_edits__cases_by_their_ids() -> None:
    """Removed, changed, added: none of it reaches the run."""
    before = [case("gone"), case("other"), case("same")]
    now = [case("new"), case("other", category="else"), case("same")]

    assert (
        "1 case removed, and asked all the same: `gone`",
        "1 case changed, and asked as it was: `other`",
        "1 case added, and not asked: `new`",
    ) == listed("name: a", "name: a", cases=(before, now))


def test_edits__files() -> None:
    """What the file is to the gate, and what became of it."""
    files = [FileChange("labels", "evals/labels/a.yaml", "added")]

    assert ("labels `evals/labels/a.yaml`: added",) == listed("name: a", "name: a", files=files)


@pytest.mark.parametrize(
    ("more", "last"),
    [
        (0, "labels `199.yaml`: added"),
        (1, "and 1 more edit"),
        (5, "and 5 more edits"),
    ],
)
def test_edits__too_many_are_counted(more: int, last: str) -> None:
    """A candidate with a thousand files must not fill the comment."""
    files = [FileChange("labels", f"{i}.yaml", "added") for i in range(200 + more)]

    found = listed("name: a", "name: a", files=files)

    assert (200 + (more > 0), last) == (len(found), found[-1])


@pytest.mark.parametrize(
    ("number", "last"), [(20, "`c19`"), (21, "`c19` and 1 more"), (25, "`c19` and 5 more")]
)
def test_edits__twenty_cases_are_named(number: int, last: str) -> None:
    """The others are counted."""
    (found,) = listed("name: a", "name: a", cases=([], [case(f"c{i}") for i in range(number)]))

    assert found.startswith(f"{number} cases added, and not asked: `c0`, `c1`, ")
    assert found.endswith(f"`c18`, {last}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a`b", "`a'b`"),
        ("a\nb\tc", "`a b c`"),
        ("\udc80", r"`\udc80`"),
        ("x" * 80, f"`{'x' * 80}`"),
        ("x" * 81, f"`{'x' * 79}…`"),
        ("x" * 100, f"`{'x' * 79}…`"),
    ],
)
def test_quoted__is_one_short_line(text: str, said: str) -> None:
    """A file's name may be anything."""
    assert said == quoted(text)
