"""The decision on one head: attempts together, and an accepted drop."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gate.decision.attempts import attempt_of
from gate.decision.attempts_file import attempts_text, read_attempts
from gate.decision.on_head import Head, acceptance_of, accepted_for, decide_on_head
from gate.errors import ConfigError, FileError
from gate.types import (
    Acceptance,
    AttemptState,
    Commits,
    Confirm,
    Identity,
    PastAttempt,
    Policy,
    Provenance,
    Run,
    Verdict,
)
from gate.wire.files import parse_json
from tests.unit.decision.decision_samples import baseline_of, cell, columns, licences, run_of

SHA = "a" * 40
GOOD = [[1.0] * 5] * 24
BASELINE = baseline_of(run_of(columns(GOOD)))


def attempt(scores: Sequence[float | None], **more: object) -> Run:
    """A run on the head."""
    provenance = Provenance(created="2026-07-01T00:00:00Z", commits=Commits(head=SHA))
    return run_of(columns(scores), provenance=provenance, **more)


FALLEN = attempt([0.4] * 8 + [1.0] * 16)
WELL = attempt([1.0] * 24)


def decided(run: Run, head: Head) -> Verdict:
    """The verdict on a run."""
    return decide_on_head(run, BASELINE, licences(run), Policy(), head)[1]


def earlier(*runs: Run) -> AttemptState:
    """The attempts before, each decided on as it was made."""
    state = AttemptState(head_sha=SHA)
    for number, run in enumerate(runs):
        verdict = decided(run, Head(earlier=state))
        one = attempt_of(run, verdict, run_id=number, run_attempt=1)
        state = AttemptState(head_sha=SHA, attempts=(*state.attempts, one))
    return state


def test_attempts__that_could_not_be_read_are_missed_aloud() -> None:
    """The verdict says that it was made without them, also when it is had again from its file."""
    state = AttemptState(head_sha=SHA, unread="The host was silent.")
    kept = read_attempts(parse_json(attempts_text(state)))

    assert "The host was silent." in decided(WELL, Head(earlier=kept)).warnings
    assert () == decided(WELL, Head(earlier=AttemptState(head_sha=SHA))).warnings


def test_first_attempt__is_judged_as_usual() -> None:
    """Nothing is pooled."""
    verdict = decided(FALLEN, Head(earlier=AttemptState(head_sha=SHA)))

    assert ("regression", 1, 1) == (verdict.status, verdict.exit_code, verdict.attempts)


def test_lucky_attempt__does_not_clear_a_regression() -> None:
    """Alone it would pass; together the drop is half as large, and still no luck."""
    assert "pass" == decided(WELL, Head()).status

    verdict = decided(WELL, Head(earlier=earlier(FALLEN)))

    assert ("regression", 2) == (verdict.status, verdict.attempts)
    (row,) = verdict.comparisons
    assert row.current == 0.9
    assert (
        "Regression: correctness fell by 0.10 (1.00 → 0.90; 8 of 24 answers got worse) over 2 "
        "attempts on this head."
    ) == verdict.headline


def test_unlucky_attempt__is_cleared_by_many_good_ones() -> None:
    """Pooling is no punishment: what was chance goes away."""
    unlucky = attempt([0.4] * 4 + [1.0] * 20)
    assert "regression" == decided(unlucky, Head()).status

    verdict = decided(WELL, Head(earlier=earlier(unlucky, WELL, WELL)))

    assert (0, 4) == (verdict.exit_code, verdict.attempts)
    assert "over 4 attempts on this head" in verdict.headline


def test_broken_run__is_decided_on_alone() -> None:
    """Earlier scores do not make a verdict for a run that has none."""
    nothing = run_of(
        [cell("t", f"case-{i:02d}", {"correctness": [None]}, ["error"]) for i in range(24)],
        provenance=WELL.provenance,
    )

    verdict = decided(nothing, Head(earlier=earlier(WELL)))

    assert ("broken", 3, 1) == (verdict.status, verdict.exit_code, verdict.attempts)


def test_lost_scores__regression_stands() -> None:
    """A pass on the rest does not make up for it."""
    (one,) = earlier(FALLEN).attempts
    lost = AttemptState(head_sha=SHA, attempts=(one.model_copy(update={"scores": None}),))

    verdict = decided(WELL, Head(earlier=lost))

    assert ("regression", 1) == (verdict.status, verdict.exit_code)
    assert verdict.headline.startswith(
        "Regression: the earlier run 0 on this head was a regression, and it left no scores"
    )


def test_acceptance__of_this_head() -> None:
    """It stays a regression, and passes."""
    verdict = decided(FALLEN, Head(acceptance=Acceptance(by="ada", head_sha=SHA.upper())))

    assert ("regression", 0, "ada") == (verdict.status, verdict.exit_code, verdict.accepted_by)
    assert verdict.headline.startswith("Regression, accepted by ada: correctness fell by 0.20")


def test_acceptance__of_another_head_does_not_hold() -> None:
    """A new commit needs a new word."""
    verdict = decided(FALLEN, Head(acceptance=Acceptance(by="ada", head_sha="b" * 40)))

    assert (1, None) == (verdict.exit_code, verdict.accepted_by)
    assert "ada accepted the regression of the head bbbbbbb, and" in verdict.warnings[-1]


def test_acceptance__of_a_pass_says_nothing() -> None:
    """There is nothing to accept."""
    verdict = decided(WELL, Head(acceptance=Acceptance(by="ada", head_sha=SHA)))

    assert ("pass", None) == (verdict.status, verdict.accepted_by)


def test_accepted_for__unknown_head() -> None:
    """A run that does not say its head may be any."""
    who, doubt = accepted_for(Acceptance(by="ada", head_sha=SHA), None)

    assert who is None
    assert "does not say its head" in (doubt or "")


@pytest.mark.parametrize("name", ["", "a: b", "a\nb", "<b>", "@team", "x" * 200])
def test_acceptance_of__no_name(name: str) -> None:
    """It stands in a headline."""
    with pytest.raises(ConfigError, match="no name"):
        acceptance_of(name, SHA)


def test_acceptance_of__bot_and_person() -> None:
    """Logins of the host, and names."""
    assert Acceptance(by="merge-it[bot]", head_sha=SHA) == acceptance_of("merge-it[bot]", SHA)
    assert acceptance_of(None, SHA) is None
    with pytest.raises(ConfigError, match="--accepted-sha"):
        acceptance_of("Ada Lovelace", None)


def test_attempts_file__reads_what_it_writes() -> None:
    """All of it, endings included."""
    state = earlier(FALLEN, WELL)

    assert state == read_attempts(parse_json(attempts_text(state)))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": 9}, "newer gate"),
        ({"attempts": [{"run_id": 1}]}, "attempts.0.run_attempt"),
        ({"head_sha": "a" * 65}, "head_sha"),
    ],
)
def test_attempts_file__other_shape_is_refused(change: dict[str, object], said: str) -> None:
    """With what is wrong and what to do."""
    data: dict[str, object] = {"schema": 1, "head_sha": SHA, "attempts": [], **change}

    with pytest.raises(FileError, match=said):
        read_attempts(data, "attempts.json")  # type: ignore[arg-type]  # what a file may hold


def test_attempts_file__an_attempt_twice_or_too_many_answers_is_refused() -> None:
    """Nobody makes such a file."""
    one = PastAttempt(run_id=1, run_attempt=1, status="pass")
    many = one.model_copy(update={"scores": {"t": {"m": {"c": (0.5,) * 101}}}})

    for attempts, said in (((one, one), "twice"), ((many,), "more than 100 answers")):
        text = attempts_text(AttemptState(head_sha=SHA, attempts=attempts))
        with pytest.raises(FileError, match=said):
            read_attempts(parse_json(text))


def test_decided_on_head__says_what_the_run_says_and_what_is_in_doubt() -> None:
    """The run's own warnings and its edits of what decides, beside a word for another head."""
    run = attempt([1.0] * 24, warnings=("The web was slow.",), edits=("gate.yaml: q",))

    verdict = decided(run, Head(acceptance=Acceptance(by="ada", head_sha="b" * 40)))

    assert "The web was slow." in verdict.warnings
    assert "ada accepted the regression" in verdict.warnings[-1]
    assert ("gate.yaml: q",) == verdict.edits


def test_decided_on_head__names_the_file_of_the_stored_answers() -> None:
    """A change of the judge needs no new answers where the baseline's are stored."""
    other = Identity(judge="another", prompt="p1", scorer="s1")
    run = attempt([1.0] * 24, identities={"correctness": other})

    _, verdict = decide_on_head(
        run, BASELINE, licences(run), Policy(), Head(), stored="evals/answers.jsonl"
    )

    assert "gate judge evals/answers.jsonl --out rejudged`, then" in (verdict.next_step or "")


def test_decided_on_head__what_was_confirmed_needs_no_second_look() -> None:
    """The second look of a later attempt, lucky this time, takes no regression back."""
    suspects, cases = (("t", "correctness"),), tuple(f"case-{i:02d}" for i in range(16))
    well = tuple(columns([1.0] * 16))
    lucky = Confirm(suspects=suspects, case_ids=cases, fallen=8, candidate=well, base=well)
    again = attempt([0.4] * 8 + [1.0] * 16, confirm=lucky)

    assert "inconclusive" == decided(again, Head()).status
    assert "regression" == decided(again, Head(earlier=earlier(FALLEN))).status
