"""The comment and the summary fit, whatever they hold."""

from __future__ import annotations

import re

import pytest

from gate.reports.markdown import COMMENT_BUDGET, SUMMARY_BUDGET
from gate.types import CaseStory, Coverage, Failure, IdentityFinding, MemoryFinding, Report
from tests.unit.reports.markdown_reading import comment, summary, tokens
from tests.unit.reports.report_samples import (
    FAITHFULNESS_ADVISORY,
    RELEVANCE_OK,
    STORY,
    changed,
    finding,
    report,
)

GITHUB_CHARACTERS = 65_536
GITHUB_BYTES = 262_144
GITHUB_SUMMARY_BYTES = 1_048_576


STORIES = tuple(
    CaseStory(
        case_id=f"case-{number}",
        target="search",
        question="why " * 100,
        answer="\N{SNOWMAN WITHOUT SNOW}\N{GRINNING FACE}" * 2_000,
        changes=(("correctness", 1.0, 0.0),),
        reasons=(("correctness", "because " * 125),),
    )
    for number in range(400)
)


def test_length__400_changed_cases() -> None:
    """400 long stories: the details leave, verdict and table stay, and it is said."""
    of = report("regression").model_copy(update={"stories": STORIES})
    text, long = comment(of), summary(of)

    assert len(text.encode("utf-16-le")) // 2 <= COMMENT_BUDGET < GITHUB_CHARACTERS
    assert len(text.encode("utf-8")) < GITHUB_BYTES
    assert "| ❌ FAIL | correctness | 0.88 → 0.75 |" in text
    assert "Left out to fit: " in text
    assert "`case-0`" in text
    assert len(long.encode("utf-8")) <= SUMMARY_BUDGET < GITHUB_SUMMARY_BYTES
    assert long.count("**Case**") > text.count("**Case**")


def monstrous(names: int, rows: int, costly: str) -> Report:
    """A report in which every list is long and every text is long and costly to show."""
    many = tuple(f"{costly}{number}" for number in range(names))
    of = report("regression")
    findings = tuple(
        finding(
            "d" * 5_000, "inconclusive", target=costly + str(number), settles=costly, note=costly
        )
        for number in range(rows)
    )
    operation = of.verdict.operations[0]
    return changed(
        of,
        headline=costly * 100,
        comparisons=(*findings, finding("correctness", "regression", worst_cases=many)),
        operations=tuple(
            operation.model_copy(update={"target": name, "because": costly}) for name in many
        ),
        coverage=Coverage(
            cases=9,
            added=many,
            removed=many,
            changed=many,
            errored=many,
            unscored=dict.fromkeys(many, 1),
        ),
        from_memory=tuple(
            MemoryFinding(target=name, count=names, n=names, cases=many) for name in many
        ),
        warnings=many,
        edits=many,
        reproduce=tuple(name * 20 for name in many),
        next_step=costly * 100,
        accepted_by=costly * 100,
        seed=costly * 100,
        identity=IdentityFinding(comparable=False, differs=many),
    ).model_copy(update={"stories": (STORY.model_copy(update={"answer": costly * 200}),) * 50})


@pytest.mark.parametrize("costly", ["`@|#[" * 120, "` " * 300, "\N{GRINNING FACE}" * 600])
def test_length__everything_is_too_long(costly: str) -> None:
    """The last level fits by its own limits, and the failing row is the last to leave."""
    of = monstrous(names=60, rows=60, costly=costly)
    text, long = comment(of), summary(of)

    assert len(text.encode("utf-16-le")) // 2 <= COMMENT_BUDGET
    assert len(long.encode("utf-8")) <= SUMMARY_BUDGET
    assert "| ❌ FAIL | correctness |" in text
    assert "rows of the table" in text
    assert text.startswith("### ☑️ Accepted regression: ")
    assert [one.type for one in tokens(text)].count("html_block") % 2 == 0


def test_length__everything_is_too_long_and_broken() -> None:
    """A broken run of the same kind fits as well."""
    of = monstrous(names=60, rows=60, costly="` " * 300)
    broken = Failure(kind="judge", message="` " * 9_000)
    text = comment(changed(of, status="broken", exit_code=3, broken=broken))

    assert len(text.encode("utf-16-le")) // 2 <= COMMENT_BUDGET
    assert text.startswith("### 🚫 No verdict: ")


def test_length__very_many_targets_without_a_baseline() -> None:
    """A model table that is too long is shortened, and says by how much."""
    of = report("report")
    targets = tuple(
        of.run.targets[0].model_copy(update={"name": f"{'`@' * 60}{number}"})
        for number in range(300)
    )
    text = comment(of.model_copy(update={"run": of.run.model_copy(update={"targets": targets})}))

    assert len(text) <= COMMENT_BUDGET
    assert re.search(r"and \d+ more rows", text)


def test_kept__order_of_rows_stays() -> None:
    """A table that is shortened keeps gating rows before advisory ones."""
    advisory = tuple(
        FAITHFULNESS_ADVISORY.model_copy(update={"dimension": f"{'a' * 5_000}{number}"})
        for number in range(450)
    )
    text = comment(changed(report("regression"), comparisons=(*advisory, RELEVANCE_OK)))

    assert text.index("| ✅ ok | relevance") < text.index("| 💬 advisory")
