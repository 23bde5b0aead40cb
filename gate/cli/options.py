"""Kinds of values that several commands take, checked before anything is read."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from gate.errors import FileError

MOST = 1e9
"""No ceiling in dollars and no drop is larger; beyond it somebody's key was stuck."""


class Amount(click.ParamType[float]):
    """A finite number from 0 to 1e9."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read it; NaN and infinities are refused: with them every comparison says no."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not 0 <= number <= MOST:
            self.fail(f"{value!r} is no number from 0 to {MOST:,.0f}", param, ctx)
        return abs(number)  # -0 is 0


def make_folder(out: Path) -> None:
    """Make the folder of results. Raises FileError where there can be none."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            f"cannot be made a folder for results ({error.strerror}): name another --out", out
        ) from error
