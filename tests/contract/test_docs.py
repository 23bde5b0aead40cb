"""Pages that show real lines must show today's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from gate.cli.init_choices import QUESTIONS, TERMS
from gate.cli.init_report import prospects_text
from gate.decision.calibration import agreement_of
from gate.decision.prospects import prospects
from gate.loopback.faults import FAULTS
from gate.loopback.github_faults import GITHUB_FAULTS
from gate.loopback.variants import VARIANTS
from gate.types import Answers, Calibration, Policy, Result, Run, Verdict


def test_files_page__is_up_to_date(root: Path) -> None:
    """`make docs` renews it."""
    done = subprocess.run([sys.executable, "docs/make_files.py", "--check"], cwd=root, check=False)

    assert 0 == done.returncode


def test_example_verdict__is_one(root: Path) -> None:
    """The page's example is read by today's types, to the last field."""
    data = json.loads((root / "docs" / "example-verdict.json").read_text("utf-8"))

    verdict = Verdict.model_validate(data)

    assert data == verdict.model_dump(mode="json")
    assert "regression" == verdict.status


def test_example_run__and_its_other_files_are_today_s(root: Path) -> None:
    """The page's lines are read by today's types, to the last field."""
    docs = root / "docs"
    lines = (docs / "example-results.jsonl").read_text("utf-8").splitlines()
    pairs: list[tuple[str, type[Run | Answers | Result]]] = [
        ((docs / "example-run.json").read_text("utf-8"), Run),
        ((docs / "example-answers.json").read_text("utf-8"), Answers),
        *((line, Result) for line in lines),
    ]

    for text, word in pairs:
        assert json.loads(text) == word.model_validate_json(text).model_dump(
            mode="json", by_alias=True
        )


def test_first_hour__shows_today_s_questions_and_figures(root: Path) -> None:
    """The session on the page is what `gate init` says of the 24 cases that it writes."""
    page = (root / "docs" / "first-hour.md").read_text("utf-8")
    words = " ".join(page.split())

    assert prospects_text(prospects(24, Policy())) in page
    assert [] == [
        text for text in (TERMS, *(q.text for q in QUESTIONS.values())) if text not in words
    ]


def test_loopback_page__names_every_variant_and_fault(root: Path) -> None:
    """A fault that nobody knows of is of no use."""
    page = (root / "docs" / "loopback.md").read_text("utf-8")
    names = (*VARIANTS, *FAULTS, *GITHUB_FAULTS)

    assert [] == [name for name in names if f"`{name}" not in page]


def test_loopback_page__kappas_are_those_of_the_calibration(root: Path) -> None:
    """The figures in the text are computed from the committed file."""
    text = (root / "evals" / "calibration.json").read_text("utf-8")
    page = (root / "docs" / "loopback.md").read_text("utf-8")
    for one in Calibration.model_validate_json(text).sets:
        found = agreement_of(one, Policy(), one.identity)
        row = f"| {one.dimension} | {found.kappa:.2f} | {found.low:.2f} to {found.high:.2f} | "
        assert f"{row}{found.n} |" in page
