"""`evals/calibration.json` as text: one label a line, so that a change of a judge can be read."""

from __future__ import annotations

from pydantic import JsonValue

from gate.decision.json_text import line, lines
from gate.types import SCHEMA, Calibration, CalibrationItem, CalibrationSet

__all__ = ["calibration_text"]


def calibration_text(calibration: Calibration) -> str:
    """Write a calibration as JSON: the same calibration gives the same text."""
    sets = ",\n".join(_set(one) for one in calibration.sets)
    head = f'"schema": {SCHEMA},\n"created": {line(calibration.created)}'
    return f'{{\n{head},\n"sets": [\n{sets}\n]\n}}\n'


def _set(one: CalibrationSet) -> str:
    parts = [
        f'"dimension": {line(one.dimension)}',
        f'"counts": {line(one.counts)}',
        f'"identity": {line(one.identity.model_dump(mode="json"))}',
        f'"drafted_by": {line(one.drafted_by)}',
        f'"drafted_by_families": {line(one.drafted_by_families)}',
        f'"approved_by": {line(one.approved_by)}',
        *([f'"models": {line(one.models)}'] if one.models else []),
        *([f'"tried": {line(one.tried)}'] if one.tried else []),
        lines("items", (_item(item) for item in one.items)),
        *([lines("tuning", (_item(item) for item in one.tuning))] if one.tuning else []),
    ]
    return "{" + ",\n".join(parts) + "}"


def _item(item: CalibrationItem) -> dict[str, JsonValue]:
    """One label; labels of whole answers name no item, and those of one person no raters."""
    leave_out = {"item"} if item.item is None else set()
    leave_out |= set() if item.ratings else {"ratings"}
    kept: dict[str, JsonValue] = item.model_dump(mode="json", exclude=leave_out)
    return kept
