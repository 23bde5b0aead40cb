"""Labels and the runs that they rate, paired: for `gate kappa` and `gate compare --labels`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from gate.cli.output import tell
from gate.cli.reading import read_labels
from gate.cli.results import RESULTS, read_judged
from gate.decision.calibration import Pairing, Unpaired, calibrate
from gate.decision.words import counted
from gate.errors import DatasetError
from gate.types import JudgedItem, Run

__all__ = ["pair_labels"]


def pair_labels(
    paths: Sequence[Path],
    runs: Sequence[Run],
    labels: Sequence[Path],
    *,
    target: str | None = None,
    created: str | None = None,
    tuning: float = 0.0,
) -> tuple[Pairing, Sequence[Sequence[JudgedItem]]]:
    """Pair labels with what the judge said in these runs; also return what it said of items.

    `paths` are the runs' files or folders, in the order of `runs`; `tuning` is the share of the
    cases whose labels license nothing. What found nothing is told on
    standard error. Raises DatasetError, with the reasons, when not a single label is paired: a
    licence of nothing would switch the gate off without a word.
    """
    rated = read_labels(labels)
    folders = [path if path.is_dir() else path.parent for path in paths]
    if any(label.items for file in rated for label in file.labels):
        for folder in folders:
            if not (folder / RESULTS).exists():
                tell(
                    f"{folder}: there is no {RESULTS} beside the run, so labels of claims and of "
                    "other items find nothing there: name a run whose folder has it"
                )
    judged = [read_judged(folder, run, rated) for folder, run in zip(folders, runs, strict=True)]
    pairing = calibrate(runs, rated, target, created, judged, tuning=tuning)
    left = _reasons(pairing.unpaired)
    if not any(pairing.paired.values()):
        named = ", ".join(map(str, paths))
        raise DatasetError(
            f"none of the labels belongs to {named}: name the run whose answers were rated, and "
            "its target with --target" + "".join(f"\n  {line}" for line in left),
            labels[0],
        )
    for line in left:
        tell(f"not paired: {line}")
    return pairing, judged


def _reasons(labels: Sequence[Unpaired]) -> list[str]:
    """Say once for each reason how many labels of a file found nothing, and where the first is."""
    groups: dict[tuple[str, str], list[Unpaired]] = defaultdict(list)
    for one in labels:
        groups[one.path, one.because].append(one)
    lines = []
    for (path, because), found in groups.items():
        first = found[0]
        place = f"{path}:{first.line}" if first.line else path
        more = f" and {counted(len(found) - 1, 'more label')}" if len(found) > 1 else ""
        lines.append(f"{place}: {first.case_id}, {first.dimension}{more}: {because}")
    return lines
