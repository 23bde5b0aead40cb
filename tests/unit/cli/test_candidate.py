"""Two trees on disk: what is followed of the candidate's, and what is listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.cli.candidate import Candidate, read_candidate
from gate.cli.reading import read_cases, read_config
from gate.cli.request import Setting, Wish, base_tree, config_place, read_setting
from gate.errors import ConfigError, FileError

GATE = """\
dataset: {path: evals/cases.yaml}
targets:
  flash: {use: gemini, model: gemini-3.8-flash, system_prompt_file: prompt.txt}
  stored: {use: recorded, file: answers.jsonl}
scorers: [quality]
"""
HOUSE = """\
from gate.wire.records import Form


class Own:
    class Options(Form):
        size: int

    candidate_owned = frozenset({"size"})
"""
CASES = '- {id: one, query: "1?"}\n- {id: two, query: "2?"}\n'


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """A base, and a candidate that is its copy."""
    for name in ("base", "candidate"):
        root = tmp_path / name
        (root / "evals" / "labels").mkdir(parents=True)
        (root / "gate.yaml").write_text(GATE, "utf-8")
        (root / "evals" / "cases.yaml").write_text(CASES, "utf-8")
        (root / "baseline.json").write_text("{}", "utf-8")
        (root / "prompt.txt").write_text(f"Of the {name}.", "utf-8")
        (root / "answers.jsonl").write_text(f"Of the {name}.", "utf-8")
    return tmp_path / "base", tmp_path / "candidate"


def read(trees: tuple[Path, Path]) -> Candidate:
    """Read the candidate."""
    base, candidate = trees
    config = read_config(base / "gate.yaml", {})
    return read_candidate(config, read_cases(config, base), base, candidate)


def test_same_trees__nothing_is_listed(trees: tuple[Path, Path]) -> None:
    """Only the prompt differs, and it is the candidate's own."""
    assert () == read(trees).edits


def test_prompt__is_the_candidates_and_stored_answers_are_the_bases(
    trees: tuple[Path, Path],
) -> None:
    """Who could bring his own answers could write them by hand."""
    found = read(trees)

    assert "Of the candidate." == found.reader_of("flash")("prompt.txt")
    assert "Of the base." == found.reader_of("stored")("answers.jsonl")


def test_prompt__outside_of_the_candidate_is_refused(trees: tuple[Path, Path]) -> None:
    """A link to a file of this machine is not sent to a model."""
    (trees[1] / "prompt.txt").unlink()
    (trees[1] / "prompt.txt").symlink_to(trees[0] / "prompt.txt")

    with pytest.raises(FileError, match="leaves"):
        read(trees).reader_of("flash")("prompt.txt")


def test_target_of_another_kind__keeps_the_bases_prompt(trees: tuple[Path, Path]) -> None:
    """Nothing of it is followed, its files neither."""
    text = GATE.replace("use: gemini, model: gemini-3.8-flash,", "use: own.py:A,")
    (trees[1] / "gate.yaml").write_text(text, "utf-8")

    assert "Of the base." == read(trees).reader_of("flash")("prompt.txt")


def test_files__are_listed_by_what_they_are(trees: tuple[Path, Path]) -> None:
    """Baseline, calibration, labels, prompts and house scorers; other files are nobody's."""
    base, candidate = trees
    (candidate / "baseline.json").write_text("[]", "utf-8")
    (candidate / "evals" / "calibration.json").write_text("{}", "utf-8")
    (base / "evals" / "labels" / "a.yaml").write_text("a", "utf-8")
    (candidate / "evals" / "labels" / "b.yaml").symlink_to("/etc/passwd")
    for folder in ("prompts", "scorers"):
        (candidate / "evals" / folder / "deep").mkdir(parents=True)
        (candidate / "evals" / folder / "deep" / "x").write_text("x", "utf-8")
    (candidate / "README.md").write_text("x", "utf-8")

    assert (
        "baseline `baseline.json`: changed",
        "calibration `evals/calibration.json`: added",
        "labels `evals/labels/a.yaml`: removed",
        "labels `evals/labels/b.yaml`: a link, which is not followed",
        "prompts `evals/prompts/deep/x`: added",
        "house code `evals/scorers/deep/x`: added",
    ) == read(trees).edits


def test_cases__by_id_and_unreadable_ones_too(trees: tuple[Path, Path]) -> None:
    """A broken file of the candidate stops nothing: its cases are not asked."""
    place = trees[1] / "evals" / "cases.yaml"
    place.write_text('- {id: one, query: "1?"}\n# a comment\n', "utf-8")
    assert ("1 case removed, and asked all the same: `two`",) == read(trees).edits

    place.write_text("no cases", "utf-8")
    assert ("cases `evals/cases.yaml`: changed, and not readable",) == read(trees).edits

    place.unlink()
    assert ("cases `evals/cases.yaml`: removed",) == read(trees).edits


def test_gate_yaml__missing_or_a_link_cannot_run(trees: tuple[Path, Path]) -> None:
    """A verdict without it would say nothing of the candidate."""
    place = trees[1] / "gate.yaml"
    place.unlink()
    with pytest.raises(ConfigError, match=r"candidate/gate.yaml: the candidate has no such"):
        read(trees)

    place.symlink_to(trees[0] / "gate.yaml")
    with pytest.raises(FileError, match="not followed"):
        read(trees)


def test_gate_yaml__option_that_the_plugin_refuses(trees: tuple[Path, Path]) -> None:
    """Exit 2, with the candidate's file and line."""
    text = GATE.replace("gemini-3.8-flash,", "gemini-3.8-flash, temperature: hot,")
    (trees[1] / "gate.yaml").write_text(text, "utf-8")

    with pytest.raises(ConfigError, match=r"candidate/gate.yaml:3: .*temperature"):
        read(trees)


def test_house_plugin__of_the_candidate_is_not_imported(trees: tuple[Path, Path]) -> None:
    """Its code would run where the base's secrets are."""
    base, candidate = trees
    for root, size in ((base, 1), (candidate, 2)):
        own = f"  own: {{use: own.py:Own, size: {size}}}\n  stored:"
        (root / "gate.yaml").write_text(GATE.replace("  stored:", own), "utf-8")
    (base / "own.py").write_text(HOUSE, "utf-8")
    (candidate / "own.py").write_text("raise SystemExit('run!')", "utf-8")

    found = read(trees)

    assert {"size": 2} == found.config.find_use("targets", "own").options.values
    assert ("house code `own.py`: changed",) == found.edits


@pytest.fixture
def deep(trees: tuple[Path, Path]) -> tuple[Path, Path]:
    """Two trees whose configuration lies in a folder, with labels in a folder beside it."""
    for root in trees:
        files = list(root.iterdir())
        (root / "apps" / "a").mkdir(parents=True)
        for file in files:
            file.rename(root / "apps" / "a" / file.name)
        shared = "labels: [../labels/*.yaml]\n"
        (root / "apps" / "a" / "gate.yaml").write_text(GATE + shared, "utf-8")
        (root / "apps" / "labels").mkdir()
    return trees


def deeply(trees: tuple[Path, Path]) -> Setting:
    """Read both trees by the options of the command line."""
    base, candidate = trees
    wish = Wish(Path("apps/a/gate.yaml"), Path("out"), base_path=base, candidate_path=candidate)
    return read_setting(wish, {})


def test_folder_of_the_configuration__is_where_its_paths_start(deep: tuple[Path, Path]) -> None:
    """In both trees; and an edit is named from the root of the tree."""
    base, candidate = deep
    for name in ("baseline.json", "evals/cases.yaml"):
        (candidate / "apps" / "a" / name).write_text("[]", "utf-8")
    (candidate / "apps" / "labels" / "new.yaml").write_text("x", "utf-8")
    (candidate / "baseline.json").write_text("of nobody", "utf-8")

    found = deeply(deep)

    assert base / "apps" / "a" == found.root
    assert base / "apps" / "a" / "baseline.json" == found.baseline
    assert ["one", "two"] == [case.id for case in found.cases]
    assert found.candidate is not None
    assert "Of the candidate." == found.candidate.reader_of("flash")("prompt.txt")
    assert "Of the base." == found.candidate.reader_of("stored")("answers.jsonl")
    assert (
        "baseline `apps/a/baseline.json`: changed",
        "labels `apps/labels/new.yaml`: added",
        "cases `apps/a/evals/cases.yaml`: changed, and not readable",
    ) == found.candidate.edits


@pytest.mark.parametrize("name", ["../../secret.txt", "../b/prompt.txt", "link.txt"])
def test_folder_of_the_configuration__its_prompts_do_not_leave_it(
    deep: tuple[Path, Path], name: str
) -> None:
    """Neither by `..` nor by a link, although the file may be in the candidate's tree."""
    folder = deep[1] / "apps"
    (folder / "b").mkdir()
    for place in (deep[1].parent / "secret.txt", deep[1] / "secret.txt", folder / "b/prompt.txt"):
        place.write_text("x", "utf-8")
    (folder / "a" / "link.txt").symlink_to(folder / "b" / "prompt.txt")
    candidate = deeply(deep).candidate

    assert candidate is not None
    with pytest.raises(FileError, match=r"without `\.\.`|leaves"):
        candidate.reader_of("flash")(name)


def test_folder_of_the_configuration__as_a_link_is_not_followed(
    deep: tuple[Path, Path], tmp_path: Path
) -> None:
    """It could lead to any folder of this machine."""
    (deep[1] / "apps").rename(tmp_path / "elsewhere")
    (deep[1] / "apps").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(FileError, match=r"apps/a: is a link, or lies behind one"):
        deeply(deep)


def test_base_tree__the_checkout_where_nobody_names_one(
    deep: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the candidate is a checkout as well; without any, it is the configuration's folder."""
    base, _ = deep
    here = Wish(Path("gate.yaml"), Path("out"))
    assert base == base_tree(Wish(Path("gate.yaml"), Path("out"), base_path=base))
    monkeypatch.chdir(base)
    assert Path("apps/a") == base_tree(Wish(Path("apps/a/gate.yaml"), Path("out")))

    (base / ".git").mkdir()

    assert Path() == base_tree(Wish(Path("apps/a/gate.yaml"), Path("out")))
    monkeypatch.chdir(base / "apps" / "a")
    assert base == base_tree(here)


def test_config_place__is_in_the_base(trees: tuple[Path, Path], tmp_path: Path) -> None:
    """A gate.yaml of the folder that a command is typed in does not decide."""
    base, candidate = trees

    assert base / "gate.yaml" == config_place(Path("gate.yaml"), base)
    assert base / "gate.yaml" == config_place(base / "gate.yaml", base)
    assert Path("gate.yaml") == config_place(Path("gate.yaml"), None)
    with pytest.raises(ConfigError, match="whose files decide"):
        config_place(candidate / "gate.yaml", base)
