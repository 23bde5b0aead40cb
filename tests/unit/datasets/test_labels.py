"""Labels: the published list as it is, and our own format bound to answers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gate.datasets import load_cases, load_labels
from gate.errors import DatasetError
from gate.types import Label

ANSWER = "0a" * 32
HEAD = "schema: 1\ndrafted_by: Ada\n"


def refused(text: str) -> DatasetError:
    """The error of reading a file of labels."""
    with pytest.raises(DatasetError) as caught:
        load_labels(text, "labels.yaml")
    return caught.value


def test_load_labels__published_list(data_dir: Path) -> None:
    """The 24 published rows, one for each published case, bound to no answer."""
    evals = data_dir / "gemini-search-mcp" / "evals"
    labels = load_labels((evals / "labels" / "flash-lite.yaml").read_text("utf-8"), "labels.yaml")
    cases = load_cases((evals / "dataset" / "cases.yaml").read_text("utf-8"), "cases.yaml")

    assert {case.id for case in cases} == {label.case_id for label in labels.labels}
    assert 24 == len(labels.labels)
    assert {("relevance", "correctness", "source_quality"): 24} == Counter(
        tuple(label.scores) for label in labels.labels
    )
    assert {(None, None)} == {(label.target, label.answer) for label in labels.labels}
    assert (None, None, None) == (
        labels.drafted_by,
        labels.drafted_by_family,
        labels.approved_by,
    )


def test_load_labels__published_example(data_dir: Path) -> None:
    """The published format sample is read."""
    place = data_dir / "gemini-search-mcp" / "evals" / "labels" / "example.yaml"
    labels = load_labels(place.read_text("utf-8"), "example.yaml")

    assert ["go-latest-version", "nonexistent-city"] == [one.case_id for one in labels.labels]
    assert "low" == labels.labels[1].scores["source_quality"]


def test_load_labels__own_format() -> None:
    """Who drafted, who approved, and which answer each rating is of."""
    text = f"""\
schema: 1
drafted_by: a drafting model
drafted_by_family: gemini
approved_by: Ada
stand_in_judge: loopback
labels:
  - case_id: one
    target: flash
    answer: {ANSWER}
    scores: {{relevance: high, correctness: med}}
  - {{case_id: 1.10, scores: {{relevance: low}}}}
"""
    labels = load_labels(text, "labels.yaml")

    assert ("labels.yaml", "a drafting model", "gemini", "Ada") == (
        labels.path,
        labels.drafted_by,
        labels.drafted_by_family,
        labels.approved_by,
    )
    assert labels.labels == (
        Label(
            case_id="one",
            target="flash",
            answer=ANSWER,
            scores={"relevance": "high", "correctness": "med"},
            line=7,
        ),
        Label(case_id="1.10", scores={"relevance": "low"}, line=11),
    )


def test_load_labels__approved_one_by_one() -> None:
    """Each label can say who approved it."""
    rows = "- {case_id: a, scores: {x: low}, approved_by: Grace}\n- {case_id: b, scores: {x: low}}"
    labels = load_labels(f"{HEAD}labels:\n{rows}\n", "labels.yaml")

    assert ["Grace", None] == [one.approved_by for one in labels.labels]


def test_load_labels__nobody_approved() -> None:
    """An approver of null says that nobody has."""
    text = HEAD + "drafted_by_family: null\napproved_by: null\nlabels: []"
    labels = load_labels(text, "labels.yaml")

    assert ("Ada", None, None, ()) == (
        labels.drafted_by,
        labels.drafted_by_family,
        labels.approved_by,
        labels.labels,
    )


def test_load_labels__same_case_with_another_target_or_answer() -> None:
    """Only the very same answer is rated once."""
    rows = [f"{{case_id: a, target: t, answer: {ANSWER}, scores: {{}}}}"]
    rows += [f"{{case_id: a, target: u, answer: {ANSWER}, scores: {{}}}}"]
    rows += [f"{{case_id: a, target: t, answer: {'0b' * 32}, scores: {{}}}}"]
    labels = load_labels(HEAD + f"labels: [{', '.join(rows)}]", "labels.yaml")
    assert 3 == len(labels.labels)

    error = refused(HEAD + f"labels: [{', '.join([*rows, rows[0]])}]")
    assert "the answer of t to 'a' is rated on line 3 and on line 3" in str(error)


def test_load_labels__same_case_twice_in_the_list() -> None:
    """Rows without an answer are one for each case; both lines are named."""
    error = refused("- {case_id: a, scores: {}}\n- {case_id: b, scores: {}}\n" * 2)

    assert 3 == error.line
    assert "is rated on line 1 and on line 3" in str(error)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "holds no labels"),
        ("text", 1, "holds no labels"),
        ("- a", 1, "must be a block of keys"),
        ("- case_id: a", 1, "`scores`: is missing"),
        ("- scores: {}", 1, "`case_id`: is missing"),
        ("- case_id: a\n  scores:\n    x: medium", 3, "`scores.x`: must be 'low', 'med' or 'high'"),
        ("- case_id: a\n  scores:\n    x: 1", 3, "must be 'low', 'med' or 'high'"),
        ("- case_id: a\n  scores: high", 2, "`scores`: must be a block of keys"),
        ("- case_id: a\n  scores: {}\n  score: {}", 3, "unknown key `score`; did you mean"),
        ("- case_id: a\n  scores: {}\n  answer: " + ANSWER, 3, "unknown key `answer`"),
        ("drafted_by: Ada\nlabels: []", 1, "`schema`: is missing"),
        ("schema: 2\ndrafted_by: Ada\nlabels: []", 1, "`schema`: must be 1"),
        ("schema: 1\nlabels: []", 1, "`drafted_by`: is missing"),
        (HEAD, 1, "`labels`: is missing"),
        (HEAD + "labels:\n  - case_id: a\n    answer: 0A\n    scores: {}", 5, "64 hexadecimal"),
        (HEAD + "labels:\n  - case_id: a\n    scores: {x: hi}", 5, "`labels[0].scores.x`: must be"),
    ],
)
def test_load_labels__refuses(text: str, line: int, message: str) -> None:
    """File, line and what to do; the exit code is 2."""
    error = refused(text)

    assert str(error).startswith(f"labels.yaml:{line}: ")
    assert message in str(error)
    assert 2 == error.exit_code


CLAIM = "a" * 64


def test_load_labels__items_of_an_answer() -> None:
    """Claims, sentences, citations and statements are labelled by digest, with their kind."""
    text = f"""schema: 1
drafted_by: Ada
labels:
  - case_id: a
    answer: {"0" * 63}1
    claims:
      {CLAIM}: supported
      {"b" * 64}: unverifiable
    statements:
      {"c" * 64}: unsupported
"""
    (label,) = load_labels(text, "labels.yaml").labels

    assert [
        ("claims", CLAIM, "supported"),
        ("claims", "b" * 64, "unverifiable"),
        ("statements", "c" * 64, "unsupported"),
    ] == [(one.kind, one.item, one.label) for one in label.items]
    assert {} == label.scores


@pytest.mark.parametrize(
    ("block", "because"),
    [
        (f"claims: {{{CLAIM}: maybe}}", "must be 'supported', 'partial', 'unsupported' or"),
        (f"claims: {{{CLAIM[:12]}: supported}}", "must be a digest, 64 hexadecimal digits"),
        ("claims: [supported]", "must be a block of keys"),
        (f"claim: {{{CLAIM}: supported}}", "claims"),
        ("target: t", "rates nothing: write `scores:`, or one of claims, sentences"),
    ],
)
def test_load_labels__items_that_cannot_be_read(block: str, because: str) -> None:
    """Words, digests and keys are refused with their line and what to do."""
    text = f"""schema: 1
drafted_by: Ada
labels:
  - case_id: a
    answer: {"0" * 63}1
    {block}
"""
    with pytest.raises(DatasetError, match=rf"labels\.yaml:[456]: .*{because}"):
        load_labels(text, "labels.yaml")


def test_load_labels__items_of_no_answer() -> None:
    """A claim means something in its answer only."""
    text = f"""schema: 1
drafted_by: Ada
labels:
  - case_id: a
    claims: {{{CLAIM}: supported}}
"""
    with pytest.raises(DatasetError, match=r"labels\.yaml:4: .*add `answer:`"):
        load_labels(text, "labels.yaml")
