"""The text of a refresh's pull request, as GitHub's own Markdown library reads it."""

from __future__ import annotations

from dataclasses import replace

from gate.decision.refresh import Refreshed, Why, refresh
from gate.reports.refresh import MOST_REASONS, Where, refresh_body, refresh_title
from gate.reports.refresh_table import MOST_ROWS
from gate.types import (
    Baseline,
    Commits,
    Identity,
    Measured,
    MeasuredRun,
    Metric,
    Policy,
    Provenance,
    Reason,
)
from tests.unit.decision.decision_samples import CORRECTNESS
from tests.unit.decision.refresh_samples import measured, past, scores
from tests.unit.publish.dom import columns, names, outside_code, rendered
from tests.unit.reports.hostile import EVIL

SECONDS = Metric(name="seconds", better="lower", unit="s", judged=False)


def body(found: Refreshed) -> str:
    """Its text."""
    return refresh_body(found, Policy())


def made(new: Baseline, old: Baseline | None, why: Why | None = None) -> Refreshed:
    """A refresh by the default policy."""
    return refresh(new, measured(), past(old), Policy(), why=why)


def test_body__the_first_baseline() -> None:
    """There is nothing beside it."""
    found = made(scores(0.8), None)
    said = body(found)

    assert "First baseline: 24 cases, 5 repeats" == refresh_title(found)
    assert "**The first baseline.**" in said
    assert "- Anchor: this baseline" in said
    assert "- Cost at list price: $1.50, 10 paid calls" in said
    assert "Started by hand. No reason was given." in said


def test_body__worse_than_the_old_one_and_not_than_the_anchor() -> None:
    """A lucky baseline before: no reason is needed, and it is said all the same."""
    found = refresh(scores(0.8), measured(), past(scores(0.9), scores(0.8)), Policy())
    said = body(found)

    assert [] == found.needed
    assert "**Worse than the old baseline by more than noise:** correctness." in said
    assert "the old baseline was a lucky one" in said


def test_body__a_lower_figure_may_be_the_better_one() -> None:
    """Seconds that fell are no drop."""
    slow, quick = scores(0.9, metrics=(SECONDS,)), scores(0.5, metrics=(SECONDS,))
    renamed = [
        one.model_copy(
            update={
                "cells": tuple(
                    replace(cell, scores={"seconds": cell.scores["correctness"]})
                    for cell in one.cells
                )
            }
        )
        for one in (slow, quick)
    ]
    said = body(made(renamed[1], renamed[0]))

    assert "**Better than the old baseline by more than noise:** seconds." in said
    assert "| no judge |" in said


def test_body__foreign_text_is_code_and_nothing_else() -> None:
    """No mention, no closing word, no link, no column more."""
    new = scores(0.5)
    evil = [
        one.model_copy(
            update={
                "cells": tuple(
                    replace(
                        cell,
                        target=EVIL,
                        case_id=cell.case_id + extra,
                        scores={EVIL: cell.scores["correctness"]},
                    )
                    for cell in one.cells
                ),
                "targets": (one.targets[0].model_copy(update={"name": EVIL}),),
                "metrics": (CORRECTNESS.model_copy(update={"name": EVIL}),),
                "identities": {EVIL: Identity(judge=EVIL, prompt=extra, scorer="s")},
                "runs": (EVIL,),
                "accepted": {"r": EVIL},
                "reasons": (Reason(run="r", text=EVIL, by=EVIL, created=EVIL),),
            }
        )
        for one, extra in ((new, EVIL), (scores(0.8), "then"))
    ]
    facts = Measured(runs=(MeasuredRun(id=EVIL, repeats=5),))
    found = refresh(evil[0], facts, past(evil[1]), Policy(), why=Why(f"fixes #1 {EVIL}", EVIL))
    tree = rendered(body(found))

    assert all(
        sign not in outside_code(tree)
        for sign in ("@org", "#12", "#1 ", "GH-3", "http", "www", "a@b", "fixes", "$m$", ":tada:")
    )
    assert names(tree).isdisjoint({"img", "a", "!--", "pre"})
    assert [{8}] == columns(tree)
    assert "EVIL" not in refresh_title(found)


def test_body__several_targets_and_runs_by_hand() -> None:
    """Whose rows they are, and that nobody can tell what was left out."""
    one = scores(0.8, repeats=6)
    both = one.model_copy(
        update={
            "cells": (*one.cells, *(replace(cell, target="u") for cell in one.cells)),
            "targets": (*one.targets, one.targets[0].model_copy(update={"name": "u"})),
        }
    )
    runs = (MeasuredRun(id="r1", repeats=3, usd=None), MeasuredRun(id="r2", repeats=3))
    said = body(refresh(both, Measured(runs=runs), past(None), Policy()))

    assert "| `u` | correctness |" in said
    assert "of 2 runs that were named by hand" in said
    assert "Cost at list price: not known in full" in said


def test_body__what_has_no_score_is_counted() -> None:
    """Empty, blocked, unreadable, nothing to measure: no errors, and not passed over."""
    new = scores(0.8)
    first, second, *others = new.cells
    states = (replace(first.attempts[0], state="empty"), *first.attempts[1:])
    blocked = (replace(second.attempts[0], state="blocked"), *second.attempts[1:])
    kinds = {"correctness": ("pages", "undefined", None, None, None)}
    cells = (
        replace(first, attempts=states, failures=kinds),
        replace(second, attempts=blocked),
        *others,
    )
    said = body(made(new.model_copy(update={"cells": cells}), None))

    assert (
        "Errors: none. Not scored: 1 empty answer, 1 answer blocked by the vendor, 1 score "
        "without its pages and 1 score with nothing to measure."
    ) in said


def test_body__changed_cases_are_named() -> None:
    """What came, what went, what has another text."""
    old = scores(0.8)
    first, second, *others = old.cells
    cells = (replace(first, case_id="gone"), replace(second, case_digest="then"), *others)
    said = body(made(scores(0.8), old.model_copy(update={"cells": cells})))

    assert "Cases: 24; 1 added (case-00); 1 removed (gone); 1 text changed (case-01)" in said


def test_body__measured_on_another_commit() -> None:
    """What changed in between is in no score."""
    here = "1" * 40
    new = scores(0.8, provenance=Provenance(commits=Commits(evaluated=here)))
    found = made(new, None)

    assert "- Measured commit: `111111111111`\n" in refresh_body(found, Policy(), Where(None, here))
    assert "what changed in between is not measured" in refresh_body(
        found, Policy(), Where(None, "2" * 40)
    )


def test_body__fits_whatever_comes() -> None:
    """Rows and reasons beyond what a page can hold are counted."""
    metrics = tuple(
        CORRECTNESS.model_copy(update={"name": f"d{number}"}) for number in range(MOST_ROWS + 3)
    )
    one = scores(0.8)
    reasons = tuple(Reason(run="r", text="x" * 1000) for _ in range(MOST_REASONS + 2))
    wide = one.model_copy(
        update={
            "metrics": metrics,
            "identities": {},
            "cells": tuple(
                replace(cell, scores={m.name: cell.scores["correctness"] for m in metrics})
                for cell in one.cells
            ),
            "reasons": reasons,
        }
    )
    said = body(made(wide, wide))

    assert "3 more rows found no room." in said
    assert "- 2 older reasons in the baseline file" in said
    assert len(said) < 60_000
