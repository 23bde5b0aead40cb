"""`gate kappa`: how far the judge agrees with people, and what that licenses."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
from pydantic import JsonValue

from gate.cli.output import say, tell
from gate.cli.rated import pair_labels
from gate.cli.reading import find_files, read_config, read_run
from gate.decision.calibration import Pairing, agreement_of
from gate.decision.calibration_file import calibration_text
from gate.errors import ConfigError
from gate.reports.agreement import agreement_text, differing
from gate.types import Agreement, Policy
from gate.wire.files import dump_json, write_text

EPILOG = """\b
Examples:
  gate kappa gate-out/run.json --labels evals/labels/mine.yaml
  gate kappa run.json --labels flash-lite.yaml --target gemini-3.1-flash-lite --json
  gate kappa a/run.json b/run.json --labels mine.yaml --write evals/calibration.json
"""


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
    now = datetime.now(UTC).isoformat(timespec="seconds")
    pairing, judged = pair_labels(runs, read, labels, target=target, created=now)
    agreements = _agreements(pairing, policy, read[0].judge_family)
    texts = {one.item: one.text for items in judged for one in items}
    if as_json:
        found: JsonValue = [
            {
                **one.model_dump(mode="json"),
                "differing": [
                    {**item.model_dump(mode="json"), "text": texts.get(item.item or "")}
                    for item in differing(part)
                ],
            }
            for one, part in zip(agreements, pairing.calibration.sets, strict=True)
        ]
        say(dump_json(found))
    else:
        say(agreement_text(agreements, pairing.calibration.sets, texts))
    if write is not None:
        write_text(write, calibration_text(pairing.calibration))
        tell(f"{write}: written; commit it beside the labels")
    return 0


def _agreements(pairing: Pairing, policy: Policy, judge_family: str | None) -> Sequence[Agreement]:
    return [
        agreement_of(one, policy, one.identity, judge_family) for one in pairing.calibration.sets
    ]
