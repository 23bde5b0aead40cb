"""`junit.xml`: the verdict for tools that read test results.

The first test case is the verdict itself, so that failures and errors in the file go with the
exit code: a failure when it is 1, an error when it is 2 or 3. A row fails only where the run
does; an unclear or advisory row is skipped, with its sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree as ET

from gate.reports.facts import STAND_IN
from gate.reports.options import NoOptions
from gate.reports.page import plain_headline, status_words
from gate.reports.rows import MARKS, UNMEASURED, TableRow, category_rows, table_rows
from gate.reports.untrusted import plain
from gate.types import Artifact, OperationFinding, Report

Kind = Literal["failure", "error", "skipped"]
"""What a test case that did not pass is."""


@dataclass(frozen=True)
class Check:
    """One test case."""

    group: str
    """Class name: the target."""
    name: str
    """The dimension."""
    kind: Kind | None
    """None is passed."""
    says: str
    """One line."""


@dataclass(frozen=True)
class JunitReporter:
    """A test case for each target and dimension."""

    Options = NoOptions
    """Options of `use: junit`."""
    options: NoOptions
    """The options."""

    def render(self, report: Report) -> Artifact:
        """Render `junit.xml`."""
        checks = tuple(_checks(report))
        counts = {
            name: str(sum(one.kind == kind for one in checks))
            for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
        }
        suite = ET.Element("testsuite", {"name": plain(report.name), "tests": str(len(checks))})
        suite.attrib.update(counts)
        if report.stand_in:
            properties = ET.SubElement(suite, "properties")
            ET.SubElement(properties, "property", {"name": "stand-in", "value": STAND_IN})
        for one in checks:
            _add(suite, one)
        root = ET.Element("testsuites")
        root.append(suite)
        ET.indent(root)
        text = ET.tostring(root, encoding="unicode")
        return Artifact(
            name="junit.xml",
            media_type="application/xml",
            text=f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n',
        )


def _add(suite: ET.Element, check: Check) -> None:
    case = ET.SubElement(
        suite, "testcase", {"classname": plain(check.group), "name": plain(check.name)}
    )
    if check.kind is not None:
        ET.SubElement(case, check.kind, {"message": plain(check.says)})
    elif check.says:
        ET.SubElement(case, "system-out").text = plain(check.says)


def _checks(report: Report) -> Iterator[Check]:
    says = f"{status_words(report)[1]}: {plain_headline(report)}"
    yield Check(report.name, "verdict", _verdict_kind(report), says)
    for row in (*table_rows(report), *category_rows(report)):
        finding = row.finding
        name = finding.dimension
        if finding.category is not None:
            name += f" [{finding.category}]"
        yield Check(finding.target, name, _row_kind(report, row), _row_says(row))
    for operation in report.verdict.operations:
        yield _operation_check(report, operation)


def _verdict_kind(report: Report) -> Kind | None:
    if report.verdict.exit_code == 1:
        return "failure"
    if report.verdict.exit_code != 0:
        return "error"
    return None if report.verdict.status == "pass" else "skipped"


def _row_kind(report: Report, row: TableRow) -> Kind | None:
    verdict, outcome = report.verdict, row.finding.outcome
    if row.finding.gating and outcome == "pass":
        return None
    if not row.finding.gating or verdict.exit_code == 0:
        return "skipped"
    if row.finding.category is not None and outcome != "regression":
        return "skipped"
    if outcome == "inconclusive":
        return "error" if verdict.status == "inconclusive" else "skipped"
    if verdict.exit_code == 1 and outcome in ("regression", "missing"):
        return "failure"
    return "error"


def _row_says(row: TableRow) -> str:
    """Put the row in one line; one that was not measured shows no number of quality."""
    outcome = row.finding.outcome
    if outcome not in UNMEASURED:
        return "; ".join([row.word, row.moved, row.changed, row.trust, *row.remarks])
    words = dict.fromkeys([row.word, MARKS[outcome][1]])
    return "; ".join([*words, *row.remarks])


def _operation_check(report: Report, operation: OperationFinding) -> Check:
    says = operation.because or ""
    if operation.outcome == "ok":
        return Check(operation.target, "operations", None, says)
    failed = operation.outcome == "regression" and report.verdict.exit_code == 1
    return Check(
        operation.target,
        "operations",
        "failure" if failed else "skipped",
        says or operation.outcome,
    )
