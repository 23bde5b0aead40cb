"""Each variant of the answering model does what the table says, and no more."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from statistics import mean, stdev
from typing import Any

import pytest
import yaml

from gate.loopback.flaky import SOURCE_RATES, TEXT_RATES
from gate.loopback.flaky import rate as flip_rate
from gate.loopback.variants import TABLE, VARIANTS
from tests.loopback.world_driver import CASES, DIMENSIONS, ask, run, said, word_for, world
from tests.loopback.world_evidence import METRICS, answer_of, cited_by, read_run, spans

TABLED: dict[str, Any] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
SEEDS = range(36)
once = cache(run)
read_once = cache(read_run)
STILL = [name for name in VARIANTS if name != "flaky"]
"""Variants without noise."""
READ_SEEDS = range(24)
"""Fewer than SEEDS, since reading pages takes more of the judge."""
ALL = (*DIMENSIONS, *METRICS)


def noise(first: int) -> list[dict[str, list[float | None]]]:
    """Return five flaky runs with seeds after the given one, round the corner."""
    return [once(f"flaky:{(first + step) % len(SEEDS)}") for step in range(1, 6)]


def differences(dimension: str, seed: int) -> list[float]:
    """Return one flaky run minus the mean of five others, by case."""
    new, base = once(f"flaky:{seed}")[dimension], [one[dimension] for one in noise(seed)]
    return [x - mean(column) for x, *column in zip(new, *base, strict=True)]


def scores(variant: str, dimension: str) -> list[float | None]:
    """Return the scores of a run in one dimension, page-reading or not."""
    return (once if dimension in DIMENSIONS else read_once)(variant)[dimension]


def moved(variant: str, against: str, dimension: str) -> float | None:
    """Return the mean difference over the cases in which both have a value; None without one."""
    pairs = zip(scores(variant, dimension), scores(against, dimension), strict=True)
    known = [x - y for x, y in pairs if x is not None and y is not None]
    return mean(known) if known else None


def test_table__has_a_row_for_each_variant() -> None:
    """Nothing runs that is not described, with a word for each dimension."""
    assert list(VARIANTS) == list(TABLED)
    for row in TABLED.values():
        assert {"same", "falls", "undefined"} >= {row[name] for name in (*ALL, "citation_f1")}
        assert row["says"].endswith(".")
        assert {"empty", "text_flips", "source_flips"} == set(row["rates"])


@pytest.mark.parametrize("variant", STILL)
@pytest.mark.parametrize("dimension", ALL)
def test_variant__moves_as_the_table_says(variant: str, dimension: str) -> None:
    """`falls` is more than 0.05, `same` at most 0.05, cell by cell."""
    change = moved(variant, TABLED[variant]["against"], dimension)

    assert TABLED[variant][dimension] == word_for(change), change


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_flaky__moves_as_the_table_says(dimension: str) -> None:
    """Over many seeds nothing moves between seeds; against steady two dimensions fall."""
    between = mean(mean(differences(dimension, seed)) for seed in SEEDS)
    against = mean(moved(f"flaky:{seed}", "steady", dimension) for seed in SEEDS)

    assert abs(between) <= 0.01
    assert TABLED["flaky"]["against_steady"][dimension] == word_for(against)


@pytest.mark.parametrize("dimension", METRICS)
def test_flaky__moves_the_page_metrics_as_the_table_says(dimension: str) -> None:
    """Between two halves of the seeds nothing moves; against steady all five fall."""
    runs = [f"flaky:{seed}" for seed in READ_SEEDS]
    means = [mean(x for x in scores(one, dimension) if x is not None) for one in runs]
    against = mean(moved(one, "steady", dimension) or 0.0 for one in runs)

    assert TABLED["flaky"][dimension] == word_for(mean(means[::2]) - mean(means[1::2]))
    assert TABLED["flaky"]["against_steady"][dimension] == word_for(against)


@pytest.mark.parametrize("dimension", ["correctness", "source_quality"])
def test_flaky__is_as_noisy_as_real_runs(dimension: str) -> None:
    """The paired standard deviation of one run against five is near 0.24 to 0.3."""
    assert 0.24 <= mean(stdev(differences(dimension, seed)) for seed in SEEDS) <= 0.34


def test_flaky__deceives_a_rule_on_means() -> None:
    """A drop of a mean by more than 0.05 shows in 15 to 35 of 100 seeds without any cause."""
    fired = [any(mean(differences(d, seed)) < -0.05 for d in DIMENSIONS) for seed in SEEDS]

    assert 0.15 <= mean(fired) <= 0.35


def test_flaky__rates_are_as_tabled() -> None:
    """The expected rates over the cases are those of the table."""
    for what, rates in (("text", TEXT_RATES), ("sources", SOURCE_RATES)):
        expected = mean(flip_rate(what, rates, case["query"]) for case in CASES)
        tabled = TABLED["flaky"]["rates"]["text_flips" if what == "text" else "source_flips"]
        assert tabled == pytest.approx(expected, abs=0.02)


def test_flaky__can_be_repeated_and_differs_by_call() -> None:
    """The same seed gives the same run; within a run repeats of a question differ."""
    assert run("flaky:5") == once("flaky:5")
    assert once("flaky:5") != once("flaky:6")
    where = world("flaky:5")
    rounds = [[said(ask(where, case["query"])) for case in CASES] for _ in range(3)]
    assert all(one != two for one, two in pairwise(rounds))


def test_steady__is_good_but_not_perfect() -> None:
    """There is room for improvement and for a drop."""
    for dimension in ("correctness", "faithfulness"):
        known = [x for x in scores("steady", dimension) if x is not None]

        assert 0.8 <= mean(known) <= 0.98
        assert min(known) < 0.8


def test_wrong__loses_correctness_only() -> None:
    """The drop is far more than 0.15, and the sources are the very same."""
    steady, wrong = world(), world("wrong")

    assert moved("wrong", "steady", "correctness") < -0.15
    for case in CASES:
        one, two = (said(ask(where, case["query"])) for where in (steady, wrong))
        assert one.sources == two.sources
        assert one.text != two.text


def test_wrong__alters_a_fact_always_in_the_same_way() -> None:
    """Two worlds tell the same lie."""
    query = CASES[0]["query"]
    texts = {said(ask(world("wrong"), query)).text for _ in range(2)}

    assert 1 == len(texts)
    assert "1,204" not in texts.pop()


def test_empty__leaves_half_of_the_answers_without_text() -> None:
    """An empty answer finishes with STOP and has no part; it is empty again when asked again."""
    where = world("empty")
    bodies = [ask(where, case["query"]) for case in CASES]
    again = [ask(where, case["query"]) for case in CASES]
    empty = ["parts" not in body["candidates"][0]["content"] for body in bodies]

    assert 0.35 <= mean(empty) <= 0.65
    assert empty == ["parts" not in body["candidates"][0]["content"] for body in again]
    assert {"STOP"} == {body["candidates"][0]["finishReason"] for body in bodies}
    assert not any(
        "groundingMetadata" in body["candidates"][0]
        for body, none in zip(bodies, empty, strict=True)
        if none
    )


def test_padded__is_twice_as_long_and_cites_no_more() -> None:
    """Nothing of the answer is lost; what is added cites nothing."""
    steady, padded = world(), world("padded")
    for case in CASES:
        plain, long = answer_of(steady, case["query"]), answer_of(padded, case["query"])

        assert 1.4 * len(plain.text) <= len(long.text)
        assert [one.text for one in plain.citations] == [one.text for one in long.citations]
        assert plain.sources == long.sources


def test_uncited__has_the_text_and_nothing_else() -> None:
    """No grounding metadata at all, as when a model did not search."""
    steady, uncited = world(), world("uncited")
    for case in CASES:
        answer = answer_of(uncited, case["query"])

        assert answer_of(steady, case["query"]).text == answer.text
        assert ((), (), ()) == (answer.sources, answer.citations, answer.queries)
        assert "unsearched" in answer.flags


@pytest.mark.parametrize("variant", ["unsupported", "misquoted"])
def test_addition__is_two_cited_sentences(variant: str) -> None:
    """What cites anything gets two sentences more, each with a page; a refusal stays as it is.

    A page may hold a single sentence that can be misquoted.
    """
    steady, other = world(), world(variant)
    for case in CASES:
        plain, more = answer_of(steady, case["query"]), answer_of(other, case["query"])
        before, after = (
            {one.text[slice(*span)] for span in spans(one.text)} for one in (plain, more)
        )
        added = after - before

        fewest = 2 if variant == "unsupported" else 1

        assert (fewest if plain.citations else 0) <= len(added) <= (2 if plain.citations else 0)
        assert len(plain.citations) + len(added) == len(more.citations)
        assert {one.uri for one in plain.sources} == {one.uri for one in more.sources}
        assert sum(map(bool, cited_by(plain))) + len(added) == sum(map(bool, cited_by(more)))


def test_addition__goes_on_with_the_numbers_of_a_list() -> None:
    """Steps that were made up are counted as the others are."""
    answer = said(ask(world("unsupported"), "How do I install Tarn on Linux?"))

    assert ["1.", "2.", "3.", "4.", "5.", "6."] == [
        line.split()[0] for line in answer.text.splitlines()[1:]
    ]
