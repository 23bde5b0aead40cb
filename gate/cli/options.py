"""Kinds of values that several commands take, checked before anything is read."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from gate.errors import FileError


class Amount(click.ParamType[float]):
    """A finite number from 0 on."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read it; NaN and infinities are refused: with them every comparison says no."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number) or number < 0:
            self.fail(f"{value!r} is no number from 0 on", param, ctx)
        return number


def make_folder(out: Path) -> None:
    """Make the folder of results. Raises FileError where there can be none."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            f"cannot be made a folder for results ({error.strerror}): name another --out", out
        ) from error
