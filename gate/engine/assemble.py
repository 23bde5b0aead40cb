"""What was gathered -> the run: columns of scores, sorted, with the identity of every metric."""

from __future__ import annotations

from collections.abc import Sequence

from gate.decision.breakage import ended_early
from gate.engine.gather import Gathering
from gate.engine.unread import unread_pages
from gate.types import Cost, Plan, Provenance, Run, TargetInfo


def assemble(
    gathered: Gathering,
    *,
    run_id: str,
    provenance: Provenance,
    plan: Plan,
    targets: Sequence[TargetInfo],
    cost: Cost,
    judge_family: str | None,
    judge_families: Sequence[str] = (),
    stopped: str | None = None,
    interrupted: str | None = None,
    warnings: Sequence[str] = (),
    edits: Sequence[str] = (),
) -> Run:
    """Return the run of what was gathered, whatever the order in which it came.

    `stopped` says why the run ended early; `interrupted` names the signal that ended it.
    `judge_families` are those of a panel's judges. `edits` are what the candidate's tree changes of
    what decides.
    """
    cells = tuple(gathered.cells())
    broken = gathered.one_cause()
    if stopped is not None and not cells:
        broken = ended_early(stopped)
    return Run(
        id=run_id,
        provenance=provenance,
        plan=plan,
        targets=tuple(
            info.model_copy(update={"answered": gathered.answered(info.name)}) for info in targets
        ),
        metrics=gathered.metrics,
        identities=gathered.identities(),
        cells=cells,
        cost=cost,
        judge_family=judge_family,
        judge_families=tuple(judge_families),
        warnings=(*warnings, *unread_pages(gathered.page_statuses)),
        edits=tuple(edits),
        pages=dict(sorted(gathered.page_statuses.items())),
        stopped=stopped,
        interrupted=interrupted,
        broken=broken,
    )
