"""Outputs: the verdict's fields, small enough, on one line each."""

from __future__ import annotations

import json
from pathlib import PurePath

import pytest

from gate.publish.outputs import FIELDS, LARGEST, OUTPUTS, outputs_of, paths_of
from gate.types import Cost, Coverage, Verdict
from tests.unit.reports.hostile import hostile
from tests.unit.reports.report_samples import CORRECTNESS_FELL, RELEVANCE_OK, REPORTS, VERDICT


def test_outputs__fields_of_the_verdict() -> None:
    """As the verdict has them."""
    found = outputs_of(VERDICT)

    assert list(FIELDS) == list(found)
    assert ("regression", "1", "1.8400") == (
        found["status"],
        found["exit-code"],
        found["cost-usd"],
    )
    assert VERDICT.headline == found["headline"]
    assert VERDICT.model_dump(mode="json")["comparisons"] == json.loads(found["comparisons"])
    assert "d4e5f6a7b8" == found["base-sha"]
    assert ["baseline.json", "1 case removed"] == json.loads(found["edits"])


def test_outputs__every_one_is_listed_once() -> None:
    """Fields, paths and the address of the comment."""
    made = {
        **outputs_of(VERDICT),
        **paths_of(PurePath("gate-out"), ()),
        "comment-url": "",
        "pull-request-url": "",
    }

    assert list(OUTPUTS) == list(made)


def test_outputs__an_unknown_cost_is_empty() -> None:
    """Never 0."""
    verdict = VERDICT.model_copy(update={"cost": Cost(usd=None)})

    assert "" == outputs_of(verdict)["cost-usd"]


def test_paths__only_of_what_is_there() -> None:
    """Below the workspace, which a later step may see elsewhere."""
    found = paths_of(PurePath("gate-out"), {"run.json", "other"})

    assert ("gate-out", "gate-out/run.json", "") == (
        found["report-path"],
        found["run-path"],
        found["verdict-path"],
    )


@pytest.mark.parametrize("status", REPORTS)
def test_outputs__hostile_texts_stay_on_one_line(status: str) -> None:
    """No line end, no sign that cannot be seen."""
    found = outputs_of(hostile(REPORTS[status]).verdict)

    assert [] == [name for name, value in found.items() if value and not value.isprintable()]


def test_outputs__too_many_rows() -> None:
    """Those that say least leave; what failed stays, in the table's order, and the rest counts."""
    fine = tuple(
        RELEVANCE_OK.model_copy(update={"dimension": f"fine-{number}"}) for number in range(400)
    )
    verdict = VERDICT.model_copy(update={"comparisons": (*fine, CORRECTNESS_FELL)})
    found = outputs_of(verdict)
    rows = json.loads(found["comparisons"])

    assert len(found["comparisons"]) <= LARGEST
    assert ["fine-0", "fine-1", "correctness"] == [
        *(one["dimension"] for one in rows[:2]),
        rows[-1]["dimension"],
    ]
    assert 401 == len(rows) + int(found["comparisons-left-out"])


def test_outputs__a_coverage_of_very_many_cases() -> None:
    """Lists are cut and counted."""
    ids = tuple(f"case-{number:06}" for number in range(20_000))
    found = outputs_of(Verdict(**_plain(), coverage=Coverage(cases=9, removed=ids)))
    told = json.loads(found["coverage"])

    assert (9, 20_000, 50) == (told["cases"], told["removed_count"], len(told["removed"]))


def test_outputs__very_many_warnings() -> None:
    """The first ones stay."""
    found = outputs_of(Verdict(**_plain(), warnings=("w" * 1_000,) * 1_000))

    assert len(found["warnings"]) <= LARGEST
    assert "w" * 1_000 == json.loads(found["warnings"])[0]


def test_outputs__all_of_them_fit_a_job() -> None:
    """The host takes 1 MB of UTF-16 of a job."""
    ids = tuple(f"case-{number:06}" for number in range(50_000))
    verdict = Verdict(
        **_plain(),
        coverage=Coverage(added=ids),
        warnings=ids,
        edits=ids,
        comparisons=(CORRECTNESS_FELL,) * 500,
    )
    size = sum(len(value.encode("utf-16-le")) for value in outputs_of(verdict).values())

    assert size < 1_000_000


def _plain() -> dict[str, object]:
    return {"status": "pass", "exit_code": 0, "headline": "fine"}
