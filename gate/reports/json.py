"""`verdict.json`: the verdict for programs. Undefined numbers are null, never NaN."""

from __future__ import annotations

import json
from dataclasses import dataclass

from gate.reports.facts import STAND_IN
from gate.reports.options import NoOptions
from gate.types import Artifact, Report, Verdict


@dataclass(frozen=True)
class JsonReporter:
    """The verdict as JSON, keys in the order of the contract."""

    Options = NoOptions
    """Options of `use: json`."""
    options: NoOptions
    """The options."""

    def render(self, report: Report) -> Artifact:
        """Render `verdict.json`; a stand-in world is named among its warnings."""
        plain = told(report).model_dump(mode="json")
        text = json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False)
        return Artifact(name="verdict.json", media_type="application/json", text=f"{text}\n")


def told(report: Report) -> Verdict:
    """Return the verdict as programs get it: a stand-in world is named among its warnings."""
    verdict = report.verdict
    if not report.stand_in or STAND_IN in verdict.warnings:
        return verdict
    return verdict.model_copy(update={"warnings": (STAND_IN, *verdict.warnings)})
