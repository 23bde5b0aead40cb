"""`baseline.json` as text: one (case, target) a line, so that diffs and merges can be read.

It holds scores and digests and no text of answers: neither the words nor the error messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import JsonValue, ValidationError

from gate.decision.json_text import entries, line, lines
from gate.decision.rounding import result, score
from gate.decision.shape import LARGEST, check_baseline, this_schema
from gate.errors import FileError
from gate.types import SCHEMA, Baseline, Cell

PUBLISHED_AS: Mapping[str, str] = {"source_coverage": "citation_recall"}
"""Our name of a dimension -> the name that files of averages publish it under.

What those files call citation recall is the share of the sources' statements that the answer
makes: it is how much of the sources is covered. The files keep the published name; a comparison
looks an average up under both.
"""

_COST_PLACES = 7
"""US dollars of one answer: four decimals for 1,000 of them."""

_SECONDS_PLACES = 4


def baseline_text(baseline: Baseline) -> str:
    """Write a baseline as JSON, one (case, target) a line, sorted by case id and then target.

    Scores have four decimals (six digits where the unit is no fraction). The same baseline gives
    the same text, and reading it back gives a baseline that compares alike; the models' names and
    the error messages of single attempts are left out.
    """
    return "".join(baseline_lines(baseline))


def baseline_lines(baseline: Baseline) -> Iterator[str]:
    """Give the same text in parts, for baselines that are too large to hold it."""
    units = {metric.name: metric.unit for metric in baseline.metrics}
    cells = sorted(baseline.cells, key=lambda cell: (cell.case_id, cell.target))
    parts = [
        f'"schema": {SCHEMA}',
        f'"provenance": {line(baseline.provenance.model_dump(mode="json", exclude_none=True))}',
        f'"runs": {line(baseline.runs)}',
        *([f'"accepted": {line(baseline.accepted)}'] if baseline.accepted else ()),
        *(
            [lines("reasons", (r.model_dump(mode="json") for r in baseline.reasons))]
            if baseline.reasons
            else ()
        ),
        *([f'"required": {line(baseline.required)}'] if baseline.required else ()),
        *([f'"clusters": {line(baseline.clusters)}'] if baseline.clusters else ()),
        lines("targets", (t.model_dump(mode="json", exclude_none=True) for t in baseline.targets)),
        lines("metrics", (m.model_dump(mode="json") for m in baseline.metrics)),
        entries(
            "identities",
            {n: i.model_dump(mode="json") for n, i in sorted(baseline.identities.items())},
        ),
    ]
    yield "{\n" + ",\n".join(parts) + ',\n"cells": ['
    for place, cell in enumerate(cells):
        yield (",\n" if place else "\n") + line(_cell(cell, units))
    yield "\n]" if cells else "]"
    if baseline.judging:
        noise = {name: one.model_dump() for name, one in sorted(baseline.judging.items())}
        yield ",\n" + entries("judging", noise)
    if baseline.averages:
        averages = {
            target: {name: result(value) for name, value in values.items()}
            for target, values in sorted(baseline.averages.items())
        }
        yield ",\n" + entries("averages", averages)
    yield "\n}\n"


def _cell(cell: Cell, units: Mapping[str, str]) -> dict[str, Any]:
    """Give the cell as it stands in the file: what is empty or unknown is left out."""
    out: dict[str, Any] = {
        "case_id": cell.case_id,
        "target": cell.target,
        "category": cell.category,
        "scores": {
            name: [None if v is None else score(v, units.get(name, "fraction")) for v in values]
            for name, values in cell.scores.items()
        },
        "attempts": [
            {
                "state": made.state,
                "digest": made.digest,
                "grounded": made.grounded,
                "latency_s": _places(made.latency_s, _SECONDS_PLACES),
                "cost_usd": _places(made.cost_usd, _COST_PLACES),
            }
            for made in cell.attempts
        ],
        "case_digest": cell.case_digest,
        "failures": {name: list(kinds) for name, kinds in cell.failures.items()},
    }
    out["attempts"] = [
        {key: value for key, value in made.items() if value is not None} for made in out["attempts"]
    ]
    return {key: value for key, value in out.items() if value not in (None, {}, [])}


def _places(value: float | None, places: int) -> float | None:
    return None if value is None else round(value, places)


def read_baseline(
    data: JsonValue, path: str | None = None, cells: tuple[Cell, ...] | None = None
) -> Baseline:
    """Read a baseline from a file's JSON value; `cells` are its cells where `data` lacks them.

    Takes our own shape in this version and the one before, and the file of averages alone,
    `{"models": {model: {dimension: average}}}`, whose names are kept as they are published and
    whose averages lie in [0, 1]. Raises FileError, naming `path`, for anything else.
    """
    if isinstance(data, dict) and "schema" not in data and "models" in data:
        baseline = _averages(data["models"], path)
    else:
        ours = this_schema(data, "baseline", _AGAIN, path)
        try:
            baseline = Baseline.model_validate(ours)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise other_shape(place, first["msg"], path) from error
    if cells is not None:
        baseline = baseline.model_copy(update={"cells": cells})
    check_baseline(baseline, path)
    if not baseline.cells and not baseline.averages:
        raise FileError(f"holds no case, so nothing can be compared with it; {_AGAIN}", path)
    return baseline


def other_shape(place: str, what: str, path: str | None) -> FileError:
    """Return the error for a part of the file, such as `cells.3.target`, of another shape."""
    return FileError(f"{place}: {what}; {_AGAIN}", path)


_AGAIN = "write the baseline again with `gate baseline`"


def _averages(models: JsonValue, path: str | None) -> Baseline:
    averages: dict[str, dict[str, float]] = {}
    if not isinstance(models, dict) or not models:
        raise FileError(f'"models" must name the averages of at least one model; {_AGAIN}', path)
    for model, values in models.items():
        if not isinstance(values, dict):
            raise FileError(f"models.{model}: dimensions and their averages are expected", path)
        averages[model] = {name: _average(model, name, v, path) for name, v in values.items()}
    return Baseline(averages=averages)


def _average(model: str, name: str, value: JsonValue, path: str | None) -> float:
    # Comparing first keeps NaN, infinities and whole numbers too large for a float out.
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise FileError(f"models.{model}.{name}: a number is expected, not {value!r:.40}", path)
    return float(value)
