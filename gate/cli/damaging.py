"""Good answers of a stored run and their damaged copies, as answers to be judged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gate.cli.judging import check_case
from gate.cli.request import Request, Setting, Wish, ceiling
from gate.cli.results import RESULTS, results_of
from gate.decision.sensitivity import SEEN_BY, pairs_of
from gate.engine.plan import choose_cases, make_plan
from gate.errors import FileError
from gate.sensitivity.choosing import Good, choose_good
from gate.types import (
    Answer,
    Answers,
    Damage,
    GivenAnswer,
    Identity,
    Job,
    Run,
    Sensitivity,
    SensitivitySet,
    TargetInfo,
)

GOOD_ONES = "undamaged"
"""Under this name the judge rates the good answers once more, beside the damaged ones."""


def good_answers(place: Path, run: Run, setting: Setting, most: int) -> tuple[Good, ...]:
    """Return the good answers of a run that can be damaged; at least one.

    Raises FileError for a run without its results.jsonl, without a good answer, and for one whose
    cases have another text by now.
    """
    file = (place if place.is_dir() else place.parent) / RESULTS
    if not file.exists():
        raise FileError(
            f"there is no {RESULTS} beside the run, which holds its answers: name a folder that "
            "`gate run` or `gate judge` wrote",
            file.parent,
        )
    cases = {case.id: case for case in setting.cases}
    chosen = choose_good(results_of(file, run), run.metrics, cases, most)
    if not any(one.damages for one in chosen):
        raise FileError(
            "holds no answer that the judge rated 2/3 or more in all dimensions of whole answers: "
            "name a run of a system that answers well",
            file,
        )
    return chosen


def given_answers(chosen: Sequence[Good]) -> Answers:
    """Return good answers and damaged ones as a file of answers, one system for each damage."""
    made = []
    for good in chosen:
        result = good.result
        copies: dict[str, Answer] = {GOOD_ONES: result.answer}
        copies |= {kind: one.answer for kind, one in good.damages.items()}
        made += [
            GivenAnswer(
                case_id=result.case_id, case_digest=result.case_digest, target=name, answer=answer
            )
            for name, answer in copies.items()
        ]
    names = [name for name in (GOOD_ONES, *SEEN_BY) if any(one.target == name for one in made)]
    return Answers(
        targets=tuple(TargetInfo(name=name, use="recorded") for name in names), answers=tuple(made)
    )


def plan_damaging(answers: Answers, wish: Wish, setting: Setting, path: str) -> Request:
    """Choose what is judged: every answer, damaged or not. Raises FileError for changed cases."""
    cases = {case.id: case for case in setting.cases}
    for one in answers.answers:
        check_case(one, cases.get(one.case_id), path)
    named = {one.case_id for one in answers.answers}
    seed = setting.config.run.seed or "gate-v1"
    chosen = choose_cases([cases[name] for name in sorted(named)], sample=None, seed=seed)
    given = {(one.target, one.case_id) for one in answers.answers}
    return Request(
        config=setting.config,
        root=setting.root,
        out=wish.out,
        jobs=tuple(
            Job(case=case, target=target.name, attempt=0)
            for case in chosen
            for target in answers.targets
            if (target.name, case.id) in given
        ),
        # Narrowed: it decides nothing.
        plan=make_plan(
            setting.cases, chosen, seed=seed, sample=None, repeats=1, narrowed=True, scorer_sets=()
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
    )


def sensitivity_of(run: Run, chosen: Sequence[Good], created: str) -> Sensitivity:
    """Return what the judge saw, from the run in which it rated all of them."""
    scores: dict[str, dict[str, dict[str, float | None]]] = {}
    for cell in run.cells:
        firsts = {name: column[0] if column else None for name, column in cell.scores.items()}
        scores.setdefault(cell.target, {})[cell.case_id] = firsts
    applied: dict[tuple[Damage, str], Sequence[str]] = {
        (kind, good.result.case_id): made.dimensions
        for good in chosen
        for kind, made in good.damages.items()
    }
    origin = {
        good.result.case_id: (good.result.target, good.result.answer_digest or "")
        for good in chosen
    }
    expected = {name for dimensions in SEEN_BY.values() for name in dimensions}
    sets = [
        SensitivitySet(
            dimension=metric.name,
            identity=run.identities.get(metric.name, Identity()),
            pairs=pairs_of(
                scores.get(GOOD_ONES, {}),
                {kind: scores.get(kind, {}) for kind in SEEN_BY},
                applied,
                origin,
                metric.name,
            ),
        )
        for metric in run.metrics
        if metric.judged and metric.name in expected
    ]
    return Sensitivity(created=created, sets=tuple(sorted(sets, key=lambda one: one.dimension)))
