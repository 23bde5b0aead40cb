"""What the environment says, under the names that gemini-search-mcp reads.

Precedence: gate.yaml wins over the environment, key by key, for connections. The one exception is
EVAL_JUDGE_MODEL, which overrides the judge's model in gate.yaml: it is how one run is judged by
another model, there as here. An empty variable counts as unset.

| variable | fills |
|---|---|
| EVAL_JUDGE_MODEL | `judge.model` (overrides) |
| GOOGLE_GENAI_USE_VERTEXAI | `connections.google.road`: `vertex` for 1 or true, `key` otherwise |
| GOOGLE_CLOUD_PROJECT | `project` of both connections |
| GOOGLE_CLOUD_LOCATION | `connections.google.location`, `connections.anthropic.region` |
| GOOGLE_API_KEY, GEMINI_API_KEY | `connections.google.api_key`; the first wins, as in the SDK |
| ANTHROPIC_API_KEY | `connections.anthropic.api_key` |
| ANTHROPIC_VERTEX_PROJECT_ID | `connections.anthropic.project`, before GOOGLE_CLOUD_PROJECT |
| CLOUD_ML_REGION | `connections.anthropic.region`, before GOOGLE_CLOUD_LOCATION |
| GOOGLE_APPLICATION_CREDENTIALS | nothing: Google's own library reads the file that it names |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["ROADS", "System1Environment", "system1_environment"]

ROADS: dict[str, dict[str, tuple[str, ...]]] = {
    "google": {"vertex": ("project", "location"), "key": ("api_key",)},
    "anthropic": {"vertex": ("project", "region"), "direct": ("api_key",)},
}
"""Vendor -> road -> its keys; the first key of a road is what it cannot do without."""


@dataclass(frozen=True)
class System1Environment:
    """What the environment says of connections and of the judge."""

    judge_model: str | None = None
    """Model of the judge; None where the environment does not say."""
    google: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Keys of `connections.google`, `road` among them where it is known; may hold a secret."""
    anthropic: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Keys of `connections.anthropic`; may hold a secret."""

    credentials_file: str | None = None
    """File of Google credentials, for messages: Google's own library reads it."""

    def connection(self, vendor: Literal["google", "anthropic"]) -> Mapping[str, str]:
        """Return the keys of a vendor."""
        return self.google if vendor == "google" else self.anthropic


def system1_environment(env: Mapping[str, str]) -> System1Environment:
    """Read the variables above from `env`. Pure."""
    project = env.get("GOOGLE_CLOUD_PROJECT", "")
    location = env.get("GOOGLE_CLOUD_LOCATION", "")
    google_key = env.get("GOOGLE_API_KEY") or env.get("GEMINI_API_KEY", "")
    claude_project = env.get("ANTHROPIC_VERTEX_PROJECT_ID") or project
    claude_key = env.get("ANTHROPIC_API_KEY", "")

    use_vertex = env.get("GOOGLE_GENAI_USE_VERTEXAI", "")
    if use_vertex:
        google_road = "vertex" if use_vertex.lower() in ("1", "true") else "key"
    else:
        google_road = "key" if google_key else "vertex" if project else ""
    claude_road = "direct" if claude_key else "vertex" if claude_project else ""

    google = {
        "road": google_road,
        "project": project,
        "location": location,
        "api_key": google_key,
    }
    anthropic = {
        "road": claude_road,
        "project": claude_project,
        "region": env.get("CLOUD_ML_REGION") or location,
        "api_key": claude_key,
    }
    return System1Environment(
        judge_model=env.get("EVAL_JUDGE_MODEL") or None,
        google={key: value for key, value in google.items() if value},
        anthropic={key: value for key, value in anthropic.items() if value},
        credentials_file=env.get("GOOGLE_APPLICATION_CREDENTIALS") or None,
    )
