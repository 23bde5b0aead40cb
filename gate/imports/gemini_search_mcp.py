"""Results and baselines of gemini-search-mcp's eval command (its version 0.3).

A results file is a JSON array of cells, one for each model and case; it names neither judge nor
date nor dataset, so the identity of every metric is unknown and the date is read from the file's
name. Published scores stand as they are, those of empty answers (rated 0) and of vacuous
citations (rated 1) included; reports give each average also without the empty answers.

Where words differ: their `citations.recall` asks whether the answer states what its sources
support, which is coverage of the sources, so it is `source_coverage` here (alias
`citation_recall`). Citation F1 is not stored: theirs comes from averaged precision and recall.

What the file cannot tell: why a cell with sources has no faithfulness or citations (no page could
be read, or the judge's reply could not), and the cost of an unknown model, which it gives as 0
and which is unknown here.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from gate.errors import FileError
from gate.imports.gemini_search_mcp_files import (
    ForeignCell,
    foreign_averages,
    foreign_cells,
    parse,
)
from gate.types import (
    Answer,
    Attempt,
    Baseline,
    Cell,
    Cost,
    Identity,
    Metric,
    Plan,
    Provenance,
    Run,
    Source,
    TargetInfo,
)

FORMAT = "gemini-search-mcp"
"""Name of the format, kept in the provenance."""

ALIASES = {"citation_recall": "source_coverage"}
"""Their name of a dimension -> ours."""

QUALITY = ("relevance", "correctness", "source_quality")
"""Dimensions of every cell that ended without an error."""

_PAGES = ("faithfulness", "citation_precision", "source_coverage")
_STAMP = re.compile(r"(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2})Z")
_JUDGE_FAILED = "judge:"


def read(files: Sequence[tuple[str, str]]) -> Run | Baseline:
    """Read results files to one run, each file a repeat, or one baseline file to a baseline.

    Raises FileError for another shape, for no file, and for several files with a baseline among
    them.
    """
    if not files:
        raise FileError("no file to import: name at least one RESULTS.json")
    baselines = [path for path, text in files if isinstance(parse(text, path), dict)]
    if not baselines:
        return _run(files)
    if len(files) > 1:
        raise FileError(
            "a baseline is imported alone: name one file, or results only", baselines[0]
        )
    path, text = files[0]
    return import_baseline(text, path)


def import_results(text: str, path: str) -> Run:
    """Read one results file; `path` gives the date and stands in messages. Raises FileError."""
    return _run([(path, text)])


def import_baseline(text: str, path: str) -> Baseline:
    """Read a baseline of averages: it cannot tell noise from a drop. Raises FileError."""
    models = foreign_averages(parse(text, path), path)
    averages = {
        model: {ALIASES.get(name, name): value for name, value in dimensions.items()}
        for model, dimensions in models.items()
    }
    known = [*QUALITY, *_PAGES]
    names = sorted(
        {name for dimensions in averages.values() for name in dimensions},
        key=lambda name: (known.index(name) if name in known else len(known), name),
    )
    return Baseline(
        provenance=Provenance(created=_created([path]), imported=FORMAT),
        targets=tuple(_target(model) for model in models),
        metrics=_metrics(names),
        identities=_identities(names),
        averages=averages,
    )


def _run(files: Sequence[tuple[str, str]]) -> Run:
    groups: dict[tuple[str, str], list[ForeignCell]] = defaultdict(list)
    models: dict[str, None] = {}
    foreign: list[ForeignCell] = []
    for path, text in files:
        cells = foreign_cells(parse(text, path), path)
        foreign.extend(cells)
        for cell in cells:
            models[cell.model] = None
            groups[cell.model, cell.case_id].append(cell)
    names = [
        *QUALITY,
        *(name for name in _PAGES if any(_value(one, name) is not None for one in foreign)),
    ]
    cases = sorted({cell.case_id for cell in foreign})
    costs = [cell.cost_usd for cell in foreign if cell.cost_usd]
    return Run(
        id=_run_id(files),
        provenance=Provenance(created=_created(path for path, _ in files), imported=FORMAT),
        plan=Plan(case_ids=tuple(cases), total=len(cases), repeats=len(files)),
        targets=tuple(_target(model) for model in models),
        metrics=_metrics(names),
        identities=_identities(names),
        cells=tuple(_cell(groups[key], names) for key in sorted(groups)),
        cost=Cost(usd=None, known_usd=sum(costs)),
        warnings=tuple(_warnings(foreign)),
    )


def _cell(repeats: Sequence[ForeignCell], names: Sequence[str]) -> Cell:
    first = repeats[0]
    failures = {name: tuple(_failure(one, name) for one in repeats) for name in names}
    return Cell(
        target=first.model,
        case_id=first.case_id,
        category=first.category or "uncategorised",
        scores={name: tuple(_value(one, name) for one in repeats) for name in names},
        attempts=tuple(_attempt(one) for one in repeats),
        failures={name: kinds for name, kinds in failures.items() if any(kinds)},
    )


def _attempt(cell: ForeignCell) -> Attempt:
    sources = tuple(
        Source(uri=source.uri, title=source.title, domain=source.domain)
        for source in cell.sources or ()
    )
    answered = bool(cell.answer.strip())
    failed = bool(cell.err) and not (answered and _judge_failed(cell))
    return Attempt(
        state="error" if failed else "ok" if answered else "empty",
        digest=Answer(text=cell.answer, sources=sources).digest
        if answered and not failed
        else None,
        model=cell.model,
        grounded=None if failed else bool(sources) or cell.source_count > 0,
        latency_s=cell.latency_ms / 1000,
        cost_usd=cell.cost_usd or None,
        message=cell.err or None,
    )


def _judge_failed(cell: ForeignCell) -> bool:
    """Whether the answer came and its judge failed: the target did not fail then."""
    return cell.err.startswith(_JUDGE_FAILED)


def _value(cell: ForeignCell, metric: str) -> float | None:
    if cell.err:
        return None
    if metric == "faithfulness":
        return None if cell.faithfulness is None else cell.faithfulness.score
    if metric == "citation_precision":
        return None if cell.citations is None else cell.citations.precision
    if metric == "source_coverage":
        return None if cell.citations is None else cell.citations.recall
    rating: float | None = getattr(cell.scores, metric)
    return rating


def _failure(cell: ForeignCell, metric: str) -> str | None:
    if cell.err:
        return "judge" if _judge_failed(cell) else "error"
    if metric in _PAGES and _value(cell, metric) is None and not cell.sources:
        return "undefined"
    return None


def _warnings(cells: Sequence[ForeignCell]) -> Iterator[str]:
    yield "imported: which judge, prompt and scorer gave these scores is unknown"
    empty = sum(not cell.err and not cell.answer.strip() for cell in cells)
    if empty:
        yield (
            f"imported: {empty} of {len(cells)} answers are empty and keep their published "
            "scores; averages are also given without them"
        )
    vacuous = sum(
        cell.faithfulness is not None and not cell.faithfulness.verdicts for cell in cells
    )
    if vacuous:
        yield (
            f"imported: {vacuous} of {len(cells)} answers make no claim and keep their published "
            "faithfulness"
        )


def _target(model: str) -> TargetInfo:
    family = "gemini" if model.startswith("gemini") else None
    return TargetInfo(name=model, use=FORMAT, model=model, family=family)


def _metrics(names: Iterable[str]) -> tuple[Metric, ...]:
    return tuple(Metric(name=name, judged=True) for name in names)


def _identities(names: Iterable[str]) -> dict[str, Identity]:
    return {name: Identity() for name in names}


def _created(paths: Iterable[str]) -> str | None:
    """Return the latest of the dates in the files' names, such as 2026-01-31T23-59-00Z.json."""
    found = (_STAMP.search(PurePath(path).name) for path in paths)
    stamps = sorted(f"{one[1]}:{one[2]}:{one[3]}Z" for one in found if one)
    return stamps[-1] if stamps else None


def _run_id(files: Sequence[tuple[str, str]]) -> str:
    """Name the run for its content, so that the same files give the same run."""
    content = "\x1f".join(text for _, text in files)
    return f"import-{hashlib.sha256(content.encode('utf-8', 'replace')).hexdigest()[:12]}"
