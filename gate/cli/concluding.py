"""From a run to a verdict on all surfaces: files, terminal, exit code.

`gate run` and `gate compare` meet here, so one run is decided the same way in both.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gate.cli import output
from gate.cli.reading import read_baseline_file
from gate.cli.results import pick_results
from gate.config import Config, Use
from gate.decision.after_drift import stale_after_drift
from gate.decision.calibration import agreements, weaken
from gate.decision.confirming import Suspicion
from gate.decision.on_head import NOTHING, Head, decide_on_head, suspicion_on_head
from gate.plugins import build_reporters
from gate.protocols import Reporter
from gate.reports.json import JsonReporter
from gate.reports.markdown import MarkdownReporter, SummaryReporter
from gate.reports.options import NoOptions
from gate.reports.stories import moved_cells, stories
from gate.reports.terminal import terminal_text
from gate.types import Agreement, Artifact, Calibration, Policy, Report, Run, Sensitivity

OUT = "gate-out"
"""The folder that a run writes to unless it is told another."""

PLAIN_WIDTH = 120
"""Columns of the table where no terminal says how many there are."""


@dataclass(frozen=True)
class Question:
    """What is to be decided, and on what."""

    name: str
    """Name of the configuration."""
    run: Run
    """The run."""
    results: Path
    """The file of its results; it may be missing."""
    policy: Policy
    """The rules."""
    baseline: Path
    """File of the baseline; it may be missing."""
    calibration: Calibration | None
    """The calibration set."""
    sensitivity: Sensitivity | None = field(default=None, kw_only=True)
    """What the judge said of damaged answers; None where nobody asked it."""
    reporters: Sequence[Reporter]
    """Reporters that the configuration asks for."""
    keep_text: bool
    """Whether answers may stand in reports."""
    reproduce: Sequence[str]
    """Lines to type to have this verdict again."""
    own_labels: bool = False
    """Whether the calibration was computed from the very run that is decided on."""
    head: Head = NOTHING
    """What is known of the head: attempts before this one, and who accepted its regression."""
    stored: str | None = None
    """File of the baseline's answers, where they are stored."""
    folder: str = OUT
    """The folder that holds the run's journal and results, as it was named."""


def decides(question: Question) -> bool:
    """Whether the run, as far as it was asked, fails or passes."""
    _, verdict = decide_on_head(
        question.run,
        read_baseline_file(question.baseline),
        _licences(question),
        question.policy,
        question.head,
    )
    return verdict.status in ("pass", "regression")


def suspicion(question: Question) -> Suspicion | None:
    """Say what must be asked again before the run may fail; None where nothing need be."""
    return suspicion_on_head(
        question.run,
        read_baseline_file(question.baseline),
        _licences(question),
        question.policy,
        question.head,
    )


def _licences(question: Question) -> tuple[Agreement, ...]:
    """Say which dimensions the judge is licensed for."""
    run, policy = question.run, question.policy
    licences = stale_after_drift(
        agreements(
            question.calibration,
            run.metrics,
            run.identities,
            policy,
            judge_family=run.family_names,
            world=run.provenance.world,
            sensitivity=question.sensitivity,
        ),
        question.calibration,
        run,
    )
    weak = question.own_labels and policy.licence != "point"
    return tuple(weaken(licences) if weak else licences)


def conclude(question: Question) -> Report:
    """Compare, decide, and gather what reports show."""
    run, policy = question.run, question.policy
    baseline, licences = read_baseline_file(question.baseline), _licences(question)
    comparison, verdict = decide_on_head(
        run,
        baseline,
        licences,
        policy,
        question.head,
        reproduce=question.reproduce,
        stored=question.stored,
    )
    return Report(
        name=question.name,
        verdict=verdict,
        comparison=comparison,
        run=run,
        agreements=licences,
        policy=policy,
        stories=stories(
            comparison,
            pick_results(question.results, run, moved_cells(comparison)),
            keep_text=question.keep_text,
        ),
        folder=question.folder,
        stand_in=run.provenance.world is not None,
    )


def render(report: Report, reporters: Sequence[Reporter] = ()) -> list[Artifact]:
    """Render verdict.json, comment.md, summary.md and what the reporters give."""
    own: list[Reporter] = [
        JsonReporter(NoOptions()),
        MarkdownReporter(NoOptions()),
        SummaryReporter(NoOptions()),
    ]
    return [reporter.render(report) for reporter in (*own, *reporters)]


def show(report: Report, written: Sequence[Path], env: Mapping[str, str]) -> None:
    """Print the table, and on stderr where the files are."""
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    output.show(
        terminal_text(
            report,
            shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns,
            color=output.wants_colour(sys.stdout, env.get("NO_COLOR"), env.get("TERM")),
            unicode=encoding.startswith("utf"),
        )
    )
    if written:
        output.tell("Files: " + ", ".join(str(path) for path in written))


def reporters_of(config: Config, root: Path) -> list[Reporter]:
    """Build the configuration's reporters, those left out that are always written."""
    always = {"markdown", "json"}
    uses: list[Use] = [use for use in config.reporters if use.use not in always]
    return build_reporters(uses, root)
