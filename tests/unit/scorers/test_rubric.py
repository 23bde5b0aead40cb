"""People rate by the judge's own words."""

from __future__ import annotations

from gate.scorers.quality import METRICS, SYSTEM
from gate.scorers.rubric import rubric_of
from gate.templates import render


def test_rubric_of__every_dimension_of_quality() -> None:
    """Five levels in three buckets, a question, and nothing that the prompt does not say."""
    system = render(SYSTEM)
    for metric in METRICS:
        rubric = rubric_of(metric.name)

        assert rubric is not None
        assert [2, 1, 2] == [len(rubric.levels[word]) for word in ("high", "med", "low")]
        said = [rubric.asks, *rubric.notes, *(one for two in rubric.levels.values() for one in two)]
        assert all(line in system for line in said)


def test_rubric_of__the_best_level_first() -> None:
    """As the judge reads them."""
    rubric = rubric_of("source_quality")

    assert rubric is not None
    assert rubric.levels["low"][-1].startswith("no sources")
    assert "Expected domains are a hint; other reputable sources are as good." in rubric.notes


def test_rubric_of__another_dimension() -> None:
    """There are no words for it."""
    assert rubric_of("faithfulness") is None
