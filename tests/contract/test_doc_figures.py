"""Figures, examples and tables of the pages are those of the code."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

import gate.config.environment as variables
from gate.cli.estimating import Estimator, groups_of
from gate.cli.init_choices import Choices
from gate.cli.init_files import CASES, planned
from gate.config import load_config
from gate.datasets.native import load_cases
from gate.decision.prospects import prospects, together
from gate.decision.words import dollars, percent
from gate.engine.plan import choose_cases
from gate.models.assumptions import ASSUMED
from gate.models.catalogue import load_catalogue
from gate.reports.estimate import Setting, estimate_text
from gate.reports.page import WORDS
from gate.reports.rows import ADVISORY, MARKS, WATCHED
from gate.schemas import schema_for
from gate.types import Policy
from gate.wiring import metrics_of
from tests.unit.json_schema import faults

DAY = date(2026, 12, 1)
"""Day of the prices on the page about costs; some change on a day that is known."""
KEYS = {
    "GEMINI_API_KEY": "Gemini's",
    "ANTHROPIC_API_KEY": "Claude's",
}
"""Secret -> its name in the table."""


def page(root: Path, name: str) -> str:
    """The text of a page."""
    return (root / "docs" / f"{name}.md").read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language, those in a list among them."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", body, flags=re.MULTILINE) for indent, body in found]


def yaml_blocks(root: Path) -> list[tuple[str, str, Any]]:
    """Page, text and value of every block that is no workflow and has no template's gaps."""
    every = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    texts = [(one.name, text) for one in every for text in blocks(one.read_text("utf-8"), "yaml")]
    return [(name, text, yaml.safe_load(text)) for name, text in texts]


def test_pages__whole_configurations_can_be_read(root: Path) -> None:
    """By the gate itself, scorer sets and all."""
    whole = [
        (name, text)
        for name, text, value in yaml_blocks(root)
        if isinstance(value, dict) and {"dataset", "targets"} <= set(value)
    ]

    assert [] == [name for name, text in whole if not load_config(text, name, {}).targets]
    assert "anywhere.md" in {name for name, _ in whole}


def test_pages__parts_of_a_configuration_have_known_keys(root: Path) -> None:
    """A part is what has no key but those of gate.yaml."""
    schema: dict[str, Any] = schema_for("config")
    keys = schema["$defs"]["GateFile"]
    keys["required"] = []
    parts = [
        (name, value)
        for name, _, value in yaml_blocks(root)
        if isinstance(value, dict) and set(value) <= set(keys["properties"])
    ]
    wrong = [f"{name}: {one}" for name, value in parts for one in faults(schema, value)]

    assert [] == wrong
    assert {"README.md", "comment.md", "anywhere.md"} <= {name for name, _ in parts}


def test_pages__examples_of_cases_can_be_read(root: Path) -> None:
    """What somebody copies is taken."""
    lists = [
        (name, text)
        for name, text, value in yaml_blocks(root)
        if isinstance(value, list) and "query" in value[0]
    ]

    assert [] == [name for name, text in lists if not load_cases(text, name)]
    assert {"README.md", "cases.md", "files.md"} <= {name for name, _ in lists}


def estimator(root: Path, *, repeats: int = 1) -> Estimator:
    """What a configuration would cost on the page's day."""
    config = load_config((root / "gate.yaml").read_text("utf-8"), "gate.yaml", {})
    cases = load_cases((root / CASES).read_text("utf-8"), CASES)
    return Estimator(
        config=config,
        root=root,
        cases=choose_cases(cases, sample=None, seed="gate-v1"),
        targets=config.find_uses("targets"),
        repeats=repeats,
        on=DAY,
    )


def started(folder: Path, *, fetch: bool = False) -> Path:
    """A repository as `gate init` leaves it."""
    for one in planned(Choices(fetch=fetch), None):
        (folder / one.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / one.path).write_text(one.text, "utf-8")
    return folder


def table_of(made: Estimator) -> str:
    """The first lines of `gate estimate`, the table."""
    setting = Setting(
        cases=len(made.cases),
        targets=tuple(one.name for one in made.targets),
        repeats=made.repeats,
        prices=load_catalogue().read_on.isoformat(),
        day=DAY.isoformat(),
    )
    found = [made.estimate(group) for group in groups_of(made.config, [])]
    return estimate_text(setting, found, ASSUMED).partition("\n\nAssumed")[0]


def whole_usd(made: Estimator) -> str:
    """What a run of all scorers costs."""
    found = [made.estimate(group) for group in groups_of(made.config, [])]
    return dollars(next(one.known_usd for one in found if one.name == "all scorers"))


def test_costs__are_the_estimate_s(root: Path, tmp_path: Path) -> None:
    """Both tables, and the four baselines."""
    said = page(root, "costs")
    new, pages = started(tmp_path / "new"), started(tmp_path / "pages", fetch=True)

    assert table_of(estimator(new)) in said
    assert table_of(estimator(root)) in said
    for place, repeats in ((new, 1), (new, 5), (pages, 1), (pages, 5), (root, 1), (root, 5)):
        assert f"{whole_usd(estimator(place, repeats=repeats))} |" in said


def test_cases__how_many_is_what_init_says(root: Path) -> None:
    """Smallest drop and share of unchanged runs that pass, for each number of cases."""
    said = page(root, "cases")
    for cases in (13, 24, 48):
        found = prospects(cases, Policy())
        cells = [f"{one.smallest_drop:.2f}, {percent(one.pass_rate)}" for one in found]
        row = " | ".join([f"| {cases}", *cells, percent(together(found)), "$"])
        assert row in said


def test_comment__examples_are_golden(root: Path) -> None:
    """What the page shows is what the gate writes, blanks that hold words together aside."""
    files = (root / "tests" / "golden").glob("comment-*.md")
    golden = [one.read_text("utf-8").replace("\N{NO-BREAK SPACE}", " ") for one in files]
    shown = blocks(page(root, "comment"), "markdown")

    assert [] == [text for text in shown if not any(text in one for one in golden)]
    assert 2 == len(shown)


def test_comment__tells_of_every_word(root: Path) -> None:
    """Of a verdict and of a row."""
    said = page(root, "comment")
    words = [word for _, word in (*MARKS.values(), ADVISORY, WATCHED)]

    assert [] == [word for word in words if f"| {word} |" not in said]
    assert [] == [mark for mark, word in WORDS.values() if f"| {mark} {word} |" not in said]


def rows_of(root: Path, name: str, columns: int) -> dict[tuple[str, str], list[str]]:
    """(workflow, job) -> the other cells, of the table of a page; one row may name several jobs."""
    found: dict[tuple[str, str], list[str]] = {}
    flow = ""
    for line in page(root, name).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != columns or not re.search(r"`[\w-]+`", cells[1]):
            continue
        flow = cells[0].strip("`") or flow
        if flow.endswith(".yml"):
            found |= {(flow, job): cells[2:] for job in re.findall(r"`([\w-]+)`", cells[1])}
    return found


def jobs_of(root: Path) -> dict[tuple[str, str], tuple[str, list[str]]]:
    """(workflow, job) -> the token's rights as the table has them, and the keys."""
    found = {}
    for path in sorted((root / "gate" / "cli" / "workflows").glob("*.yml")):
        name, flow = path.name, yaml.safe_load(path.read_text("utf-8"))
        for job, body in flow["jobs"].items():
            rights = ", ".join(f"{what}: {may}" for what, may in body["permissions"].items())
            given = {key for step in body["steps"] for key in step.get("env", {})}
            found[name, job] = (rights, [said for key, said in KEYS.items() if key in given])
    return found


def test_trust__tokens_and_keys_are_those_of_the_workflows(root: Path) -> None:
    """A reviewer reads the table in the place of five files."""
    expected = {
        where: [rights, "both" if len(keys) > 1 else keys[0] if keys else "none"]
        for where, (rights, keys) in jobs_of(root).items()
    }

    assert expected == rows_of(root, "trust", 4)
    assert 12 <= len(expected)


def test_credentials__who_sees_which_is_that_of_the_workflows(root: Path) -> None:
    """The same of the other page."""
    expected = {
        where: ["yes" if said in keys else "no" for said in KEYS.values()]
        for where, (_, keys) in jobs_of(root).items()
    }

    assert expected == rows_of(root, "credentials", 4)


def test_credentials__tells_of_every_variable(root: Path) -> None:
    """All that the gate reads of the environment for its connections."""
    known = re.findall(r"^\| ([A-Z_, ]+) \|", variables.__doc__ or "", re.MULTILINE)
    names = [name for row in known for name in row.split(", ") if name != "EVAL_JUDGE_MODEL"]

    assert 8 <= len(names)
    assert [] == [name for name in names if f"`{name}`" not in page(root, "credentials")]


@pytest.mark.parametrize("name", ["credentials", "cases", "costs", "trust", "anywhere", "comment"])
def test_headings__are_sentences(root: Path, name: str) -> None:
    """One title a page, and each heading begins like a sentence."""
    text = re.sub(r"^ *```.*?^ *```$", "", page(root, name), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^(#+) (.+)$", text, re.MULTILINE)

    assert 1 == len([marks for marks, _ in titles if marks == "#"])
    assert [] == [title for _, title in titles if not title[0].isupper() and title[0] != "`"]


def test_pages__examples_of_rules_are_of_the_built_in_scorers(root: Path) -> None:
    """A rule for a dimension that nobody measures is an error: what is copied must not be one."""
    config = load_config((root / "gate.yaml").read_text("utf-8"), "gate.yaml", {})
    known = {one.name for one in metrics_of(config, config.find_uses("scorers"), root)}
    rules = {
        (name, dimension)
        for name, _, value in yaml_blocks(root)
        if isinstance(value, dict) and isinstance(policy := value.get("policy"), dict)
        for dimension in policy.get("rules", {})
    }

    assert [] == [one for one in sorted(rules) if one[1] not in known]
    assert ("verdict.md", "correctness") in rules
