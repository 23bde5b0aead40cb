"""Cases: the published format as it is, texts as written, faults with lines."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from gate.datasets import load_cases
from gate.datasets.native import lines_of_cases
from gate.errors import DatasetError
from gate.types import Case

WORDS = st.from_regex(r"[A-Za-z0-9.+_-]{1,12}", fullmatch=True).filter(
    lambda word: word not in {"null", "-", "---", "..."}
)


def read(text: str) -> tuple[Case, ...]:
    """Read a file of cases."""
    return load_cases(text, "cases.yaml")


def one(text: str) -> Case:
    """Read a file of one case that has an id and this."""
    (case,) = read(f"- id: one\n{text}")
    return case


def refused(text: str) -> DatasetError:
    """The error of reading a file of cases."""
    with pytest.raises(DatasetError) as caught:
        read(text)
    return caught.value


def test_load_cases__published_set(data_dir: Path) -> None:
    """The 24 published cases, four in each category, read as they are."""
    place = data_dir / "gemini-search-mcp" / "evals" / "dataset" / "cases.yaml"
    cases = load_cases(place.read_text("utf-8"), "cases.yaml")

    categories = ("factual", "temporal", "how-to", "multi-hop", "ambiguous", "no-good-answer")
    assert dict.fromkeys(categories, 4) == Counter(case.category for case in cases)
    assert 24 == len({case.id for case in cases})
    assert 17 == sum(not case.domains for case in cases)
    assert all(case.assertions and isinstance(case.question.input, str) for case in cases)
    assert ("speed-of-light", ("wikipedia.org", "nist.gov"), 11) == (
        cases[0].id,
        cases[0].domains,
        cases[0].line,
    )


def test_load_cases__own_cases(root: Path) -> None:
    """The project's own cases are read."""
    place = root / "evals" / "cases.yaml"
    if not place.is_file():
        pytest.skip("no evals/cases.yaml in this checkout")

    assert load_cases(place.read_text("utf-8"), "evals/cases.yaml")


def test_load_cases__every_key() -> None:
    """What is written is what is read; lines count from 1."""
    text = """\
# a comment
- id: full
  query: {path: /a, n: 2}
  category: factual
  expect_assertions: [says a, says b]
  expect_domains: [example.org]
  notes: look closely
  context: [a document]
  reference: {status: 200}
  rubric: [is polite]
  trajectory: [search, fetch]
  tags: [required]
  plan: books a table
- id: least
  query: why
"""
    full, least = read(text)

    assert {
        "question": {
            "id": "full",
            "input": {"path": "/a", "n": 2},
            "context": ["a document"],
            "plan": "books a table",
        },
        "category": "factual",
        "assertions": ["says a", "says b"],
        "domains": ["example.org"],
        "reference": {"status": 200},
        "rubric": ["is polite"],
        "trajectory": ["search", "fetch"],
        "notes": "look closely",
        "tags": ["required"],
    } == full.model_dump(mode="json")
    assert (2, 14) == (full.line, least.line)
    assert ("uncategorised", (), (), "", None) == (
        least.category,
        least.assertions,
        least.domains,
        least.notes,
        least.reference,
    )


@pytest.mark.parametrize(
    "written", ["1.10", "no", "on", "yes", "true", "010", "1:30", "2026-01-01", "1e3", "7", "12.0"]
)
def test_load_cases__texts_stay_as_written(written: str) -> None:
    """An unquoted version, date or Norwegian answer reaches the case as it was written."""
    text = "\n".join(f"  {key}: {written}" for key in ("query", "category", "notes", "plan"))
    lists = ("expect_assertions", "expect_domains", "context", "rubric", "trajectory", "tags")
    text += "".join(f"\n  {key}: [{written}]" for key in lists) + f"\n  reference: {written}"
    case = one(text)

    assert (written,) * 5 == (
        case.question.input,
        case.category,
        case.notes,
        case.question.plan,
        case.reference,
    )
    assert ((written,),) * 6 == (
        case.assertions,
        case.domains,
        case.question.context,
        case.rubric,
        case.trajectory,
        case.tags,
    )


@settings(deadline=None)
@given(WORDS)
def test_load_cases__any_unquoted_word_is_its_text(word: str) -> None:
    """Whatever the word, its spelling is kept."""
    case = one(f"  query: {word}\n  expect_assertions:\n    - {word}")

    assert (word, (word,)) == (case.question.input, case.assertions)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("{a: 1, b: 1.5, c: true, d: null}", {"a": 1, "b": 1.5, "c": True, "d": None}),
        ("[no, 010, 2026-01-01, '1']", ["no", "010", "2026-01-01", "1"]),
        ("[1.10]", [1.1]),
        ('{"a": {"b": ["x"]}}', {"a": {"b": ["x"]}}),
    ],
)
def test_load_cases__blocks_are_json(written: str, value: JsonValue) -> None:
    """Inside a block or list, JSON's notation is typed and all else is text."""
    case = one(f"  query: {written}\n  reference: {written}")

    assert (value, value) == (case.question.input, case.reference)


def test_lines__where_each_case_begins() -> None:
    """The line of its hyphen, whichever key stands there."""
    text = "# cases\n\n- id: one\n  query: x\n-\n  query: y\n  id: two\n"

    assert {"one": 3, "two": 6} == lines_of_cases(text, "cases.yaml")


def test_load_cases__keys_left_empty_are_left_out() -> None:
    """A key without a value says nothing."""
    case = one("  query: why\n  notes:\n  category: null\n  tags:\n  reference:")

    assert ("", "uncategorised", (), None) == (
        case.notes,
        case.category,
        case.tags,
        case.reference,
    )


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "holds no cases"),
        ("[]", 1, "holds no cases"),
        ("cases: []", 1, "holds no cases: write a list"),
        ("- why", 1, "is no case"),
        ("- id: a", 1, "`query`: is missing"),
        ("- query: why", 1, "`id`: is missing"),
        ("- id:\n  query: why", 1, "`id`: is empty"),
        ("- query: why\n  id: ''", 2, "`id`: is blank"),
        ("- id: a\n  query:", 2, "query of 'a' is empty"),
        ("- id: a\n  query: null", 2, "query of 'a' is empty"),
        ("- id: a\n  query: ' '", 2, "query of 'a' is empty"),
        ("- id: a\n  query: {}", 2, "query of 'a' is empty"),
        ("- id: a\n  query: why\n  querry: x", 3, "unknown key `querry`; did you mean `query`?"),
        ("- id: a\n  query: why\n  expect_assertions: x", 3, "must be a list"),
        ("- id: a\n  query: why\n  tags:\n    - b\n    - {c: d}", 5, "`tags[1]`: must be a text"),
        ("- id: a\n  query: why\n  tags: [' ']", 3, "`tags[0]`: is blank"),
        ("- id: a\n  query: why\n  tags:\n    -", 4, "`tags[0]`: is empty"),
        ("- query: why\n  id: ../a", 2, "cannot be a file name"),
        ("- id: nul.txt\n  query: why", 1, "device"),
        ("- id: a\n  query: &x why", 2, "anchor"),
        ("- id: a\n  id: b\n  query: why", 2, "first on line 1"),
    ],
)
def test_load_cases__refuses(text: str, line: int, message: str) -> None:
    """File, line and what to do; the exit code is 2."""
    error = refused(text)

    assert str(error).startswith(f"cases.yaml:{line}: ")
    assert message in str(error)
    assert 2 == error.exit_code


def test_load_cases__unknown_key_names_the_known() -> None:
    """Who errs in a key is told all of them."""
    message = str(refused("- id: a\n  query: b\n  zzz: c"))

    assert message.endswith(
        "Known: `id`, `query`, `category`, `expect_assertions`, `expect_domains`, `notes`, "
        "`context`, `reference`, `rubric`, `trajectory`, `tags`, `cluster`, `plan`"
    )


def test_load_cases__same_id_twice_names_both_lines() -> None:
    """Ids that differ in letter case only are one file on many systems."""
    error = refused("- id: Ab\n  query: x\n- id: c\n  query: x\n- id: aB\n  query: x")

    assert 5 == error.line
    assert "line 1 has 'Ab', line 5 has 'aB'" in str(error)


@settings(deadline=None)
@given(st.text(max_size=80))
def test_load_cases__anything_reads_or_is_refused_in_words(text: str) -> None:
    """No file ends in an error without its name."""
    try:
        said = f"cases.yaml: {len(read(text))} cases"
    except DatasetError as error:
        said = str(error)

    assert said.startswith("cases.yaml:")


def test_load_cases__cluster_and_the_required_mark_are_no_part_of_the_digest() -> None:
    """Marking a case later must not make it another case, that no baseline knows."""
    (plain,) = load_cases("- id: a\n  query: b\n", "cases.yaml")
    (marked,) = load_cases(
        "- id: a\n  query: b\n  tags: [required]\n  cluster: 2026\n", "cases.yaml"
    )
    (tagged,) = load_cases("- id: a\n  query: b\n  tags: [slow]\n", "cases.yaml")

    assert ("2026", ("required",)) == (marked.cluster, marked.tags)
    assert plain.digest == marked.digest
    assert plain.digest != tagged.digest
