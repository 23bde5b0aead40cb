"""Options of reporters: none yet, and an unknown one is refused."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class NoOptions(BaseModel):
    """No option."""

    model_config = ConfigDict(extra="forbid", frozen=True)
