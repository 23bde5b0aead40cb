"""Which answers of stored runs to rate next, for whoever has just read a kappa.

It reads run.json alone, so it knows what the judge said of whole answers and nothing of items; for
items `gate label --claims` and its like choose better.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from gate.labelling.choosing import Candidate, Heard, Key, batch, mixed, ranked
from gate.types import CalibrationSet, Run


def next_to_rate(
    runs: Sequence[Run], sets: Sequence[CalibrationSet], most: int, target: str | None = None
) -> tuple[Key, ...]:
    """Name the answers that tell most and that no label rates, mixed; at most `most`.

    An answer is rated when a label of any dimension names it. None where all are.
    """
    rated = {(item.case_id, item.answer) for one in sets for item in (*one.items, *one.tuning)}
    open_ones = [one for one in _candidates(runs, target) if one.key not in rated]
    return mixed(batch(ranked(open_ones), most, ()))


def _candidates(runs: Sequence[Run], target: str | None) -> list[Candidate]:
    categories: dict[Key, str] = {}
    said: dict[Key, dict[str, list[float | str]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        judged = [metric.name for metric in run.metrics if metric.judged]
        for cell in run.cells:
            if target not in (None, cell.target):
                continue
            for number, attempt in enumerate(cell.attempts):
                if attempt.state != "ok" or attempt.digest is None:
                    continue
                key = (cell.case_id, attempt.digest)
                categories.setdefault(key, cell.category)
                for name in judged:
                    column = cell.scores.get(name, ())
                    value = column[number] if column else None
                    if value is not None and 0.0 <= value <= 1.0:
                        said[key][name].append(value)
    return [
        Candidate(
            case_id=case_id,
            category=category,
            answer=answer,
            heard=tuple(
                Heard(dimension=name, said=tuple(values))
                for name, values in said[case_id, answer].items()
            ),
        )
        for (case_id, answer), category in categories.items()
    ]
