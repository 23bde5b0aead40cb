"""docs/troubleshooting.md holds every error that the gate can show.

What is shown, and what is not, is the rule at the head of docs/error_texts.py: errors of
gate/errors.py wherever they are built, reasons of missing answers and scores, lines of the doctor,
warnings and headlines of a verdict, `::error` of the workflow templates. The stand-in world and
errors of programming are not.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
"""A stretch of Markdown in code font, on one line."""


@pytest.fixture(scope="module")
def texts(root: Path) -> Iterator[ModuleType]:
    """The collector, which lies beside the page."""
    sys.path.insert(0, str(root / "docs"))
    import error_texts  # noqa: PLC0415 - it lies in no package

    yield error_texts
    sys.path.remove(str(root / "docs"))


def spans(page: str) -> list[str]:
    """Return what a page has in code font, white space made one blank."""
    return [" ".join(text.split()) for _, text in CODE.findall(page)]


def missing(page: str, collected: list[tuple[str, list[str]]]) -> list[str]:
    """Return the texts of which no stretch in code font has all fixed words, in their order."""
    shown = spans(page)
    return [text for text, parts in collected if not any(holds(one, parts) for one in shown)]


def holds(span: str, parts: list[str]) -> bool:
    """Tell whether the parts stand in a stretch, one behind the other."""
    at = 0
    for part in parts:
        found = span.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def in_source(folder: Path, source: str, texts: ModuleType) -> list[str]:
    """Return what is collected of a package with this module beside the errors."""
    package = folder / "gate"
    package.mkdir()
    (package / "errors.py").write_text(
        "class GateError(Exception): ...\nclass ConfigError(GateError): ...\n"
    )
    (package / "a.py").write_text(source)
    return [one.shown for one in texts.collect(folder)]


def test_page__holds_every_text(root: Path, texts: ModuleType) -> None:
    """A new error without an entry is named here; `make docs` lists it, and may want a word."""
    page = (root / "docs" / "troubleshooting.md").read_text("utf-8")
    collected = [(f"{one.file}:{one.line}: {one.shown}", one.parts) for one in texts.collect(root)]

    assert [] == missing(page, collected)


def test_page__holds_every_status_of_a_page(root: Path) -> None:
    """They stand in reports and warnings, one or two words each."""
    page = (root / "docs" / "troubleshooting.md").read_text("utf-8")
    wire = root / "gate" / "wire"
    found = set()
    for path in (
        wire / "web.py",
        wire / "pagetext" / "reader.py",
        wire / "pagetext" / "process.py",
    ):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.keyword(arg="status", value=ast.Constant(value=str(status))):
                    found.add(status)
                case ast.Call(
                    func=ast.Name(id="Fetched" | "UnreadError"),
                    args=[*_, ast.Constant(value=str(status))],
                ):
                    found.add(status)
                case ast.FunctionDef(name="_status"):
                    constants = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
                    found |= {one for one in constants if isinstance(one, str)}

    assert {"timeout", "too many redirects", "refused address", "unreadable"} <= found
    assert [] == sorted(one for one in found - {"ok"} if f"`{one}`" not in page)


def test_page__is_up_to_date(root: Path, texts: ModuleType) -> None:
    """`make docs` renews it; a file without a section and an entry without an error are refused."""
    import make_troubleshooting as maker  # noqa: PLC0415 - see `texts`

    hand = maker.HAND.read_text("utf-8")

    assert maker.PAGE.read_text("utf-8") == maker.page(texts.collect(root), hand)


def test_page__links_lead_somewhere(root: Path) -> None:
    """Its own headings, and those of the other pages."""
    docs = root / "docs"
    page = (docs / "troubleshooting.md").read_text("utf-8")

    lost = []
    for file, place in re.findall(r"\]\(([\w./-]*)#([^)]*)\)", page):
        headings = re.findall(
            r"(?m)^#+ (.+)$", (docs / (file or "troubleshooting.md")).read_text("utf-8")
        )
        if place not in {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}:
            lost.append(f"{file}#{place}")
    assert [] == lost


def test_collector__finds_hundreds_in_every_room(root: Path, texts: ModuleType) -> None:
    """A collector that finds little would let the page be empty."""
    found = texts.collect(root)
    rooms = {one.file.split("/")[1] for one in found}

    assert len(found) > 700
    assert {"cli", "config", "datasets", "decision", "engine", "imports"} <= rooms
    assert {"models", "publish", "scorers", "targets", "wire", "plugins.py"} <= rooms
    assert "loopback" not in rooms
    assert [] == [one for one, other in pairwise(found) if one == other]


def test_collector__sees_every_raise_with_words(root: Path, texts: ModuleType) -> None:
    """No raise of ours that has three constant words in it is passed over.

    Counted by another road: the constants of each `raise` of an error's class, or of a function
    that makes one.
    """
    collector = texts.Collector(root)
    said = " ".join(" ".join(one.shown.split()) for one in collector.texts())
    lost = []
    for path in sorted((root / "gate").rglob("*.py")):
        if "loopback" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)):
                continue
            name = ast.unparse(node.exc.func).rpartition(".")[2]
            ours = name in collector.classes or not name[0].isupper()
            words = [
                " ".join(one.value.split())
                for argument in node.exc.args
                for one in ast.walk(argument)
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            long = [one for one in words if len(re.findall(r"[A-Za-z]{2,}", one)) > 2]
            if ours and not all(one in said for one in long):
                lost.append(f"{path.relative_to(root)}:{node.lineno}: {long}")

    assert [] == lost


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('raise ConfigError("write a name", path)', ["write a name"]),
        ('raise ConfigError(f"the case {case_id} is lost")', ["the case CASE is lost"]),
        ('raise ConfigError("write " f"{count} names" + ": or none")', ["write … names: or none"]),
        ('raise ConfigError("one way" if a else "another way")', ["another way", "one way"]),
        ('_MEND = "mend it"\nraise ConfigError(f"is broken: {_MEND}")', ["is broken: mend it"]),
        ('def f():\n    said = "local words"\n    raise ConfigError(said)', ["local words"]),
        (
            'def located(why):\n    return ConfigError(f"here: {why}")\nraise located("no name")',
            ["here: no name"],
        ),
        (
            'def why(name) -> str:\n    return f"not {name}"\nraise ConfigError(why(x) + ": mend")',
            ["not NAME: mend"],
        ),
        ('Failure(kind="empty", message="it said nothing")', ["it said nothing"]),
        ('Check(topic="a", state="ok", says="all is well")', []),
        ('Check(topic="a", state="wrong", says="it is lost")', ["it is lost"]),
        ('raise ValueError("of the programmer alone")', []),
        ("raise ConfigError(str(error))", []),
    ],
)
def test_collector__reads_what_a_message_is_made_of(
    tmp_path: Path, texts: ModuleType, source: str, expected: list[str]
) -> None:
    """Constants, f-strings, sums, choices, locals, and functions that make texts or errors."""
    assert expected == in_source(tmp_path, source, texts)


def test_missing__names_an_error_that_is_not_on_the_page() -> None:
    """Parts must stand in one stretch of code, in their order."""
    page = "- `the case CASE is lost: name another`\n- ``no `id` here``\n\nThe words of no error.\n"

    for parts in (["the case", "is lost"], ["no `id` here"]):
        assert [] == missing(page, [("x", parts)])
    for parts in (["is lost", "the case"], ["of no error"], ["the case", "`id`"], ["new error"]):
        assert ["x"] == missing(page, [("x", parts)])
