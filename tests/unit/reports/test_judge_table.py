"""How far the judge agrees with people, in the job summary and not in the comment."""

from __future__ import annotations

from gate.decision.calibration import agreement_of
from gate.reports.judge_table import judge_table
from gate.reports.numbers import figure
from gate.types import Agreement, Policy
from tests.unit.decision.decision_samples import JUDGED_BY, labelled
from tests.unit.reports.report_samples import report
from tests.unit.reports.test_report_markdown import comment, summary

TITLE = "How far the judge agrees with people"


def agreement(table: list[list[int]], **more: object) -> Agreement:
    """The agreement of a table of labels."""
    return agreement_of(labelled(table, **more), Policy(), JUDGED_BY)


def test_judge_table__the_licence_and_what_stands_beside_it() -> None:
    """Kappa with its bound and interval, how many labels, and four figures for comparison."""
    text = judge_table([agreement([[2, 0, 0], [0, 0, 0], [1, 1, 20]])], 9)

    assert (
        "| correctness | provisional | 0.63 (0.25) | 0.18 … 1.00 | 24 answers | 24 | 0.69 | 0.73 "
        "| 0.91 | 0.92 |"
    ) in text
    assert "licensing nothing" in text


def test_judge_table__undefined_and_unlabelled() -> None:
    """Dashes for what is undefined; a dimension without labels has no line."""
    undefined = agreement([[0, 0, 0], [0, 0, 0], [0, 0, 9]])
    none = agreement([[0, 0, 0], [0, 0, 0], [0, 0, 0]], dimension="zeal")

    text = judge_table([undefined, none], 9).replace(figure(None), "-")

    assert (
        "| correctness | undefined | undefined | - | 9 answers | 9 | - | - | 1.00 | 1.00 |" in text
    )
    assert "zeal" not in text
    assert "" == judge_table([none], 9)


def test_judge_table__most() -> None:
    """The rest is counted."""
    rows = [agreement([[2, 0, 0], [0, 2, 0], [0, 0, 2]], dimension=name) for name in "abc"]

    assert "and 2 more rows" in judge_table(rows, 1)


def test_summary__has_it_and_the_comment_has_not() -> None:
    """The comment is for the verdict."""
    found = report("pass").model_copy(
        update={"agreements": (agreement([[2, 0, 0], [0, 0, 0], [1, 1, 20]]),)}
    )

    assert TITLE in summary(found)
    assert TITLE not in comment(found)
