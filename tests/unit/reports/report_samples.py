"""Reports with invented figures, one for each status, for the tests of all reporters."""

from __future__ import annotations

from gate.decision.what_next import after_regression, when_unclear
from gate.types import (
    Attempt,
    CaseStory,
    Cell,
    Commits,
    Comparison,
    Cost,
    Coverage,
    Difference,
    Failure,
    Finding,
    Identity,
    MemoryFinding,
    Metric,
    OperationFinding,
    Plan,
    Report,
    Row,
    Run,
    State,
    TargetInfo,
    Trust,
    Verdict,
)

VALIDATED = Trust(state="validated", kappa=0.81, low=0.66, high=0.95, lower_one_sided=0.69, n=90)
PROVISIONAL = Trust(state="provisional", kappa=0.7, low=0.31, high=1.0, lower_one_sided=0.37, n=24)
UNLABELLED = Trust(state="unlabelled")

METRICS = tuple(
    Metric(name=name, judged=True) for name in ("relevance", "correctness", "source_quality")
)


def finding(dimension: str, outcome: str, **more: object) -> Finding:
    """A gating row with a small, tested difference unless told otherwise."""
    values: dict[str, object] = {
        "target": "search",
        "dimension": dimension,
        "gating": True,
        "trust": VALIDATED,
        "baseline": 0.9,
        "current": 0.9,
        "delta": 0.0,
        "low": -0.02,
        "high": 0.02,
        "p": 0.5,
        "p_adjusted": 0.6,
        "p_holm": 1.0,
        "n": 40,
        "smallest_visible_drop": 0.06,
        "outcome": outcome,
    }
    return Finding.model_validate(values | more)


CORRECTNESS_FELL = finding(
    "correctness",
    "regression",
    baseline=0.88,
    current=0.75,
    delta=-0.13,
    low=-0.2,
    high=-0.06,
    p=0.0008,
    p_adjusted=0.0024,
    p_holm=0.0024,
    worse=6,
    better=1,
    worst_cases=("lighthouse-height", "ferry-fare"),
)
RELEVANCE_OK = finding("relevance", "pass")
QUALITY_UNCLEAR = finding(
    "source_quality",
    "inconclusive",
    trust=PROVISIONAL,
    baseline=0.55,
    current=0.52,
    delta=-0.03,
    low=-0.13,
    high=0.07,
    p=0.31,
    worse=4,
    better=3,
    smallest_visible_drop=0.16,
    settles="about 35 more cases, or 3 repeats",
)
FAITHFULNESS_ADVISORY = finding(
    "faithfulness",
    "regression",
    gating=False,
    advisory_because="nobody has labelled it yet",
    trust=UNLABELLED,
    baseline=0.91,
    current=0.84,
    delta=-0.07,
    low=-0.1,
    high=-0.04,
    p_adjusted=None,
    p_holm=None,
    worse=5,
)

CLAIMS_WATCHED = finding(
    "claims",
    "inconclusive",
    gating=False,
    watched=True,
    advisory_because="watched: a clear fall is pointed out, and fails no run",
    trust=Trust(state="not_needed"),
    baseline=3.9,
    current=2.1,
    delta=-1.8,
    low=-2.2,
    high=-1.4,
    p=0.003,
    p_adjusted=None,
    p_holm=None,
    worse=31,
    better=2,
)
FEWER_CLAIMS = (
    "Answers make fewer claims: 3.9 → 2.1 an answer (p 0.003): read faithfulness and citations "
    "with that in mind, since shorter and vaguer answers have less to get wrong."
)
FROM_MEMORY = MemoryFinding(
    target="search",
    count=3,
    n=38,
    cases=("mast-owner", "ferry-fare"),
    baseline=0.021,
    baseline_n=190,
)

OPERATION = OperationFinding(
    target="search",
    p50_latency_s=2.41,
    usd_per_1k=0.71,
    error_rate=0.0,
    empty_rate=0.25,
    grounded_rate=0.69,
    baseline={
        "p50_latency_s": 2.5,
        "usd_per_1k": 0.69,
        "error_rate": 0.0,
        "empty_rate": 0.0,
        "grounded_rate": 0.72,
    },
)


def cell(
    case_id: str, scores: tuple[float | None, ...], state: State = "ok", **more: object
) -> Cell:
    """A cell of one attempt with the scores of `METRICS`, in their order."""
    values: dict[str, object] = {
        "target": "search",
        "case_id": case_id,
        "category": "facts",
        "scores": {m.name: (score,) for m, score in zip(METRICS, scores, strict=True)},
        "attempts": (Attempt(state=state, grounded=state == "ok", latency_s=2.0, cost_usd=0.001),),
    }
    return Cell(**(values | more))


RUN = Run(
    id="run-7",
    plan=Plan(case_ids=("ferry-fare", "lighthouse-height", "mast-owner", "tide-table"), total=4),
    targets=(TargetInfo(name="search", use="gemini", model="grounded-1"),),
    metrics=METRICS,
    identities={m.name: Identity(judge="claude-judge-1", prompt="7f3a" * 16) for m in METRICS},
    cells=(
        cell("ferry-fare", (1.0, 0.25, 0.5)),
        cell("lighthouse-height", (0.75, 0.0, 0.5)),
        cell("mast-owner", (1.0, 1.0, 0.75)),
        cell("tide-table", (None, None, None), state="empty"),
    ),
)

COMPARISON = Comparison(
    rows=(
        Row(
            target="search",
            dimension="correctness",
            judged=True,
            direction_known=True,
            baseline=0.875,
            current=0.125,
            delta=-0.75,
            signed=-0.75,
            differences=(
                Difference(
                    case_id="ferry-fare",
                    category="facts",
                    baseline=0.75,
                    current=0.25,
                    new=(0.25,),
                    base=(0.75, 0.75),
                ),
                Difference(
                    case_id="lighthouse-height",
                    category="facts",
                    baseline=1.0,
                    current=0.0,
                    new=(0.0,),
                    base=(1.0,),
                ),
            ),
        ),
    ),
    baseline_age_days=12.4,
    baseline_repeats=5,
)

STORY = CaseStory(
    case_id="lighthouse-height",
    target="search",
    question="How high is the lighthouse of Skarvnes?",
    answer="The lighthouse is about 50 metres high.",
    changes=(("correctness", 1.0, 0.0), ("relevance", 1.0, 0.75)),
    reasons=(("correctness", "The answer must say 34 metres; it says about 50."),),
)

VERDICT = Verdict(
    status="regression",
    exit_code=1,
    headline="Regression: correctness fell by 0.13 (0.88 → 0.75)",
    comparisons=(CORRECTNESS_FELL, RELEVANCE_OK, QUALITY_UNCLEAR, FAITHFULNESS_ADVISORY),
    operations=(OPERATION,),
    coverage=Coverage(
        cases=41,
        compared=40,
        added=("new-jetty",),
        errored=("tide-table",),
        not_sampled=8,
        unscored={"source_quality": 1, "relevance": 0},
    ),
    warnings=("the baseline is 34 days old",),
    edits=("baseline.json", "1 case removed"),
    cost=Cost(usd=1.84, estimated_usd=2.1, ceiling_usd=5.0, calls=96, cached_calls=4),
    commits=Commits(base="d4e5f6a7b8", head="0a1b2c3d4e", evaluated="a1b2c3d4e5"),
    reproduce=("gh run download 17 -n gate", "docker run kappagate run --replay journal.sqlite"),
    next_step=after_regression(accepted=False, on_head=True),
)

REGRESSION = Report(
    name="gate",
    verdict=VERDICT,
    comparison=COMPARISON,
    run=RUN,
    stories=(STORY,),
)


def report(status: str) -> Report:
    """The report of one status."""
    return REPORTS[status]


def changed(of: Report, **more: object) -> Report:
    """The report with other values in its verdict."""
    return of.model_copy(update={"verdict": of.verdict.model_copy(update=more)})


def _with(status: str, headline: str, rows: tuple[Finding, ...], **more: object) -> Report:
    quiet: dict[str, object] = {
        "status": status,
        "exit_code": 0,
        "headline": headline,
        "comparisons": rows,
        "coverage": Coverage(cases=40, compared=40),
        "warnings": (),
        "edits": (),
        "next_step": None,
    }
    same = COMPARISON.model_copy(update={"rows": ()})
    return changed(REGRESSION, **(quiet | more)).model_copy(
        update={"stories": (), "comparison": same}
    )


TWO_TARGETS = RUN.model_copy(
    update={
        "targets": (*RUN.targets, TargetInfo(name="rival", use="gemini", model="grounded-2")),
        "cells": (
            *RUN.cells,
            cell("ferry-fare", (0.5, 0.5, None), target="rival"),
            cell("tide-table", (0.0, 0.0, 0.0), state="empty", target="rival"),
        ),
    }
)

REPORTS = {
    "regression": REGRESSION,
    "pass": _with("pass", "Pass: no drop larger than 0.10 in relevance", (RELEVANCE_OK,)),
    "inconclusive": _with(
        "inconclusive",
        "no regression found; too noisy to rule out a drop of 0.10 in source_quality",
        (RELEVANCE_OK, QUALITY_UNCLEAR),
        next_step=when_unclear([QUALITY_UNCLEAR], tolerated=True),
    ),
    "broken": _with(
        "broken",
        "nothing could be decided: correctness was not measured",
        (
            RELEVANCE_OK,
            finding(
                "correctness",
                "unmeasured",
                baseline=0.123,
                current=0.456,
                delta=0.333,
                note="scored in 3 of 40 cases",
            ),
        ),
        exit_code=3,
        broken=Failure(kind="judge", message="the judge answered 529 in 37 of 40 cells"),
        next_step="run it again when the judge answers; what was answered is kept",
    ),
    "report": _with(
        "report",
        "no baseline yet: numbers without a verdict",
        (),
        operations=(),
        next_step="write a baseline of this run with `gate baseline`",
    ).model_copy(update={"comparison": None, "stand_in": True}),
    "two-targets": _with(
        "pass",
        "no drop larger than 0.10",
        (RELEVANCE_OK, finding("relevance", "pass", target="rival")),
    ).model_copy(update={"run": TWO_TARGETS}),
    "evidence": _with(
        "pass",
        "no drop larger than 0.10 in relevance",
        (RELEVANCE_OK, FAITHFULNESS_ADVISORY, CLAIMS_WATCHED),
        from_memory=(FROM_MEMORY,),
        warnings=(FEWER_CLAIMS,),
    ).model_copy(
        update={
            "run": RUN.model_copy(
                update={
                    "metrics": (
                        *METRICS,
                        Metric(name="faithfulness", judged=True),
                        Metric(name="claims", unit="claims", watched=True),
                    )
                }
            )
        }
    ),
    "accepted": changed(
        REGRESSION,
        exit_code=0,
        accepted_by="a-maintainer",
        next_step=after_regression(accepted=True, on_head=True),
    ),
}
"""Status (and three more situations) -> report."""
