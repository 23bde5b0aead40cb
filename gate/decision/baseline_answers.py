"""Do stored answers belong to a baseline? They are bound to it by its runs and by digests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate.types import Baseline, BaselineAnswers

Key = tuple[str, str, int]
"""Target, case and attempt."""


def fit(head: BaselineAnswers, digests: Mapping[Key, str | None], baseline: Baseline) -> bool:
    """Say whether a file holds every answer of a baseline, and no other in its place.

    `digests` are those of the file's answers.
    """
    return bool(baseline.runs) and head.runs == baseline.runs and digests == digests_of(baseline)


def digests_of(baseline: Baseline) -> dict[Key, str | None]:
    """Return the digests of a baseline's answers, None for attempts that failed."""
    return {
        (cell.target, cell.case_id, number): attempt.digest
        for cell in baseline.cells
        for number, attempt in enumerate(cell.attempts)
    }


def offsets_of(sizes: Sequence[Mapping[tuple[str, str], int]]) -> list[dict[tuple[str, str], int]]:
    """Return by how much the attempts of each run are moved in a baseline of several.

    `sizes` give each run's number of attempts by target and case.
    """
    before: dict[tuple[str, str], int] = {}
    found = []
    for one in sizes:
        found.append({key: before.get(key, 0) for key in one})
        for key, count in one.items():
            before[key] = before.get(key, 0) + count
    return found
