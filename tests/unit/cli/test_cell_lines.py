"""Files with a cell a line: read as any other JSON is, and refused for the same reasons."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.cli import cell_lines
from gate.cli.cell_lines import read_cell_lines
from gate.cli.reading import read_baseline_file, read_run
from gate.decision.baseline_file import baseline_text
from gate.decision.run_file import run_lines
from gate.errors import FileError
from gate.types import Run
from tests.unit.decision.decision_samples import baseline_of, columns, run_of

MANY = run_of(columns([round(0.0005 * i, 4) for i in range(1_200)]))
TEXT = "".join(run_lines(MANY))


def other_form(where: str, what: str) -> FileError:
    """An error that a reader would make."""
    return FileError(f"{where}: {what}")


def test_read_cell_lines__same_run_in_every_form(tmp_path: Path) -> None:
    """Lines, lines of another system, and the same JSON in one line or with an indent."""
    forms = {
        "lines": TEXT,
        "crlf": TEXT.replace("\n", "\r\n"),
        "one": json.dumps(json.loads(TEXT)),
        "indent": json.dumps(json.loads(TEXT), indent=2),
    }
    for name, text in forms.items():
        path = tmp_path / name
        path.write_text(text, "utf-8", newline="")
        assert MANY == read_run(path), name
        in_lines = read_cell_lines(path, other_form) is not None
        assert in_lines is (name in {"lines", "crlf"}), name


def test_read_cell_lines__baseline(tmp_path: Path) -> None:
    """baseline.json has this form as well."""
    path = tmp_path / "baseline.json"
    path.write_text(baseline_text(baseline_of(MANY)), "utf-8")
    assert read_cell_lines(path, other_form) is not None
    found = read_baseline_file(path)
    assert found is not None
    assert baseline_text(baseline_of(MANY)) == baseline_text(found)


def test_read_cell_lines__what_repeats_is_held_once(tmp_path: Path) -> None:
    """Names, and columns of equal scores."""
    path = tmp_path / "run.json"
    path.write_text("".join(run_lines(run_of(columns([0.3333, 0.3333])))), "utf-8")
    one, other = read_run(path).cells
    assert one.target is other.target
    assert one.scores["correctness"] is other.scores["correctness"]


def line_of(case: int, text: str = TEXT) -> tuple[int, str]:
    """Number and text of a cell's line."""
    return next(
        (number, one)
        for number, one in enumerate(text.split("\n"), start=1)
        if f'"case_id":"case-{case}"' in one
    )


@pytest.mark.parametrize(
    ("slip", "because"),
    [
        (lambda cell: cell.replace('"target":', '"target":"x","target":', 1), "stands twice in"),
        (lambda cell: cell.replace('"latency_s":2.0', '"latency_s":NaN'), "NaN is no JSON number"),
        (lambda cell: cell.replace(":", "", 1), "is not JSON"),
    ],
)
def test_read_cell_lines__refused_with_the_line(
    tmp_path: Path, slip: Callable[[str], str], because: str
) -> None:
    """What `parse_json` refuses is refused in the middle of many lines too."""
    number, cell = line_of(1117)
    path = tmp_path / "run.json"
    path.write_text(TEXT.replace(cell, slip(cell)), "utf-8")
    with pytest.raises(FileError, match=rf"run\.json:{number}: .*{because}"):
        read_run(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"state":"ok"', '"state":"ok","state":"ok"'),
        ('"state":"ok"', '"state":"ok","sta\\u0074e":"ok"'),
        ('"state":"ok"', '"state":"fine"'),
        ('"correctness":[', '"correctness":[0.5,'),
        ('"correctness":[', '"correctness":[1e999,'),
        ('"correctness":[', '"correctness":[-Infinity,'),
        ('"correctness":[', '"correctness":[01,'),
        ('"correctness":[', '"correctness":[1' + "0" * 400 + ","),
        ('"correctness":[', '"correctness":[1' + "0" * 5_000 + ","),
        ('"correctness":[', '"correctness":["0.5",'),
        ('"correctness":[', '"correctness":[' + "[" * 50_000),
        ('"case_id":"', '"case_id":"\\ud800'),
        ('"case_id":"', '"case_id":"\t'),
        ('"case_id":"', '"case_id":"\udcff'),
        ('"case_id":"', '"later":{"a":[1]},"case_id":"'),
        ('"attempts":[', '"attempts":['),
        ('"failures":{', '"failures":{,'),
        ("}]", "},]"),
    ],
)
def test_read_cell_lines__as_the_strict_reader_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    """The same cells or the same words, whether the fast reader looks first or not at all."""
    _, cell = line_of(1117)
    assert old in cell
    path = tmp_path / "run.json"
    text = TEXT.replace(cell, cell.replace(old, new, 1))
    path.write_bytes(text.encode("utf-8", "surrogateescape"))

    def said() -> object:
        try:
            return read_run(path)
        except FileError as error:
            return str(error)

    found = said()
    monkeypatch.setattr(cell_lines, "quick_list", lambda _: None)
    assert said() == found


def test_read_cell_lines__more_columns_than_are_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not shared is the same all the same."""
    monkeypatch.setattr(cell_lines, "_MOST_KNOWN", 3)
    path = tmp_path / "run.json"
    made = run_of(columns([[i / 100, None, (i % 7) / 10] for i in range(50)]))
    path.write_text("".join(run_lines(made)), "utf-8")
    assert made == read_run(path)


def test_read_cell_lines__refused_with_the_place(tmp_path: Path) -> None:
    """A cell of another shape is named by its place, as in any form of the file."""
    place = [one.case_id for one in MANY.cells].index("case-1117")
    for text in (TEXT, json.dumps(json.loads(TEXT))):
        before, cells = text.split('"cells":')
        wrong = f'{before}"cells":{cells.replace(chr(34) + "case-1117" + chr(34), "7", 1)}'
        path = tmp_path / "run.json"
        path.write_text(wrong, "utf-8")
        with pytest.raises(
            FileError, match=rf"is no run file of the gate \(cells\.{place}\.case_id: "
        ):
            read_run(path)


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        ("},\n{", "}\n{", "is not JSON"),
        ("}\n],", "},\n],", "is not JSON"),
        ('"cells": [', '"cells": [],\n"cells": [', "the key 'cells' stands twice"),
        ('"stopped": null', '"stopped": nul', "is not JSON"),
        ('"stopped": null', '"cells": []', "the key 'cells' stands twice"),
    ],
)
def test_read_cell_lines__slips_between_the_lines(
    tmp_path: Path, old: str, new: str, because: str
) -> None:
    """A comma that is missing or too many, a second list of cells, a slip below them."""
    assert old in TEXT
    path = tmp_path / "run.json"
    path.write_text(TEXT.replace(old, new, 1), "utf-8")
    with pytest.raises(FileError, match=because):
        read_run(path)


def test_read_cell_lines__line_below_the_cells(tmp_path: Path) -> None:
    """Errors below the cells name their own line."""
    text = TEXT.replace('"stopped": null', '"stopped": nul')
    number = 1 + text[: text.index('"stopped"')].count("\n")
    path = tmp_path / "run.json"
    path.write_text(text, "utf-8")
    with pytest.raises(FileError, match=rf"run\.json:{number}: is not JSON"):
        read_run(path)


def test_read_cell_lines__cells_of_something_else(tmp_path: Path) -> None:
    """A list of that name inside another key is not the run's."""
    path = tmp_path / "run.json"
    path.write_text('{"schema": 1, "id": "r", "more": {\n"cells": [\n{"a": 1}\n]\n}}\n', "utf-8")
    with pytest.raises(FileError):
        read_cell_lines(path, other_form)
    path.write_text('{"schema": 1, "id": "r", "more": {\n"cells": [\n]\n}}\n', "utf-8")
    assert Run(id="r") == read_run(path)
