"""`gate kappa`: how far the judge agrees with people, and what that licenses."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
from pydantic import JsonValue

from gate.cli.output import say, tell
from gate.cli.rated import pair_labels
from gate.cli.reading import find_files, read_calibration, read_config, read_run
from gate.config import Config
from gate.decision.after_drift import unmixed
from gate.decision.beside import beside
from gate.decision.calibration import agreement_of
from gate.decision.calibration_file import calibration_text
from gate.decision.replacing import losses
from gate.decision.tried import with_history
from gate.decision.words import counted
from gate.errors import ConfigError
from gate.labelling.choosing import Key
from gate.labelling.unrated import next_to_rate
from gate.reports.agreement import Compared, agreement_text, differing, next_text
from gate.types import Calibration, Policy
from gate.wire.files import dump_json, write_text

EPILOG = """\b
Examples:
  gate kappa gate-out/run.json --labels evals/labels/mine.yaml
  gate kappa run.json --labels flash-lite.yaml --target gemini-3.1-flash-lite --json
  gate kappa a/run.json b/run.json --labels mine.yaml --write evals/calibration.json
"""

NEXT = 6
"""Answers that are named to be rated next."""


@click.command("kappa", epilog=EPILOG)
@click.argument(
    "runs",
    metavar="RUN.json...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True),
)
@click.option(
    "--labels",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="People's ratings; may be repeated.  [the configuration's `labels`]",
)
@click.option(
    "--target", metavar="NAME", help="Whose answers were rated, where the labels do not say."
)
@click.option(
    "--config",
    "config_path",
    default="gate.yaml",
    type=click.Path(path_type=Path),
    help="The configuration: its policy says what licenses.  [gate.yaml where there is one]",
)
@click.option(
    "--tuning",
    metavar="SHARE",
    type=click.FloatRange(0.0, 1.0, max_open=True),
    help="Share of the cases, by hash, whose labels are kept for mending the prompt and license "
    "nothing.  [labels_for_tuning; 0]",
)
@click.option(
    "--replace",
    is_flag=True,
    help="With --write: write it although licences or most labels of the file's are lost.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON in the place of the table.")
@click.option(
    "--write",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the calibration that licenses dimensions, such as evals/calibration.json.",
)
def command(
    runs: tuple[Path, ...],
    labels: tuple[Path, ...],
    target: str | None,
    config_path: Path,
    tuning: float | None,
    replace: bool,
    as_json: bool,
    write: Path | None,
) -> int:
    """Pair people's labels with what the judge said of the same: Cohen's kappa.

    Answers are rated low, med or high; claims, sentences, citations and statements are labelled
    one by one, by the digests in the results.jsonl beside RUN.json. A dimension whose judge is
    validated may fail a run; the others are shown and cannot.
    """
    config = read_config(config_path, dict(os.environ)) if config_path.exists() else None
    policy = Policy() if config is None else config.policy
    if not labels and config is not None:
        labels = find_files(config_path.parent, config.labels)
    if not labels:
        raise ConfigError("name the ratings with --labels, or under `labels:` in gate.yaml")
    read = [read_run(path) for path in runs]
    if write is not None:
        for run in read:
            unmixed(run, policy)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    if tuning is None:
        tuning = 0.0 if config is None else config.labels_for_tuning
    pairing, judged = pair_labels(runs, read, labels, target=target, created=now, tuning=tuning)
    before = _before(write, config, config_path.parent)
    calibration = with_history(pairing.calibration, before)
    compared = _compared(calibration, policy, read[0].family_names)
    # As the runs' own tables have them; what they did not measure comes last.
    order = list(dict.fromkeys(metric.name for run in read for metric in run.metrics))
    compared.sort(key=lambda one: (*order, one.labels.dimension).index(one.labels.dimension))
    texts = {one.item: one.text for items in judged for one in items}
    following = next_to_rate(read, calibration.sets, NEXT, target)
    if as_json:
        say(dump_json([_as_json(one, texts, following) for one in compared]))
    else:
        say(agreement_text(compared, texts) + next_text(following, [str(path) for path in runs]))
    if write is not None:
        lost = losses(before, calibration, policy, read[0].family_names)
        _tell_lost(lost, write, replace=replace)
        write_text(write, calibration_text(calibration))
        tell(f"{write}: written; commit it beside the labels")
    return 0


def _tell_lost(lost: Sequence[str], write: Path, *, replace: bool) -> None:
    """Say what the file's licences lose. Raises ConfigError unless that is wanted."""
    for one in lost:
        tell(one)
    if lost and not replace:
        raise ConfigError(
            f"the calibration would license less than it does ({counted(len(lost), 'dimension')}, "
            "named above), so it stays as it was: RUN.json must hold the answers that were rated, "
            "judged anew (`gate judge`), so name all of those runs; or say --replace",
            write,
        )


def _before(write: Path | None, config: Config | None, root: Path) -> Calibration | None:
    """Return the calibration that this one follows: it knows the prompts that were tried."""
    if write is not None:
        return read_calibration(write)
    return None if config is None else read_calibration(root / config.calibration)


def _compared(calibration: Calibration, policy: Policy, judge_family: str | None) -> list[Compared]:
    found = []
    for part in calibration.sets:
        agreement = agreement_of(part, policy, part.identity, judge_family)
        extra = beside(part, agreement, policy) if part.items else None
        found.append(Compared(part, agreement, extra))
    return found


def _as_json(
    one: Compared, texts: Mapping[str, str], following: Sequence[Key]
) -> dict[str, JsonValue]:
    part = one.labels
    return {
        **one.agreement.model_dump(mode="json"),
        "beside": None if one.beside is None else one.beside.model_dump(mode="json"),
        "labels_of": {
            "targets": sorted({item.target for item in part.items if item.target is not None}),
            "drafted_by": list(part.drafted_by),
            "drafted_by_families": list(part.drafted_by_families),
            "approved_by": list(part.approved_by),
        },
        "differing": [
            {**item.model_dump(mode="json"), "text": texts.get(item.item or "")}
            for item in differing(part)
        ],
        "next": [{"case_id": case_id, "answer": answer} for case_id, answer in following],
    }
