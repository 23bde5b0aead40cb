"""What stands folded under a title: changed cases, categories, p values, models, edits, lines.

Titles are ours and hold numbers at most, since Markdown is not read on the line of a `<summary>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gate.decision.controls import examples, title, told
from gate.decision.findings import RATES
from gate.decision.words import counted, listed
from gate.reports.changed import ChangedCase, untold
from gate.reports.common_cases import ModelTable, common_table
from gate.reports.detail import Detail
from gate.reports.facts import partial, shown_operations
from gate.reports.judge_table import judge_table
from gate.reports.lines import capped, names
from gate.reports.models import model_table
from gate.reports.numbers import MISSING, figure, movement, probability
from gate.reports.panel import most_apart, noise_list, panel_table
from gate.reports.rows import UNMEASURED, TableRow, category_rows, moved
from gate.reports.tables import table
from gate.reports.untrusted import block, sentence, span
from gate.types import CaseStory, Finding, Report

_LINE = 500


@dataclass(frozen=True)
class Fold:
    """A title and what stands under it."""

    title: str
    """Our own words."""
    body: str
    """Safe Markdown, blocks allowed."""


def all_folds(report: Report, rows: tuple[TableRow, ...], detail: Detail) -> tuple[Fold, ...]:
    """Return the folds that have something to say, the most useful first."""
    found = [*_stories(report, detail)]
    if detail.tables and (rows or report.verdict.status != "broken"):
        found.extend(_categories(report, detail))
        if rows or not partial(report):
            found.extend(_p_values(report, rows, detail.rows))
        if rows:
            found.extend(_models(report, detail))
        if rows and detail.judge:
            found.extend(_judge(report, detail.rows))
        if rows:
            found.extend(_several_rulings(report, detail.rows))
    found.extend(_controls(report, detail))
    found.extend(_edits(report, detail))
    found.extend(_reproduce(report, detail))
    return tuple(found)


def models(report: Report, most: int) -> str:
    """Return the model table, and below it the one on common cases, `most` rows each."""
    parts = []
    for found in (model_table(report), common_table(report.run)):
        if found is not None:
            parts.append(_safe_table(found, most))
            parts.extend(sentence(one) for one in found.remarks)
            if len(found.rows) > most:
                parts.append(f"and {counted(len(found.rows) - most, 'more row')}")
    return "\n\n".join(parts)


def _safe_table(found: ModelTable, most: int) -> str:
    head = [sentence(title, 60) for title in found.head]
    rows = (
        [*(sentence(cell, 100) for cell in row[: found.names]), *row[found.names :]]
        for row in found.rows[:most]
    )
    return table(head, rows)


def _stories(report: Report, detail: Detail) -> Iterable[Fold]:
    told = report.stories[: detail.stories]
    rest = untold(report)
    whole = len(report.stories) + rest.count
    short = rest.first(detail.listed)
    if not told and not short:
        return
    several = len(report.run.targets) > 1
    attempts = report.verdict.attempts
    parts = [_story(one, detail, attempts, several=several) for one in told]
    if short:
        lines = (f"- {_moves(one, several=several)}" for one in short)
        parts.append("\n".join(lines))
    title = counted(whole, "changed case")
    if len(told) + len(short) < whole:
        title = f"{len(told) + len(short)} of {title}"
    if told:
        which = f", {len(told)} of them with" if short else ":"
        title += f"{which} question, answer, judge's reason"
    yield Fold(title, "\n\n".join(parts))


def _moves(one: CaseStory | ChangedCase, *, several: bool) -> str:
    """Name a case and say how it moved, in one line: what moved alike is said together."""
    title = f"**Case** {span(one.case_id, 100)}"
    if several:
        title += f" of {span(one.target, 100)}"
    alike: dict[str, list[str]] = {}
    for name, before, after in one.changes[:10]:
        alike.setdefault(movement(before, after), []).append(sentence(name, 100))
    changes = [f"{listed(found)} {moved}" for moved, found in alike.items()]
    return f"{title}: {'; '.join(changes)}" if changes else title


def _story(story: CaseStory, detail: Detail, attempts: int, *, several: bool) -> str:
    parts = [_moves(story, several=several) + _pooled(story, attempts)]
    if story.question:
        parts.extend(["Question:", block(story.question, detail.answer)])
    if story.answer:
        parts.extend(["Answer now:", block(story.answer, detail.answer)])
    for dimension, reason in story.reasons[:10]:
        if reason:
            parts.extend([f"Judge on {sentence(dimension, 100)}:", block(reason, detail.answer)])
    return "\n\n".join(parts)


def _pooled(story: CaseStory, attempts: int) -> str:
    """Say of numbers of several attempts that they are, since the answer below is of one."""
    if attempts == 1:
        return ""
    shown = "; the latest answer is shown" if story.answer else ""
    return f" (mean of {attempts} attempts{shown})"


def _categories(report: Report, detail: Detail) -> Iterable[Fold]:
    tested = category_rows(report)
    if tested:
        rows = [row for row in tested if moved(row.finding)]
        rows.sort(key=lambda row: row.finding.outcome != "regression")
        cells = [
            (
                f"{row.mark} {row.word}",
                sentence(row.finding.target, 100),
                sentence(row.finding.category or "", 100),
                sentence(row.finding.dimension, 100),
                row.moved,
                row.changed,
                row.counts,
                _against(row.finding),
            )
            for row in rows[: detail.rows]
        ]
        numbers = ("baseline → now", "change", "worse / better", "p (BH)")
        head = ("", "target", "category", "dimension", *numbers)
        parts = [table(head, cells)] if cells else []
        parts.append(_unmoved(len(tested) - len(rows), len(tested)))
        if len(rows) > detail.rows:
            parts.append(f"and {counted(len(rows) - detail.rows, 'more row')}")
        yield Fold("Categories", "\n\n".join(filter(None, parts)))


def _against(one: Finding) -> str:
    """Say an adjusted p with what it must not exceed."""
    if one.p_adjusted is None or one.q is None:
        return MISSING
    return f"{probability(one.p_adjusted)} (at most {one.q:.4g})"


def _unmoved(still: int, tested: int) -> str:
    """Say in a line of how many rows of categories there is nothing to see."""
    if still == tested:
        return f"{counted(tested, 'row')} of single categories tested, none moved."
    if still < 2:  # noqa: PLR2004 - one row needs no number
        return "The other row did not move." if still else ""
    return f"The other {still} rows did not move."


def _p_values(report: Report, rows: tuple[TableRow, ...], most: int) -> Iterable[Fold]:
    """List every p value that decided something, of scores and of rates."""
    tested = [
        row.finding
        for row in rows
        if row.finding.p is not None and row.finding.outcome not in UNMEASURED
    ]
    parts = []
    if tested:
        cells = [
            (
                sentence(one.target, 100),
                sentence(one.dimension, 100),
                str(one.n),
                probability(one.p),
                probability(one.p_adjusted),
                MISSING if one.q is None else f"{one.q:.4g}",
                probability(one.p_holm),
                figure(one.smallest_visible_drop),
            )
            for one in tested
        ]
        head = (
            "target",
            "dimension",
            "cases",
            "p",
            "p (BH)",
            "at most",
            "p (Holm)",
            "smallest visible drop",
        )
        parts.append(table(head, cells))
    rates = [
        (sentence(one.target, 100), RATES[rate], probability(p))
        for one in shown_operations(report)[:most]
        for rate, p in one.p.items()
        if p is not None and rate in RATES
    ]
    if rates:
        parts.append(table(("target", "rise of", "p (Holm)"), rates))
    if parts:
        yield Fold("How it was decided: p values, one-sided", "\n\n".join(parts))


def _models(report: Report, detail: Detail) -> Iterable[Fold]:
    if len(report.run.targets) > 1 or report.others:
        yield Fold("Models side by side, all cases", models(report, detail.rows))


def _judge(report: Report, most: int) -> Iterable[Fold]:
    body = judge_table(report.agreements, most)
    if body:
        yield Fold("How far the judge agrees with people", body)


def _several_rulings(report: Report, most: int) -> Iterable[Fold]:
    agreement = panel_table(report.verdict.panel, most)
    if agreement:
        apart = most_apart(report.run, report.verdict.panel)
        body = "\n\n".join(filter(None, [agreement, apart]))
        yield Fold("Judges of the panel: how far they agree", body)
    noise = noise_list(report.verdict.noise, most)
    if noise:
        yield Fold("Noise of one score: the judge's part and the answers'", noise)


def _controls(report: Report, detail: Detail) -> Iterable[Fold]:
    check = report.run.controls
    if check is None:
        return
    shown = [
        f"{one.case_id}, {one.dimension}: {_ratings(one.stored)} before, now {_ratings(one.values)}"
        for one in examples(report.run, report.policy)
    ]
    said = capped([*told(report.run, report.policy), *shown], detail.lines)
    yield Fold(sentence(title(check)), "\n".join(f"- {one}" for one in said))


def _ratings(values: Sequence[float | None]) -> str:
    return ", ".join("none" if value is None else f"{value:.2f}" for value in values)


def _edits(report: Report, detail: Detail) -> Iterable[Fold]:
    edits = report.verdict.edits
    if edits:
        said = capped(edits, detail.lines)
        title = (
            f"This pull request edits what decides (ignored here): {counted(len(edits), 'edit')}"
        )
        yield Fold(title, "\n".join(f"- {one}" for one in said))


def _reproduce(report: Report, detail: Detail) -> Iterable[Fold]:
    typed = report.verdict.reproduce[: detail.lines]
    if not typed:
        return
    parts = [block("\n".join(one[:_LINE] for one in typed))]
    fell = [
        one.dimension
        for one in report.verdict.comparisons
        if one.gating and one.outcome == "regression"
    ]
    if report.verdict.status == "regression" and fell:
        dimensions = names(list(dict.fromkeys(fell)), 5)
        parts.append(
            f"To allow more in {dimensions}: a larger `min_effect` among the policy's `rules` in "
            "the configuration of the base branch. It decides; this pull request's own does not."
        )
    yield Fold("Not what you expected? Reproduce it at no cost", "\n\n".join(parts))
