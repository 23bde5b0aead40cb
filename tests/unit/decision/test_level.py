"""The level that each row's p is held against, as a reader of the verdict sees it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.types import Cell, Finding, Policy, TrustState
from tests.unit.decision.decision_samples import baseline_of, columns, run_of, verdict_of


def rows(
    *, repeats: int, categories: int, policy: Policy | None = None, state: TrustState = "validated"
) -> list[Finding]:
    """The rows of 48 cases that did not change."""

    def cells(answers: int) -> list[Cell]:
        made = columns([[0.8] * answers] * 48)
        return [replace(one, category=f"c{place % categories}") for place, one in enumerate(made)]

    verdict = verdict_of(
        run_of(cells(repeats)), baseline_of(run_of(cells(5))), policy or Policy(), state
    )
    return list(verdict.comparisons)


@pytest.mark.parametrize(
    ("repeats", "categories", "levels"),
    [
        (1, 1, [0.10]),  # all of q
        (1, 6, [0.07, *[0.03] * 6]),  # 30% of it are the categories'
        (3, 1, [0.07]),  # 30% of it are the hard failures'
        (3, 6, [0.049, *[0.03] * 6]),  # and of the 0.07 as well
    ],
)
def test_level__q_is_shared_out(repeats: int, categories: int, levels: list[float]) -> None:
    """Between rows, categories and hard failures, and each row says its part."""
    found = [one.q for one in rows(repeats=repeats, categories=categories)]

    assert levels == pytest.approx(found)


def test_level__none_where_no_p_decides() -> None:
    """By the plain threshold, and of a row that fails no run."""
    plain = rows(repeats=1, categories=1, policy=Policy(rule="threshold"))
    advisory = rows(repeats=1, categories=1, state="unvalidated")

    assert [None, None] == [one.q for one in (*plain, *advisory)]
