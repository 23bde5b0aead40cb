"""The results beside a run: answers and reasons, of which a report shows a few.

Results of another run, whose answers have other digests, are passed over: a report must not show
answers that were not scored so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from gate.types import Cell, JudgedItem, LabelSet, Result, Run
from gate.wire.results_file import RESULTS, Head, Key, read_results, wanted_lines

__all__ = ["RESULTS", "pick_results", "read_judged", "result_lines", "results_of"]


def pick_results(path: Path, run: Run, cells: Collection[tuple[str, str]]) -> tuple[Result, ...]:
    """Read the results of a few (target, case) cells of a run, sorted.

    None where there is no such file. Raises FileError.
    """
    if not cells:
        return ()
    wanted = frozenset(cells)
    digests = _digests([cell for cell in run.cells if (cell.target, cell.case_id) in wanted])
    found = read_results(path, lambda head: _belongs(head, digests))
    return tuple(sorted(found, key=lambda one: (one.target, one.case_id, one.attempt)))


def results_of(path: Path, run: Run) -> Iterator[Result]:
    """Yield the results of a run in the order of their file. Raises FileError."""
    digests = _digests(run.cells)
    return read_results(path, lambda head: _belongs(head, digests))


def result_lines(path: Path, run: Run) -> Iterator[bytes]:
    """Yield the lines of a run's results, as they stand in their file. Raises FileError."""
    digests = _digests(run.cells)
    return wanted_lines(path, lambda head: _belongs(head, digests))


def read_judged(folder: Path, run: Run, label_sets: Sequence[LabelSet]) -> tuple[JudgedItem, ...]:
    """Read what the judge said of single items, from the results beside a run.

    Only answers of which `label_sets` label items are kept; none where there is no such file.
    """
    wanted = {
        label.answer
        for labels in label_sets
        for label in labels.labels
        if label.items and label.answer
    }
    if not wanted:
        return ()
    digests = _digests(run.cells)
    results = read_results(
        folder / RESULTS, lambda head: head.answer_digest in wanted and _belongs(head, digests)
    )
    return tuple(
        JudgedItem(
            target=result.target,
            case_id=result.case_id,
            attempt=result.attempt,
            answer=result.answer_digest or "",
            dimension=score.metric,
            kind=item.kind,
            item=item.digest,
            label=item.label,
            text=item.text,
        )
        for result in results
        for score in result.scores
        for item in score.items
    )


def _digests(cells: Sequence[Cell]) -> dict[Key, str | None]:
    return {
        (cell.target, cell.case_id, number): attempt.digest
        for cell in cells
        for number, attempt in enumerate(cell.attempts)
    }


def _belongs(head: Head, digests: dict[Key, str | None]) -> bool:
    """Tell whether the run has this very answer; "" is no digest, nor None."""
    return digests.get(head.key, "") == head.answer_digest
