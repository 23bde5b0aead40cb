"""A verdict -> the outputs of the action: its fields and the places of its files, as texts.

Lists and records are JSON of ASCII signs on one line. The host takes 1 MB of outputs of a whole
job, so each of them has a ceiling; what leaves is what says least, and it is counted.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath

from pydantic import JsonValue

from gate.reports.untrusted import plain
from gate.types import Finding, Verdict

__all__ = ["OUTPUTS", "outputs_of", "paths_of"]

LARGEST = 100_000
"""Signs of one output."""
MOST_LISTED = 50
"""Ids of a list of cases that is too long to be told whole."""

FILES = {
    "run-path": "run.json",
    "verdict-path": "verdict.json",
    "comment-path": "comment.md",
    "summary-path": "summary.md",
    "results-path": "results.jsonl",
    "answers-path": "answers.json",
    "journal-path": "journal.sqlite",
}
"""Output -> the file whose place it tells."""

FIELDS = (
    *("status", "exit-code", "headline", "next-step", "comparisons", "comparisons-left-out"),
    *("operations", "coverage", "identity", "warnings", "edits", "seed", "attempts"),
    *("accepted-by", "cost-usd", "cost", "base-sha", "head-sha", "evaluated-sha"),
)
"""Outputs that are fields of the verdict."""

OUTPUTS = (*FIELDS, "report-path", *FILES, "comment-url", "pull-request-url")
"""Every output, in the order of action.yml; one that has nothing to say is empty."""

_LEAST_FIRST = ("pass", "incomparable", "unmeasured", "inconclusive", "missing", "regression")
"""Outcomes of rows, in the order in which they leave."""


def outputs_of(verdict: Verdict) -> dict[str, str]:
    """Return the fields of a verdict; an unknown number is empty."""
    rows = _fitting(verdict.comparisons)
    commits = verdict.commits
    coverage = verdict.coverage.model_dump(mode="json")
    return {
        "status": verdict.status,
        "exit-code": str(verdict.exit_code),
        "headline": plain(verdict.headline),
        "next-step": plain(verdict.next_step or ""),
        "comparisons": _json([one.model_dump(mode="json") for one in rows]),
        "comparisons-left-out": str(len(verdict.comparisons) - len(rows)),
        "operations": _listed([one.model_dump(mode="json") for one in verdict.operations]),
        "coverage": _shortened(coverage),
        "identity": _shortened(verdict.identity.model_dump(mode="json")),
        "warnings": _listed(verdict.warnings),
        "edits": _listed(verdict.edits),
        "seed": plain(verdict.seed),
        "attempts": str(verdict.attempts),
        "accepted-by": plain(verdict.accepted_by or ""),
        "cost-usd": "" if verdict.cost.usd is None else f"{verdict.cost.usd:.4f}",
        "cost": _json(verdict.cost.model_dump(mode="json")),
        "base-sha": plain(commits.base or ""),
        "head-sha": plain(commits.head or ""),
        "evaluated-sha": plain(commits.evaluated or ""),
    }


def paths_of(folder: PurePath, names: Collection[str]) -> dict[str, str]:
    """Return the places of the files that are there; a file that is not has an empty one.

    `folder` is the folder of the run relative to the workspace, which a later step may see at
    another place than this one.
    """
    return {
        "report-path": plain(str(folder)),
        **{
            output: plain(str(folder / name)) if name in names else ""
            for output, name in FILES.items()
        },
    }


def _fitting(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Leave out what says least, until the rest is small enough; the order stays."""
    sizes = [len(_json(one.model_dump(mode="json"))) + 2 for one in findings]
    leaving = sorted(
        range(len(findings)),
        key=lambda place: (
            findings[place].gating,
            _LEAST_FIRST.index(findings[place].outcome),
            -place,
        ),
    )
    total, left = sum(sizes), set[int]()
    for place in leaving:
        if total <= LARGEST:
            break
        total -= sizes[place]
        left.add(place)
    return tuple(one for place, one in enumerate(findings) if place not in left)


def _listed(values: Sequence[JsonValue]) -> str:
    """Return a list, its end left out where it is too long."""
    kept = list(values)
    while len(text := _json(kept)) > LARGEST:
        kept = kept[: len(kept) // 2]
    return text


def _shortened(record: Mapping[str, JsonValue]) -> str:
    """Return a record, its lists cut and counted where it is too long."""
    text = _json(dict(record))
    if len(text) <= LARGEST:
        return text
    cut: dict[str, JsonValue] = {}
    for key, value in record.items():
        if isinstance(value, list | dict):
            cut[f"{key}_count"] = len(value)
        if isinstance(value, dict):
            cut[key] = dict(list(value.items())[:MOST_LISTED])
        else:
            cut[key] = value[:MOST_LISTED] if isinstance(value, list) else value
    text = _json(cut)
    return text if len(text) <= LARGEST else "{}"


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
