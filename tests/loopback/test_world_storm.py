"""Random faults: repeatable, of every kind, and entered in the world's own books."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gate.errors import CallError
from gate.loopback.exchange import Request
from gate.loopback.ledger import Ledger
from gate.loopback.routes import World
from gate.loopback.server import serve
from gate.loopback.settings import read_settings
from gate.loopback.storm import KINDS, Storm, read_storm
from gate.models.connections import GoogleConnection
from gate.models.gemini import GeminiModel, load_sdk
from tests.loopback.world_driver import GEMINI, TARGET, post, question_body

BENCH = Path(__file__).resolve().parents[2] / "bench" / "storm.py"


def request(number: int) -> Request:
    """One of many requests."""
    return Request("POST", "/p", {}, b"%d" % number)


@pytest.mark.parametrize(
    ("text", "storm"),
    [
        ("storm", Storm(0.05, "0")),
        ("storm:9", Storm(0.05, "9")),
        ("storm:12.5%", Storm(0.125, "0")),
        ("storm:5%:spring", Storm(0.05, "spring")),
        ("judge-529", None),
        ("storm:100%", None),
    ],
)
def test_read_storm__forms(text: str, storm: Storm | None) -> None:
    """Share and seed may be left out."""
    assert storm == read_storm(text)


def test_settings__storm_beside_a_fault() -> None:
    """It is no name of the table of faults, and stands beside them."""
    settings = read_settings("flaky:3+judge-503-once+storm:20%:4")

    assert ("judge-503-once",) == settings.faults
    assert Storm(0.2, "4") == settings.storm


def test_strikes__share_and_kinds() -> None:
    """About as many fail as it says, each kind about as often as another."""
    storm = Storm(0.5, "1")
    struck = [storm.strikes(request(number), 0) for number in range(4000)]
    kinds = [kind for kind in struck if kind is not None]

    assert 1850 < len(kinds) < 2150
    assert set(KINDS) == set(kinds)
    assert max(map(kinds.count, KINDS)) < 2 * min(map(kinds.count, KINDS))


def test_strikes__by_seed_request_and_turn() -> None:
    """The same request in the same turn meets the same; another seed or turn something else."""
    storm = Storm(0.5, "1")
    once = [storm.strikes(request(number), 0) for number in range(100)]
    again = [storm.strikes(request(number), 0) for number in reversed(range(100))]

    assert once == again[::-1]
    assert once != [storm.strikes(request(number), 1) for number in range(100)]
    assert once != [Storm(0.5, "2").strikes(request(number), 0) for number in range(100)]


async def _tried(kind: str, monkeypatch: pytest.MonkeyPatch, ledger: Ledger) -> CallError:
    """Ask Gemini once, over HTTP, in a storm of one kind, and return what came of it."""
    load_sdk()  # not on the time of the call
    monkeypatch.setattr(Storm, "strikes", lambda *_: kind)
    async with serve(read_settings("steady+storm"), ledger=ledger) as address:
        model = GeminiModel(
            GoogleConnection(
                road="vertex",
                project="p",
                location="global",
                token="t",
                base_url=address.url,
                timeout_s=3.0 if kind == "stall" else 60.0,
            )
        )
        try:
            with pytest.raises(CallError) as caught:
                await model.generate(TARGET, question_body("How high is Kveldsnut?"))
        finally:
            await model.aclose()
    return caught.value


@pytest.mark.parametrize("kind", KINDS)
async def test_kind__may_be_tried_again(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Every kind reaches the retries; a silent one counts as spent; the books know the truth."""
    ledger = Ledger(tmp_path / "ledger")
    error = await _tried(kind, monkeypatch, ledger)
    ledger.close()
    (row,) = map(json.loads, (tmp_path / "ledger").read_text("utf-8").splitlines())

    assert error.retryable
    assert KINDS[kind].silent == (error.status is None and error.sent)
    assert (kind, KINDS[kind].billed) == (row["fault"], row["billed"])


@pytest.mark.parametrize(
    ("kind", "wait_s"),
    [("429-seconds", 1.0), ("429-date", 1.0), ("429-absurd", 3600.0), ("429-garbage", None)],
)
async def test_kind__retry_after(
    kind: str, wait_s: float | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A date counts from the reply's own Date, however wrong the vendor's clock is."""
    ledger = Ledger(tmp_path / "ledger")
    error = await _tried(kind, monkeypatch, ledger)
    ledger.close()

    assert wait_s == error.retry_after_s


def test_ledger__what_was_billed(tmp_path: Path) -> None:
    """A good reply is billed, with its usage; a refusal of a bad request is not."""
    ledger = Ledger(tmp_path / "ledger")
    where = World(read_settings("steady"), lambda: 0.0, ledger)
    post(where, GEMINI.format(TARGET), question_body("How high is Kveldsnut?"))
    post(where, GEMINI.format("no-such-model"), question_body("How high is Kveldsnut?"))
    ledger.close()
    rows = [json.loads(line) for line in (tmp_path / "ledger").read_text("utf-8").splitlines()]

    assert [True, False] == [row["billed"] for row in rows]
    assert 0 < rows[0]["usage"]["totalTokenCount"]


def test_small_storm__nothing_lost(tmp_path: Path) -> None:
    """A dozen cases, three in ten requests failing, in many ways: books and journal agree."""
    few = ("--cases", "12", "--targets", "1", "--call-timeout", "5")
    many = ("--percent", "30", "--seed", "68", "--ceiling", "5")
    done = subprocess.run(
        [sys.executable, str(BENCH), *few, *many, "--keep", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(BENCH.parents[1])},
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "Everything holds." in done.stdout
    assert "| storm | 12 of 12 |" in done.stdout
