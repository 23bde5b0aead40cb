"""`answers.json`: written by `gate collect`, read by `gate judge`.

One answer stands in a line, so that a large file is written without standing in memory. The file
may come from a stranger: its shape and its size are checked, its texts are material to judge.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from gate.cli.output import tell
from gate.cli.reading import read_record
from gate.cli.request import Request, Setting, Wish, ceiling, check_plan
from gate.cli.results import RESULTS, results_of
from gate.datasets.ids import id_fault
from gate.engine.plan import choose_cases, make_plan
from gate.errors import FileError
from gate.types import Answers, Case, Commits, GivenAnswer, Job, Plan, Result, Run, TargetInfo
from gate.wire.files import write_lines

ANSWERS = "answers.json"
"""Name of the file in the folder of a collection."""

FOREIGN = "recorded"
"""Plug-in that is named for targets of which nothing but answers is known."""


def write_answers(path: Path, run: Run, folder: Path) -> int:
    """Write the answers of a collection, whose results stand in `folder`; return their number.

    Only answers that the run holds are written, sorted by target, case and attempt.
    """
    frame = Answers(
        id=run.id,
        provenance=run.provenance,
        plan=run.plan,
        targets=run.targets,
        cost=run.cost,
        warnings=run.warnings,
        stopped=run.stopped,
        interrupted=run.interrupted,
        broken=run.broken,
    )
    found = sorted(
        results_of(folder / RESULTS, run),
        key=lambda one: (one.target, one.case_id, one.attempt),
    )
    write_lines(path, _text(frame, found))
    return len(found)


def tell_end(run: Run) -> int:
    """Say how a collection or a judging ended, where it did not do all; return its exit code."""
    if run.interrupted is not None:
        tell(f"{run.interrupted} interrupted it: the same command goes on from there")
    if run.stopped is not None:
        tell(f"Stopped early: {run.stopped}")
    if run.broken is not None:
        tell(f"gate: {run.broken.message}")
    return 0 if run.broken is None else 3


def _text(frame: Answers, results: Sequence[Result]) -> Iterator[bytes]:
    """Yield the file in parts: what is said of all answers, then one answer a line."""
    fields = frame.model_dump(mode="json", by_alias=True, exclude={"answers"})
    yield b"{\n"
    for name, value in fields.items():
        yield f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)},\n".encode()
    yield b'"answers": ['
    for number, result in enumerate(results):
        one = GivenAnswer(
            case_id=result.case_id,
            case_digest=result.case_digest,
            target=result.target,
            attempt=result.attempt,
            answer=result.answer,
        )
        yield ("," if number else "").encode() + b"\n" + one.model_dump_json().encode()
    yield b"\n]\n}\n"


def read_answers(path: Path) -> Answers:
    """Read a file of answers, or the one in a folder; targets that it only names are added.

    Raises FileError for another shape, for no answer, an answer that stands twice, and a case id
    that is no safe name.
    """
    file = path / ANSWERS if path.is_dir() else path
    answers = read_record(Answers, file)
    seen: set[tuple[str, str, int]] = set()
    for one in answers.answers:
        key = (one.target, one.case_id, one.attempt)
        if key in seen:
            raise FileError(
                f"the answer of {one.target} to case {one.case_id}, attempt {one.attempt}, stands "
                "twice: keep one",
                file,
            )
        seen.add(key)
        fault = id_fault(one.case_id)
        if fault is not None:
            raise FileError(fault, file)
    if not answers.answers:
        raise FileError("holds no answers: collect some with `gate collect`", file)
    known = {info.name for info in answers.targets}
    others = sorted({one.target for one in answers.answers} - known)
    targets = (*answers.targets, *(TargetInfo(name=name, use=FOREIGN) for name in others))
    return answers.model_copy(update={"targets": targets})


def plan_judging(answers: Answers, wish: Wish, setting: Setting, path: str) -> Request:
    """Choose what is judged: every answer of the file.

    Raises FileError for an answer to a case that the dataset does not have, or has with another
    text, and CannotRun for a plan that can decide nothing.
    """
    cases = {case.id: case for case in setting.cases}
    for one in answers.answers:
        _check_case(one, cases.get(one.case_id), path)
    plan = _plan(answers, setting)
    check_plan(plan, [info.name for info in answers.targets], setting)
    return Request(
        config=setting.config,
        root=setting.root,
        out=wish.out,
        jobs=_jobs(answers, cases, plan.seed),
        plan=plan,
        targets=(),
        scorers=setting.choice.uses,
        max_cost_usd=ceiling(wish, setting.config),
        world=None,
        replay=wish.replay,
        commits=Commits() if answers.plan is None else answers.provenance.commits,
        phase="judge",
        given=answers,
    )


def _check_case(one: GivenAnswer, case: Case | None, path: str) -> None:
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


def _plan(answers: Answers, setting: Setting) -> Plan:
    """Return the plan of the collection, with the scorers of this judging."""
    choice = setting.choice
    if answers.plan is not None:
        return answers.plan.model_copy(
            update={
                "narrowed": answers.plan.narrowed or choice.by_hand,
                "scorer_sets": tuple(choice.sets),
            }
        )
    named = {one.case_id for one in answers.answers}
    seed = setting.config.run.seed or "gate-v1"
    return make_plan(
        setting.cases,
        [case for case in setting.cases if case.id in named],
        seed=seed,
        sample=None,
        repeats=1 + max(one.attempt for one in answers.answers),
        narrowed=choice.by_hand,
        scorer_sets=choice.sets,
    )


def _jobs(answers: Answers, cases: dict[str, Case], seed: str) -> tuple[Job, ...]:
    """Return the jobs in the order in which a run would have started them."""
    named = {one.case_id: cases[one.case_id] for one in answers.answers}
    ordered = choose_cases(tuple(named.values()), sample=None, seed=seed)
    place = {case.id: number for number, case in enumerate(ordered)}
    target = {info.name: number for number, info in enumerate(answers.targets)}
    given = sorted(
        answers.answers, key=lambda one: (one.attempt, place[one.case_id], target[one.target])
    )
    return tuple(
        Job(case=cases[one.case_id], target=one.target, attempt=one.attempt) for one in given
    )
