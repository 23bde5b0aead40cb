"""Attempts on one head: pooled as repeats, left out aloud, or a regression that stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.decision.attempts import ENDINGS, attempt_of, identity_of, pool
from gate.errors import FileError
from gate.publish.state import read_state, write_state
from gate.types import (
    AttemptState,
    Commits,
    Identity,
    Metric,
    PastAttempt,
    Plan,
    Provenance,
    Run,
    Status,
    Verdict,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    JUDGED_BY,
    RELEVANCE,
    cell,
    columns,
    run_of,
)

SHA = "a" * 40


def on_head(scores: list[float | None], sha: str | None = SHA, **more: object) -> Run:
    """A run on a head."""
    provenance = Provenance(created="2026-07-01T00:00:00Z", commits=Commits(head=sha))
    return run_of(columns(scores), provenance=provenance, **more)


def remembered(run: Run, status: Status = "regression", run_id: int = 1) -> PastAttempt:
    """What is remembered of a run."""
    verdict = Verdict(status=status, exit_code=0, headline="")
    return attempt_of(run, verdict, run_id=run_id, run_attempt=1)


def state(*attempts: PastAttempt, sha: str = SHA) -> AttemptState:
    """The attempts on a head."""
    return AttemptState(head_sha=sha, attempts=attempts)


def test_pool__scores_join_as_repeats() -> None:
    """The run's own stand first; the answers' endings come along."""
    first, second = on_head([0.1, 0.2]), on_head([0.3, 0.4])

    pooled = pool(second, state(remembered(first)))

    assert [(0.3, 0.1), (0.4, 0.2)] == [one.scores["correctness"] for one in pooled.run.cells]
    assert [2, 2] == [len(one.attempts) for one in pooled.run.cells]
    assert (2, ()) == (pooled.attempts, pooled.standing)
    assert pooled.run.warnings == second.warnings


def test_pool__the_text_of_a_case_stays_known() -> None:
    """It is that of the run: an attempt that measured another text is not pooled at all."""
    run = on_head([0.3])

    pooled = pool(run, state(remembered(on_head([0.1]))))

    assert ["text of case-00"] == [one.case_digest for one in pooled.run.cells]


def test_attempt_of__scores_are_rounded_as_a_baseline_has_them() -> None:
    """Four decimals, also where no metric says the unit."""
    past = remembered(on_head([2 / 3], metrics=()))

    assert past.scores is not None
    assert {"case-00": (0.6667,)} == past.scores["t"]["correctness"]


def test_pool__endings_are_kept() -> None:
    """An empty answer of the first attempt is an empty answer of the pool."""
    cells = [cell("t", "a", {"correctness": [None]}, ["empty"])]
    provenance = Provenance(commits=Commits(head=SHA))
    first = run_of(cells, provenance=provenance)
    second = run_of([cell("t", "a", {"correctness": [0.5]})], provenance=provenance)

    (one,) = pool(second, state(remembered(first))).run.cells

    assert ["ok", "empty"] == [attempt.state for attempt in one.attempts]
    assert (0.5, None) == one.scores["correctness"]


def test_pool__survives_json() -> None:
    """What is written in one workflow run is read in another."""
    first, second = on_head([0.1, None]), on_head([0.3, 0.4])
    text = state(remembered(first)).model_dump_json()

    pooled = pool(second, AttemptState.model_validate_json(text))

    assert [(0.3, 0.1), (0.4, None)] == [one.scores["correctness"] for one in pooled.run.cells]


def test_pool__survives_the_comment() -> None:
    """What a comment hides of an attempt is enough to pool it."""
    first, second = on_head([0.1, None]), on_head([0.3, 0.4])
    packed, left_out = write_state(state(remembered(first)))

    found, _ = read_state(packed)

    assert left_out is None
    assert pool(second, state(remembered(first))) == pool(second, found)


def test_pool__an_attempt_that_was_unclear_counts() -> None:
    """Its scores are as good as any; alone, nothing is confirmed."""
    unclear = remembered(on_head([0.1]), "inconclusive")

    assert 2 == pool(on_head([0.3]), state(unclear)).attempts
    assert not pool(on_head([0.3]), None).confirmed


@pytest.mark.parametrize("status", ["broken", "report"])
def test_pool__broken_attempts_do_not_count(status: Status) -> None:
    """Neither as scores nor in the number."""
    first, second = on_head([0.1]), on_head([0.3])

    pooled = pool(second, state(remembered(first, status)))

    assert (second, 1) == (pooled.run, pooled.attempts)


def test_pool__another_head_is_not_pooled() -> None:
    """A new commit begins anew, and it is said."""
    pooled = pool(on_head([0.3], sha="b" * 40), state(remembered(on_head([0.1]))))

    assert (1, ()) == (pooled.attempts, pooled.standing)
    assert ("Earlier attempts are not pooled: this run is of another head.",) == (
        pooled.run.warnings
    )


def test_pool__unknown_head_is_not_pooled() -> None:
    """Nobody knows whose attempts they are."""
    pooled = pool(on_head([0.3], sha=None), state(remembered(on_head([0.1]))))

    assert "does not say which head" in pooled.run.warnings[0]


def test_pool__regression_without_scores_stands() -> None:
    """Losing the scores must not be a way out."""
    lost = remembered(on_head([0.1])).model_copy(update={"scores": None})

    pooled = pool(on_head([0.3]), state(lost))

    assert 1 == pooled.attempts
    (said,) = pooled.standing
    assert said.startswith("the earlier run 1 on this head was a regression, and it left no")


def test_pool__pass_without_scores_is_left_out() -> None:
    """It is said, and holds nothing up."""
    lost = remembered(on_head([0.1]), "pass").model_copy(update={"scores": None})

    pooled = pool(on_head([0.3]), state(lost))

    assert () == pooled.standing
    assert "is not pooled" in pooled.run.warnings[0]


def test_pool__regression_on_other_cases_stands() -> None:
    """Asking other cases must not be a way out, either."""
    pooled = pool(on_head([0.3]), state(remembered(on_head([0.1, 0.2]))))

    assert "measured other cases, targets or dimensions" in pooled.standing[0]


def test_pool__other_judge_is_left_out_and_does_not_stand() -> None:
    """The base has changed its instrument: the earlier verdict was another one's."""
    first = on_head([0.1], identities={"correctness": Identity(judge="other")})

    pooled = pool(on_head([0.3]), state(remembered(first)))

    assert (1, ()) == (pooled.attempts, pooled.standing)
    assert "was measured otherwise (judge, prompt, scorer" in pooled.run.warnings[0]


def test_pool__scores_with_holes_stand() -> None:
    """Half of an attempt is no repeat."""
    one = remembered(on_head([0.1, 0.2]))
    assert one.scores is not None
    del one.scores["t"][ENDINGS]["case-00"]

    assert "not whole" in pool(on_head([0.3, 0.4]), state(one)).standing[0]


@pytest.mark.parametrize("endings", [(-1.0,), (8.0,), (0.5,), (None,), (0.0, 8.0)])
def test_pool__unknown_ending_is_no_score(endings: tuple[float | None, ...]) -> None:
    """A number of none is not read as one, nor passed over beside a good one."""
    one = remembered(on_head([0.1]))
    assert one.scores is not None
    one.scores["t"][ENDINGS]["case-00"] = endings

    assert 1 == pool(on_head([0.3]), state(one)).attempts


@pytest.mark.parametrize("values", [(7.0,), (-0.5,), (0.1, 0.1)])
def test_pool__impossible_scores_are_refused(values: tuple[float, ...]) -> None:
    """A score above 1, below 0, or one too many."""
    one = remembered(on_head([0.1]))
    assert one.scores is not None
    one.scores["t"]["correctness"]["case-00"] = values

    with pytest.raises(FileError, match=r"^attempts.json: case case-00 of target t has"):
        pool(on_head([0.3]), state(one), "attempts.json")


def test_identity_of__fits_in_a_comment() -> None:
    """Two digests; dimensions are in the first, judges in the second."""
    one = on_head([0.1])
    other = one.model_copy(update={"metrics": (*one.metrics, RELEVANCE)})

    assert 65 == len(identity_of(one))
    assert identity_of(one).split()[0] != identity_of(other).split()[0]


def test_attempt_of__keeps_no_scores_of_a_broken_run() -> None:
    """They count for nothing."""
    assert remembered(on_head([0.1]), "broken").scores is None


def test_identity_of__which_target_answered_counts() -> None:
    """Two targets that changed the cases between them are not the run that they were."""
    cells = [cell("t", "a", {"correctness": [0.5]}), cell("u", "b", {"correctness": [0.5]})]
    turned = [replace(one, target=other) for one, other in zip(cells, "ut", strict=True)]
    both = {"targets": ["t", "u"], "cases": ["a", "b"]}

    assert identity_of(run_of(cells, **both)) != identity_of(run_of(turned, **both))  # type: ignore[arg-type]  # keywords


def test_pool__uncounted_attempts_are_no_attempts() -> None:
    """Of attempts without a verdict nothing is said, not even that the head is another one."""
    run = on_head([0.3, 0.4], "b" * 40)

    assert run is pool(run, state(remembered(run, "broken"))).run


@pytest.mark.parametrize("order", [("regression", "pass"), ("pass", "regression")])
def test_pool__a_confirmed_regression_stays_one(order: tuple[Status, Status]) -> None:
    """Whether it came first or last."""
    run = on_head([0.3, 0.4])
    past = [remembered(run, status, number) for number, status in enumerate(order, 1)]

    assert pool(run, state(*past)).confirmed
    assert not pool(run, state(remembered(run, "pass"))).confirmed


BOTH = (CORRECTNESS, RELEVANCE)


def whole(**more: object) -> Run:
    """Two targets, two cases, two dimensions."""
    cells = [
        cell(name, case, {"correctness": [0.5], "relevance": [0.5]})
        for name in "tu"
        for case in "ab"
    ]
    return run_of(cells, BOTH).model_copy(update=more)


def first_cell(**more: object) -> Run:
    """The same with another first cell."""
    run = whole()
    return whole(cells=(replace(run.cells[0], **more), *run.cells[1:]))


def first_target(**more: object) -> Run:
    """The same with another first target."""
    run = whole()
    return whole(targets=(run.targets[0].model_copy(update=more), *run.targets[1:]))


@pytest.mark.parametrize(
    ("other", "part"),
    [
        (whole(plan=Plan(case_ids=("a", "c"))), "scope"),
        (first_target(name="v"), "scope"),
        (whole(metrics=(CORRECTNESS, Metric(name="other"))), "scope"),
        (whole(identities={"correctness": JUDGED_BY, "relevance": Identity(judge="x")}), "means"),
        (whole(identities={"correctness": Identity(), "relevance": JUDGED_BY}), "means"),
        (first_cell(target="v"), "means"),
        (first_cell(case_id="c"), "means"),
        (first_cell(case_digest="other"), "means"),
        (first_cell(case_digest=None), "means"),
        (first_target(settings="other"), "means"),
        (whole(provenance=Provenance(world="steady")), "means"),
    ],
)
def test_identity_of__everything_that_was_measured_and_how(other: Run, part: str) -> None:
    """What was measured is one half, with what the other."""
    scope, means = identity_of(whole()).split(" ")
    other_scope, other_means = identity_of(other).split(" ")

    assert (scope != other_scope) if part == "scope" else (means != other_means)
    assert part == "scope" or scope == other_scope


def test_identity_of__settings_are_of_their_target() -> None:
    """Two targets that changed settings between them are not what they were."""
    run = whole()
    first, second = run.targets

    def of(*settings: str) -> str:
        pairs = zip((first, second), settings, strict=True)
        changed = tuple(one.model_copy(update={"settings": text}) for one, text in pairs)
        return identity_of(whole(targets=changed))

    assert of("x", "y") != of("y", "x")


def test_identity_of__no_order_counts() -> None:
    """Cells, targets, cases and dimensions as they come."""
    run = whole()
    turned = whole(
        cells=run.cells[::-1],
        targets=run.targets[::-1],
        metrics=run.metrics[::-1],
        plan=Plan(case_ids=run.plan.case_ids[::-1]),
    )

    assert identity_of(run) == identity_of(turned)


@pytest.mark.parametrize(
    ("how", "grounded"),
    [
        *(("ok", True), ("ok", False), ("ok", None), ("empty", None)),
        *(("blocked", None), ("error", None), ("timeout", None), ("budget", None)),
    ],
)
def test_pool__how_an_answer_ended_and_whether_it_had_a_source(
    how: str,
    grounded: bool | None,  # noqa: FBT001 - a column of the table
) -> None:
    """Whatever it was, the pool holds the same of it."""
    one = cell("t", "a", {"correctness": [0.5 if how == "ok" else None]}, [how])
    made = replace(one, attempts=(replace(one.attempts[0], grounded=grounded),))
    provenance = Provenance(commits=Commits(head=SHA))
    first, second = (run_of([each], provenance=provenance) for each in (made, one))
    (found,) = pool(second, state(remembered(first))).run.cells

    assert (how, grounded) == (found.attempts[1].state, found.attempts[1].grounded)


def test_pool__what_is_left_out_is_said_beside_the_runs_own_warnings() -> None:
    """A sentence for each, with the attempt's number from the second on."""
    run = on_head([0.3], warnings=("own",))
    lost = [
        remembered(on_head([0.1]), "pass").model_copy(
            update={"scores": None, "run_attempt": number}
        )
        for number in (1, 2)
    ]

    assert ("own", *(
        f"The earlier run 1{again} on this head is not pooled: it left no scores to be pooled."
        for again in ("", ", attempt 2")
    )) == pool(run, state(*lost)).run.warnings  # fmt: skip
