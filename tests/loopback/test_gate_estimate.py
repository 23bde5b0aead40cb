"""`gate estimate`, and what a paid run says before its first call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gate.models.catalogue import load_catalogue
from tests.gate_cli import Done, copy_of_repository, gate

CONFIG = """\
dataset: {path: evals/cases.yaml}
targets:
  gemini-3.8-flash: {use: gemini, model: gemini-3.8-flash, thinking_level: low}
judge: {use: claude, model: claude-opus-5-5, effort: medium}
scorers: [quality, faithfulness, citations]
scorer_sets:
  quick: [quality]
  full: [quality, faithfulness, citations]
"""
"""Two sets of scorers."""

PAID = """\
dataset: {path: evals/cases.yaml}
targets:
  stored: {use: recorded, file: evals/labels/stored.jsonl}
judge: {use: claude, model: claude-opus-5-5}
connections: {anthropic: {road: direct, api_key: "${ANTHROPIC_API_KEY}"}}
run: {sample: 5, retry: {tries: 1}}
"""
"""A run that pays only its judge, and does not ask it twice."""

HOUSE = """\
from gate.types import Answer, TargetInfo


class Own:
    def __init__(self, name, options, kit):
        self.info = TargetInfo(name=name, use="own.py:Own")

    async def answer(self, question, attempt):
        raise SystemExit("nobody may ask me")

    async def aclose(self):
        pass
"""


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two sets of scorers."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    (folder / "gate.yaml").write_text(CONFIG, "utf-8")
    return folder


@pytest.fixture(scope="module")
def full_run(folder: Path) -> Done:
    """A run of all scorers against the world."""
    words = ("--sample", "16", "--report-only", "--scorer", "full")
    done = gate("run", "--offline", *words, folder=folder)
    assert 0 == done.code, done.err
    return done


def estimates(folder: Path, *words: str) -> dict[str, Any]:
    """The estimates as JSON, by kind and name."""
    done = gate("estimate", "--json", *words, folder=folder)
    assert 0 == done.code, done.err
    return {f"{one['kind']} {one['name']}": one for one in json.loads(done.out)["estimates"]}


def test_json__every_set_all_scorers_and_each(folder: Path) -> None:
    """Without a key: the environment of these tests has none."""
    found = estimates(folder)

    names = ["set quick", "set full", "all all scorers"]
    scorers = ["scorer quality", "scorer faithfulness", "scorer citations"]
    assert [*names, *scorers] == list(found)
    assert [48, 144, 144, 48, 48, 48] == [one["judge_calls"] for one in found.values()]
    assert {48} == {one["answer_calls"] for one in found.values()}
    assert all(not one["unknown"] for one in found.values())
    full = found["set full"]
    assert {"google", "anthropic"} == set(full["usd_by_vendor"])
    assert pytest.approx(full["usd"]) == sum(full["usd_by_vendor"].values())
    assert found["set quick"]["usd"] < found["scorer citations"]["usd"] < full["usd"]


def test_json__of_one_run(folder: Path) -> None:
    """As `gate run` would do it with the same words."""
    (one,) = estimates(folder, "--scorer", "quick", "--sample", "12", "--repeats", "5").values()
    (hand,) = estimates(folder, "--scorer", "quality", "--sample", "12").values()

    assert ("quick", "set", 60, 60) == (
        one["name"],
        one["kind"],
        one["answers"],
        one["judge_calls"],
    )
    assert ("chosen", 12) == (hand["kind"], hand["answers"])


def test_estimate__is_within_a_factor_of_two_of_the_worlds_bill(
    folder: Path, full_run: Done
) -> None:
    """The stand-in's answers and pages are short, so estimates are above; not by more than twice.

    A little is allowed for, since neither knows of the other's prompts and pages.
    """
    lines = (folder / "gate-out" / "results.jsonl").read_text("utf-8").splitlines()
    results = [json.loads(line) for line in lines]
    answers = sum(one["answer"]["cost_usd"] for one in results)
    quality = sum(one["scores"][0]["cost_usd"] for one in results)
    found = estimates(folder, "--sample", "16")

    assert 1.0 <= found["set quick"]["usd"] / (answers + quality) <= 2.0
    assert 1.0 <= found["set full"]["usd"] / full_run.json("run.json")["cost"]["usd"] <= 2.2


def test_run__offline_says_no_estimate(full_run: Done) -> None:
    """Nothing is paid, so nothing is estimated."""
    assert "Estimate" not in full_run.err
    assert None is full_run.json("run.json")["cost"]["estimated_usd"]


def test_text__a_table_and_what_it_rests_on(folder: Path) -> None:
    """People read this."""
    done = gate("estimate", folder=folder)

    assert 0 == done.code, done.err
    assert "set full: quality, faithfulness, citations" in done.out
    assert f"List prices of {load_catalogue().read_on.isoformat()};" in done.out
    assert "Counted on 16 answers" in done.out
    assert "" == done.err


def test_unknown__price_and_cost_are_said(folder: Path, tmp_path: Path) -> None:
    """A judge that the table does not know, and a target that pays by itself and is not asked."""
    own = copy_of_repository(folder, tmp_path)
    (own / "own.py").write_text(HOUSE, "utf-8")
    path = own / "gate.yaml"
    text = path.read_text("utf-8").replace("claude-opus-5-5", "claude-opus-99")
    path.write_text(text.replace("targets:\n", "targets:\n  own: {use: own.py:Own}\n"), "utf-8")

    (one,) = estimates(own, "--scorer", "quick").values()

    assert (None, None) == (one["usd"], one["usd_by_vendor"]["anthropic"])
    assert one["known_usd"] > 0
    assert ["no list price of claude-opus-99", "what answers of own cost is not known"] == one[
        "unknown"
    ]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--scorer", "quack"), "unknown scorer or scorer set `quack`"),
        (("--target", "none"), "unknown target `none`"),
        (("--sample", "many"), "--sample many"),
        (("--config", "none.yaml"), "none.yaml"),
        (("--from", "free.json"), "answered by the loopback world, which tells no real costs"),
    ],
)
def test_wrong_words__cannot_run(folder: Path, words: tuple[str, ...], says: str) -> None:
    """Exit 2 and the words that were wrong."""
    free = {"id": "r", "schema": 1, "provenance": {"world": "steady"}}
    (folder / "free.json").write_text(json.dumps(free), "utf-8")

    done = gate("estimate", *words, folder=folder)

    assert 2 == done.code
    assert says in done.err


def paid(folder: Path, ceiling: str) -> Done:
    """A paid run whose judge nobody answers for."""
    (folder / "paid.yaml").write_text(PAID, "utf-8")
    return gate(
        *("run", "--config", "paid.yaml", "--yes", "--report-only", "--max-cost", ceiling),
        folder=folder,
        env={"ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"},
    )


def test_paid_run__says_its_estimate_first_and_keeps_it(folder: Path) -> None:
    """One line on stderr; `cost.estimated_usd` in run.json."""
    done = paid(folder, "5")
    cost = done.json("run.json")["cost"]
    lines = done.err.splitlines()

    assert lines[0].startswith("Estimate: about $0.0")
    assert "for 5 answers and 4 judge calls (scorers: quality); ceiling $5.00" in lines[0]
    assert lines[1].startswith("asking and judging 5 questions")
    assert 5.0 == cost["ceiling_usd"]
    assert 0.01 < cost["estimated_usd"] < 0.1


def test_paid_run__above_its_ceiling_asks_nothing(folder: Path) -> None:
    """Both figures, exit 2, and no run."""
    done = paid(folder, "0.01")

    assert 2 == done.code
    assert done.err.splitlines()[0].endswith("ceiling $0.01")
    assert "is above the ceiling of $0.01: raise --max-cost" in done.err
    assert "asking" not in done.err
