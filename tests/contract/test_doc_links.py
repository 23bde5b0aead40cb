"""What the pages point at is there: pages, headings, commands, options."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from pathlib import Path

import click
import pytest

from gate.cli.main import COMMANDS

FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")
FOREIGN = {
    *("--user", "--env"),
    *("--dataset", "--models", "--phase2", "--kappa", "--results", "--kappa-model"),
    "--write-baseline",
}
"""Options that a page names alone: of docker, of gh, and of gemini-search-mcp."""


def pages(root: Path) -> list[Path]:
    """Every page that somebody reads."""
    front = [root / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md")]
    return [*front, *sorted((root / "docs").glob("*.md"))]


def anchors(page: Path) -> set[str]:
    """The names that GitHub gives to a page's headings."""
    seen: Counter[str] = Counter()
    found = set()
    for title in re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text("utf-8")), re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).strip().lower()
        name = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


def options_of(name: str) -> set[str]:
    """Every option of a command, those that its help leaves out among them."""
    command = importlib.import_module(f"gate.cli.{name}_command").command
    assert isinstance(command, click.Command)
    said = {flag for one in command.params for flag in (*one.opts, *one.secondary_opts)}
    return {*said, "--help", "-h"}


def commands_in(text: str) -> list[tuple[str, list[str]]]:
    """Each `gate NAME ...` of a text in code, and the options that follow it."""
    one_line = re.sub(r"\\?\n +(?=--)", " ", re.sub(r"(?m)(^|\s)#.*$", "", text))
    calls = re.findall(r"(?<![\w/.-])gate ([a-z]+)(?=[ `\n])([^`\n;|#&]*)", one_line)
    return [(name, re.findall(r"(?<= )--?[a-z][a-z-]*", rest)) for name, rest in calls]


def code_of(page: Path) -> str:
    """What stands in code, inline or in a fence."""
    text = page.read_text("utf-8")
    fenced = FENCE.findall(text)
    inline = re.findall(r"`+([^`\n]+)`+", FENCE.sub("", text))
    return "\n".join([*fenced, *inline, ""])


def test_links__lead_somewhere(root: Path) -> None:
    """To a file of the repository, and to a heading that it has."""
    lost = []
    for page in pages(root):
        for link in LINK.findall(FENCE.sub("", page.read_text("utf-8"))):
            place, _, anchor = link.partition("#")
            if "://" in link:
                continue
            there = (page.parent / place).resolve() if place else page
            if not there.is_file() or (anchor and anchor not in anchors(there)):
                lost.append(f"{page.name}: {link}")

    assert [] == lost


def test_anchors__are_github_s(tmp_path: Path) -> None:
    """Signs go, blanks become hyphens, a second one of the same name is numbered."""
    page = tmp_path / "page.md"
    page.write_text("# Who's `gate init`?\n## A, b\n```\n# no\n```\n## A, b\n", "utf-8")

    assert {"whos-gate-init", "a-b", "a-b-1"} == anchors(page)


def test_readme__lists_every_page(root: Path) -> None:
    """What nobody finds is not there; each has a line in the list of pages."""
    section = (root / "README.md").read_text("utf-8").split("\n## Documentation\n")[1]
    linked = re.findall(r"\(docs/([\w-]+\.md)\) \| \S", section.split("\n## ")[0])

    assert sorted(page.name for page in (root / "docs").glob("*.md")) == sorted(linked)


def test_pages__name_no_command_that_is_not_there(root: Path) -> None:
    """Nor an option that its command does not take. Texts of errors are sentences, not commands."""
    wrong = []
    for page in pages(root):
        if page.name == "troubleshooting.md":
            continue
        for name, options in commands_in(code_of(page)):
            if name not in COMMANDS:
                wrong.append(f"{page.name}: gate {name}")
                continue
            unknown = sorted(set(options) - options_of(name))
            wrong += [f"{page.name}: gate {name} {one}" for one in unknown]

    assert [] == wrong


def test_pages__name_no_option_that_no_command_has(root: Path) -> None:
    """Options that stand alone in code."""
    known = FOREIGN.union(*map(options_of, COMMANDS))
    wrong = [
        f"{page.name}: {option}"
        for page in pages(root)
        for option in re.findall(r"`(--[a-z-]+)[ `=]", FENCE.sub("", page.read_text("utf-8")))
        if option not in known
    ]

    assert [] == wrong


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$ gate run --offline=wrong --scorer quick\n", [("run", ["--offline", "--scorer"])]),
        ("  gate report gate-out --format junit -o x || true\n", [("report", ["--format", "-o"])]),
        ("gate kappa a/run.json \\\n  --write x\n", [("kappa", ["--write"])]),
        ("docker run --rm IMAGE gate run --yes\n", [("run", ["--yes"])]),
        ("python -m mygate run --no\nmake gate   # runs the gate against a world\n", []),
    ],
)
def test_commands__are_found(text: str, expected: list[tuple[str, list[str]]]) -> None:
    """Or the test above would be pleased with anything."""
    assert expected == commands_in(text)
