"""The pure parts of `gate init`: what is asked, what files say, what is told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Literal

import pytest
import yaml
from click.testing import CliRunner

from gate.cli.init_choices import ACTION, Choices, ask
from gate.cli.init_command import command
from gate.cli.init_files import CASES, CONFIG, FLOWS, planned
from gate.cli.init_report import carried_text, files_text, next_text
from gate.cli.init_seal import is_unedited, sealed
from gate.cli.init_writing import Pending, look, write
from gate.config import load_config
from gate.datasets import load_cases, load_labels
from gate.datasets.promptfoo import carry_over
from gate.decision.planning import check_plan
from gate.errors import FileError
from gate.schemas import schema_for
from gate.types import Policy
from tests.unit.json_schema import faults

PROMPTFOO = """\
tests:
  - vars: {question: "Why? \\u2028"}
    assert: [{type: contains, value: so}, {type: regex, value: s.}]
"""


def texts(choices: Choices) -> dict[str, str]:
    """The files of a choice."""
    return {one.path: one.text for one in planned(choices, None)}


def answered(*lines: str, **said: bool) -> tuple[dict[str, bool], str]:
    """Ask with these lines typed; return the answers and what was shown."""
    typed, shown = iter(lines), list[str]()

    def read() -> str:
        shown.append(next(typed))
        return shown[-1]

    found = ask(said.get, read, shown.append)
    return dict(found), "".join(shown)


def test_ask__one_by_one_and_no_by_default() -> None:
    """The terms stand before the first of the two keys, with whose decision it is."""
    found, shown = answered("\n", "Y\n", "nonsense\n", "no\n")

    assert {"runs_code": False, "fetch": True, "keep_text": False} == found
    assert 3 == shown.count("[y/N]")
    assert "Please type y or n" in shown
    assert shown.index("evidence.fetch") > shown.index("no legal advice") > shown.index("execute")
    assert max(map(len, shown.splitlines())) < 80


def test_ask__only_what_no_flag_says() -> None:
    """Terms are told where a key is asked for, and not otherwise."""
    found, shown = answered("yes\n", runs_code=False, fetch=False)
    assert {"runs_code": False, "fetch": False, "keep_text": True} == found
    assert (1, 1) == (shown.count("[y/N]"), shown.count("Google's terms"))

    _, shown = answered("\n", fetch=True, keep_text=True)
    assert (1, 0) == (shown.count("[y/N]"), shown.count("Google's terms"))


def test_ask__the_input_ends() -> None:
    """Nobody has said yes or no."""
    with pytest.raises(EOFError):
        answered("")


@pytest.mark.parametrize("road", ["keys", "vertex"])
@pytest.mark.parametrize("keep_text", [False, True])
@pytest.mark.parametrize("fetch", [False, True])
def test_planned__the_configuration(
    road: Literal["keys", "vertex"], *, fetch: bool, keep_text: bool
) -> None:
    """It says what was chosen, reports only, has a ceiling, and its schema takes it."""
    text = texts(Choices(fetch=fetch, keep_text=keep_text, road=road))[CONFIG]

    config = load_config(text, CONFIG, {})
    assert (fetch, keep_text) == (config.evidence.fetch, config.keep_text)
    assert (True, 5.0) == (config.policy.report_only, config.run.max_cost_usd)
    assert (3 if fetch else 1) == len(config.scorers)
    assert ("vertex" if road == "vertex" else None) == config.road("google")
    assert [] == list(faults(schema_for("config"), yaml.safe_load(text)))
    assert max(map(len, text.splitlines())) <= 100


def test_planned__the_cases() -> None:
    """Enough to pass and to fail, in six categories, each with something to look for."""
    cases = load_cases(texts(Choices())[CASES], CASES)

    power = check_plan(len(cases), 3, Policy())
    assert (24, True, True) == (len(cases), power.can_fail, power.can_pass)
    assert 6 == len({case.category for case in cases})
    assert all(case.assertions for case in cases)
    assert [] == list(faults(schema_for("cases"), yaml.safe_load(texts(Choices())[CASES])))


def test_planned__labels_that_rate_nothing() -> None:
    """A file to look at, which licenses nothing."""
    path = "evals/labels/example.yaml"
    labels = load_labels(texts(Choices())[path], path)

    assert () == labels.labels
    assert [] == list(faults(schema_for("labels"), yaml.safe_load(texts(Choices())[path])))


def test_planned__editors_find_the_schemas() -> None:
    """Each file's first line leads to a schema that is written too."""
    files = texts(Choices())
    for path in (CONFIG, CASES, "evals/labels/example.yaml"):
        first = files[path].partition("\n")[0]
        named = first.removeprefix("# yaml-language-server: $schema=")
        found = (Path("/repository") / path).parent / named
        place = found.resolve().relative_to("/repository").as_posix()
        assert json.loads(files[place])["$schema"].endswith("2020-12/schema")


@pytest.mark.parametrize(
    ("choices", "names"),
    [
        (Choices(), {"gate.yml", "gate-fork.yml"}),
        (Choices(road="vertex"), {"gate.yml", "gate-fork.yml"}),
        (Choices(runs_code=True), {"gate-code.yml"}),
        (Choices(shards=4), {"gate-shards.yml", "gate-fork.yml"}),
    ],
)
def test_planned__workflows_of_a_choice(choices: Choices, names: set[str]) -> None:
    """One way in, not both."""
    flows = {path for path in texts(choices) if path.startswith(FLOWS)}
    other = {"gate.yml", "gate-fork.yml", "gate-code.yml", "gate-shards.yml"} - names
    names = names | {"baseline.yml", "nightly.yml", "gate-queue.yml"}

    assert {f"{FLOWS}/{name}" for name in names} <= flows
    assert flows.isdisjoint({f"{FLOWS}/{name}" for name in other})


def test_planned__whose_action() -> None:
    """In the place of ours, everywhere."""
    mine = f"octo/gate@{'a' * 40}"
    flows = [one for one in planned(Choices(action=mine), None) if one.path.startswith(FLOWS)]

    assert all(ACTION not in one.text for one in flows)
    assert {f"{FLOWS}/gate-queue.yml"} == {one.path for one in flows if mine not in one.text}


@pytest.mark.parametrize(("shards", "ceiling"), [(1, "5.00"), (4, "1.25")])
def test_workflow__parts(shards: int, ceiling: str) -> None:
    """As many as were wished for; together they may cost what a run may."""
    choices = Choices(shards=shards)
    for name in ("nightly.yml", *(["gate-shards.yml"] if shards > 1 else [])):
        job = yaml.safe_load(texts(choices)[f"{FLOWS}/{name}"])["jobs"]["measure"]
        (given,) = [step["with"] for step in job["steps"] if "shard" in step.get("with", {})]

        assert list(range(1, shards + 1)) == job["strategy"]["matrix"]["part"]
        assert f"${{{{ matrix.part }}}}/{shards}" == given["shard"]
        assert ceiling == given["max-cost"]


def test_workflow__three_jobs_share_nothing() -> None:
    """Who runs foreign code has neither the judge's key nor a token that may write."""
    text = texts(Choices(runs_code=True))[f"{FLOWS}/gate-code.yml"]
    jobs = yaml.safe_load(text)["jobs"]
    held = {
        name: {secret for secret in ("GEMINI", "ANTHROPIC") if f"{secret}_API_KEY" in str(job)}
        for name, job in jobs.items()
    }
    writes = {name for name, job in jobs.items() if "write" in job["permissions"].values()}

    assert {"GEMINI"} == held["collect"]
    assert {"ANTHROPIC"} == held["judge"]
    assert set() == held["report"] | held["admit"] | held["accept"] | held["strip"]
    assert writes.isdisjoint({"collect", "judge"})
    assert ["gate-answers", "gate-answers", "gate-run", "gate-run"] == re.findall(
        r"name: (gate-answers|gate-run)\n", text
    )


def test_workflow__a_login_in_the_place_of_keys() -> None:
    """Before the step that needs it, in the jobs that held keys and in no other."""
    jobs = yaml.safe_load(texts(Choices(road="vertex"))[f"{FLOWS}/gate.yml"])["jobs"]
    uses = [step.get("uses", "").partition("@")[0] for step in jobs["gate"]["steps"]]

    assert "write" == jobs["gate"]["permissions"]["id-token"]
    assert uses.index("google-github-actions/auth") == uses.index("OWNER/kappagate") - 1
    assert "API_KEY" not in str(jobs)
    assert "id-token" not in str([jobs["accept"], jobs["strip"]])
    assert "google-github-actions" not in str([jobs["accept"], jobs["strip"]])


def test_seal__tells_an_edit() -> None:
    """Each letter counts, also the seal's own."""
    for one in planned(Choices(), None):
        assert is_unedited(one.text)
        assert not is_unedited(one.text + " ")
        assert not is_unedited(one.text.replace("gate", "gaten", 1))
    assert not is_unedited("schema: 1\n")
    assert not is_unedited(sealed("no mark in it"))


def test_look__what_is_there_stays(tmp_path: Path) -> None:
    """With force, only what nobody edited is written anew."""
    write(tmp_path, look(tmp_path, planned(Choices(), None), force=False))
    again = look(tmp_path, planned(Choices(fetch=True), None), force=False)
    assert ((), ()) == (again.files, again.ignores)

    (tmp_path / CASES).write_text("- {id: mine, query: x}\n", "utf-8")
    forced = look(tmp_path, planned(Choices(fetch=True), None), force=True)
    assert [CONFIG] == [one.path for one in forced.files]
    assert [CASES] == [one.path for one in forced.kept]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b"gate-out/\ngha-creds-*.json\n"),
        (b"*.pyc", b"*.pyc\ngate-out/\ngha-creds-*.json\n"),
        (b"*.pyc\r\n", b"*.pyc\r\ngate-out/\r\ngha-creds-*.json\r\n"),
        (b"/gate-out/\n", b"/gate-out/\ngha-creds-*.json\n"),
    ],
)
def test_write__ignores_are_added(tmp_path: Path, before: bytes | None, after: bytes) -> None:
    """What is there stays byte by byte, line ends included."""
    if before is not None:
        (tmp_path / ".gitignore").write_bytes(before)
    for _ in range(2):
        write(tmp_path, look(tmp_path, (), force=False))

    assert after == (tmp_path / ".gitignore").read_bytes()


def test_look__a_file_where_a_folder_is_needed(tmp_path: Path) -> None:
    """It is found before anything is written."""
    (tmp_path / "evals").write_text("", "utf-8")

    with pytest.raises(FileError, match="a file where a folder is needed"):
        look(tmp_path, planned(Choices(), None), force=False)
    assert ["evals"] == [path.name for path in tmp_path.iterdir()]


def test_texts__fit_a_terminal() -> None:
    """No line is wider than 80 signs; a schema is no line of its own."""
    carried = carry_over(PROMPTFOO, "promptfooconfig.yaml")
    files = tuple(planned(Choices(), None))
    told = [
        files_text(Pending(files, files, ("gate-out/",), b"")),
        carried_text("promptfooconfig.yaml", carried, written=True),
        *(next_text(choices, None, None) for choices in (Choices(), Choices(road="vertex"))),
    ]

    assert [] == [line for line in "\n".join(told).splitlines() if len(line) > 80]
    assert "evals/schema/*.json" in told[0]
    assert "line 3: assertion regex" in told[1]


def test_next__whose_action_is_asked_only_where_it_is_not_known() -> None:
    """Otherwise the workflows have it."""
    assert ACTION in next_text(Choices(), None, None)
    assert ACTION not in next_text(Choices(action="a/b@c"), None, None)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--action", "kappagate"), "write OWNER/REPO@REF"),
        (("--action", "a/b@v1\n    run: x"), "write OWNER/REPO@REF"),
        (("--runs-code", "--road", "vertex"), "use --road keys"),
        (("--from", "promptfooconfig.yaml"), "does not exist"),
    ],
)
def test_init__refuses_before_it_writes(
    words: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is there afterwards."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(command, ["--yes", *words])

    assert says in f"{done.output}{done.exception}"
    assert [] == list(tmp_path.iterdir())
