"""Variables in values: filled in from a mapping, missed with their line, never typed twice."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config import load_config
from gate.config.variables import expand
from gate.errors import ConfigError
from gate.wire.yaml import Scalar, load, to_json

LEAST = "dataset: {path: cases.yaml}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${A}", "one"),
        ("x-${A}-${B}-y", "x-one-two-y"),
        ("${C:-other}", "other"),
        ("${EMPTY:-other}", "other"),
        ("${A:-other}", "one"),
        ("${C:-}", ""),
        ("$${A}", "${A}"),
        ("$$${A}", "$${A}"),
        ("$A and $ and {A}", "$A and $ and {A}"),
        ("${NESTED}", "${A}"),
    ],
)
def test_expand__scalar(text: str, expected: str) -> None:
    """As in a shell, once, and only in braces."""
    env = {"A": "one", "B": "two", "EMPTY": "", "NESTED": "${A}"}

    found = expand(Scalar(text, plain=False, line=3), env, "f.yaml")
    assert isinstance(found, Scalar)

    assert (expected, 3) == (found.text, found.line)


def test_expand__everywhere_but_in_keys() -> None:
    """Values of blocks and lists are filled in; keys are left as they are."""
    node = load('a: [x, {"${A}": "${A}"}]', "f.yaml")

    assert {"a": ["x", {"${A}": "b"}]} == to_json(expand(node, {"A": "b"}, "f.yaml"))


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="$")))
def test_expand__text_without_variables_is_untouched(text: str) -> None:
    """Only a dollar sign begins something."""
    assert text == to_json(expand(Scalar(text, plain=False, line=1), {}, "f.yaml"))


@pytest.mark.parametrize("env", [{}, {"NAME": ""}])
def test_expand__unset_or_empty(env: dict[str, str]) -> None:
    """A secret that a runner does not have arrives empty: it counts as unset."""
    with pytest.raises(ConfigError, match=r"gate.yaml:2: the variable NAME is not set, or empty"):
        load_config(LEAST + "name: ${NAME}", "gate.yaml", env)


@pytest.mark.parametrize("text", ["${", "${A", "${1A}", "${A-b}", "a ${} b"])
def test_expand__broken(text: str) -> None:
    """A slip is no text."""
    with pytest.raises(ConfigError, match=r"f.yaml:4: `\$\{` without a variable"):
        expand(Scalar(text, plain=True, line=4), {"A": "1"}, "f.yaml")


def test_load_config__variable_takes_the_kind_that_is_wanted() -> None:
    """The same text fills a number, a switch or a name."""
    text = "name: ${A}\nrun:\n  repeats: ${A}\nkeep_text: ${B}\ndataset: {path: x}"
    config = load_config(text, "gate.yaml", {"A": "3", "B": "true"})

    assert ("3", 3, True) == (config.name, config.run.repeats, config.keep_text)


def test_expand__quoted_variable_alone_is_typed() -> None:
    """Between braces YAML asks for quotes; with anything beside it, quotes mean a text."""
    text = 'a: {b: "${N}", c: "${N}0", d: "$${N}", e: "7"}'

    assert {"a": {"b": 2.5, "c": "2.50", "d": "${N}", "e": "7"}} == to_json(
        expand(load(text, "f.yaml"), {"N": "2.5"}, "f.yaml")
    )


def test_load_config__a_variable_cannot_write_yaml() -> None:
    """What is filled in is a value, never a structure."""
    config = load_config(LEAST + "name: ${A}", "gate.yaml", {"A": "x\nkeep_text: true"})

    assert ("x\nkeep_text: true", False) == (config.name, config.keep_text)


def test_load_config__a_secret_of_the_wrong_kind_is_not_shown() -> None:
    """Messages show keys and what is allowed, no values."""
    with pytest.raises(ConfigError) as caught:
        load_config(LEAST + "journal: ${S}", "gate.yaml", {"S": "sk-secret"})

    assert "sk-secret" not in str(caught.value)
