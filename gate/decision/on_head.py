"""The decision on one head: on the run alone, then together with the attempts before it. Pure.

The first attempt is judged as usual. A later one that would have a verdict of its own is judged on
all attempts' scores together, at the same rate of false alarms; a broken one counts for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gate.decision.attempts import COUNTED, Pooled, pool
from gate.decision.comparison import compare
from gate.decision.confirming import Suspicion, suspicion_of
from gate.decision.judge_noise import noise_of
from gate.decision.looks import at_look
from gate.decision.required import required_cases
from gate.decision.verdict import decide
from gate.errors import ConfigError
from gate.types import (
    Acceptance,
    Agreement,
    AttemptState,
    Baseline,
    Comparison,
    Policy,
    Run,
    Verdict,
)

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._@ -]{0,98})(?:\[bot\])?")


@dataclass(frozen=True)
class Head:
    """What is known of a head besides the run."""

    earlier: AttemptState | None = None
    """The attempts before this one."""
    acceptance: Acceptance | None = None
    """A maintainer's word that a regression of it may pass."""
    path: str | None = None
    """File of the earlier attempts, for messages."""


NOTHING = Head()
"""Nothing is known of it."""


def decide_on_head(
    run: Run,
    baseline: Baseline | None,
    agreements: Sequence[Agreement],
    policy: Policy,
    head: Head,
    *,
    reproduce: Sequence[str] = (),
    stored: str | None = None,
) -> tuple[Comparison, Verdict]:
    """Compare and decide; `stored` as in `decide`.

    Raises FileError for earlier scores that cannot be.
    """
    comparison, verdict, _ = _decide(run, baseline, agreements, policy, head, reproduce, stored)
    return comparison, verdict


def suspicion_on_head(
    run: Run,
    baseline: Baseline | None,
    agreements: Sequence[Agreement],
    policy: Policy,
    head: Head,
) -> Suspicion | None:
    """Say what must be asked again before the run may fail; None where nothing need be.

    What an earlier attempt on the head confirmed is not asked once more: else running again would
    be a way to green. Raises FileError for earlier scores that cannot be.
    """
    comparison, verdict, confirmed = _decide(run, baseline, agreements, policy, head, ())
    return None if confirmed else suspicion_of(run, comparison, verdict, policy)


def _decide(
    run: Run,
    baseline: Baseline | None,
    agreements: Sequence[Agreement],
    policy: Policy,
    head: Head,
    reproduce: Sequence[str],
    stored: str | None = None,
) -> tuple[Comparison, Verdict, bool]:
    """Decide, and say whether an earlier attempt confirmed a regression."""
    policy = at_look(policy, run.plan)
    commits = run.provenance.commits
    accepted_by, doubt = accepted_for(head.acceptance, commits.head)
    confirmed = False

    def decided(pooled: Pooled) -> tuple[Comparison, Verdict]:
        comparison = compare(pooled.run, baseline, policy)
        verdict = decide(
            pooled.run,
            comparison,
            agreements,
            policy,
            narrowed=run.plan.narrowed,
            seed=run.plan.seed,
            commits=commits,
            reproduce=reproduce,
            edits=run.edits,
            required=required_cases(run, baseline),
            attempts=pooled.attempts,
            standing=pooled.standing,
            accepted_by=accepted_by,
            confirmed=pooled.confirmed,
            noise=noise_of(pooled.run, baseline),
            stored=stored,
        )
        return comparison, verdict

    comparison, verdict = decided(Pooled(run))
    doubts = [] if doubt is None else [doubt]
    if head.earlier is not None and verdict.status in COUNTED:
        together = pool(run, head.earlier, head.path)
        confirmed = together.confirmed
        comparison, verdict = decided(together)
        doubts += [] if head.earlier.unread is None else [head.earlier.unread]
    if doubts:
        verdict = verdict.model_copy(update={"warnings": (*verdict.warnings, *doubts)})
    return comparison, verdict, confirmed


def accepted_for(
    acceptance: Acceptance | None, head_sha: str | None
) -> tuple[str | None, str | None]:
    """Return who accepted a regression of this head, and why an acceptance does not hold for it."""
    if acceptance is None:
        return None, None
    if head_sha is not None and acceptance.head_sha.lower() == head_sha.lower():
        return acceptance.by, None
    what = "this run does not say its head" if head_sha is None else "this run is of another"
    return None, (
        f"{acceptance.by} accepted the regression of the head {acceptance.head_sha[:7]}, and "
        f"{what}: it does not hold here."
    )


def acceptance_of(by: str | None, head_sha: str | None) -> Acceptance | None:
    """Check who accepted a regression of which head; None where nobody did.

    Raises ConfigError for a name that cannot stand in a sentence, and for a name without a head.
    """
    if by is None:
        return None
    if not _NAME.fullmatch(by):
        raise ConfigError(f"{by!r} is no name of whoever accepts a regression: give a login name")
    if head_sha is None:
        raise ConfigError(
            "an accepted regression is one of a certain head: name it with --accepted-sha"
        )
    return Acceptance(by=by, head_sha=head_sha)
