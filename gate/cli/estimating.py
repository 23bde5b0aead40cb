"""What a run would cost, before it costs anything: nothing is sent, and no key is needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from gate.config import Config, Use
from gate.engine.estimate import Estimate, Kind, add_up, metric_names
from gate.engine.plan import make_jobs
from gate.engine.rehearsal import InventedPages, RehearsalDoor, UnpricedTarget, rehearse
from gate.errors import ConfigError, CredentialsError
from gate.models.catalogue import load_catalogue
from gate.models.connections import Connections
from gate.plugins import find_used, known
from gate.protocols import Target
from gate.types import Case, TargetInfo
from gate.wire.files import relative_reader
from gate.wiring import StandIn, build, connect, vendors_of

THROUGH_OUR_DOOR = ("gemini", "recorded")
"""Targets whose every call goes through the door that is handed to them, or that make none.

Any other may pay by itself, so it is not asked, and what it costs is not known."""


_HOUSE = ".py:"
"""Stands in the name of a class of the repository, which is not imported for an estimate."""


@dataclass(frozen=True)
class Group:
    """Scorers that are estimated together."""

    name: str
    """Name of the set or of the scorer."""
    kind: Kind
    """What it is."""
    uses: tuple[Use, ...]
    """The scorers."""


@dataclass(frozen=True)
class Estimator:
    """Estimates runs of one plan with different scorers."""

    config: Config
    """The configuration."""
    root: Path
    """The configuration's folder, from which its paths start."""
    cases: Sequence[Case]
    """The cases, in the order in which they would be asked."""
    targets: Sequence[Use]
    """Targets to ask."""
    repeats: int
    """Answers a case."""
    on: date
    """Day whose prices count."""
    read_owned: Callable[[str], Callable[[str], str]] | None = None
    """Each target's reader of the files that its candidate-owned options name; None is `root`'s."""
    given: Sequence[TargetInfo] = ()
    """Targets whose answers are there already: only judging them costs something."""
    controls: int = 0
    """Control answers that are judged beside the others."""

    def estimate(self, group: Group) -> Estimate:
        """Estimate a run of these scorers. Raises ConfigError and ModelError as a run would."""
        return asyncio.run(self._rehearsed(group))

    async def _rehearsed(self, group: Group) -> Estimate:
        for use in self.targets:
            if _HOUSE not in use.use and use.use not in known("targets"):
                find_used("targets", use, base=self.root)  # which says what is known
        catalogue = load_catalogue(self.on)
        door = RehearsalDoor(catalogue)
        live = build(
            self.config,
            targets=[use for use in self.targets if use.use in THROUGH_OUR_DOOR],
            scorers=group.uses,
            root=self.root,
            read_text=relative_reader(self.root),
            door=door,
            connections=self._connections(),
            catalogue=catalogue,
            run_id="estimate",
            open_pages=InventedPages,
            read_owned=self.read_owned,
        )
        targets: dict[str, Target] = {
            use.name: live.targets.get(use.name) or UnpricedTarget(use.name, use.use, door)
            for use in self.targets
        }
        targets |= {one.name: UnpricedTarget(one.name, one.use, door) for one in self.given}
        jobs = make_jobs(self.cases, list(targets), self.repeats)
        scorers = [(use.use, one) for use, one in zip(group.uses, live.scorers, strict=True)]
        try:
            seen = await rehearse(jobs, targets, scorers, door, self.on.isoformat())
        finally:
            await live.aclose()
        judged = any(one.judged for scorer in live.scorers for one in scorer.metrics)
        return add_up(
            group.name,
            group.kind,
            [call for call in seen.calls if not self.given or call.kind == "judge"],
            scorers=[use.name for use in group.uses],
            metrics=metric_names([one for scorer in live.scorers for one in scorer.metrics]),
            rehearsed=seen.rehearsed,
            answers=len(jobs),
            failed=seen.failed,
            rulings=max(1, len(live.judges)) * self.config.run.judge_repeats,
            controls=self.controls if judged else 0,
        )

    def _connections(self) -> Connections:
        """Return the roads of the configuration, which have prices of their own; never a key."""
        vendors = vendors_of(self.targets, self.config.judge)
        try:
            return connect(self.config, vendors=vendors, stand_in=None)
        except (ConfigError, CredentialsError):
            return connect(self.config, vendors=vendors, stand_in=StandIn())


def groups_of(config: Config, names: Sequence[str]) -> tuple[Group, ...]:
    """Return what to estimate: what is named, or every set, all scorers together, and each.

    Raises ConfigError for an unknown name.
    """
    if names:
        choice = config.choose_scorers(names)
        kind: Kind = "set" if choice.sets else "chosen"
        return (Group(" + ".join(choice.sets or names), kind, choice.uses),)
    sets = tuple(
        Group(name, "set", config.choose_scorers([name]).uses) for name in config.scorer_sets
    )
    each = dict.fromkeys(use.name for use in config.scorers)
    scorers = tuple(
        Group(name, "scorer", config.find_uses("scorers", [name]))
        for name in each
        if len(config.scorers) > 1
    )
    return (*sets, Group("all scorers", "all", config.scorers), *scorers)


def group_of(uses: Sequence[Use], sets: Sequence[str]) -> Group:
    """Return the scorers of one run as a group."""
    return Group(" + ".join(sets), "set" if sets else "chosen", tuple(uses))
