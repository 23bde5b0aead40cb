"""The whole gate against the loopback world, through the real SDK clients: one run a situation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate_cli import Done, copy_of_repository, gate

QUICK = ("relevance", "correctness", "source_quality")
PAGES = (
    *("faithfulness", "citation_precision", "source_coverage", "citation_f1"),
    *("alce_recall", "alce_precision"),
)
DIMENSIONS = (*QUICK, *PAGES)


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what decides."""
    return copy_of_repository(root, tmp_path_factory.mktemp("repository"))


@pytest.fixture
def own(root: Path, tmp_path: Path) -> Path:
    """A copy that one test may change."""
    return copy_of_repository(root, tmp_path)


@pytest.fixture(scope="module")
def steady(folder: Path) -> Done:
    """The plain run."""
    return gate("run", "--offline", folder=folder)


def test_steady__passes_with_every_dimension_licensed(steady: Done) -> None:
    """Nothing changed: exit 0, all judged rows gate, and no judge is perfect."""
    rows = [
        row
        for row in steady.verdict["comparisons"]
        if row["dimension"] != "claims" and row["category"] is None
    ]

    assert (0, "pass") == (steady.code, steady.verdict["status"]), steady.err
    assert set(DIMENSIONS) == {row["dimension"] for row in rows}
    assert all(row["gating"] and row["outcome"] == "pass" for row in rows)
    assert {"validated"} == {row["trust"]["state"] for row in rows}
    assert max(row["trust"]["kappa"] for row in rows) < 1


def test_steady__claims_are_watched(steady: Done) -> None:
    """They are compared and decide nothing."""
    row = steady.row("claims")

    assert (False, 0.0) == (row["gating"], row["delta"])
    assert row["n"] >= 36


def test_steady__table_on_stdout_and_progress_on_stderr(steady: Done) -> None:
    """A script can read the table; a person sees where the files are."""
    assert all(name in steady.out for name in DIMENSIONS)
    assert "Stand-in world" in steady.out
    assert "asking and judging 48 questions" in steady.err
    assert "verdict.json" in steady.err


def test_wrong__fails_on_correctness_alone_where_no_page_is_read(own: Path) -> None:
    """Facts are wrong; topic and sources are the same, so no other row may regress."""
    done = gate("run", "--offline=wrong", "--scorer", "quick", folder=own)

    assert (1, "regression") == (done.code, done.verdict["status"]), done.err
    assert "regression" == done.row("correctness")["outcome"]
    assert set(QUICK) == {row["dimension"] for row in done.verdict["comparisons"]}
    others = [done.row(name) for name in ("relevance", "source_quality")]
    assert {"pass", "inconclusive"} >= {row["outcome"] for row in others}
    assert all(abs(row["delta"]) <= 0.05 for row in others)


def test_wrong__fails_on_its_pages_too(own: Path) -> None:
    """The pages say otherwise: what reads them falls, what rates topic and sources stays."""
    done = gate("run", "--offline=wrong", folder=own)

    assert 1 == done.code, done.err
    fell = {row["dimension"] for row in done.verdict["comparisons"] if row["gating"]} - {
        row["dimension"] for row in done.verdict["comparisons"] if row["outcome"] != "regression"
    }
    assert {"correctness", *PAGES} == fell


@pytest.mark.parametrize("variant", ["unsupported", "misquoted"])
def test_invented_or_misquoted__only_who_reads_the_pages_can_see_it(
    own: Path, variant: str
) -> None:
    """Without pages the run passes; with them it fails on faithfulness and the citations."""
    quick = gate("run", f"--offline={variant}", "--scorer", "quick", folder=own)
    assert (0, "pass") == (quick.code, quick.verdict["status"]), quick.err

    done = gate("run", f"--offline={variant}", folder=own)

    assert (1, "regression") == (done.code, done.verdict["status"]), done.err
    for name in ("faithfulness", "citation_precision", "alce_recall"):
        assert "regression" == done.row(name)["outcome"]
    for name in QUICK:
        assert "pass" == done.row(name)["outcome"]


def test_empty__fails_by_the_empty_rate_and_no_quality_row(own: Path) -> None:
    """Blank answers are counted apart and are never zeros."""
    done = gate("run", "--offline=empty", folder=own)

    assert (1, "regression") == (done.code, done.verdict["status"]), done.err
    assert "regression" not in {row["outcome"] for row in done.verdict["comparisons"]}
    operation = done.verdict["operations"][0]
    assert "regression" == operation["outcome"]
    assert operation["empty_rate"] > 0.3
    assert "empty" in done.verdict["headline"]


def test_plan_of_four__is_refused_before_any_call(own: Path) -> None:
    """It could neither fail nor pass."""
    done = gate("run", "--offline", "--sample", "4", folder=own)

    assert 2 == done.code
    assert "neither fail nor pass" in done.err
    assert not (own / "gate-out").exists()


def test_plan_of_six__says_that_it_can_only_fail(own: Path) -> None:
    """Six unchanged cases do not rule out a drop of 0.10."""
    done = gate("run", "--offline", "--sample", "6", "--scorer", "quick", folder=own)

    assert (0, "inconclusive") == (done.code, done.verdict["status"]), done.err
    assert "can only fail" in done.verdict["headline"]


def test_replay__same_bytes_without_the_world(own: Path) -> None:
    """The journal is enough, twice, and equals the run itself."""
    assert 0 == gate("run", "--offline", folder=own).code
    journal = "gate-out/journal.sqlite"
    for name in ("one", "two"):
        done = gate("run", "--replay", journal, "--out", name, folder=own)
        assert 0 == done.code, done.err
    names = ["run.json", "verdict.json", "comment.md", "summary.md", "results.jsonl"]

    first, second = (
        [(own / name / file).read_bytes() for file in names] for name in ("one", "two")
    )

    assert first == second
    assert first[:4] == [(own / "gate-out" / file).read_bytes() for file in names[:4]]


def test_replay__of_another_configuration_is_refused(own: Path) -> None:
    """A missing call is an error, never a live call."""
    gate("run", "--offline", folder=own)
    config = own / "gate.yaml"
    config.write_text(
        config.read_text("utf-8").replace("thinking_level: low", "thinking_level: high")
    )

    done = gate("run", "--replay", "gate-out/journal.sqlite", "--out", "again", folder=own)

    assert 3 == done.code
    assert "made no such answer call" in done.err


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("judge-529", "judge"),
        ("judge-prose", "judge"),
        ("judge-braces", "judge"),
        ("judge-refuses", "judge"),
        ("judge-truncated", "judge"),
        ("target-401", "target"),
        ("target-garbage", "target"),
        ("target-no-candidates", "target"),
    ],
)
@pytest.mark.parametrize(
    "more", [(), ("--report-only", "--scorer", "quick")], ids=["gating", "report-only"]
)
def test_broken_machine__is_no_verdict_and_no_number(
    own: Path, fault: str, says: str, more: tuple[str, ...]
) -> None:
    """Exit 3, the cause once, no quality number, in report-only mode as well."""
    done = gate("run", f"--offline=steady+{fault}", *more, folder=own)

    assert (3, "broken") == (done.code, done.verdict["status"]), done.err
    assert [] == done.verdict["comparisons"]
    message = done.verdict["broken"]["message"]
    assert says in message
    assert 1 == done.json("verdict.json")["headline"].count(message)
    comment = (own / "gate-out" / "comment.md").read_text("utf-8")
    assert "baseline → now" not in comment
    assert "κ" not in comment


@pytest.mark.parametrize("fault", ["judge-404", "target-404"])
def test_unknown_model__cannot_run(own: Path, fault: str) -> None:
    """A model that its vendor does not know ends the run at once and is named."""
    done = gate("run", f"--offline=steady+{fault}", folder=own)

    assert 2 == done.code
    assert ("claude-opus-5-5" if "judge" in fault else "gemini-3.8-flash") in done.err


@pytest.mark.parametrize(
    "fault", ["judge-503-once", "target-429-once", "judge-repair", "judge-policy"]
)
def test_passing_fault__changes_no_verdict(own: Path, fault: str) -> None:
    """A retry, a repair or another reply form gets there all the same."""
    done = gate("run", f"--offline=steady+{fault}", "--report-only", folder=own)

    assert 0 == done.code, done.err
    assert all(row["current"] is not None for row in done.verdict["comparisons"])
    assert 0 == done.verdict["operations"][0]["error_rate"]


def test_another_reply_form__is_another_instrument(own: Path) -> None:
    """Where the policy forbids structured output, the scores are not compared with those of it."""
    done = gate("run", "--offline=steady+judge-policy", folder=own)

    assert (3, "broken") == (done.code, done.verdict["status"])
    assert (
        "correctness and source_quality were scored by another instrument"
        in done.verdict["headline"]
    )
    assert "judge" in " ".join(done.verdict["identity"]["differs"])
    # What asks for its form in words anyway is compared as ever.
    assert "pass" == done.row("faithfulness")["outcome"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--offline", "--case", "no-such-case"), "no such case"),
        (("--offline", "--target", "no-such-target"), "no-such-target"),
        (("--offline", "--scorer", "no-such-scorer"), "no-such-scorer"),
        (("--offline", "--sample", "0"), "at least one case"),
        (("--offline", "--sample", "many"), "--sample many"),
        (("--offline=no-such-variant",), "no-such-variant"),
        (("--offline", "--config", "no-such.yaml"), "no-such.yaml"),
        (("--replay", "no-such.sqlite"), "no-such.sqlite"),
        ((), "RUN_EVALS=1"),
    ],
)
def test_wrong_words__cannot_run(own: Path, words: tuple[str, ...], says: str) -> None:
    """Exit 2 and the words that were wrong."""
    done = gate("run", *words, folder=own)

    assert 2 == done.code, done.err
    assert says in done.err


def test_missing_credentials__cannot_run_and_says_which(own: Path) -> None:
    """Found before any call; the variable and its line are named."""
    done = gate("run", "--yes", folder=own)

    assert 2 == done.code
    assert "GOOGLE_CLOUD_PROJECT" in done.err
    assert "gate.yaml:" in done.err


def test_unforeseen_error__is_exit_3_with_its_traceback_in_a_file(own: Path) -> None:
    """Python's own exit 1 would look like a regression."""
    (own / "house.py").write_text(
        "class Reporter:\n"
        "    def __init__(self, options):\n        pass\n"
        "    def render(self, report):\n        raise ZeroDivisionError('house fault')\n",
        "utf-8",
    )
    with (own / "gate.yaml").open("a", encoding="utf-8") as config:
        config.write("reporters: [markdown, json, 'house.py:Reporter']\n")

    done = gate("run", "--offline", folder=own)

    assert 3 == done.code
    assert "unforeseen ZeroDivisionError: house fault" in done.err
    assert "house fault" in (own / "gate-out" / "traceback.txt").read_text("utf-8")


def test_two_targets__are_told_apart_in_every_surface(own: Path) -> None:
    """Each has its rows; the model table stands beside; a missing one of the baseline is named."""
    config = own / "gate.yaml"
    config.write_text(
        config.read_text("utf-8").replace(
            "targets:\n",
            "targets:\n  argon:\n    use: gemini\n    model: gemini-4-argon\n",
        ),
        "utf-8",
    )

    done = gate("run", "--offline", folder=own)

    rows = {(row["target"], row["dimension"]) for row in done.verdict["comparisons"]}
    assert 0 == done.code, done.err
    names = ("argon", "gemini-3.8-flash")
    assert {(name, one) for name in names for one in (*DIMENSIONS, "claims")} == rows
    gating = {row["target"] for row in done.verdict["comparisons"] if row["gating"]}
    assert {"gemini-3.8-flash"} == gating
    comment = (own / "gate-out" / "comment.md").read_text("utf-8")
    assert "argon" in comment
    assert "argon" in done.out


def test_stand_in_judge__is_of_no_targets_family(own: Path) -> None:
    """The stand-in judge's family is `loopback`, whatever it stands in for."""
    done = gate("run", "--offline", folder=own)

    assert not [one for one in done.verdict["warnings"] if "family" in one]


def test_rule_for_an_unknown_dimension__cannot_run(own: Path) -> None:
    """A slip in a rule's name would switch the rule off in silence."""
    with (own / "gate.yaml").open("a", encoding="utf-8") as config:
        config.write("  rules:\n    corectness: {min_effect: 0.2}\n")

    done = gate("run", "--offline", folder=own)

    assert 2 == done.code
    assert "gate.yaml:" in done.err
    assert "did you mean `correctness`" in done.err
