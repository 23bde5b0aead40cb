"""Control answers of a stored run, as answers to be judged several times; and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from gate.cli.request import Request, Setting, Wish, ceiling
from gate.cli.results import RESULTS, pick_results, results_of
from gate.decision.control_choice import candidate_of, choose_controls, rated_dimensions
from gate.engine.plan import choose_cases, make_plan
from gate.errors import FileError
from gate.evidence import NOT_FETCHED
from gate.sensitivity.editing import remade
from gate.types import (
    Answers,
    Control,
    Controls,
    GivenAnswer,
    Identity,
    Job,
    Page,
    Result,
    Run,
    TargetInfo,
)


def control_results(place: Path, run: Run, setting: Setting, most: int) -> tuple[Result, ...]:
    """Return the answers of a run that become control answers, at least one, sorted by case.

    Raises FileError for a run without its results.jsonl, and for one without an answer that the
    judge rated, to a case as it is now.
    """
    file = (place if place.is_dir() else place.parent) / RESULTS
    if not file.exists():
        raise FileError(
            f"there is no {RESULTS} beside the run, which holds its answers: name a folder that "
            "`gate run` or `gate judge` wrote",
            file.parent,
        )
    dimensions = rated_dimensions(run.metrics)
    cases = {case.id: case.digest for case in setting.cases}
    found = (candidate_of(one, dimensions, cases) for one in results_of(file, run))
    chosen = choose_controls([one for one in found if one is not None], most)
    if not chosen:
        raise FileError(
            "holds no answer that a judge rated, to a case as it stands in the dataset: name a run "
            "that was judged",
            file,
        )
    wanted = {(one.target, one.case_id, one.attempt) for one in chosen}
    results = pick_results(file, run, {(one.target, one.case_id) for one in chosen})
    return tuple(
        sorted(
            (one for one in results if (one.target, one.case_id, one.attempt) in wanted),
            key=lambda one: one.case_id,
        )
    )


def given_controls(results: Sequence[Result], run: Run, rulings: int) -> Answers:
    """Return them as a file of answers, each as often as it is ruled on."""
    infos = {info.name: info for info in run.targets}
    names = dict.fromkeys(one.target for one in results)
    return Answers(
        targets=tuple(infos.get(name) or TargetInfo(name=name, use="recorded") for name in names),
        answers=tuple(
            GivenAnswer(
                case_id=one.case_id,
                case_digest=one.case_digest,
                target=one.target,
                attempt=attempt,
                answer=remade(one.answer),
            )
            for one in results
            for attempt in range(rulings)
        ),
    )


def plan_rulings(answers: Answers, wish: Wish, setting: Setting) -> Request:
    """Choose what is judged: every answer, so many times, each time afresh."""
    named = {one.case_id for one in answers.answers}
    given = {(one.target, one.case_id) for one in answers.answers}
    rulings = 1 + max(one.attempt for one in answers.answers)
    seed = setting.config.run.seed or "gate-v1"
    chosen = choose_cases(
        [case for case in setting.cases if case.id in named], sample=None, seed=seed
    )
    return Request(
        config=setting.config,
        root=setting.root,
        out=wish.out,
        jobs=tuple(
            Job(case=case, target=target.name, attempt=attempt)
            for attempt in range(rulings)
            for case in chosen
            for target in answers.targets
            if (target.name, case.id) in given
        ),
        # Narrowed: it decides nothing.
        plan=make_plan(
            setting.cases,
            chosen,
            seed=seed,
            sample=None,
            repeats=rulings,
            narrowed=True,
            scorer_sets=(),
        ),
        targets=(),
        scorers=setting.choice.uses,
        max_cost_usd=ceiling(wish, setting.config),
        world=None,
        replay=wish.replay,
        reuse=wish.reuse,
        commits=setting.commits,
        phase="judge",
        given=answers,
        afresh=True,
    )


def controls_of(
    run: Run, results: Sequence[Result], pages: Mapping[str, Page], created: str
) -> Controls:
    """Return the control answers, from the run in which the judge ruled on all of them.

    `pages` are those that it read, by their addresses. A dimension in which a ruling is missing is
    left out of that answer. Raises FileError where nothing is left.
    """
    cells = {(cell.target, cell.case_id): cell for cell in run.cells}
    names = rated_dimensions(run.metrics)
    made = []
    for one in results:
        cell = cells.get((one.target, one.case_id))
        columns = {} if cell is None else cell.scores
        scores = {
            name: tuple(value for value in columns.get(name, ()) if value is not None)
            for name in names
            if columns.get(name) and None not in columns[name]
        }
        if not scores:
            continue
        addresses = [source.uri for source in one.answer.sources]
        made.append(
            Control(
                case_id=one.case_id,
                category=one.category,
                case_digest=one.case_digest,
                target=one.target,
                scores=scores,
                answer=remade(one.answer),
                pages=tuple(
                    pages.get(uri) or Page(uri=uri, status=NOT_FETCHED) for uri in addresses
                )
                if pages
                else (),
            )
        )
    if not made:
        raise FileError("the judge gave no answer all of its rulings: run again")
    rated = {name for one in made for name in one.scores}
    return Controls(
        created=created,
        date=datetime.fromisoformat(run.provenance.created or created).date().isoformat(),
        world=run.provenance.world,
        identities={name: run.identities.get(name, Identity()) for name in names if name in rated},
        answers=tuple(made),
    )
