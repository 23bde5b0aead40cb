"""Collect, judge, compare: three steps that give what one run gives; and parts put together."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.gate_cli import Done, copy_of_repository, gate

SAMPLE = ("--offline=wrong", "--sample", "24")
MASKED = re.compile(r'("(?:latency_s|p50_latency_s)": ?)[0-9.e-]+|\bp50 [0-9.]+ s → [0-9.]+ s')
"""Times: the only figures that two equal runs may differ in, run ids and dates left out."""

DOLLARS = re.compile(r'"(?:known_)?usd": [0-9.]+|cost \$[0-9.]+')
"""What a run cost altogether."""


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what decides."""
    return copy_of_repository(root, tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="module")
def whole(folder: Path) -> Done:
    """One run that does it all, decided on."""
    return gate("run", *SAMPLE, "--out", "whole", folder=folder)


def text_of(path: Path) -> str:
    """A file with times, run id, date and the lines to type masked."""
    text = MASKED.sub(r"\1_", path.read_text("utf-8"))
    text = re.sub(r"\d{8}T\d{6}Z-[0-9a-f]{6}", "RUN", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[0-9:+]+", "TIME", text)
    # What was judged apart says when; a hint names the folder of its own run.
    text = text.replace('"judged": "TIME", ', "")
    text = re.sub(r"gate report \w+ --trace", "gate report DIR --trace", text)
    return re.sub(r"^gate .*$|\"gate (?:run|compare) .*\"", "LINE", text, flags=re.MULTILINE)


def stored(folder: Path, name: str) -> Any:
    """A JSON file."""
    return json.loads((folder / name).read_text("utf-8"))


def write(path: Path, value: Mapping[str, Any]) -> Path:
    """Write a JSON file."""
    path.write_text(json.dumps(value), "utf-8")
    return path


@pytest.fixture(scope="module")
def apart(folder: Path) -> Done:
    """The same in three steps, each in a folder of its own."""
    collected = gate("collect", *SAMPLE, "--out", "collected", folder=folder)
    assert (0, "") == (collected.code, collected.out), collected.err
    judged = gate(
        *("judge", "collected/answers.json", "--offline=wrong", "--out", "judged"), folder=folder
    )
    assert (0, "") == (judged.code, judged.out), judged.err
    return gate("compare", "judged/run.json", "--out", "judged", folder=folder)


@pytest.mark.parametrize("name", ["run.json", "verdict.json", "comment.md", "summary.md"])
def test_phases__give_what_a_run_gives(whole: Done, apart: Done, name: str) -> None:
    """The same files, apart from times and the run id; cost and identities included."""
    assert (1, 1) == (whole.code, apart.code), apart.err
    assert text_of(whole.folder / "whole" / name) == text_of(apart.folder / "judged" / name)


def test_phases__the_collection_judges_nothing(apart: Done) -> None:
    """No score, no page, no call of the judge: answers alone, one a line."""
    text = (apart.folder / "collected" / "answers.json").read_text("utf-8")
    answers = json.loads(text)

    assert 24 == len(answers["answers"]) == answers["cost"]["calls"]
    assert 24 == sum(line.startswith('{"case_id"') for line in text.splitlines())
    assert not {"scores", "question", "category"} & set(answers["answers"][0])


def test_phases__the_judging_alone_is_replayed(apart: Done) -> None:
    """From the judge's own journal, without the world."""
    folder = apart.folder
    words = ("judge", "collected/answers.json", "--replay", "judged/journal.sqlite")

    done = gate(*words, "--out", "rejudged", folder=folder)

    assert 0 == done.code, done.err
    assert (folder / "judged" / "run.json").read_bytes() == (
        folder / "rejudged" / "run.json"
    ).read_bytes()


def test_judge__answers_from_anywhere(folder: Path) -> None:
    """A file that only says what was answered is enough; its targets are named by it."""
    case = "speed-of-light" if _has(folder, "speed-of-light") else _first(folder)
    answer = {"text": "Nobody knows.", "sources": []}
    path = write(
        folder / "mine.json",
        {"schema": 1, "answers": [{"case_id": case, "target": "mine", "answer": answer}]},
    )

    done = gate(
        *("judge", str(path), "--offline", "--scorer", "quality", "--out", "mine"), folder=folder
    )

    run = stored(folder / "mine", "run.json")
    assert 0 == done.code, done.err
    assert [("mine", case)] == [(cell["target"], cell["case_id"]) for cell in run["cells"]]
    assert 0 <= run["cells"][0]["scores"]["correctness"][0] <= 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"case_id": "no-such-case"}, "which the dataset does not have"),
        ({"case_digest": "0" * 64}, "with another text than the dataset has now"),
        ({"case_id": "../escape"}, "../escape"),
        ({"attempt": -1}, "attempt"),
        ({"answer": "text"}, "answer"),
        ({"answer": {"txt": "a typing error"}}, "has neither `text` nor `failure`"),
        ({"attempt": 2}, "has more answers to a case than its plan's 1"),
        ({"attempt": 1_000_000_000}, "attempt"),
    ],
)
def test_judge__answers_that_do_not_fit(
    apart: Done, tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    """Refused before a call is made, with the case."""
    answers = stored(apart.folder / "collected", "answers.json")
    answers["answers"][3] |= change
    path = write(tmp_path / "answers.json", answers)

    done = gate("judge", str(path), "--offline", "--out", "x", folder=apart.folder)

    assert 2 == done.code
    assert says in done.err
    assert "Traceback" not in done.err


def test_judge__an_answer_that_stands_twice(apart: Done, tmp_path: Path) -> None:
    """Which of the two counts nobody can say."""
    answers = stored(apart.folder / "collected", "answers.json")
    answers["answers"].append(answers["answers"][0])
    path = write(tmp_path / "answers.json", answers)

    done = gate("judge", str(path), "--offline", "--out", "x", folder=apart.folder)

    assert (2, True) == (done.code, "stands twice: keep one" in done.err)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"interrupted": "SIGTERM"}, "run `gate collect` again in its folder"),
        ({"cost": {"usd": -5.0, "known_usd": -5.0}}, "has a cost below 0"),
        ({"answers": []}, "holds no answers"),
        ({"schema": 99}, "newer gate"),
    ],
)
def test_judge__a_collection_that_is_none(
    apart: Done, tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    """Refused before a call is made."""
    answers = stored(apart.folder / "collected", "answers.json") | change
    path = write(tmp_path / "answers.json", answers)

    done = gate("judge", str(path), "--offline", "--out", "x", folder=apart.folder)

    assert (2, True) == (done.code, says in done.err), done.err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"repeats": 10**9}, "plans 1000000000 answers a case"),
        ({"repeats": -3}, "plans -3 answers a case"),
        ({"narrowed": True, "case_ids": ["nowhere"]}, "plans case nowhere"),
    ],
)
def test_judge__a_plan_that_cannot_be(
    apart: Done, tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    """Refused at once, whatever it would have taken to walk it."""
    answers = stored(apart.folder / "collected", "answers.json")
    answers["plan"] |= change
    path = write(tmp_path / "answers.json", answers)

    done = gate("judge", str(path), "--offline", "--out", "x", folder=apart.folder)

    assert (2, True) == (done.code, says in done.err), done.err


def test_judge__answers_without_a_plan_decide_nothing(apart: Done, tmp_path: Path) -> None:
    """Taking the plan out must not turn chosen answers into a verdict."""
    answers = stored(apart.folder / "collected", "answers.json")
    path = write(tmp_path / "answers.json", answers | {"plan": None})
    words = ("--offline=wrong", "--scorer", "quick", "--out", "planless")

    assert 0 == gate("judge", str(path), *words, folder=apart.folder).code

    done = gate("compare", "planless/run.json", "--out", "planless", folder=apart.folder)
    verdict = stored(apart.folder / "planless", "verdict.json")
    assert (0, "report") == (done.code, verdict["status"])


@pytest.mark.parametrize("lie", ["case_ids", "dataset", "sample", "seed"])
def test_judge__a_plan_that_is_not_its_own(apart: Done, tmp_path: Path, lie: str) -> None:
    """Code that answered could leave its bad answers out of the plan: it is made once more."""
    answers = stored(apart.folder / "collected", "answers.json")
    plan = answers["plan"]
    lies = {"case_ids": plan["case_ids"][1:], "dataset": plan["case_ids"], "sample": 23}
    plan[lie] = lies.get(lie, "another")
    path = write(tmp_path / "answers.json", answers)

    done = gate("judge", str(path), "--offline", "--out", "x", folder=apart.folder)

    assert 2 == done.code
    assert "has a plan that its seed and sample do not give" in done.err


def test_judge__an_answer_that_is_left_out_has_failed(apart: Done, tmp_path: Path) -> None:
    """A missing answer is no answer, not a case less."""
    answers = stored(apart.folder / "collected", "answers.json")
    left_out = answers["answers"].pop()
    path = write(tmp_path / "answers.json", answers)
    words = ("--offline=wrong", "--scorer", "quality", "--out", "less")

    done = gate("judge", str(path), *words, folder=apart.folder)

    run = stored(apart.folder / "less", "run.json")
    states = {cell["case_id"]: cell["attempts"][0]["state"] for cell in run["cells"]}
    assert (0, 24) == (done.code, len(states)), done.err
    assert {left_out["case_id"]} == {case for case, state in states.items() if state != "ok"}


@pytest.fixture(scope="module")
def merged(folder: Path) -> Done:
    """The run in three parts, put together."""
    for number in (1, 2, 3):
        part = gate(
            *("run", *SAMPLE, "--shard", f"{number}/3", "--out", f"part{number}"), folder=folder
        )
        assert (0, "report") == (
            part.code,
            stored(folder / f"part{number}", "verdict.json")["status"],
        )
        assert "`gate merge part1/run.json part2/run.json part3/run.json -o whole/" in part.out
    places = [f"part{number}/run.json" for number in (2, 3, 1)]
    done = gate("merge", *places, "-o", "merged/run.json", folder=folder)
    assert (0, "") == (done.code, done.out), done.err
    return gate("compare", "merged/run.json", "--out", "merged", folder=folder)


@pytest.mark.parametrize("name", ["run.json", "verdict.json", "comment.md", "summary.md"])
def test_merge__parts_are_the_whole(whole: Done, merged: Done, name: str) -> None:
    """The same files as one machine's, in whatever order the parts are named.

    The dollars differ by a few cents and are held apart: each part writes the judge's cache anew.
    """
    assert (1, 1) == (whole.code, merged.code), merged.err
    one, other = (text_of(merged.folder / place / name) for place in ("whole", "merged"))
    assert DOLLARS.sub("COST", one) == DOLLARS.sub("COST", other)


def test_merge__costs_are_added(merged: Done) -> None:
    """What the whole cost is what its parts cost."""
    parts = [stored(merged.folder / f"part{number}", "run.json")["cost"] for number in (1, 2, 3)]
    cost = stored(merged.folder / "merged", "run.json")["cost"]

    assert cost["usd"] == pytest.approx(sum(part["usd"] for part in parts))
    assert cost["calls"] == sum(part["calls"] for part in parts)


def test_merge__the_whole_is_replayed_from_the_parts(merged: Done) -> None:
    """Journals are put together too: the run again, without a part in sight."""
    folder = merged.folder
    words = ("run", "--sample", "24", "--replay", "merged/journal.sqlite", "--out", "again")

    done = gate(*words, folder=folder)

    assert 1 == done.code, done.err
    again, kept = stored(folder / "again", "run.json"), stored(folder / "merged", "run.json")
    assert kept == again


@pytest.mark.parametrize(
    ("places", "says"),
    [
        (("part1", "part2"), "the part 3/3 is missing: run it with `--shard 3/3`"),
        (("part1", "part2", "part2"), "part 2/3 is given twice"),
        (("part1", "whole"), "is no part of a plan"),
    ],
)
def test_merge__what_is_no_whole(
    merged: Done, whole: Done, places: tuple[str, ...], says: str
) -> None:
    """Refused, with what to do."""
    done = gate("merge", *places, "-o", "x/run.json", folder=merged.folder)

    assert (2, True) == (done.code, says in done.err), done.err
    assert whole.code == merged.code


def test_merge__into_the_folder_of_a_part(merged: Done) -> None:
    """It would replace what it is made of."""
    places = ("part1", "part2", "part3")

    done = gate("merge", *places, "-o", "part1/run.json", folder=merged.folder)

    assert (2, True) == (done.code, "lies in the folder of a part" in done.err)


def test_merge__mixed_identities(merged: Done, tmp_path: Path) -> None:
    """A part that another judge scored is no part of this run."""
    shutil.copytree(merged.folder / "part2", tmp_path / "other")
    run = stored(tmp_path / "other", "run.json")
    run["identities"]["correctness"]["judge"] = "another [text]"
    write(tmp_path / "other" / "run.json", run)

    done = gate(
        *("merge", "part1", str(tmp_path / "other"), "part3", "-o", "x/run.json"),
        folder=merged.folder,
    )

    assert 2 == done.code
    assert "correctness: the runs were not scored alike, their judge differs" in done.err


def _has(folder: Path, case: str) -> bool:
    return f"id: {case}\n" in (folder / "evals" / "cases.yaml").read_text("utf-8")


def _first(folder: Path) -> str:
    found = re.search(r"- id: (\S+)", (folder / "evals" / "cases.yaml").read_text("utf-8"))
    assert found is not None
    return found[1]


def test_phases__a_small_plan_in_one_folder(apart: Done) -> None:
    """`--report-only` allows what can decide nothing; the collection's answers stay."""
    words = ("--offline", "--report-only", "--out", "one")
    small = ("--sample", "3", "--scorer", "quick")
    refused = gate("collect", "--offline", *small, "--out", "one", folder=apart.folder)
    assert (2, True) == (refused.code, "can neither fail nor pass" in refused.err)

    collected = gate("collect", *small, *words, folder=apart.folder)
    assert 0 == collected.code, collected.err
    assert "`gate judge one/answers.json --report-only --offline`" in collected.err
    answers = (apart.folder / "one" / "answers.json").read_bytes()
    judged = gate("judge", "one/answers.json", *words, folder=apart.folder)

    assert 0 == judged.code, judged.err
    assert "`gate compare one/run.json --out one --report-only`" in judged.err
    assert answers == (apart.folder / "one" / "answers.json").read_bytes()
    results = (apart.folder / "one" / "results.jsonl").read_text("utf-8").splitlines()
    assert 3 == len([line for line in results if json.loads(line)["scores"]])
