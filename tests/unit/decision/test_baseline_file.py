"""`baseline.json`: what it looks like, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gate.decision.baseline import baseline_text, read_baseline
from gate.decision.shape import LARGEST
from gate.errors import FileError
from gate.types import Baseline, JudgeNoise, Metric, Reason, TargetInfo
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    baseline_of,
    cell,
    columns,
    run_of,
)

SECONDS = Metric(name="seconds", better="lower", unit="s")


def sample() -> Baseline:
    """Two cases of two targets with all that a cell may hold."""
    cells = [
        cell("t", "b", {"correctness": [2 / 3, None], "seconds": [1234.5678, 0.000123456789]}),
        cell("t", "a", {"correctness": [1.0]}, failures={"correctness": ("judge",)}),
        cell("u", "a", {"correctness": [-0.00001]}, ["empty"]),
    ]
    return baseline_of(run_of(cells, [CORRECTNESS, SECONDS]))


def cell_lines(baseline: Baseline) -> list[str]:
    """The lines of its cells."""
    lines = baseline_text(baseline).splitlines()
    return [line.rstrip(",") for line in lines if line.startswith('{"case_id"')]


def test_baseline_text__one_cell_a_line() -> None:
    """Lines can be read, and a change of one case is a change of one line."""
    cells = cell_lines(sample())

    assert cells[0].startswith('{"case_id": "a", "target": "t", "category": "c", "scores": ')
    assert [("a", "t"), ("a", "u"), ("b", "t")] == [
        (one["case_id"], one["target"]) for one in map(json.loads, cells)
    ]


def test_baseline_text__four_decimals_and_no_text() -> None:
    """Scores have four decimals, other units six digits; no message and no minus zero."""
    text = baseline_text(sample())

    assert '"correctness": [0.6667, null], "seconds": [1234.57, 0.000123457]' in text
    assert "-0.0" not in text
    assert "it was empty" not in text
    assert '"failures": {"correctness": ["judge"]}' in text


def test_baseline_text__is_the_same_whatever_the_order() -> None:
    """The order of cells in memory leaves no trace."""
    made = sample()
    turned = made.model_copy(update={"cells": tuple(reversed(made.cells))})
    assert baseline_text(made) == baseline_text(turned)


def test_baseline_text__names_required_cases_where_there_are_any() -> None:
    """Files without them are as before, and are read as such."""
    marked = sample().model_copy(update={"required": ("case-00",)})

    assert '"required"' not in baseline_text(sample())
    assert '"required": ["case-00"],' in baseline_text(marked).splitlines()
    assert ("case-00",) == read_baseline(json.loads(baseline_text(marked))).required


def test_baseline_text__says_what_cases_share_where_they_do() -> None:
    """Files without it are as before, and are read as such."""
    paged = sample().model_copy(update={"clusters": {"case-00": "atlas"}})

    assert '"clusters"' not in baseline_text(sample())
    assert '"clusters": {"case-00": "atlas"},' in baseline_text(paged).splitlines()
    assert {"case-00": "atlas"} == read_baseline(json.loads(baseline_text(paged))).clusters


def test_baseline_text__reads_back() -> None:
    """Written and read, it is what was written, and is written the same again."""
    text = baseline_text(sample())
    found = read_baseline(json.loads(text))

    assert baseline_text(found) == text
    assert found.cells[2].scores["correctness"] == (0.6667, None)
    assert found.cells[0].attempts[0].digest == "t/a/0"
    assert found.cells[0].attempts[0].cost_usd == 0.001
    assert (found.metrics, found.identities) == (sample().metrics, sample().identities)


def test_baseline_text__reasons_read_back() -> None:
    """One a line; without any there is no key."""
    reason = Reason(run="r", text="wanted", by="ada", accepted={"t": {"correctness": 0.1}})
    kept = sample().model_copy(update={"reasons": (reason,)})
    text = baseline_text(kept)

    assert (reason,) == read_baseline(json.loads(text)).reasons
    assert 1 == sum(line.startswith('{"run": "r"') for line in text.splitlines())
    assert "reasons" not in baseline_text(sample())


def test_baseline_text__says_when_it_was_made_and_of_what() -> None:
    """Its age and its runs read back."""
    made = sample()
    found = read_baseline(json.loads(baseline_text(made)))

    assert made.provenance.created is not None
    assert (made.provenance.created, made.runs) == (found.provenance.created, found.runs)


def test_baseline_text__what_was_accepted_reads_back() -> None:
    """Whose regression became the measure; where nobody's did there is no key."""
    accepted = {"run-1": "ada"}
    text = baseline_text(sample().model_copy(update={"accepted": accepted}))

    assert accepted == read_baseline(json.loads(text)).accepted
    assert "accepted" not in baseline_text(sample())


def test_baseline_text__an_answers_cost_and_time() -> None:
    """A ten-millionth of a dollar and a tenth of a millisecond, no more digits."""
    made = sample()
    first = made.cells[0]
    attempt = replace(first.attempts[0], cost_usd=0.123456789, latency_s=0.123456789)
    text = baseline_text(
        made.model_copy(update={"cells": (replace(first, attempts=(attempt,)), *made.cells[1:])})
    )

    assert '"latency_s": 0.1235, "cost_usd": 0.1234568}' in text


def test_baseline_text__averages() -> None:
    """Averages keep the nine decimals on which they are compared."""
    made = Baseline(averages={"m": {"relevance": 0.91541666666667}})
    text = baseline_text(made)

    assert '"m": {"relevance": 0.915416667}' in text
    assert '"cells": []' in text
    assert '"identities": {}' in text
    assert read_baseline(json.loads(text)).averages_only


def test_baseline_text__targets_are_whole() -> None:
    """Targets keep all that is known of them."""
    info = TargetInfo(name="t", use="gemini", model="m", answered=("m-1",), settings="s")
    made = baseline_of(run_of(columns([1.0]), targets=("t",)), targets=(info,))
    assert read_baseline(json.loads(baseline_text(made))).targets == (info,)


def test_read_baseline__published_averages(data_dir: Path) -> None:
    """The published file of averages is read under the names that it uses."""
    path = data_dir / "gemini-search-mcp" / "evals" / "baseline.json"
    found = read_baseline(json.loads(path.read_text("utf-8")))

    assert found.averages_only
    assert found.averages["gemini-3.1-flash-lite"]["citation_recall"] == pytest.approx(
        0.3077, abs=1e-4
    )
    assert len(found.averages) == 3


def test_read_baseline__passes_over_later_keys() -> None:
    """An older gate reads what it knows of a newer file."""
    found = read_baseline({"schema": 1, "runs": ["r"], "later": "key", "cells": [CELL]})
    assert (1, ("r",)) == (found.schema_, found.runs)


CELL: dict[str, Any] = {
    "target": "t",
    "case_id": "a",
    "scores": {"c": [1.0]},
    "attempts": [{"state": "ok"}],
}


@pytest.mark.parametrize(
    ("data", "because"),
    [
        ([], "is no baseline of the gate: a JSON object is expected"),
        (["models"], "a JSON object is expected"),
        ({}, r'"schema": 1 is expected'),
        ({"schema": True}, r'"schema": 1 is expected'),
        ({"schema": "1"}, r'"schema": 1 is expected'),
        ({"schema": 0}, r'"schema": 1 is expected'),
        ({"schema": -1}, r'"schema": 1 is expected'),
        ({"schema": 1.0}, r'"schema": 1 is expected'),
        ({"models": {"m": {"c": -1e300}}}, "a number is expected"),
        ({"schema": 2}, "written by a newer gate"),
        ({"schema": 1, "cells": [{**CELL, "scores": {"c": ["x"]}}]}, r"cells\.0\.scores\.c\.0: "),
        ({"schema": 1, "cells": [CELL, CELL]}, "case a of target t stands twice"),
        ({"schema": 1, "cells": [{**CELL, "scores": {"c": [1.0, 1.0]}}]}, "different lengths"),
        ({"schema": 1, "cells": [{**CELL, "failures": {"c": []}}]}, "different lengths"),
        ({"models": []}, '"models" must name'),
        ({"models": {}}, '"models" must name'),
        ({"models": [{"c": 0.5}]}, '"models" must name'),
        ({"models": {"m": {"c": LARGEST}}}, "a score between 0 and 1"),
        ({"models": {"m": 0.5}}, "models.m: dimensions and their averages"),
        ({"models": {"m": {"c": "high"}}}, "models.m.c: a number is expected"),
        ({"models": {"m": {"c": True}}}, "models.m.c: a number is expected"),
        ({"models": {"m": {"c": float("nan")}}}, "models.m.c: a number is expected"),
        ({"models": {"m": {"c": float("inf")}}}, "models.m.c: a number is expected"),
        ({"models": {"m": {"c": 10**400}}}, "models.m.c: a number is expected"),
        ({"models": {"m": {"c": 1.5}}}, "the average of m has c 1.5: a score between"),
        ({"models": {"m": {"c": -0.1}}}, "the average of m has c -0.1: a score between"),
        ({"schema": 1, "averages": {"m": {"c": 91}}}, "the average of m has c 91: a score between"),
        (
            {"schema": 1, "cells": [{**CELL, "scores": {"c": [1e308]}}]},
            r"case a of target t has c 1e\+308: a score between 0 and 1",
        ),
    ],
)
def test_read_baseline__refuses_with_its_place(data: Any, because: str) -> None:
    """Everything else is refused with the file's name and what is wrong."""
    with pytest.raises(FileError, match=rf"^baseline\.json: .*{because}"):
        read_baseline(data, "baseline.json")


def test_read_baseline__averages_of_gemini_search_mcp() -> None:
    """Averages are kept under the names that were published, and nothing is invented."""
    found = read_baseline({"models": {"m": {"correctness": 0.5, "citation_recall": 0.25}}})

    assert found.averages == {"m": {"correctness": 0.5, "citation_recall": 0.25}}
    assert found.averages_only
    assert () == found.cells


def test_read_baseline__cells_that_were_read_before() -> None:
    """Cells read line by line are put in and checked like those of the file."""
    whole = json.loads(baseline_text(sample()))
    cells = read_baseline(whole).cells
    rest = {key: value for key, value in whole.items() if key != "cells"}

    assert read_baseline(whole) == read_baseline(rest, "b.json", cells)
    with pytest.raises(FileError, match=r"b\.json: case .* stands twice"):
        read_baseline(rest, "b.json", (*cells, cells[0]))


def test_baseline_text__how_far_rulings_lay_apart_is_kept() -> None:
    """One line a dimension, and read again; without judge repeats there is no such key."""
    members = {"correctness": {"a#1": (0.4,), "a#2": (0.6,)}}
    run = run_of([cell("t", "c", {"correctness": [0.5]}, members=members)])
    text = baseline_text(baseline_of(run))

    assert '"judging": {\n"correctness": {"variance": 0.01, "rulings": 2, "n": 1}\n}' in text
    assert "a#1" not in text
    assert baseline_of(run).judging == read_baseline(json.loads(text)).judging
    assert "judging" not in baseline_text(sample())


def test_baseline_text__a_cell_with_all_that_it_may_hold() -> None:
    """Every part of it is in its line."""
    (line,) = cell_lines(baseline_of(run_of(columns([1.0]))))

    assert {
        "case_id": "case-00",
        "target": "t",
        "category": "c",
        "scores": {"correctness": [1.0]},
        "attempts": [
            {
                "state": "ok",
                "digest": "t/case-00/0",
                "grounded": True,
                "latency_s": 2.0,
                "cost_usd": 0.001,
            }
        ],
        "case_digest": "text of case-00",
    } == json.loads(line)


def test_baseline_text__what_is_empty_or_unknown_is_left_out() -> None:
    """Of a cell, of an attempt, of the baseline's origin and of its targets."""
    bare = cell("t", "a", {"correctness": [None]}, case_digest=None)
    bare = replace(bare, attempts=(replace(bare.attempts[0], digest=None, grounded=None),))
    made = baseline_of(run_of(columns([1.0])), cells=(bare,))
    written = json.loads(baseline_text(made))

    assert {
        "case_id": "a",
        "target": "t",
        "category": "c",
        "scores": {"correctness": [None]},
        "attempts": [{"state": "ok", "latency_s": 2.0, "cost_usd": 0.001}],
    } == written["cells"][0]
    assert {"created": "2026-07-01T00:00:00Z", "commits": {}} == written["provenance"]
    assert [{"name": "t", "use": "recorded", "answered": []}] == written["targets"]


def test_baseline_text__names_are_sorted() -> None:
    """The order of dimensions and targets in memory leaves no trace."""
    run = run_of([cell("t", "a", {"correctness": [0.5]})], [CORRECTNESS, SECONDS])
    noise = JudgeNoise(variance=0.01, rulings=2, n=1)
    made = baseline_of(
        run,
        judging={"correctness": noise, "relevance": noise},
        averages={"t": {"correctness": 0.5}, "u": {"correctness": 0.5}},
    )
    turned = made.model_copy(
        update={
            part: dict(reversed(getattr(made, part).items()))
            for part in ("identities", "judging", "averages")
        }
    )

    assert baseline_text(made) == baseline_text(turned)


def test_baseline_text__a_dimension_that_no_metric_names() -> None:
    """Its scores are on [0, 1] until somebody says another unit: four decimals."""
    (line,) = cell_lines(baseline_of(run_of(columns([2 / 3])), metrics=()))

    assert {"correctness": [0.6667]} == json.loads(line)["scores"]


def test_read_baseline__our_own_with_a_key_of_the_published_files() -> None:
    """`schema` says whose shape it is: `models` is a key of a later gate then."""
    ours = {"schema": 1, "runs": ["r"], "models": {"m": {}}, "cells": [CELL]}

    assert ("r",) == read_baseline(ours).runs


def test_read_baseline__without_a_case_it_is_none() -> None:
    """A file that lost its cells must not look like a repository before its first baseline."""
    with pytest.raises(FileError, match="holds no case"):
        read_baseline({"schema": 1, "runs": ["r"]})


def test_read_baseline__the_first_of_several_faults_is_named() -> None:
    """Whoever mends a file begins at its top."""
    broken = {**CELL, "scores": {"c": ["x"]}}

    with pytest.raises(FileError, match=r"cells\.0\.scores"):
        read_baseline({"schema": 1, "cells": [broken, {**broken, "case_id": "b"}]})
