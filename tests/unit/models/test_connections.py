"""Connections keep secrets to themselves and say what is missing."""

from __future__ import annotations

import pytest

from gate.errors import CredentialsError
from gate.models.connections import AnthropicConnection, Connections, GoogleConnection, is_loopback


def test_repr__shows_no_secret() -> None:
    """Neither keys nor tokens, however deep."""
    connections = Connections(
        google=GoogleConnection(road="key", api_key="hush-1", token="hush-2"),
        anthropic=AnthropicConnection(road="direct", api_key="hush-3", token="hush-4"),
    )

    assert "hush" not in repr(connections)
    assert "hush" not in str(connections)


@pytest.mark.parametrize(
    ("connection", "says"),
    [
        (GoogleConnection(road="key"), "GEMINI_API_KEY"),
        (GoogleConnection(road="vertex"), "GOOGLE_CLOUD_PROJECT"),
        (AnthropicConnection(road="direct"), "ANTHROPIC_API_KEY"),
        (AnthropicConnection(road="vertex"), "GOOGLE_CLOUD_PROJECT"),
    ],
)
def test_check__says_what_to_set(
    connection: GoogleConnection | AnthropicConnection, says: str
) -> None:
    """A missing credential is found before any call."""
    with pytest.raises(CredentialsError, match=says):
        connection.check()


@pytest.mark.parametrize(
    "connection",
    [
        GoogleConnection(road="key", api_key="k"),
        GoogleConnection(project="p"),
        AnthropicConnection(road="direct", api_key="k"),
        AnthropicConnection(project="p"),
    ],
)
def test_check__passes_when_complete(connection: GoogleConnection | AnthropicConnection) -> None:
    """Application Default Credentials are looked for at the first call only."""
    connection.check()


@pytest.mark.parametrize(
    ("connection", "regional"),
    [
        (GoogleConnection(), False),
        (GoogleConnection(location="us"), True),
        (GoogleConnection(road="key", location="us"), False),
        (AnthropicConnection(), False),
        (AnthropicConnection(region="europe-west1"), True),
        (AnthropicConnection(road="direct", region="us"), False),
    ],
)
def test_regional__only_on_google_cloud_outside_global(
    connection: GoogleConnection | AnthropicConnection, *, regional: bool
) -> None:
    """Those endpoints cost more for Claude."""
    assert regional == connection.regional


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:8080", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost:1", True),
        ("https://aiplatform.googleapis.com", False),
        ("http://10.0.0.1", False),
        ("http://127.0.0.1.example.com", False),
        (None, False),
    ],
)
def test_is_loopback__this_machine_only(url: str | None, *, local: bool) -> None:
    """Such an address is never reached through a proxy of the environment."""
    assert local == is_loopback(url)
