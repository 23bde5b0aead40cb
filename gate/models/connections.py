"""Where the vendors are and how to show who we are; secrets are never shown."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from gate.errors import CredentialsError

__all__ = ["AnthropicConnection", "Connections", "GoogleConnection", "is_loopback"]


@dataclass(frozen=True)
class GoogleConnection:
    """How Gemini is reached."""

    road: Literal["vertex", "key"] = "vertex"
    """Google Cloud with a project, or the Gemini Developer API with a key."""
    project: str | None = None
    """Google Cloud project; `vertex` only."""
    location: str = "global"
    """Google Cloud location; `vertex` only."""
    api_key: str | None = field(default=None, repr=False)
    """Key of the Gemini Developer API; `key` only."""
    token: str | None = field(default=None, repr=False)
    """A ready access token; None takes Application Default Credentials."""
    base_url: str | None = None
    """Another host, such as the loopback world; None is the vendor's own."""
    timeout_s: float = 120.0
    """Seconds that one try may take, from the first byte to the last."""
    stand_in: bool = False
    """Whether a stand-in answers in the vendor's place."""

    @property
    def regional(self) -> bool:
        """Whether the endpoint is regional or multi-regional."""
        return self.road == "vertex" and self.location != "global"

    def check(self) -> None:
        """Raise CredentialsError when no request can be sent with what is known here."""
        if self.road == "key" and not self.api_key:
            raise CredentialsError(
                "no key of the Gemini Developer API: set GEMINI_API_KEY, or set "
                "GOOGLE_GENAI_USE_VERTEXAI=true and GOOGLE_CLOUD_PROJECT to go through Google Cloud"
            )
        if self.road == "vertex" and not self.project:
            raise CredentialsError(
                "no Google Cloud project for Gemini: set GOOGLE_CLOUD_PROJECT, or set "
                "GEMINI_API_KEY to use the Gemini Developer API"
            )


@dataclass(frozen=True)
class AnthropicConnection:
    """How Claude is reached."""

    road: Literal["vertex", "direct"] = "vertex"
    """Google Cloud (the offering that Google manages), or the Claude API."""
    project: str | None = None
    """Google Cloud project; `vertex` only."""
    region: str = "global"
    """Google Cloud region; `vertex` only."""
    api_key: str | None = field(default=None, repr=False)
    """Key of the Claude API; `direct` only."""
    token: str | None = field(default=None, repr=False)
    """A ready access token; None takes Application Default Credentials; `vertex` only."""
    base_url: str | None = None
    """Another host; on `vertex` it ends in `/v1`. None is the vendor's own."""
    anthropic_version: str | None = None
    """Overrides the body's `anthropic_version` on `vertex`; None leaves it to the SDK."""
    timeout_s: float = 300.0
    """Seconds that one try may take, from the first byte to the last."""
    stand_in: bool = False
    """Whether a stand-in answers in the vendor's place: its family is then `loopback`."""

    @property
    def regional(self) -> bool:
        """Whether the endpoint is regional or multi-regional, which costs more."""
        return self.road == "vertex" and self.region != "global"

    def check(self) -> None:
        """Raise CredentialsError when no request can be sent with what is known here."""
        if self.road == "direct" and not self.api_key:
            raise CredentialsError(
                "no key of the Claude API: set ANTHROPIC_API_KEY, or set GOOGLE_CLOUD_PROJECT "
                "to reach Claude through Google Cloud"
            )
        if self.road == "vertex" and not self.project:
            raise CredentialsError(
                "no Google Cloud project for Claude: set GOOGLE_CLOUD_PROJECT (or "
                "ANTHROPIC_VERTEX_PROJECT_ID), or set ANTHROPIC_API_KEY to use the Claude API"
            )


@dataclass(frozen=True)
class Connections:
    """The vendors that this run may talk to; None where it needs none."""

    google: GoogleConnection | None = None
    """For Gemini."""
    anthropic: AnthropicConnection | None = None
    """For Claude."""


def is_loopback(base_url: str | None) -> bool:
    """Whether an address is this machine's own, which no proxy of the environment can reach."""
    host = urlsplit(base_url or "").hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
