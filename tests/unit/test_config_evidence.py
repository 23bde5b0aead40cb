"""The block `evidence` of gate.yaml."""

from __future__ import annotations

import pytest

from gate.config import Config, load_config
from gate.errors import ConfigError

LEAST = "dataset: {path: evals/cases.yaml}\n"


def read(block: str = "") -> Config:
    """Read a configuration with this block."""
    return load_config(LEAST + block, "gate.yaml", {})


def test_evidence__nothing_is_fetched_of_google_unless_it_is_said() -> None:
    """Off, passages, sixty kilobytes, twenty seconds."""
    evidence = read().evidence

    assert (False, "passages") == (evidence.fetch, evidence.pages)
    assert (60_000, 20.0) == (evidence.max_page_bytes, evidence.timeout_s)


def test_evidence__every_key() -> None:
    """What is written is what is read."""
    written = "evidence: {fetch: true, timeout_s: 5, max_page_bytes: 9000, pages: whole}\n"

    evidence = read(written).evidence

    assert (True, "whole") == (evidence.fetch, evidence.pages)
    assert (9_000, 5.0) == (evidence.max_page_bytes, evidence.timeout_s)


@pytest.mark.parametrize(
    ("block", "says"),
    [
        ("evidence: {fetch: yes}\n", "`evidence.fetch`: must be true or false"),
        ("evidence: {pages: some}\n", "`evidence.pages`: must be 'passages' or 'whole'"),
        ("evidence: {max_page_bytes: 60001}\n", "`evidence.max_page_bytes`: must be less"),
        ("evidence: {timeout_s: 0}\n", "`evidence.timeout_s`: must be greater than 0"),
        ("evidence: {fetsh: true}\n", "unknown key `fetsh`; did you mean `fetch`?"),
    ],
)
def test_evidence__faults_have_a_line(block: str, says: str) -> None:
    """The second line is named."""
    with pytest.raises(ConfigError) as caught:
        read(block)

    assert str(caught.value).startswith("gate.yaml:2: ")
    assert says in str(caught.value)
