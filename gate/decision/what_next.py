"""The one step that a verdict asks of a person. A cause of breakage has its own: `breakage`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from gate.decision.words import few
from gate.types import ACCEPT_LABEL, Finding, Run

ENOUGH = 3
"""Answers a case, from which on a run can be a baseline."""

MOST_SETTLING = 2
"""Ways to settle unclear rows that a sentence names; each row has its own in the table."""

_BELOW_LIMIT: Mapping[str, str] = {"p50_latency_s": "faster", "usd_per_1k": "cheaper"}

_BASELINE = (
    "by the workflow `baseline`, or `gate baseline RUN.json --write baseline.json` of a run of "
    "five answers a case"
)

REFRESH = f"refresh the baseline: {_BASELINE}"
"""The step after which a run can be compared again."""

RENEW = (
    "go back to the judge, prompt and reply form of the baseline, or renew both: the calibration "
    "(`gate kappa RUN.json... --write evals/calibration.json`) and the baseline "
    "(`gate baseline RUN.json... --write baseline.json`)"
)
"""The step after a change of the judge."""

DRIFTED = (
    "look at the control answers in run.json; a judge that changed for good needs what it measured "
    "renewed: the calibration (`gate kappa RUN.json... --write evals/calibration.json`), the "
    "control answers (`gate controls RUN.json --write evals/controls.json`) and the baseline"
)
"""The step after a drift of the judge, up to how the baseline is renewed."""


def after_incomparable(run: Run, *, drift: bool, stored: str | None) -> str:
    """Say how a run whose rows cannot be compared comes to be compared again.

    `drift` says that the judge drifted; `stored` is the file of the baseline's answers, where they
    are stored.
    """
    if drift:
        return f"{DRIFTED}: {_BASELINE if stored is None else _judged_anew(stored, run)}"
    if stored is None:
        return REFRESH
    return (
        f"have the baseline's own answers judged by the present judge: {_judged_anew(stored, run)}"
    )


def renew(run: Run, stored: str | None) -> str:
    """Say what to do after a change of the judge; `stored` as in `after_incomparable`."""
    if stored is None:
        return RENEW
    return (
        "go back to the judge, prompt and reply form of the baseline, or renew both: the "
        "calibration (`gate kappa RUN.json... --write evals/calibration.json`) and the baseline, "
        f"whose answers are stored: {_judged_anew(stored, run)}"
    )


def _judged_anew(stored: str, run: Run) -> str:
    """Say how stored answers become a baseline by the present judge; nothing is asked again."""
    judge = f"gate judge {stored} --out rejudged"
    judge = f"RUN_EVALS=1 {judge}" if run.provenance.world is None else f"{judge} --offline"
    return f"`{judge}`, then `gate baseline rejudged --write baseline.json --answers {stored}`"


def make_baseline(run: Run) -> str:
    """Say how the first baseline is made; of the stand-in world at no cost."""
    if run.plan.repeats >= ENOUGH:
        return "make this run the baseline: `gate baseline RUN.json --write baseline.json`"
    real = run.provenance.world is None
    command = "`RUN_EVALS=1 gate run --repeats 5`" if real else "`gate run --offline --repeats 5`"
    return (
        "make a baseline of five answers a case: by the workflow `baseline`, or "
        f"{command} and then `gate baseline RUN.json --write baseline.json` of that run"
    )


def after_regression(*, accepted: bool, on_head: bool, limits: Collection[str] = ()) -> str:
    """Say how a run that failed comes to pass.

    `on_head` says that the run names the head that it measured, as on a pull request: there a
    label accepts a drop, and a run that is made again joins what was measured. `limits` are the
    keys of `policy.limits` that were passed, where nothing else failed the run: they hold whatever
    the baseline was.
    """
    if limits:
        better = " and ".join(word for name, word in _BELOW_LIMIT.items() if name in limits)
        raised = "raise the limit (`policy.limits` in gate.yaml)"
        if accepted:
            return f"once it is merged, make it {better} or {raised}, or other runs fail on it too"
        return f"make it {better}, or {raised}; a new baseline would not help"
    if accepted:
        return (
            "once it is merged, refresh the baseline, or other runs fail on the same drop: "
            f"{_BASELINE}"
        )
    if not on_head:
        return f"mend it; if the drop is wanted, {REFRESH}"
    return (
        "mend it; if the drop is wanted, somebody who may write sets the pull request's label that "
        f"accepts it (`{ACCEPT_LABEL}` unless the workflow names another); running again pools the "
        "attempts and erases nothing"
    )


def when_unclear(rows: Sequence[Finding], *, tolerated: bool) -> str | None:
    """Say what would settle unclear rows, and whether anything need be done; None if unknown."""
    ways: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        if row.settles:
            ways[row.settles][row.dimension] = None
    said = [f"{few(list(names))}: {way}" for way, names in list(ways.items())[:MOST_SETTLING]]
    left = "; the table says it of the others" if len(ways) > MOST_SETTLING else ""
    settling = f"what would settle {'; '.join(said)}{left}" if said else None
    if not tolerated:
        return settling
    nothing = "nothing need be done, an unclear run is let through"
    return nothing if settling is None else f"{nothing}; {settling}"
