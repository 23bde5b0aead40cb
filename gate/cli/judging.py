"""What `gate judge` is asked to do: every answer of a file, held against the dataset and its plan.

A collection may have run code that nobody trusts, so nothing that it says of its plan is believed:
seed and sample give the cases once more, and an answer that is missing is an answer that failed.
"""

from __future__ import annotations

from collections.abc import Mapping

from gate.cli.head import with_commits
from gate.cli.planning import sampling_of
from gate.cli.request import Request, Setting, Wish, ceiling, check_plan
from gate.engine.plan import Shard, choose_cases, make_jobs, make_plan, marks_of, strata_of
from gate.engine.walk import key_of
from gate.errors import FileError
from gate.types import MOST_REPEATS, Answers, Case, Commits, GivenAnswer, Job, Plan, Stratum


def plan_judging(answers: Answers, wish: Wish, setting: Setting, path: str) -> Request:
    """Choose what is judged: every answer of the file.

    Raises FileError for an answer to a case that the dataset does not have, or has with another
    text, and CannotRun for a plan that can decide nothing.
    """
    cases = {case.id: case for case in setting.cases}
    for one in answers.answers:
        check_case(one, cases.get(one.case_id), path)
    plan = _plan(answers, setting, path)
    check_plan(plan, [info.name for info in answers.targets], setting)
    return Request(
        config=setting.config,
        root=setting.root,
        out=wish.out,
        jobs=_jobs(answers, plan, cases),
        plan=plan,
        targets=(),
        scorers=setting.choice.uses,
        max_cost_usd=ceiling(wish, setting.config),
        world=None,
        replay=wish.replay,
        reuse=wish.reuse,
        commits=with_commits(
            Commits() if answers.plan is None else answers.provenance.commits, setting.commits
        ),
        phase="judge",
        given=answers,
        candidate=setting.candidate,
        controls=setting.controls_for(plan),
    )


def check_case(one: GivenAnswer, case: Case | None, path: str) -> None:
    """Refuse an answer to a case that the dataset does not have so. Raises FileError."""
    if case is None:
        raise FileError(
            f"answers case {one.case_id}, which the dataset does not have: judge it with the "
            "dataset that was asked",
            path,
        )
    if one.case_digest is not None and one.case_digest != case.digest:
        raise FileError(
            f"answers case {one.case_id} with another text than the dataset has now: collect the "
            "answers again, or judge them with the dataset that was asked",
            path,
        )


def _plan(answers: Answers, setting: Setting, path: str) -> Plan:
    """Return the plan of the collection, with the scorers of this judging.

    Raises FileError for a plan that its own seed and sample do not give.
    """
    choice = setting.choice
    if answers.plan is not None:
        _check_plan(answers.plan, answers, setting, path)
        return answers.plan.model_copy(
            update={
                # Whoever collected had no say in these.
                **marks_of(setting.cases),
                "narrowed": answers.plan.narrowed or choice.by_hand,
                "scorer_sets": tuple(choice.sets),
                "strata": _strata(answers.plan, setting),
            }
        )
    # Without a plan nobody knows which answers were left out, unless every case is there.
    named = {one.case_id for one in answers.answers}
    return make_plan(
        setting.cases,
        [case for case in setting.cases if case.id in named],
        seed=setting.config.run.seed or setting.seed,
        sample=None,
        repeats=1 + max(one.attempt for one in answers.answers),
        narrowed=choice.by_hand or len(named) < len(setting.cases),
        scorer_sets=choice.sets,
    )


def _strata(plan: Plan, setting: Setting) -> tuple[Stratum, ...]:
    """Return the strata of a collection's plan: what it says itself of weights is not believed."""
    named = set(plan.case_ids)
    chosen = [case for case in setting.cases if case.id in named]
    return () if plan.narrowed else strata_of(setting.cases, chosen)


def _check_plan(plan: Plan, answers: Answers, setting: Setting, path: str) -> None:
    again = "collect the answers again, or judge them with the dataset that was asked"
    if not 0 < plan.repeats <= MOST_REPEATS:
        raise FileError(
            f"plans {plan.repeats} answers a case, and 1 to {MOST_REPEATS} are possible: collect "
            "again",
            path,
        )
    if any(one.attempt >= plan.repeats for one in answers.answers):
        raise FileError(f"has more answers to a case than its plan's {plan.repeats}: {again}", path)
    known = sorted(case.id for case in setting.cases)
    unknown = sorted(set(plan.case_ids).difference(known))
    if unknown:
        raise FileError(f"plans case {unknown[0]}, which the dataset does not have: {again}", path)
    if plan.narrowed:
        return
    sampling = sampling_of(setting.config, setting.cases, setting.baseline)
    chosen = choose_cases(setting.cases, sample=plan.sample, seed=plan.seed, sampling=sampling)
    expected = [case.id for case in (_part(plan, chosen) if plan.planned else chosen)]
    if plan.planned is not None:
        expected = expected[: len(plan.case_ids)]
    if sorted(expected) != sorted(plan.case_ids) or known != sorted(plan.dataset):
        raise FileError(
            f"has a plan that its seed and sample do not give with this dataset: {again}", path
        )


def _part(plan: Plan, cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Return the cases of the plan's shard, all where it is no shard."""
    return cases if plan.shard is None else Shard.parse(plan.shard).part_of(cases)


def _jobs(answers: Answers, plan: Plan, cases: Mapping[str, Case]) -> tuple[Job, ...]:
    """Return the jobs in the order in which a run would have started them.

    An answer that the plan has and the file lacks is asked for as well, and is found to be missing.
    Where collecting ended early, the plan reaches to the last answer; where there is no plan, the
    answers are all there is.
    """
    given = {(one.target, one.case_id, one.attempt) for one in answers.answers}
    targets = [info.name for info in answers.targets]
    planned = [cases[name] for name in plan.case_ids]
    ordered = choose_cases(planned, sample=None, seed=plan.seed)
    jobs = make_jobs(_part(plan, ordered), targets, plan.repeats)
    there = [place for place, job in enumerate(jobs) if key_of(job) in given]
    if answers.plan is None:
        return tuple(jobs[place] for place in there)
    return jobs if answers.stopped is None else jobs[: max(there, default=-1) + 1]
