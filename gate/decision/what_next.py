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

_BACK = "go back to the judge, prompt and reply form of the baseline"

RENEW = (
    f"{_BACK}, or renew both: the calibration "
    "(`gate kappa RUN.json... --write evals/calibration.json`) and the baseline "
    "(`gate baseline RUN.json... --write baseline.json`)"
)
"""The step after a change of the judge."""

_LOOK = (
    "look at the control answers in run.json; a judge that changed for good needs what it measured "
    "renewed"
)
_AGAIN = (
    "run again into a new folder first (`--out`): rulings of this run came from the journal, of "
    "the judge before it drifted; then "
)


def after_incomparable(run: Run, *, drift: bool, stored: str | None, again: bool = False) -> str:
    """Say how a run whose rows cannot be compared comes to be compared again.

    `drift` says that the judge drifted; `stored` is the file of the baseline's answers, where they
    are stored; `again` that the run holds rulings of the judge before it drifted.
    """
    if drift:
        return f"{_AGAIN if again else ''}{_LOOK}: {_all_renewed(run, stored)}"
    if stored is None:
        return REFRESH
    return (
        f"have the baseline's own answers judged by the present judge: {_judged_anew(stored, run)}"
    )


def renew(run: Run, stored: str | None, *, earlier: bool = False) -> str:
    """Say what to do after a change of the judge; `stored` as in `after_incomparable`.

    Control answers of another judge are named where the run has such. `earlier` says that it is
    the judge of the baseline, which drifted since: there is no way back.
    """
    controls = run.controls is not None and run.controls.judge is not None
    if stored is None and not controls:
        return RENEW.removeprefix(f"{_BACK}, or ") if earlier else RENEW
    back = "renew" if earlier else f"{_BACK}, or renew"
    if controls:
        return f"{back} all that it measured: {_all_renewed(run, stored)}"
    return (
        f"{back} both: the calibration (`gate kappa RUN.json... --write evals/calibration.json`) "
        f"and the baseline, whose answers are stored: {_judged_anew(stored or '', run)}"
    )


def _all_renewed(run: Run, stored: str | None) -> str:
    """Name all that a judge measured, with the commands; a rejudging gives the run of them all."""
    name = "RUN.json" if stored is None else "rejudged"
    controls = _asking(run, f"gate controls {name} --write evals/controls.json")
    runs = "RUN.json..." if stored is None else "rejudged"
    all_three = (
        f"the calibration (`gate kappa {runs} --write evals/calibration.json`), the control "
        f"answers (`{controls}`) and the baseline"
    )
    if stored is None:
        return f"{all_three}: {_BASELINE}"
    judge = _asking(run, f"gate judge {stored} --out rejudged")
    return (
        f"`{judge}` judges the baseline's own answers into a new folder, then of that run "
        f"{all_three} (`gate baseline rejudged --write baseline.json --answers {stored}`)"
    )


def _judged_anew(stored: str, run: Run) -> str:
    """Say how stored answers become a baseline by the present judge; nothing is asked again."""
    judge = _asking(run, f"gate judge {stored} --out rejudged")
    return f"`{judge}`, then `gate baseline rejudged --write baseline.json --answers {stored}`"


def _asking(run: Run, command: str) -> str:
    """Return a command that asks the judge, as it is typed in the run's own world."""
    world = run.provenance.world
    return f"RUN_EVALS=1 {command}" if world is None else f"{command} --offline={world}"


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
