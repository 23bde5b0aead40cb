"""The verdict for programs: JSON, CSV and JUnit."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest

from gate.reports.csv import HEAD, CsvReporter, cell_text
from gate.reports.facts import STAND_IN
from gate.reports.json import JsonReporter
from gate.reports.junit import JunitReporter
from gate.types import Metric, Policy, Report, Rule, Verdict
from tests.unit.reports.hostile import hostile
from tests.unit.reports.report_samples import METRICS, REPORTS, changed, report


def as_json(of: Report) -> dict[str, object]:
    """The verdict as read again."""
    text = JsonReporter(JsonReporter.Options()).render(of).text
    loaded: dict[str, object] = json.loads(text)
    return loaded


def as_lines(of: Report) -> list[dict[str, str]]:
    """The lines of the CSV file."""
    text = CsvReporter(CsvReporter.Options()).render(of).text
    return list(csv.DictReader(io.StringIO(text)))


def as_suite(of: Report) -> ET.Element:
    """The one suite of the JUnit file."""
    root = ET.fromstring(JunitReporter(JunitReporter.Options()).render(of).text.encode())
    suite = root.find("testsuite")
    assert suite is not None
    return suite


def kinds(of: Report) -> dict[str, str]:
    """Name of each test case -> `passed` or its child's name."""
    return {
        one.attrib["name"]: next((c.tag for c in one if c.tag != "system-out"), "passed")
        for one in as_suite(of).iter("testcase")
    }


CONTRACT = (
    *("schema", "status", "exit_code", "headline", "comparisons", "operations", "coverage"),
    *("identity", "seed", "attempts", "accepted_by", "warnings", "edits", "cost", "commits"),
    "reproduce",
)
CONTRACT_ROW = (
    *("target", "dimension", "category", "gating", "advisory_because", "trust", "baseline"),
    *("current", "delta", "low", "high", "p", "p_adjusted", "p_holm", "n", "worse", "better"),
    *("smallest_visible_drop", "outcome", "averages_only", "settles"),
)
CONTRACT_PARTS = {
    "operations": (
        *("target", "p50_latency_s", "usd_per_1k", "error_rate", "empty_rate", "grounded_rate"),
        *("baseline", "p", "outcome"),
    ),
    "coverage": (
        *("cases", "compared", "added", "removed", "changed", "errored", "not_sampled"),
        "unscored",
    ),
    "identity": ("comparable", "differs"),
    "cost": ("usd", "estimated_usd", "ceiling_usd", "calls", "cached_calls"),
    "commits": ("base", "head", "evaluated"),
}


def test_json__has_every_key_of_the_contract() -> None:
    """Programs find what was promised, by the promised names and in the promised order."""
    loaded = as_json(report("regression"))
    rows = loaded["comparisons"]
    assert isinstance(rows, list)

    assert list(CONTRACT) == [key for key in loaded if key in CONTRACT]
    assert list(CONTRACT_ROW) == [key for key in rows[0] if key in CONTRACT_ROW]
    assert list(rows[0]["trust"]) == ["state", "kappa", "low", "high", "lower_one_sided", "n"]
    for part, keys in CONTRACT_PARTS.items():
        value = loaded[part]
        one = value[0] if isinstance(value, list) else value
        assert isinstance(one, dict)
        assert list(keys) == [key for key in one if key in keys]


@pytest.mark.parametrize("status", sorted(REPORTS))
def test_json__is_the_verdict(status: str) -> None:
    """What is read again is the verdict, foreign text included."""
    of = hostile(report(status)).model_copy(update={"stand_in": False})

    assert of.verdict == Verdict.model_validate(as_json(of))


def test_json__undefined_is_null() -> None:
    """An undefined number is null, never NaN, 0 or 1."""
    rows = as_json(report("regression"))["comparisons"]
    assert isinstance(rows, list)

    assert rows[3]["p_adjusted"] is None
    assert rows[3]["trust"]["kappa"] is None


def test_json__stand_in_is_a_warning() -> None:
    """The notice is among the warnings, once."""
    of = report("pass").model_copy(update={"stand_in": True})
    again = changed(of, warnings=(STAND_IN, "old"))

    assert as_json(of)["warnings"] == [STAND_IN]
    assert as_json(again)["warnings"] == [STAND_IN, "old"]


def test_csv__one_line_for_each_target_case_and_dimension() -> None:
    """Compared cases have three numbers, others the new one, unscored ones none."""
    lines = {(line["case_id"], line["dimension"]): line for line in as_lines(report("regression"))}

    assert len(lines) == 4 * 3
    fell = lines["ferry-fare", "correctness"]
    assert [fell[name] for name in HEAD[4:7]] == ["0.75", "0.25", "-0.5"]
    alone = lines["mast-owner", "relevance"]
    assert [alone[name] for name in HEAD[4:7]] == ["", "1.0", ""]
    empty = lines["tide-table", "relevance"]
    assert [empty[name] for name in HEAD[4:10]] == ["", "", "", "1", "0", "empty"]


def test_csv__a_metric_where_lower_is_better() -> None:
    """Values come back in the metric's own direction, by its own or the policy's word."""
    of = report("regression")
    metrics = tuple(
        Metric(
            name=one.name, judged=True, better="lower" if one.name == "correctness" else "higher"
        )
        for one in METRICS
    )
    by_metric = of.model_copy(update={"run": of.run.model_copy(update={"metrics": metrics})})
    policy = Policy(rules={"correctness": Rule(better="lower")})
    by_rule = of.model_copy(update={"policy": policy})

    for turned in (by_metric, by_rule):
        fell = next(line for line in as_lines(turned) if line["dimension"] == "correctness")
        assert [fell[name] for name in HEAD[4:7]] == ["-0.75", "-0.25", "0.5"]


def test_csv__stand_in_is_named_in_each_line() -> None:
    """Numbers of the loopback world can be told when lines are cut out."""
    of = report("regression")

    assert {line["stand_in"] for line in as_lines(of)} == {"no"}
    lines = as_lines(of.model_copy(update={"stand_in": True}))
    assert {line["stand_in"] for line in lines} == {"yes"}


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\n=1",
        " =1",
        "\u200b=1",
        "\N{FULLWIDTH EQUALS SIGN}1",
    ],
)
def test_csv__no_formula(text: str) -> None:
    """A spreadsheet reads foreign text as text."""
    assert cell_text(text).startswith("'")


def test_csv__hostile_text_makes_no_line() -> None:
    """Newlines and quotation marks in names add no line and no column."""
    text = CsvReporter(CsvReporter.Options()).render(hostile(report("regression"))).text

    assert len(text.splitlines()) == 1 + 4 * 3
    assert {len(row) for row in csv.reader(io.StringIO(text))} == {len(HEAD)}


def test_junit__kinds_of_rows() -> None:
    """A regression fails; what cannot fail the run is skipped."""
    expected = {
        "verdict": "failure",
        "correctness": "failure",
        "relevance": "passed",
        "source_quality": "skipped",
        "faithfulness": "skipped",
        "operations": "passed",
    }

    assert expected == kinds(report("regression"))


@pytest.mark.parametrize("status", sorted(REPORTS))
def test_junit__goes_with_the_exit_code(status: str) -> None:
    """Failures where the exit code is 1, errors where it is 3, neither where it is 0."""
    of = report(status)
    suite = as_suite(of)
    found = (suite.attrib["failures"] != "0", suite.attrib["errors"] != "0")

    assert found == {0: (False, False), 1: (True, False), 3: (False, True)}[of.verdict.exit_code]


def test_junit__unclear_run_that_may_not_pass() -> None:
    """With `on_inconclusive: fail` the unclear row is an error, as the exit code is 3."""
    found = kinds(changed(report("inconclusive"), exit_code=3))

    assert found["verdict"] == "error"
    assert found["source_quality"] == "error"
    assert found["relevance"] == "passed"


def test_junit__broken_is_an_error_without_numbers() -> None:
    """An unmeasured row is an error that says why, and no score."""
    text = JunitReporter(JunitReporter.Options()).render(report("broken")).text

    assert kinds(report("broken"))["correctness"] == "error"
    assert "unmeasured; scored in 3 of 40 cases" in text
    assert "0.46" not in text


def test_junit__a_fall_in_a_run_without_a_verdict() -> None:
    """Where nothing was decided, a row that fell is an error: the exit code is 3, not 1."""
    of = changed(report("regression"), status="broken", exit_code=3)

    assert kinds(of)["correctness"] == "error"
    assert as_suite(of).attrib["failures"] == "0"


def test_junit__operation_regressed() -> None:
    """A regressed operation fails where the run does, and is skipped where it was accepted."""
    of = report("regression")
    worse = of.verdict.operations[0].model_copy(update={"outcome": "regression"})
    failed = changed(of, operations=(worse,))

    assert kinds(failed)["operations"] == "failure"
    assert kinds(changed(failed, exit_code=0, accepted_by="x"))["operations"] == "skipped"


def test_junit__category_rows_are_named() -> None:
    """A row of one category does not hide the row of all cases."""
    of = report("pass")
    row = of.verdict.comparisons[0].model_copy(update={"category": "facts"})
    found = kinds(changed(of, comparisons=(*of.verdict.comparisons, row)))

    assert {"relevance", "relevance [facts]"} <= found.keys()


@pytest.mark.parametrize("status", sorted(REPORTS))
def test_junit__hostile_text_is_xml(status: str) -> None:
    """Controls and tags in names give a file that can be read."""
    assert "EVIL" in as_suite(hostile(report(status))).attrib["name"]


def test_junit__stand_in_is_a_property() -> None:
    """The notice is in the file."""
    suite = as_suite(report("pass").model_copy(update={"stand_in": True}))

    assert [STAND_IN] == [one.attrib["value"] for one in suite.iter("property")]
