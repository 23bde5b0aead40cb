"""What is to be run, from the command line and gate.yaml, all checked before anything is paid."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from pathlib import Path
from typing import Literal

from gate.cli.candidate import Candidate, read_candidate
from gate.cli.control_plan import ControlPlan, plan_controls
from gate.cli.head import commits_of, read_head, with_commits
from gate.cli.offline import World
from gate.cli.planning import check_power, sampling_of, wanted_sample
from gate.cli.reading import (
    read_calibration,
    read_cases,
    read_config,
    read_controls,
    read_sensitivity,
)
from gate.cli.surroundings import SEED, commits_around, seed_of
from gate.config import Config, Use
from gate.config.rules import check_rules
from gate.config.scorer_sets import ScorerChoice
from gate.decision.on_head import NOTHING, Head
from gate.engine.plan import Shard, choose_cases, make_jobs, make_plan, parts_of, strata_of
from gate.errors import ConfigError, CredentialsError
from gate.types import (
    Answers,
    Calibration,
    Case,
    Commits,
    Controls,
    Job,
    Plan,
    Policy,
    Sensitivity,
)
from gate.wire.checkout import checkout_of
from gate.wiring import metrics_of

Phase = Literal["run", "collect", "judge"]
"""What is done: all of it, the answers alone, or the judging alone."""


@dataclass(frozen=True)
class Request:
    """What is to be run, all checked."""

    config: Config
    """The configuration."""
    root: Path
    """Its folder, from which its paths start."""
    out: Path
    """Folder for results and journal."""
    jobs: Sequence[Job]
    """The jobs, in the order in which they are started."""
    plan: Plan
    """The plan."""
    targets: Sequence[Use]
    """Targets to ask; none where answers are given."""
    scorers: Sequence[Use]
    """Scorers to use; none where answers are collected only."""
    max_cost_usd: float | None
    """Ceiling."""
    world: World | None
    """The loopback world, where it answers."""
    replay: Path | None
    """The journal to replay."""
    commits: Commits
    """What is measured, as far as it is known."""
    phase: Phase = "run"
    """What is done."""
    given: Answers | None = None
    """The answers to judge."""
    candidate: Candidate | None = None
    """The candidate's tree, where there are two."""
    reuse: Path | None = None
    """A journal of earlier runs, whose judgements may be reused."""
    base_targets: Sequence[Use] = ()
    """The base's own targets, for a second look; none where no such look is made."""
    look_ends: tuple[int, ...] = ()
    """Where the jobs of each look end, where the run may stop at one; none where it looks once."""
    controls: ControlPlan | None = None
    """Control answers to judge again; None where there are none."""
    afresh: bool = False
    """Whether no ruling of another run is taken for one of this run's."""

    def at_look(self, look: int) -> Request:
        """Return what is asked until the end of a look that is not the last, from 1."""
        jobs = self.jobs[: self.look_ends[look - 1]]
        plan = self.finished_plan({job.case.id for job in jobs})
        return replace(self, jobs=jobs, plan=plan.model_copy(update={"look": look}), look_ends=())

    def finished_plan(self, case_ids: Collection[str]) -> Plan:
        """Return the plan of a run that ended early, with these cases; they are a sample now."""
        plan = self.plan
        if not plan.strata and not plan.narrowed and plan.shard is None:
            plan = plan.model_copy(update={"strata": strata_of(self.cases, self.cases, full=True)})
        return plan.finished(tuple(sorted(case_ids)), len(self.cases))

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases of the jobs, each once, in their order."""
        return tuple({job.case.id: job.case for job in self.jobs}.values())

    @property
    def read_owned(self) -> Callable[[str], Callable[[str], str]] | None:
        """Each target's reader of the files that its candidate-owned options name."""
        return None if self.candidate is None else self.candidate.reader_of

    @property
    def target_names(self) -> tuple[str, ...]:
        """The targets of the jobs, in the configuration's order."""
        names = [use.name for use in self.targets]
        return tuple(names or [info.name for info in self.given.targets] if self.given else names)


@dataclass(frozen=True)
class Wish:
    """What the command line asks for; None and empty where it does not say."""

    config_path: Path
    """The configuration."""
    out: Path
    """Folder for what is written."""
    base_path: Path | None = None
    """Tree whose files decide."""
    candidate_path: Path | None = None
    """Tree that is measured, where that is another one."""
    base_sha: str | None = None
    """Commit of the tree whose files decide."""
    head_sha: str | None = None
    """Head of the pull request."""
    evaluated_sha: str | None = None
    """Commit of the tree that is measured."""
    accepted_by: str | None = None
    """Who accepted a regression."""
    accepted_sha: str | None = None
    """The head whose regression was accepted."""
    attempts: Path | None = None
    """File of the attempts before this one."""
    sample: str | None = None
    """Number of cases, or `full`."""
    seed: str | None = None
    """Seed of the sample."""
    cases: tuple[str, ...] = ()
    """Only these cases."""
    targets: tuple[str, ...] = ()
    """Only these targets."""
    scorers: tuple[str, ...] = ()
    """Only these scorers and sets."""
    repeats: int | None = None
    """Answers a case."""
    shard: str | None = None
    """`I/N`: only this part of the plan."""
    threshold: float | None = None
    """Decide by the plain rule."""
    report_only: bool = False
    """Numbers without a verdict."""
    on_inconclusive: Literal["pass", "fail"] | None = None
    """What an inconclusive run ends with; None takes the configuration's."""
    baseline: Path | None = None
    """File to compare with; None takes the configuration's."""
    max_cost: float | None = None
    """Ceiling in US dollars."""
    yes: bool = False
    """Spend money without RUN_EVALS=1."""
    offline: str | None = None
    """Variant of the loopback world."""
    replay: Path | None = None
    """Journal to replay."""
    reuse: Path | None = None
    """Journal of earlier runs, whose judgements may be reused."""

    @property
    def paid(self) -> bool:
        """Whether its calls cost money: those of the loopback world and of a replay do not."""
        return self.offline is None and self.replay is None


@dataclass(frozen=True)
class Setting:
    """What stands in the files that decide, read for a wish."""

    config: Config
    """The configuration."""
    root: Path
    """Its folder, from which its paths start."""
    policy: Policy
    """The rules, options of the command line included."""
    cases: tuple[Case, ...]
    """The dataset."""
    choice: ScorerChoice
    """The scorers."""
    calibration: Calibration | None
    """What licenses dimensions."""
    sensitivity: Sensitivity | None
    """What the judge said of damaged answers."""
    controls: Controls | None
    """Control answers; None where there is no such file."""
    baseline: Path
    """File of the baseline; it may be missing."""
    commits: Commits
    """What is measured, as far as it is known."""
    candidate: Candidate | None = None
    """The candidate's tree, where there are two."""
    head: Head = NOTHING
    """What is known of the head besides the run."""
    seed: str = SEED
    """Seed of the sample where neither command line nor configuration names one."""

    def controls_for(self, plan: Plan) -> ControlPlan | None:
        """Return the control answers that a run of a plan judges again."""
        return plan_controls(self.controls, self.config, self.policy, plan, self.cases)


def read_setting(wish: Wish, env: Mapping[str, str]) -> Setting:
    """Read configuration, cases and calibration, and a candidate's configuration.

    Raises CannotRun, for the candidate's files with their names.
    """
    if wish.offline is not None and wish.replay is not None:
        raise ConfigError("--offline and --replay exclude each other: choose one")
    place = config_place(wish.config_path, wish.base_path)
    root = place.parent
    config = read_config(place, env)
    cases = read_cases(config, root)
    candidate = None
    if wish.candidate_path is not None:
        candidate = read_candidate(config, cases, base_tree(wish), wish.candidate_path)
        config = candidate.config
    return Setting(
        config=config,
        root=root,
        policy=_policy(config, wish),
        cases=cases,
        choice=config.choose_scorers(wish.scorers),
        calibration=read_calibration(root / config.calibration),
        sensitivity=read_sensitivity(root / config.sensitivity),
        controls=read_controls(root / config.controls),
        baseline=wish.baseline or root / config.baseline,
        commits=with_commits(
            commits_around(env), commits_of(wish.base_sha, wish.head_sha, wish.evaluated_sha)
        ),
        candidate=candidate,
        head=read_head(wish.attempts, wish.accepted_by, wish.accepted_sha),
        seed=seed_of(env),
    )


def config_place(path: Path, base: Path | None) -> Path:
    """Return where the configuration that decides stands: in the base, where there is one.

    So a gate.yaml of the folder that a command is typed in, which may be a candidate's, never
    decides. Raises ConfigError for an absolute path elsewhere.
    """
    if base is None or path.resolve().is_relative_to(base.resolve()):
        return path
    if path.is_absolute():
        raise ConfigError(
            f"is not in {base}, whose files decide: name the base's own configuration", path
        )
    return base / path


def base_tree(wish: Wish) -> Path:
    """Return the tree that decides, from which the configuration has its name in both trees.

    It is --base-path, else the checkout that holds the configuration, else that one's folder.
    """
    if wish.base_path is not None:
        return wish.base_path
    folder = wish.config_path.parent
    return checkout_of(folder) or checkout_of(folder.resolve()) or folder


def plan_run(wish: Wish, setting: Setting, phase: Phase) -> Request:
    """Choose what is asked. Raises CannotRun, also for a plan that can decide nothing."""
    config, choice = setting.config, setting.choice
    targets = config.find_uses("targets", wish.targets)
    wanted = wanted_sample(wish.sample, config)
    seed = wish.seed or config.run.seed or setting.seed
    sampling = sampling_of(config, setting.cases, setting.baseline)
    chosen = choose_cases(
        setting.cases, sample=wanted, seed=seed, only=wish.cases, sampling=sampling
    )
    shard = None if wish.shard is None else Shard.parse(wish.shard)
    narrowed = bool(wish.cases or wish.targets or choice.by_hand)
    # Only who judges can stop, and only who has the whole plan.
    looks = config.run.looks if phase == "run" and shard is None and not narrowed else 1
    plan = make_plan(
        setting.cases,
        chosen,
        seed=seed,
        sample=wanted,
        repeats=wish.repeats or config.run.repeats,
        narrowed=narrowed,
        scorer_sets=choice.sets,
        shard=shard,
        sampling=sampling,
        looks=looks,
    )
    names = [use.name for use in targets]
    check_plan(plan, names, setting)
    mine = chosen if shard is None else shard.part_of(chosen)
    parts = parts_of(mine, looks, seed=seed, sampling=sampling) if looks > 1 else (mine,)
    jobs = [make_jobs(part, names, plan.repeats) for part in parts]
    ends = tuple(accumulate(map(len, jobs)))
    return Request(
        config=config,
        root=setting.root,
        out=wish.out,
        jobs=tuple(chain.from_iterable(jobs)),
        plan=plan,
        targets=targets,
        scorers=choice.uses if phase == "run" else (),
        max_cost_usd=ceiling(wish, config),
        world=None,
        replay=wish.replay,
        reuse=wish.reuse,
        commits=setting.commits,
        phase=phase,
        candidate=setting.candidate,
        base_targets=_base_targets(setting, names) if phase == "run" and shard is None else (),
        look_ends=ends if looks > 1 else (),
        controls=setting.controls_for(plan) if phase == "run" else None,
    )


def _base_targets(setting: Setting, names: Sequence[str]) -> tuple[Use, ...]:
    """Return the base's own targets of these names, where there is a base and a rule to ask it."""
    if setting.candidate is None or not setting.policy.confirm:
        return ()
    return tuple(use for use in setting.candidate.base_config.targets if use.name in names)


def check_plan(plan: Plan, targets: Sequence[str], setting: Setting) -> None:
    """Refuse rules that do nothing, and a plan that can neither fail nor pass. Raises CannotRun."""
    if plan.narrowed:
        return
    config, root = setting.config, setting.root
    check_rules(config, metrics_of(config, config.scorers, root))
    measured = {metric.name for metric in metrics_of(config, setting.choice.uses, root)}
    check_power(
        plan,
        targets,
        setting.calibration,
        setting.baseline,
        setting.policy,
        measured,
        sensitivity=setting.sensitivity,
    )


def ceiling(wish: Wish, config: Config) -> float | None:
    """Return the ceiling in US dollars: the command line's, else the configuration's."""
    return wish.max_cost if wish.max_cost is not None else config.run.max_cost_usd


def ask_before_spending(wish: Wish, env: Mapping[str, str]) -> None:
    """Raise CredentialsError for a paid run that nobody has said yes to."""
    if wish.paid and not wish.yes and env.get("RUN_EVALS") != "1":
        raise CredentialsError(
            "this run calls paid models: set RUN_EVALS=1 or pass --yes to go on, "
            "or add `--offline`, which costs nothing"
        )


def _policy(config: Config, wish: Wish) -> Policy:
    changes: dict[str, object] = {}
    if wish.threshold is not None:
        changes |= {"rule": "threshold", "threshold": wish.threshold}
    if wish.report_only:
        changes["report_only"] = True
    if wish.on_inconclusive is not None:
        changes["on_inconclusive"] = wish.on_inconclusive
    return config.policy.model_copy(update=changes)
