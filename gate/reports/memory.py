"""The line that names right answers whose pages do not say it. It decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gate.decision.words import counted
from gate.reports.numbers import percent
from gate.types import Report

LEAD = "Right, but not from its pages"
"""What such an answer is called."""

EXPLAINED = (
    "Correctness is high and faithfulness low: the model may have answered from memory, or cited "
    "pages that do not say it"
)
"""What that means, said once."""

MOST_CASES = 10
"""Cases that are named; `verdict.json` names all."""


def memory_facts(
    report: Report,
    names: Callable[[Sequence[str], int], str],
    name: Callable[[str], str],
    most: int = MOST_CASES,
) -> Iterator[tuple[str, str]]:
    """Give lead and sentence for each target that has such answers.

    Case ids and targets are foreign text: `names` writes a list of at most so many, `name` a
    single one. Nothing is said of targets without such an answer, or without one of the two
    dimensions.
    """
    several = len(report.run.targets) > 1
    explained = f". {EXPLAINED}."
    for one in report.verdict.from_memory:
        if not one.count:
            continue
        whose = f" ({name(one.target)})" if several else ""
        before = "" if one.baseline is None else f" ({percent(one.baseline)} in the baseline)"
        cases = names(one.cases, min(most, MOST_CASES))
        said = f"{one.count} of {counted(one.n, 'answer')}{before}: {cases}"
        yield f"{LEAD}{whose}", f"{said}{explained}"
        explained = ""
