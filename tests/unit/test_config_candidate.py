"""A candidate's gate.yaml: its own keys are taken, and nothing else."""

from __future__ import annotations

import pytest

from gate.config import Config, load_config
from gate.config.candidate import follow, load_candidate
from gate.errors import ConfigError

OWN = frozenset({"model", "temperature", "system_prompt"})
"""What is the candidate's in these tests."""


def base(targets: str, more: str = "", **env: str) -> Config:
    """Read a base's configuration."""
    text = f"dataset: {{path: cases.yaml}}\ntargets:\n{targets}\n{more}"
    return load_config(text, "base/gate.yaml", env)


def candidate(of: Config, targets: str, more: str = "") -> Config:
    """Read a candidate's configuration."""
    text = f"dataset: {{path: cases.yaml}}\ntargets:\n{targets}\n{more}"
    return load_candidate(text, "candidate/gate.yaml", of)


def merged(before: Config, now: Config) -> dict[str, dict[str, object]]:
    """The options of every target that is measured."""
    followed = follow(before, now, {use.name: OWN for use in before.targets})
    return {use.name: dict(use.options.values) for use in followed.config.targets}


def test_follow__takes_the_candidates_own_keys_only() -> None:
    """A model and a temperature come along; where it searches stays the base's."""
    before = base("  a: {use: gemini, model: old, search: true}")
    now = candidate(before, "  a: {use: gemini, model: new, temperature: 0.5, search: false}")

    assert {"a": {"search": True, "model": "new", "temperature": 0.5}} == merged(before, now)


def test_follow__own_key_that_is_left_out_is_gone() -> None:
    """What the candidate takes away is not asked for any more."""
    before = base("  a: {use: gemini, model: old, temperature: 0.5}")
    now = candidate(before, "  a: {use: gemini, model: old}")

    assert {"a": {"model": "old"}} == merged(before, now)


def test_follow__added_removed_and_other_kinds_are_not_followed() -> None:
    """The base's targets are asked, under their names and of their kinds."""
    before = base("  a: {use: gemini, model: old}\n  b: {use: gemini, model: old}")
    now = candidate(before, "  a: {use: other, model: new}\n  c: {use: gemini, model: new}")

    assert {"a": {"model": "old"}, "b": {"model": "old"}} == merged(before, now)


def test_follow__rules_and_connections_stay_the_bases() -> None:
    """Only targets change."""
    before = base("  a: {use: gemini, model: old}", "policy: {q: 0.1}\n")
    now = candidate(before, "  a: {use: gemini, model: new}", "policy: {q: 0.001}\n")

    followed = follow(before, now, {"a": OWN}).config

    assert before.policy == followed.policy
    assert before.raw == followed.raw


def test_follow__fault_is_looked_for_in_the_candidates_file() -> None:
    """Options that are merged say the candidate's file and line."""
    before = base("  a: {use: gemini, model: old}")
    now = candidate(before, "\n  a:\n    use: gemini\n    model: new")

    (use,) = follow(before, now, {"a": OWN}).config.targets

    assert ("candidate/gate.yaml", 6) == (use.options.path, use.options.lines["model"])


def test_load_candidate__broken_shape_names_its_file() -> None:
    """A candidate that breaks the schema cannot be measured."""
    before = base("  a: {use: gemini, model: old}")

    with pytest.raises(ConfigError, match=r"^candidate/gate.yaml:4: .*polcy"):
        candidate(before, "  a: {use: gemini, model: new}", "polcy: {}\n")


def test_load_candidate__names_no_variable_of_its_own() -> None:
    """A prompt that names a credential would send it to a model."""
    before = base("  a: {use: gemini, model: old}", SECRET="hunter2")

    with pytest.raises(ConfigError, match=r"candidate/gate.yaml:3: names a variable") as caught:
        candidate(before, '  a: {use: gemini, model: new, system_prompt: "${SECRET}"}')

    assert "hunter2" not in str(caught.value)


def test_load_candidate__variable_of_the_base_elsewhere_is_not_filled_in() -> None:
    """A token that the base hands to a target stays in its place."""
    before = base('  a: {use: own.py:A, token: "${SECRET}"}', SECRET="hunter2")

    with pytest.raises(ConfigError, match="names a variable"):
        candidate(before, '  a: {use: own.py:A, token: x, model: "${SECRET}"}')


def test_load_candidate__variable_of_the_base_in_its_place_is_filled_in() -> None:
    """An unchanged line means what it means in the base."""
    before = base('  a: {use: gemini, model: "${MODEL}"}', MODEL="gemini-x")
    now = candidate(before, '  a: {use: gemini, model: "${MODEL}", temperature: 1}')

    assert {"a": {"model": "gemini-x", "temperature": 1}} == merged(before, now)


def test_load_candidate__default_is_taken_though_the_variable_is_set() -> None:
    """The way out for a candidate that brings a variable of its own."""
    before = base("  a: {use: gemini, model: old}", SECRET="hunter2")
    now = candidate(before, '  a: {use: gemini, model: "${SECRET:-plain}"}')

    assert {"a": {"model": "plain"}} == merged(before, now)
