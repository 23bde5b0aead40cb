"""Control answers in the terminal: a line a dimension."""

from __future__ import annotations

from collections import Counter
from textwrap import fill

from gate.stats.tables import bucket
from gate.types import Controls


def controls_lines(controls: Controls) -> str:
    """Return what was chosen for a terminal of 80 columns, plain text."""
    head = f"{'dimension':<24}{'answers':>8}{'low':>6}{'med':>6}{'high':>6}   rulings"
    thin, rows = [], []
    for name in controls.identities:
        rated = [one.scores[name] for one in controls.answers if name in one.scores]
        thirds = Counter(bucket(sum(rulings) / len(rulings)) for rulings in rated)
        split = sum(len(set(rulings)) > 1 for rulings in rated)
        says = "alike" if not split else f"of {split} they differ"
        counts = "".join(f"{thirds[third]:>6}" for third in ("low", "med", "high"))
        rows.append(f"{name:<24}{len(rated):>8}{counts}   {says}")
        if len([third for third in thirds if thirds[third]]) < len(("low", "med", "high")):
            thin.append(name)
    note = fill(
        f"Not each third of the scale is there for: {', '.join(thin)}. A run with worse answers "
        "has more of them.",
        width=79,
    )
    return "\n".join([head, *rows, *(["", note] if thin else [])]) + "\n"
