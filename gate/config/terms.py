"""Which targets Google's terms of grounded search are about."""

from __future__ import annotations

GROUNDED = "gemini"
"""Family of the targets whose sources Google's terms of grounded search are about."""

STORED = "recorded"
"""Plug-in of stored answers, which may be grounded ones."""
