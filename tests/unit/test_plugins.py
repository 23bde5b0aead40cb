"""Plug-ins: found by name or in the repository, imported when named, options checked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, Field

from gate.config import Use, load_config
from gate.errors import ConfigError
from gate.plugins import Kind, NoOptions, find, find_used, known, validate_options

LEAST = "dataset: {path: cases.yaml}\n"
HOUSE = """\
from pydantic import BaseModel, ConfigDict

class Counts:
    class Options(BaseModel):
        model_config = ConfigDict(extra="forbid")
        words: list[str] = []

NUMBER = 1
"""


class Target:
    """A plug-in with options of several kinds."""

    class Options(BaseModel):
        """Its options."""

        model_config = ConfigDict(extra="forbid", frozen=True)

        model: str
        version: str = ""
        tokens: int = Field(default=1, ge=1)
        stops: tuple[str, ...] = ()


class Bare:
    """A plug-in without options."""


class Odd:
    """A plug-in whose options are no record."""

    Options = dict


class Loose:
    """A plug-in whose options would pass unknown keys over."""

    class Options(BaseModel):
        """Its options."""

        model: str = ""


def points(*pairs: tuple[str, str]) -> Callable[[Kind], Iterable[EntryPoint]]:
    """Entry points, whatever the kind."""
    return lambda kind: [EntryPoint(name, value, f"kappagate.{kind}") for name, value in pairs]


def target(block: str) -> Use:
    """The `use:` block of one target on the lines from 4 on."""
    lines = "".join(f"    {line}\n" for line in block.splitlines())
    return load_config(f"{LEAST}targets:\n  one:\n{lines}", "gate.yaml", {}).targets[0]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A repository with a scorer of its own."""
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "counts.py").write_text(HOUSE, "utf-8")
    return tmp_path


def test_known__names_of_the_installed_package() -> None:
    """Ours enter by the same entry points as a stranger's; nothing is imported."""
    assert {"gemini", "recorded"} <= set(known("targets"))
    assert {"quality"} <= set(known("scorers"))
    assert {"markdown", "json", "csv", "junit"} <= set(known("reporters"))


def test_find__entry_point(tmp_path: Path) -> None:
    """The class behind the name."""
    installed = points(("date", "datetime:date"), ("broken", "no.such.module:X"))

    assert "date" == find("targets", "date", base=tmp_path, installed=installed).__name__


def test_find__imports_only_what_is_named(tmp_path: Path) -> None:
    """A neighbour that cannot be imported does no harm until it is named."""
    installed = points(("broken", "no.such.module:X"), ("date", "datetime:date"))
    find("targets", "date", base=tmp_path, installed=installed)

    with pytest.raises(ConfigError, match=r"gate.yaml:7: `broken` \(no.such.module:X\) cannot be"):
        find("targets", "broken", base=tmp_path, path="gate.yaml", line=7, installed=installed)


def test_find__no_class(tmp_path: Path) -> None:
    """An entry point must lead to a class."""
    with pytest.raises(ConfigError, match="`join` is no class"):
        find("targets", "join", base=tmp_path, installed=points(("join", "os.path:join")))


def test_find__unknown_name(tmp_path: Path) -> None:
    """File, line, what was perhaps meant, what there is, and the other way."""
    with pytest.raises(ConfigError) as caught:
        find(
            "reporters",
            "markdwon",
            base=tmp_path,
            path="gate.yaml",
            line=9,
            installed=points(("markdown", "a:B"), ("csv", "a:C")),
        )

    assert str(caught.value) == (
        "gate.yaml:9: unknown reporter `markdwon`; did you mean `markdown`? "
        "Known: `csv`, `markdown`; or `path.py:Name` for a class of this repository"
    )


def test_find__class_of_the_repository(house: Path) -> None:
    """A file below the base tree is imported once, and pydantic works inside it."""
    name = "evals/counts.py:Counts"
    found = find("scorers", name, base=house)

    assert found is find("scorers", name, base=house)
    use = target(f"use: {name}\nwords: [a, 1.10]")
    assert {"words": ["a", "1.10"]} == validate_options(found, use).model_dump()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../counts.py:Counts", "leads out of"),
        ("/etc/counts.py:Counts", "leads out of"),
        ("evals/../../counts.py:Counts", "leads out of"),
        ("evals/link.py:Counts", "leads out of"),
        ("evals/none.py:Counts", "does not exist in"),
        ("evals/counts.py:Count", "unknown class `Count`; did you mean `Counts`?"),
        ("evals/counts.py:NUMBER", "is no class"),
        ("evals/counts.py:", "names no class: write `evals/counts.py:Name`"),
        ("evals/counts.py:a.b", "names no class"),
        ("evals/slip.py:Counts", "`evals/slip.py` cannot be imported: SyntaxError"),
        ("evals/lost.py:Counts", "`evals/lost.py` cannot be imported: KeyError"),
    ],
)
def test_find__class_of_the_repository_refused(house: Path, name: str, message: str) -> None:
    """A path never leaves the tree, and every slip is said with its place."""
    outside = house.parent / f"{house.name}-outside.py"
    outside.write_text(HOUSE, "utf-8")
    (house / "evals" / "link.py").symlink_to(outside)
    (house / "evals" / "slip.py").write_text("class Counts(:", "utf-8")
    (house / "evals" / "lost.py").write_text("{}['key']", "utf-8")

    with pytest.raises(ConfigError) as caught:
        find("scorers", name, base=house, path="gate.yaml", line=3)
    assert str(caught.value).startswith("gate.yaml:3: ")
    assert message in str(caught.value)


def test_find__failed_import_leaves_nothing_behind(house: Path) -> None:
    """A file that is mended is read again."""
    place = house / "evals" / "later.py"
    place.write_text("raise ValueError('not yet')", "utf-8")
    before = set(sys.modules)
    with pytest.raises(ConfigError, match="not yet"):
        find("scorers", "evals/later.py:Counts", base=house)
    assert not {name for name in set(sys.modules) - before if name.startswith("gate_house")}

    place.write_text(HOUSE, "utf-8")
    assert "Counts" == find("scorers", "evals/later.py:Counts", base=house).__name__


def test_find_used__place_of_the_block(tmp_path: Path) -> None:
    """The error stands where the `use:` block begins."""
    with pytest.raises(ConfigError, match=r"^gate.yaml:3: unknown target `gemni`; did you mean"):
        find_used("targets", target("use: gemni"), base=tmp_path)


def test_validate_options__texts_as_written_and_numbers_typed() -> None:
    """The record decides what a scalar is."""
    use = target("use: x\nmodel: no\nversion: 1.10\ntokens: 3\nstops: [010, true]")

    assert validate_options(Target, use) == Target.Options(
        model="no", version="1.10", tokens=3, stops=("010", "true")
    )


@pytest.mark.parametrize(
    ("block", "line", "message"),
    [
        ("use: x", 4, "`targets.one.model`: is missing"),
        ("use: x\nmodel: m\ntoken: 1", 6, "`targets.one`: unknown key `token`; did you mean `tok"),
        ("use: x\nmodel: m\ntokens: 0", 6, "`targets.one.tokens`: must be greater than or equal"),
        ('use: x\nmodel: m\ntokens: "1"', 6, "must be a whole number, without quotes"),
        ("use: x\nmodel: m\nstops:\n  - a\n  - {b: 1}", 8, "`targets.one.stops[1]`: must be a te"),
    ],
)
def test_validate_options__refused(block: str, line: int, message: str) -> None:
    """File, line, key, and what is allowed."""
    with pytest.raises(ConfigError) as caught:
        validate_options(Target, target(block))

    assert line == caught.value.line
    assert message in str(caught.value)


def test_validate_options__plugin_without_options() -> None:
    """It accepts no keys."""
    assert NoOptions() == validate_options(Bare, target("use: x"))
    with pytest.raises(ConfigError, match=r"gate.yaml:5: `targets.one`: unknown key `a`. Known: n"):
        validate_options(Bare, target("use: x\na: 1"))


def test_validate_options__plugin_that_passes_keys_over() -> None:
    """A key that nobody reads is a slip, whatever the plug-in says."""
    with pytest.raises(ConfigError, match="unknown key `modle`; did you mean `model`"):
        validate_options(Loose, target("use: x\nmodle: m"))


def test_validate_options__options_that_are_no_record() -> None:
    """A fault of the plug-in is told as one."""
    with pytest.raises(ConfigError, match="no pydantic model"):
        validate_options(Odd, target("use: x"))
