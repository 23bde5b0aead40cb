"""What the next runs will cost and can tell, for the end of `gate init`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from gate.cli.estimating import Estimator, group_of
from gate.cli.planning import wanted_sample
from gate.cli.reading import read_cases, read_config
from gate.decision.planning import cases_to_pass
from gate.decision.prospects import Prospect, prospects
from gate.engine.estimate import Estimate
from gate.engine.plan import choose_cases
from gate.stats.power import can_pass

__all__ = ["Outlook", "look_ahead"]


@dataclass(frozen=True)
class Outlook:
    """What is to be expected of a run."""

    cases: int
    """Cases that a run asks."""
    estimate: Estimate
    """What it costs at list prices."""
    on: date
    """Day of the prices."""
    ceiling_usd: float | None
    """Ceiling of a run, in US dollars."""
    margin: float
    """Drop that a pass rules out."""
    needed: int | None
    """Cases that a pass takes where these are too few; None where they are enough."""
    prospects: tuple[Prospect, ...]
    """What so many cases tell of the dimensions of known noise."""


def look_ahead(config_path: Path, env: Mapping[str, str], on: date) -> Outlook:
    """Read configuration and cases, and rehearse a run; nothing is sent.

    Raises CannotRun for files that a run could not read.
    """
    config = read_config(config_path, env)
    root = config_path.parent
    cases = choose_cases(
        read_cases(config, root),
        sample=wanted_sample(None, config),
        seed=config.run.seed or "gate-v1",
    )
    choice = config.choose_scorers([])
    estimator = Estimator(
        config=config,
        root=root,
        cases=cases,
        targets=config.find_uses("targets"),
        repeats=1,
        on=on,
    )
    margin, level = config.policy.margin, config.policy.pass_level
    able = can_pass(len(cases), margin, confidence=1.0 - level)
    return Outlook(
        cases=len(cases),
        estimate=estimator.estimate(group_of(choice.uses, choice.sets)),
        on=on,
        ceiling_usd=config.run.max_cost_usd,
        margin=margin,
        needed=None if able else cases_to_pass(margin, level),
        prospects=prospects(len(cases), config.policy),
    )
