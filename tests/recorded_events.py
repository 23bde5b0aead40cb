"""Events that GitHub really sent, as its `@octokit/webhooks-examples` records them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

EXAMPLES = Path("@octokit") / "webhooks-examples" / "api.github.com" / "index.json"


def recorded(packages: Path, name: str) -> list[dict[str, Any]]:
    """Return all recorded events of a name, such as `pull_request`."""
    kinds = json.loads((packages / EXAMPLES).read_text("utf-8"))
    return next(kind["examples"] for kind in kinds if kind["name"] == name)


def labelled(packages: Path) -> dict[str, Any]:
    """Return the event of a pull request that was labelled."""
    events = recorded(packages, "pull_request")
    return next(event for event in events if event["action"] == "labeled")
