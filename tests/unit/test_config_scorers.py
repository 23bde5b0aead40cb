"""Scorer sets in gate.yaml: what is read, what is refused, and what a name on the command picks."""

from __future__ import annotations

import pytest

from gate.config import Config, load_config
from gate.errors import ConfigError

HEAD = """\
dataset: {path: evals/cases.yaml}
scorers: [quality, faithfulness, citations]
"""
"""Lines 1 and 2 of every file here."""

SETS = "scorer_sets:\n  quick: [quality]\n  pages: [citations, faithfulness]\n"
"""Two sets, as an owner would write them."""


def read(text: str) -> Config:
    """Read a configuration."""
    return load_config(text, "gate.yaml", {})


def names(config: Config, *asked: str) -> tuple[str, ...]:
    """Names of the scorers that are chosen."""
    return tuple(use.name for use in config.choose_scorers(asked).uses)


def test_scorer_sets__are_read() -> None:
    """Sets and their members as written; without any there are none."""
    assert {"quick": ("quality",), "pages": ("citations", "faithfulness")} == dict(
        read(HEAD + SETS).scorer_sets
    )
    assert {} == dict(read(HEAD).scorer_sets)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("scorer_sets: [quick]\n", 3, "`scorer_sets`: must be a block of keys"),
        ("scorer_sets: {quick: quality}\n", 3, "`scorer_sets.quick`: must be a list"),
        ("scorer_sets:\n  quick: []\n", 4, "`scorer_sets.quick`: is empty: write at least one"),
        (
            "scorer_sets:\n  quick: [quality]\n  full:\n    - quality\n    - citation\n",
            7,
            "`scorer_sets.full`: unknown scorer `citation`; did you mean `citations`?",
        ),
        (
            "scorer_sets: {quick: [trajectory]}\n",
            3,
            "add it under `scorers:`, or leave it out of the set",
        ),
        (
            "scorer_sets:\n  quality: [quality, citations]\n",
            4,
            "is a scorer's name already, and `--scorer quality` could mean either",
        ),
        ("scorer_sets: {quick: [quality, quality]}\n", 3, "`quality` stands twice: keep one"),
        ('scorer_sets: {"a b": [quality]}\n', 3, "cannot be typed and shown as a name"),
        ("run: {scorers: quick}\n", 3, "unknown scorer set `quick`. Known: none; add it under"),
        (SETS + "run:\n  scorers: quality\n", 7, "`run.scorers`: unknown scorer set `quality`"),
        (SETS + "run:\n  scorers: quik\n", 7, "did you mean `quick`?"),
    ],
)
def test_scorer_sets__refused_with_their_line(text: str, line: int, message: str) -> None:
    """Each fault says where it stands and what to do."""
    with pytest.raises(ConfigError) as caught:
        read(HEAD + text)

    assert message in str(caught.value)
    assert ("gate.yaml", line) == (caught.value.path, caught.value.line)


def test_scorer_sets__of_the_scorer_that_is_there_by_itself() -> None:
    """Without `scorers:` there is `quality`, and a set may name it."""
    config = read("dataset: {path: a}\nscorer_sets: {quick: [quality]}\n")

    assert ("quality",) == names(config, "quick")


def test_choose_scorers__all_without_a_word() -> None:
    """Sets that nobody asks for change nothing."""
    choice = read(HEAD + SETS).choose_scorers(())

    assert ((), False) == (choice.sets, choice.by_hand)
    assert ("quality", "faithfulness", "citations") == names(read(HEAD + SETS))


def test_choose_scorers__a_set_does_not_narrow() -> None:
    """The owner defined it; scorers come in the file's order, several sets are put together."""
    config = read(HEAD + SETS)
    pages, both = config.choose_scorers(["pages"]), config.choose_scorers(["pages", "quick"])

    assert (("pages",), False) == (pages.sets, pages.by_hand)
    assert ("faithfulness", "citations") == names(config, "pages")
    assert (("pages", "quick"), False) == (both.sets, both.by_hand)
    assert ("quality", "faithfulness", "citations") == names(config, "pages", "quick", "pages")


@pytest.mark.parametrize("asked", [["quality"], ["quick", "citations"]])
def test_choose_scorers__a_scorer_by_its_own_name_narrows(asked: list[str]) -> None:
    """Even where a set holds just this one, and also beside a set."""
    choice = read(HEAD + SETS).choose_scorers(asked)

    assert ((), True) == (choice.sets, choice.by_hand)


def test_choose_scorers__default_of_the_configuration() -> None:
    """`run.scorers` counts where nothing is asked for, and only there."""
    config = read(HEAD + SETS + "run: {scorers: quick}\n")

    assert ("quick",) == config.choose_scorers(()).sets
    assert ("quality",) == names(config)
    assert ("pages",) == config.choose_scorers(["pages"]).sets


def test_choose_scorers__unknown_name() -> None:
    """Scorers and sets are listed."""
    with pytest.raises(ConfigError, match="unknown scorer or scorer set `quack`") as caught:
        read(HEAD + SETS).choose_scorers(["quack"])

    assert 2 == caught.value.line
    assert all(f"`{name}`" in str(caught.value) for name in ("quality", "quick", "pages"))
