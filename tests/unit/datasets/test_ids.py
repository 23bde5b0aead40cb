"""Ids that are file names everywhere."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.datasets.ids import ID_PATTERN, fold, id_fault


@pytest.mark.parametrize("id_", ["a", "9", "go-latest-version", "A.b_c-9", "a" * 100, "console"])
def test_id_fault__safe(id_: str) -> None:
    """What the published sets use, up to a hundred characters."""
    assert id_fault(id_) is None


@pytest.mark.parametrize(
    ("id_", "words"),
    [(one, "cannot be a file name") for one in ["", ".a", "-a", "_a", "a/b", "a\\b", "a b", "a:b"]]
    + [(one, "cannot be a file name") for one in ["a\n", "é", "a" * 101, "../a", "a\0", "\u0661"]]
    + [(one, "two dots") for one in ["a..b", "a.", "a.b."]]
    + [(one, "device") for one in ["con", "NUL", "Aux.txt", "prn.a.b", "COM1", "lpt9.yaml"]],
)
def test_id_fault__refused(id_: str, words: str) -> None:
    """Each kind of trouble has its own words, and says what to do."""
    fault = id_fault(id_)
    assert fault is not None

    assert words in fault
    assert ": use " in fault or ": rename" in fault


@settings(deadline=None)
@given(st.from_regex(ID_PATTERN, fullmatch=True))
def test_id_fault__what_is_accepted_stays_in_its_folder(id_: str) -> None:
    """An accepted id is one plain path component, on Windows too."""
    if id_fault(id_) is None:
        assert re.fullmatch(r"[A-Za-z0-9._-]{1,100}", id_)
        assert not id_.startswith(".")
        assert not id_.endswith(".")
        assert ".." not in id_


@settings(deadline=None)
@given(st.text(max_size=20))
def test_id_fault__any_text_has_an_answer(id_: str) -> None:
    """Nothing outside the pattern is accepted."""
    if not re.fullmatch(ID_PATTERN, id_):
        assert id_fault(id_) is not None


def test_fold__letter_case_and_composition() -> None:
    """Ids that one file system or another takes for the same."""
    assert fold("Ab") == fold("aB")
    assert fold("e\u0301") == fold("\u00e9")
    assert fold("a") != fold("b")
