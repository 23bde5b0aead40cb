"""Everything that a reporter may show, and what it makes of it."""

from __future__ import annotations

from typing import Final

from gate.types.agreement import Agreement
from gate.types.comparison import Comparison
from gate.types.run import Run
from gate.types.verdict import Policy, Verdict
from gate.types.word import Word

UNNAMED: Final = "default"
"""Name of a configuration that says none."""


class CaseStory(Word):
    """One case that changed, for the fold of the comment."""

    case_id: str
    """The case."""
    target: str
    """System under test."""
    question: str
    """What was asked."""
    answer: str
    """What was answered now; empty where text is not kept."""
    changes: tuple[tuple[str, float, float], ...]
    """Dimension, baseline mean, current mean; worst first."""
    reasons: tuple[tuple[str, str], ...] = ()
    """Dimension and the judge's reason."""


class Report(Word):
    """The one argument of every reporter."""

    name: str
    """Name of the configuration."""
    verdict: Verdict
    """The verdict."""
    comparison: Comparison | None = None
    """The numbers behind it."""
    run: Run
    """The run."""
    agreements: tuple[Agreement, ...] = ()
    """Licences."""
    policy: Policy = Policy()
    """The rules that were applied."""
    stories: tuple[CaseStory, ...] = ()
    """Cases that changed, worst first."""
    others: tuple[Run, ...] = ()
    """Runs to show beside it (`gate report --against`)."""
    folder: str = "gate-out"
    """The run's own folder, as it was named: where each call can be followed."""
    stand_in: bool = False
    """Whether the loopback world answered: every place that shows a number must say so."""


class Artifact(Word):
    """A rendered file."""

    name: str
    """File name."""
    media_type: str
    """Such as `text/markdown`."""
    text: str
    """Content."""
