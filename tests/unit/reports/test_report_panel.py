"""Judges of a panel beside one another, and whose the noise is, in comment and summary."""

from __future__ import annotations

from gate.reports.numbers import figure
from gate.reports.panel import ABOUT, most_apart, noise_list, panel_table
from gate.types import NoiseFinding, PanelFinding, PanelJudge, PanelPair, Report
from tests.unit.reports.report_samples import RUN, cell, report
from tests.unit.reports.test_report_markdown import comment, summary


def pair(one: str, other: str, kappa: float | None) -> PanelPair:
    """Two judges."""
    return PanelPair(one=one, other=other, kappa=kappa, difference=0.1)


TWO = PanelFinding(
    dimension="correctness",
    n=48,
    alpha=0.71,
    judges=(
        PanelJudge(judge="opus", mean=0.86, apart=0.13),
        PanelJudge(judge="flash", mean=0.73, apart=-0.13),
    ),
    pairs=(pair("opus", "flash", 0.62),),
)
THREE = TWO.model_copy(
    update={
        "dimension": "relevance",
        "alpha": None,
        "judges": (*TWO.judges, PanelJudge(judge="<b>mini", mean=0.5, apart=-0.3)),
        "pairs": (
            pair("opus", "flash", None),
            pair("opus", "<b>mini", 0.2),
            pair("flash", "<b>mini", 0.5),
        ),
    }
)
NOISE = NoiseFinding(
    dimension="correctness", judge=0.01, answer=0.03, share=0.25, rulings=3, n=48, cases=24
)


def with_panel() -> Report:
    """A passing report of a panel that ruled three times."""
    found = report("pass")
    verdict = found.verdict.model_copy(update={"panel": (TWO,), "noise": (NOISE,)})
    return found.model_copy(update={"verdict": verdict})


def test_panel_table__means_and_agreement() -> None:
    """One judge a column; of more than two the pair that agrees least is named."""
    text = panel_table([TWO, THREE], 9).replace(figure(None), "-")

    assert "| mean of opus | mean of flash |" in text
    assert "| correctness | 48 | 0.71 | 0.62 | 0.86 | 0.73 | - |" in text
    assert "| relevance | 48 | - (all answers got one rating) | 0.20 (opus, " in text
    assert text.endswith(ABOUT)
    assert "mean of `<b>mini`" in text


def test_panel_table__nothing_to_tell() -> None:
    """A single judge has no table; a pair without kappa has a dash; the rest is counted."""
    unknown = TWO.model_copy(update={"pairs": (pair("opus", "flash", None),)})

    assert "" == panel_table([], 9)
    assert f"| correctness | 48 | 0.71 | {figure(None)} | 0.86 |" in panel_table([unknown], 9)
    assert "and 1 more row" in panel_table([TWO, THREE], 1)


def test_most_apart__names_five_answers_by_what_each_judge_said() -> None:
    """The widest gap first; where the judges agree nothing is named."""
    said = (0.5, 0.25, 1.0, 0.75, 0.0, 0.9)
    cells = tuple(
        cell(
            f"case-{number}",
            (None, one, None),
            members={"correctness": {"opus": (1.0,), "flash": (one,)}},
        )
        for number, one in enumerate(said)
    )
    lines = most_apart(RUN.model_copy(update={"cells": cells}), [TWO]).splitlines()

    assert ["The judges differ most on:", ""] == lines[:2]
    assert "- `case-4`, correctness: opus 1.00, flash 0.00" == lines[2]
    assert ["case-4", "case-1", "case-0", "case-3", "case-5"] == [
        line.split("`")[1] for line in lines[2:]
    ]
    assert "" == most_apart(RUN, [TWO])


def test_noise_list__one_line_a_dimension() -> None:
    """The sentence of the decision, and the rest counted."""
    text = noise_list([NOISE, NOISE], 1)

    assert "- **correctness**: of the noise of one score 25% is the judge's" in text
    assert text.endswith("- and 1 more dimension")
    assert "" == noise_list([], 1)


def test_report__shows_a_panel_and_is_as_ever_without_one() -> None:
    """Two folds, in the comment and in the summary."""
    titles = ("Judges of the panel: how far they agree", "Noise of one score: the judge's part")
    for render in (comment, summary):
        assert all(title in render(with_panel()) for title in titles)
        assert not any(title in render(report("pass")) for title in titles)
