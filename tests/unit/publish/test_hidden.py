"""Hidden parts of a comment: nothing that people write can look like one or end one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.publish.hidden import (
    Marker,
    attempts_line,
    join,
    key_digest,
    marker_line,
    pack,
    read,
    units,
    unpack,
)
from tests.unit.publish.publish_samples import STATUSES, marker

MARKERS = st.builds(
    Marker,
    key=st.text(min_size=1, max_size=64),
    run_id=st.integers(0, 2**63),
    run_attempt=st.integers(0, 1000),
    head_sha=st.text(max_size=64),
    status=st.none() | st.sampled_from(STATUSES),
    finished=st.booleans(),
)
PACKED = st.text("abcXYZ019-_", max_size=50)
BODIES = st.text(max_size=200) | st.just("```text\n<!-- kappagate-attempts:1:AAAA -->\n```")


@given(
    MARKERS.filter(lambda one: one.key.isprintable() and one.head_sha.isprintable()), BODIES, PACKED
)
def test_marker__comes_back(mine: Marker, body: str, packed: str) -> None:
    """What was written is read, whatever the report in between says."""
    found = read(join(mine, body, packed))

    assert found is not None
    assert mine == found.marker
    assert packed == found.attempts


@given(MARKERS)
def test_marker__is_one_line_that_nothing_inside_ends(mine: Marker) -> None:
    """Between its ends are only letters, digits, `-` and `_`."""
    line = marker_line(mine)

    assert line.isascii()
    assert 1 == line.count("-->")
    assert line.endswith(" -->")
    assert {"\n", "<", ">", "`"}.isdisjoint(line[4:-3])


def test_marker__half_characters_come_back_or_are_none() -> None:
    """A key is a digest; a half character in a commit's name does not stop a comment."""
    mine = marker(head_sha="abc")

    assert read(join(mine, "\ud800", "")) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        f"text\n{marker_line(marker())}\n",
        f" {marker_line(marker())}\n",
        f"> {marker_line(marker())}\n",
        f"```\n{marker_line(marker())}\n```",
        f"{marker_line(marker())} more on the line",
        "<!-- kappagate:1: -->\n",
        "<!-- kappagate:1:AAAA -->\n",
        "<!-- kappagate:2:AAAA -->\n",
        f"<!-- kappagate:1:{pack(b'[]')} -->\n",
        f"<!-- kappagate:1:{pack(b'[' * 1000)} -->\n",
        f"<!-- kappagate:1:{pack(b'{}')} -->\n",
        f"<!-- kappagate:1:{pack(b'nan')} -->\n",
        "<!-- kappagate:1:A -->\n",
    ],
)
def test_read__no_marker_of_ours(text: str) -> None:
    """A marker is the first line, whole, with a record of the right types in it."""
    assert read(text) is None


@pytest.mark.parametrize(
    "spoiled",
    [{"run_id": "5"}, {"run_id": -1}, {"status": "green"}, {"key": ""}, {"finished": 1}],
)
def test_read__wrong_types(spoiled: dict[str, object]) -> None:
    """Nothing is turned into what it should have been."""
    record = marker().model_dump() | spoiled
    text = f"<!-- kappagate:1:{pack(json.dumps(record).encode())} -->\n"

    assert read(text) is None


def test_read__attempts_only_at_the_end() -> None:
    """A report that shows such a line does not make it the comment's memory."""
    forged = attempts_line("FORGED")

    found = read(join(marker(), f"report\n{forged}", ""))

    assert found is not None
    assert "" == found.attempts


def test_read__after_an_edit_in_the_browser() -> None:
    """GitHub's editor stores line ends as CR LF."""
    found = read(join(marker(), "report", "AAAA").replace("\n", "\r\n") + "\r\n")

    assert found is not None
    assert "AAAA" == found.attempts


@given(st.binary(max_size=100))
def test_pack__comes_back(data: bytes) -> None:
    """Bytes survive."""
    assert data == unpack(pack(data))


@given(st.text(max_size=40))
def test_unpack__anything(text: str) -> None:
    """What is no base64url is a ValueError and nothing else."""
    try:
        unpack(text)
    except ValueError:
        return
    assert isinstance(text, str)


def test_units__as_github_counts() -> None:
    """Four-byte characters count twice."""
    assert 1 == units("é")
    assert 2 == units("🎉")
    assert 1 == units("\ud800")


def test_key_digest__any_key() -> None:
    """Short, whatever the key, and different for different keys."""
    assert 16 == len(key_digest("x" * 10_000))
    assert key_digest("a") != key_digest("b")
