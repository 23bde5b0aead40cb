"""`gate init`, the real command: in a pseudo-terminal, and what its files are good for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gate.cli.init_choices import QUESTIONS
from tests.gate_cli import gate
from tests.pseudo_terminal import PseudoTerminal

PROMPTFOO = """\
prompts: ['Say briefly: {{question}}']
providers: [openai:gpt-5-mini]
tests:
  - description: How high is Kveldsnut?
    vars: {question: "How high is Kveldsnut, the highest mountain on Hestrøy?"}
    assert:
      - {type: icontains, value: "1,204 m"}
      - {type: regex, value: "[0-9]+"}
"""


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, but for the folder of runs."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    names = {path: path.relative_to(folder).as_posix() for path in found}
    return {
        name: path.read_bytes() for path, name in names.items() if not name.startswith("gate-out/")
    }


def questioned(terminal: PseudoTerminal, *answers: str) -> None:
    """Answer the questions in their order."""
    for question, answer in zip(QUESTIONS.values(), answers, strict=False):
        terminal.wait_for(question.text[:20])
        terminal.wait_for("[y/N]")
        terminal.press(answer)


def test_init__in_an_empty_folder(tmp_path: Path) -> None:
    """Three questions; then doctor has nothing against it, and a run ends as a report."""
    (tmp_path / ".git").mkdir()
    with PseudoTerminal("init", folder=tmp_path) as terminal:
        questioned(terminal, "\r", "y\r", "\r")
        code = terminal.end()

    assert 0 == code
    assert "no legal advice" in terminal.seen
    assert "smallest drop" in terminal.seen
    assert "gh label create gate" in terminal.seen
    assert [] == [line for line in terminal.seen.splitlines() if len(line) > 80]
    made = files(tmp_path)
    assert {
        *("gate.yaml", "evals/cases.yaml", "evals/labels/example.yaml", ".gitignore"),
        *(f"evals/schema/{name}.json" for name in ("config", "cases", "labels")),
        *(f".github/workflows/{name}.yml" for name in ("gate", "gate-fork")),
    } <= set(made)

    done = gate("doctor", "--offline", "--json", folder=tmp_path)
    checks = {one["topic"]: one["state"] for one in json.loads(done.out)}
    assert (0, []) == (done.code, [name for name, state in checks.items() if state == "wrong"])
    assert ("ok", "ok") == (checks["ignored"], checks["cases"])
    done = gate("run", "--offline", folder=tmp_path)
    assert (0, "report") == (done.code, done.verdict["status"]), done.err
    assert {"faithfulness", "correctness"} <= {
        row["dimension"] for row in done.verdict["comparisons"]
    }
    assert made == files(tmp_path)


def test_init__a_second_time_changes_nothing(tmp_path: Path) -> None:
    """It asks nothing more, names what is there, and a forced one renews only what is unedited."""
    first = gate("init", folder=tmp_path)
    assert 0 == first.code
    assert "nothing was asked, so this is no: --no-runs-code, --no-fetch" in first.err
    made = files(tmp_path)

    with PseudoTerminal("init", folder=tmp_path) as terminal:
        assert 0 == terminal.end()
    assert "[y/N]" not in terminal.seen
    assert "Left as it was" in terminal.seen
    assert "Written" not in terminal.seen
    assert made == files(tmp_path)

    (tmp_path / "evals" / "cases.yaml").write_text('- {id: mine, query: "Why?"}\n', "utf-8")
    done = gate("init", "--yes", "--force", "--keep-text", folder=tmp_path)
    assert "Left as it was\n  evals/cases.yaml\n" in done.out
    assert "No run of 1 case can pass" in done.out
    changed = {name for name, data in files(tmp_path).items() if data != made[name]}
    assert {"gate.yaml", "evals/cases.yaml"} == changed


def test_init__in_a_repository_that_has_files(tmp_path: Path) -> None:
    """They stay byte by byte; lines are added to .gitignore, and to nothing else."""
    own = {
        "gate.yaml": b"dataset: {path: mine.yaml}\njudge: {use: claude, model: claude-opus-5-5}\n"
        b"targets: {a: {use: gemini, model: gemini-3.8-flash}}\n",
        "mine.yaml": b"- {id: mine, query: x}\n",
        ".gitignore": b"*.pyc\r\nbuild",
        ".github/workflows/gate.yml": b"name: mine\n",
    }
    for name, data in own.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)

    with PseudoTerminal("init", folder=tmp_path) as terminal:
        assert 0 == terminal.end()

    made = files(tmp_path)
    added = own[".gitignore"] + b"\r\ngate-out/\r\ngha-creds-*.json\r\n"
    assert own | {".gitignore": added} == {name: made[name] for name in own}
    assert "evals/cases.yaml" not in made
    assert ".github/workflows/gate-fork.yml" in made
    assert "A run of 1 case" in terminal.seen


@pytest.mark.parametrize("answers", [(), ("\r",), ("n\r", "y\r")])
def test_init__interrupted_between_questions(tmp_path: Path, answers: tuple[str, ...]) -> None:
    """Exit 130, and nothing is there."""
    with PseudoTerminal("init", folder=tmp_path) as terminal:
        questioned(terminal, *answers)
        terminal.wait_for("[y/N]")
        terminal.press("\x03")
        assert 130 == terminal.end()

    assert {} == files(tmp_path)


def test_init__end_of_input(tmp_path: Path) -> None:
    """ctrl-D is no answer either."""
    with PseudoTerminal("init", folder=tmp_path) as terminal:
        terminal.wait_for("[y/N]")
        terminal.press("\x04")
        assert 130 == terminal.end()

    assert {} == files(tmp_path)


def test_init__from_promptfoo(tmp_path: Path) -> None:
    """Its tests are asked, and what is left is named with its line."""
    (tmp_path / "promptfooconfig.yaml").write_text(PROMPTFOO, "utf-8")
    done = gate("init", "--yes", "--from", "promptfooconfig.yaml", folder=tmp_path)

    assert 0 == done.code, done.err
    assert "1 case with 1 assertion carried over from promptfooconfig.yaml" in done.out
    assert "line 2: `providers`: write them under `targets`" in done.out
    assert "line 8: assertion regex: a judge that reads the answer cannot check" in done.out
    run = gate("run", "--offline", folder=tmp_path)
    assert (0, "report") == (run.code, run.verdict["status"]), run.err
    row = json.loads((tmp_path / "gate-out" / "results.jsonl").read_text("utf-8"))
    assert "how-high-is-kveldsnut" == row["case_id"]
    assert row["question"].startswith("Say briefly: How high is Kveldsnut")

    again = gate("init", "--yes", "--from", "promptfooconfig.yaml", folder=tmp_path)
    assert "are not written, since evals/cases.yaml is there" in " ".join(again.out.split())


def test_init__where_the_pull_request_s_code_runs(tmp_path: Path) -> None:
    """Three jobs, and plain words that no target of today needs them."""
    done = gate("init", "--yes", "--runs-code", "--action", "a/b@v2", folder=tmp_path)

    flows = {name for name in files(tmp_path) if name.startswith(".github/workflows/")}
    assert ".github/workflows/gate-code.yml" in flows
    assert ".github/workflows/gate.yml" not in flows
    assert "No target of today executes code" in done.out
    assert "OWNER/kappagate" not in done.out
    assert "keep one of them" not in done.out

    both = gate("init", "--yes", "--no-runs-code", folder=tmp_path)
    assert "starts gate.yml and gate-code.yml: keep one of them" in both.out


def test_init__below_the_root_of_a_repository(tmp_path: Path) -> None:
    """Workflows there would never run, and it says where they must lie; a broken file is named."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "gate.yaml").write_text("targets: [\n", "utf-8")
    done = gate("init", "--yes", "--dir", "sub", folder=tmp_path)

    assert 0 == done.code
    assert f"GitHub reads workflows in {tmp_path} alone" in done.out
    assert "What a run costs is not known: sub/gate.yaml:2: not YAML" in done.out
    assert (tmp_path / "sub" / "evals" / "cases.yaml").is_file()
