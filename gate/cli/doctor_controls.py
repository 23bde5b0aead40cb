"""What `gate doctor` says of the control answers."""

from __future__ import annotations

from gate.cli.control_plan import plan_controls
from gate.cli.doctor_files import Files, failed
from gate.cli.reading import read_cases, read_controls
from gate.decision.control_choice import rated_dimensions
from gate.decision.controls import FEWEST_CONTROLS, comparable_dimensions
from gate.decision.words import counted, few, listed
from gate.errors import GateError
from gate.types import Check, Identity, Plan
from gate.wiring import Live

MEND = "`gate controls RUN.json --write evals/controls.json` of a run of this configuration"


def check_control_answers(files: Files, live: Live, *, offline: bool) -> Check | None:
    """Say whether runs can judge them again; None where there is no such file, or nothing asks.

    `offline` is against the loopback world.
    """
    config = files.config
    try:
        controls = read_controls(files.root / config.controls)
        # A run's sample need not hold their cases.
        cases = read_cases(config, files.root)
    except GateError as error:
        return failed("controls", error)
    plan = plan_controls(controls, config, config.policy, Plan(), cases)
    if controls is None or plan is None:
        return None
    why = plan.hindrance("steady" if offline else None)
    if why is not None:
        return Check(topic="controls", state="look", says=f"not judged again: {why}", mend=MEND)
    current = {
        metric.name: Identity(prompt=scorer.prompt_digest, scorer=scorer.settings_digest)
        for scorer in live.scorers
        for metric in scorer.metrics
    }
    judged = rated_dimensions(metric for one in live.scorers for metric in one.metrics)
    names, skipped = comparable_dimensions(controls, current, judged)
    faults = [f"{name}: {because}" for name, because in skipped.items()]
    if len(plan.usable) < FEWEST_CONTROLS:
        faults.append(f"fewer than {FEWEST_CONTROLS} cannot show that a judge drifted")
    if plan.skipped:
        faults.append(f"of other cases than the dataset has now: {few(list(plan.skipped))}")
    says = (
        f"{counted(len(plan.usable), 'control answer')} for {listed(names) or 'no dimension'}; a "
        f"run judges {min(plan.first, len(plan.usable))} of them again"
    )
    if not faults:
        return Check(topic="controls", state="ok", says=says)
    return Check(topic="controls", state="look", says=f"{says}; {'; '.join(faults)}", mend=MEND)
