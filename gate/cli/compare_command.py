"""`gate compare`: decide on a stored run."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

from gate.cli.baseline_answers import stored_for
from gate.cli.concluding import Question, conclude, reporters_of, show
from gate.cli.filing import file_report
from gate.cli.head import commits_of, head_options, read_head, with_commits
from gate.cli.no_collection import no_collection
from gate.cli.options import Amount, make_folder
from gate.cli.plan_options import decision_options
from gate.cli.rated import pair_labels
from gate.cli.reading import read_calibration, read_config, read_run, read_sensitivity
from gate.cli.results import RESULTS
from gate.errors import ConfigError, FileError
from gate.protocols import Reporter
from gate.types import Commits, Policy, Run
from gate.types.report import UNNAMED

EPILOG = """\b
Examples:
  gate compare gate-out/run.json
  gate compare run.json --baseline evals/baseline.json --calibration calibration.json
  gate compare run.json --threshold 0.05     the plain rule: a mean drop above 0.05 fails
"""


@click.command("compare", epilog=EPILOG)
@click.argument("run_path", metavar="RUN.json", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    help="The configuration: its policy, baseline and calibration.  [gate.yaml where there is one]",
)
@click.option(
    "--labels",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="People's ratings of this very run's answers, in the place of a calibration file. "
    "Of another run's answers, use gate kappa --write and --calibration.",
)
@click.option(
    "--target",
    "--label-target",
    "label_target",
    metavar="NAME",
    help="Whose answers the labels rate, where they do not say.",
)
@click.option(
    "--calibration",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="What licenses dimensions.",
)
@click.option(
    "--sensitivity",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="What the judge said of damaged answers.  [the configuration's]",
)
@click.option("--rule", type=click.Choice(["default", "threshold"]), help="Which rule decides.")
@click.option(
    "--threshold",
    type=Amount(),
    help="Drop above which the plain rule fails; implies --rule threshold.",
)
@click.option("--report-only", is_flag=True, help="Numbers without a verdict; exit 0.")
@decision_options
@head_options
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for verdict.json, comment.md and the rest; without it only the table is printed.",
)
@no_collection()
def command(
    run_path: Path,
    config_path: Path | None,
    baseline: Path | None,
    labels: tuple[Path, ...],
    label_target: str | None,
    calibration: Path | None,
    sensitivity: Path | None,
    rule: str | None,
    threshold: float | None,
    report_only: bool,
    on_inconclusive: str | None,
    base_sha: str | None,
    head_sha: str | None,
    evaluated_sha: str | None,
    attempts: Path | None,
    accepted_by: str | None,
    accepted_sha: str | None,
    out: Path | None,
) -> int:
    """Compare RUN.json with a baseline and decide; nothing is asked, nothing is paid."""
    if rule == "default" and threshold is not None:
        raise ConfigError(
            "--rule default takes no --threshold, which is the plain rule's: leave one of them out"
        )
    env = dict(os.environ)
    given = config_path is not None
    config_path = config_path or Path("gate.yaml")
    config = read_config(config_path, env) if given or config_path.exists() else None
    root = config_path.parent
    run = read_run(run_path)
    _check_head(run, head_sha, run_path)
    run = _with_commits(run, commits_of(base_sha, head_sha, evaluated_sha))
    head = read_head(attempts, accepted_by, accepted_sha)
    folder = run_path if run_path.is_dir() else run_path.parent
    results = folder / RESULTS
    policy = Policy() if config is None else config.policy
    changes: dict[str, object] = {
        "threshold": threshold,
        "rule": rule if threshold is None else "threshold",
        "report_only": report_only or None,
        "on_inconclusive": on_inconclusive,
    }
    policy = policy.model_copy(
        update={name: value for name, value in changes.items() if value is not None}
    )
    if calibration is not None:
        licence = read_calibration(calibration)
    elif labels:
        tuning = 0.0 if config is None else config.labels_for_tuning
        pairing, _ = pair_labels([run_path], [run], labels, target=label_target, tuning=tuning)
        licence = pairing.calibration
    else:
        licence = None if config is None else read_calibration(root / config.calibration)
    if sensitivity is None and config is not None:
        sensitivity = root / config.sensitivity
    if baseline is None:
        baseline = Path("baseline.json") if config is None else root / config.baseline
    keep_text = config is not None and config.keep_text
    reporters: list[Reporter] = [] if config is None or out is None else reporters_of(config, root)
    question = Question(
        name=UNNAMED if config is None else config.name,
        run=run,
        results=results,
        policy=policy,
        baseline=baseline,
        calibration=licence,
        sensitivity=None if sensitivity is None else read_sensitivity(sensitivity),
        reporters=reporters,
        keep_text=keep_text or run.provenance.world is not None,
        reproduce=(_typed(),),
        own_labels=calibration is None and bool(labels),
        head=head,
        stored=None if config is None else stored_for(config, root, baseline),
        folder=str(folder),
    )
    report = conclude(question)
    written = []
    if out is not None:
        own = out.exists() and folder.samefile(out)
        make_folder(out)
        written = file_report(report, question, out, reporters=reporters, own_results=own)
    show(report, written, env)
    return report.verdict.exit_code


def _check_head(run: Run, head: str | None, path: Path) -> None:
    """Refuse to give one head's run for another's: a folder may be left from an earlier job."""
    measured = run.provenance.commits.head
    if head is not None and measured is not None and not _same(head, measured):
        raise FileError(
            f"measured the head {measured}, and this is {head}: a folder of an earlier job may "
            "have been left there; set the label again",
            path,
        )


def _same(one: str, other: str) -> bool:
    """Compare two commits, one of which may be given by its first digits."""
    return one.startswith(other) or other.startswith(one)


def _with_commits(run: Run, said: Commits) -> Run:
    commits = with_commits(run.provenance.commits, said)
    provenance = run.provenance.model_copy(update={"commits": commits})
    return run.model_copy(update={"provenance": provenance})


def _typed() -> str:
    """Return the command as it was typed."""
    return shlex.join(["gate", *sys.argv[1:]])
