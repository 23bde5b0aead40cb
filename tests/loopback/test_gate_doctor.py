"""`gate doctor`, the real command: what it says of a repository, and that it says it in time."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.gate_cli import copy_of_repository, gate, share_out
from tests.loopback.github_world import ACTIONS, REPOSITORY, github


def lines(folder: Path, *words: str, **env: str) -> tuple[int, dict[str, Any]]:
    """Run it and return its exit code and its lines by their topics."""
    done = gate("doctor", "--json", *words, folder=folder, env=env)
    assert done.out, done.err
    return done.code, {one["topic"]: one for one in json.loads(done.out)}


@pytest.fixture
def workspace(root: Path, tmp_path: Path) -> Path:
    """The files of a gate."""
    return copy_of_repository(root, tmp_path)


def change(path: Path, old: str, new: str) -> None:
    """Replace a text in a file."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_doctor__of_our_own_gate(workspace: Path) -> None:
    """Nothing is wrong against the loopback world, and one case was really asked."""
    code, found = lines(workspace, "--offline")

    assert 0 == code
    assert {"ok", "not asked"} == {one["state"] for one in found.values()}
    assert "48 of the 48 cases asked" in found["baseline"]["says"]
    assert "loopback-judge" in found["asked: judge"]["says"]


def test_doctor__without_keys(workspace: Path) -> None:
    """What a run would need, and nothing is asked."""
    code, found = lines(workspace)

    assert 2 == code
    assert {"wrong"} == {found[f"key: {one}"]["state"] for one in ("Gemini", "Claude")}
    assert "GOOGLE_CLOUD_PROJECT" in found["key: Gemini"]["says"]
    assert ("wrong", "not asked") == (found["terms"]["state"], found["asked"]["state"])
    assert "evidence: {fetch: true}" in found["terms"]["mend"]
    assert "stand-in" in found["labels"]["says"]


def _with_a_retired_model(folder: Path) -> None:
    change(folder / "gate.yaml", "model: gemini-3.8-flash", "model: gemini-2.5-flash")
    text = (folder / "gate.yaml").read_text("utf-8")
    kept = [line for line in text.splitlines() if "thinking_level" not in line]
    (folder / "gate.yaml").write_text("\n".join(kept), "utf-8")


@pytest.mark.parametrize(
    ("spoil", "topic", "state", "says"),
    [
        (lambda f: (f / "gate.yaml").unlink(), "config", "wrong", "no such configuration"),
        (lambda f: change(f / "gate.yaml", "scorers:", "scorer:"), "config", "wrong", "scorer"),
        (lambda f: (f / "evals/cases.yaml").write_text("[", "utf-8"), "cases", "wrong", "cases"),
        (lambda f: (f / "baseline.json").unlink(), "baseline", "look", "not there yet"),
        (lambda f: (f / "baseline.json").write_text("{}", "utf-8"), "baseline", "wrong", "schema"),
        (
            _with_a_retired_model,
            "model: gemini-3.8-flash",
            "wrong",
            "retired",
        ),
        (
            lambda f: (f / "evals/calibration.json").unlink(),
            "labels",
            "look",
            "may not fail a run",
        ),
    ],
    ids=[
        "no config",
        "bad key",
        "bad cases",
        "no baseline",
        "bad baseline",
        "retired",
        "no labels",
    ],
)
def test_doctor__what_is_wrong(
    workspace: Path, spoil: Any, topic: str, state: str, says: str
) -> None:
    """The line says it, and the exit code whether a run could be made."""
    spoil(workspace)
    code, found = lines(workspace)

    assert state == found[topic]["state"], found[topic]
    assert says in found[topic]["says"]
    assert 2 == code  # keys are missing, too


@pytest.mark.parametrize(
    ("fault", "topic", "says"),
    [
        ("judge-refuses", "asked: judge", "refus"),
        ("judge-policy", "asked: judge", "plain JSON text"),
    ],
)
def test_doctor__a_judge_that_cannot(workspace: Path, fault: str, topic: str, says: str) -> None:
    """One small call shows what no file tells."""
    _, found = lines(workspace, f"--offline=steady+{fault}")

    assert "ok" != found[topic]["state"]
    assert says in found[topic]["says"]


KEYS = {"GEMINI_API_KEY": "g", "ANTHROPIC_API_KEY": "a"}


@pytest.fixture
def keyed(workspace: Path) -> Path:
    """The same gate with keys of the vendors, and little patience."""
    text = (workspace / "gate.yaml").read_text("utf-8")
    head, _, rest = text.partition("connections:\n")
    _, _, rest = rest.partition("baseline:")
    text = f"{head}baseline:{rest}".replace("deadline_s: 6", "deadline_s: 0.5")
    (workspace / "gate.yaml").write_text(text, "utf-8")
    return workspace


@contextmanager
def refusing_proxy() -> Iterator[str]:
    """A proxy that lets nothing through."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def refuse() -> None:
            with suppress(OSError):  # the server was closed: nobody asks any more
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.recv(65_536)
                        connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

        threading.Thread(target=refuse, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_doctor__asked_through_a_proxy_that_refuses(keyed: Path) -> None:
    """Nothing was paid, and it says so; who refused is named."""
    with refusing_proxy() as proxy:
        code, found = lines(keyed, "--ask", HTTPS_PROXY=proxy, NO_PROXY="", **KEYS)

    assert 2 == code
    assert ("ok", "nothing was paid") == (
        found["asked: cost"]["state"],
        found["asked: cost"]["says"],
    )
    (asked,) = [one for topic, one in found.items() if topic.startswith("asked: gemini")]
    assert "the proxy that the environment names (HTTPS_PROXY) answered: 403" in asked["says"]
    assert "a key for the Gemini Developer API is set" == found["key: Gemini"]["says"]
    assert "a key for the Claude API is set" == found["key: Claude"]["says"]


def test_doctor__certificates_that_are_not_there(keyed: Path) -> None:
    """A sentence, of a check-up that asks and of a run alike; nothing is asked."""
    _, found = lines(keyed, "--ask", SSL_CERT_FILE="/nowhere.pem", **KEYS)
    run = gate(
        *("run", "--yes", "--report-only"),
        folder=keyed,
        env={"SSL_CERT_FILE": "/nowhere.pem", **KEYS},
    )

    assert "SSL_CERT_FILE names /nowhere.pem" in found["key: Gemini"]["says"]
    assert "SSL_CERT_FILE names /nowhere.pem" in found["asked"]["says"]
    assert (2, True) == (run.code, run.err.startswith("gate: SSL_CERT_FILE names /nowhere.pem"))


@pytest.mark.parametrize(
    ("old", "new", "topic"),
    [
        ("  - quality\n", "  - qualty\n", "targets, judge, scorers"),
        ("gemini-3.8-flash:\n    use: gemini", "flash:\n    use: gemni", "targets, judge, scorers"),
        ("use: claude", "use: clade", "targets, judge, scorers"),
        ("baseline:", "reporters: [sumary]\nbaseline:", "reporters"),
    ],
    ids=["scorer", "target", "judge", "reporter"],
)
def test_doctor__a_name_that_does_not_exist(
    workspace: Path, old: str, new: str, topic: str
) -> None:
    """It is named with file and line, by the check-up and by a run."""
    change(workspace / "gate.yaml", "scorer_sets:\n  quick: [quality]\n", "")
    change(workspace / "gate.yaml", old, new)
    text = (workspace / "gate.yaml").read_text("utf-8")
    wrong = new.strip().splitlines()[0]
    line = 1 + text.splitlines().index(next(o for o in text.splitlines() if wrong in o))

    code, found = lines(workspace, "--offline")
    run = gate("run", "--offline", folder=workspace)

    assert (2, "wrong") == (code, found[topic]["state"])
    assert (2, True) == (run.code, run.err.startswith(f"gate: gate.yaml:{line}: unknown "))
    assert found[topic]["says"].startswith(f"gate.yaml:{line}: unknown ")


def test_doctor__offline_costs_nothing(workspace: Path) -> None:
    """List prices are not what the loopback world takes."""
    _, found = lines(workspace, "--offline")

    assert "nothing was paid: the loopback world answered" == found["asked: cost"]["says"]


def test_doctor__the_host(workspace: Path) -> None:
    """Whose token, what it may, and what is not set up; nothing is written."""
    with github("+github-403") as hub:
        hub.memory.labels.add("gate")
        _, found = lines(
            workspace,
            "--offline",
            GITHUB_TOKEN=ACTIONS,
            GITHUB_REPOSITORY=REPOSITORY,
            GITHUB_API_URL=hub.url,
        )
        told = hub.memory.told()

    assert "it writes as github-actions[bot]" == found["token"]["says"]
    assert ("look", "ok") == (found["may set a status"]["state"], found["label gate"]["state"])
    assert "look" == found["environment gate-paid"]["state"]
    assert ([], []) == (told["comments"], told["statuses"])


def test_doctor__a_person_reads_it(workspace: Path) -> None:
    """What is wrong stands with what to do below it; the last line says what it comes to."""
    done = gate("doctor", folder=workspace)

    assert done.out.rstrip().endswith("look at.")
    assert "WRONG" in done.out
    assert "-> write `evidence: {fetch: true}`" in done.out
    assert max(map(len, done.out.splitlines())) <= 120


@pytest.mark.parametrize(
    ("clusters", "state", "says"),
    [(3, "wrong", "cannot fail or pass a run"), (12, "look", "cannot pass a run")],
)
def test_doctor__counts_clusters(workspace: Path, clusters: int, state: str, says: str) -> None:
    """Three can do neither, and thirteen are the least that pass."""
    share_out(workspace, clusters)

    _, found = lines(workspace, "--offline")

    assert state == found["power"]["state"]
    assert found["power"]["says"].startswith(f"48 cases in {clusters} clusters and ")
    assert found["power"]["says"].endswith(says)
    assert found["power"]["mend"].startswith("add cases of other clusters: it takes 13 clusters")


def test_doctor__of_enough_clusters(workspace: Path) -> None:
    """Thirteen can do both."""
    share_out(workspace, 13)

    _, found = lines(workspace, "--offline")

    assert "ok" == found["power"]["state"]
    assert found["power"]["says"].startswith("48 cases in 13 clusters and ")
