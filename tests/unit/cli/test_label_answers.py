"""Answers of runs as sheets to rate."""

from __future__ import annotations

import pytest

from gate.cli.label_answers import what_is_wanted, with_marks
from gate.errors import ConfigError
from gate.types import Answer, Citation, Metric, Run, TargetInfo

RUN = Run(
    id="r",
    targets=(TargetInfo(name="flash", use="gemini"),),
    metrics=(
        Metric(name="relevance", judged=True),
        Metric(name="faithfulness", judged=True, counts="claims"),
        Metric(name="citation_f1", judged=True, of=("a", "b")),
        Metric(name="exact"),
    ),
)


def test_what_is_wanted__every_judged_dimension_of_whole_answers() -> None:
    """Unless something is named: then only that."""
    assert ("relevance",) == what_is_wanted([RUN], [], [], None).dimensions
    named = what_is_wanted([RUN], [], ["claims"], "flash")
    assert ((), ("claims",), "flash") == (named.dimensions, named.kinds, named.target)


@pytest.mark.parametrize(
    ("dimension", "target", "says"),
    [
        ("relevence", None, "did you mean `relevance`"),
        ("exact", None, "unknown dimension `exact`"),
        ("faithfulness", None, "counts claims: rate these with --claims"),
        ("relevance", "flesh", "did you mean `flash`"),
    ],
)
def test_what_is_wanted__a_name_that_is_none(dimension: str, target: str | None, says: str) -> None:
    """What was perhaps meant, and what there is."""
    with pytest.raises(ConfigError, match=says):
        what_is_wanted([RUN], [dimension], [], target)


def test_what_is_wanted__a_run_without_a_judge_of_whole_answers() -> None:
    """Its items can be rated."""
    with pytest.raises(ConfigError, match="--claims"):
        what_is_wanted([RUN.model_copy(update={"metrics": RUN.metrics[1:]})], [], [], None)


def test_with_marks__numbers_behind_each_stretch() -> None:
    """A stretch that does not lie in the text has no place for one."""
    spans = ((0, 4, (0,)), (0, 4, (2, 0)), (5, 9, (1,)), (5, 99, (0,)))
    citations = tuple(
        Citation(start=start, end=end, text="", sources=sources) for start, end, sources in spans
    )

    assert "One.[1][3] Two.[2]" == with_marks(Answer(text="One. Two.", citations=citations))
