"""The comment of a run that has begun: how many cases, and what it will cost."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from gate.cli.action_inputs import names_in
from gate.cli.estimating import Estimator, group_of
from gate.cli.planning import wanted_sample
from gate.cli.reading import read_cases
from gate.config import Config
from gate.engine.plan import choose_cases
from gate.errors import GateError
from gate.publish.comment import starting_body
from gate.types import Case

__all__ = ["starting_text"]


def starting_text(config: Config, root: Path, values: Mapping[str, str]) -> str:
    """Return the comment for the action's inputs; paths of the configuration start from `root`.

    Costs are those of `gate estimate`; a run in which nobody is paid costs nothing. Raises
    GateError for inputs and files with which no run can begin.
    """
    cases = choose_cases(
        read_cases(config, root),
        sample=wanted_sample(values["sample"] or None, config),
        seed=values["seed"] or config.run.seed or "gate-v1",
    )
    free = values["offline"] != "false" or bool(values["replay"])
    ceiling = float(values["max-cost"]) if values["max-cost"] else config.run.max_cost_usd
    cost = 0.0 if free else _estimate_usd(config, root, values, cases)
    return starting_body(config.name, cost, ceiling, len(cases))


def _estimate_usd(
    config: Config, root: Path, values: Mapping[str, str], cases: tuple[Case, ...]
) -> float | None:
    """Rehearse the run; None where its cost is not known, or the rehearsal fails."""
    choice = config.choose_scorers(names_in(values["scorers"]))
    estimator = Estimator(
        config=config,
        root=root,
        cases=cases,
        targets=config.find_uses("targets", names_in(values["targets"])),
        repeats=int(values["repeats"] or config.run.repeats),
        on=datetime.now(UTC).date(),
    )
    try:
        return estimator.estimate(group_of(choice.uses, choice.sets)).usd
    except GateError:
        return None
