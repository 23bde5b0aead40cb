"""Connections: written or taken from the environment, and looked up only when used."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config import Config, load_config, system1_environment
from gate.errors import ConfigError

LEAST = "dataset: {path: cases.yaml}\n"
VERTEX = {"GOOGLE_GENAI_USE_VERTEXAI": "true", "GOOGLE_CLOUD_PROJECT": "p"}


def read(text: str, env: dict[str, str]) -> Config:
    """Read a configuration that says nothing but this."""
    return load_config(LEAST + text, "gate.yaml", env)


@pytest.mark.parametrize(
    ("env", "google", "anthropic"),
    [
        ({}, {}, {}),
        ({"GOOGLE_CLOUD_PROJECT": ""}, {}, {}),
        (
            {**VERTEX, "GOOGLE_CLOUD_LOCATION": "global"},
            {"road": "vertex", "project": "p", "location": "global"},
            {"road": "vertex", "project": "p", "region": "global"},
        ),
        (
            {"GEMINI_API_KEY": "g", "ANTHROPIC_API_KEY": "a"},
            {"road": "key", "api_key": "g"},
            {"road": "direct", "api_key": "a"},
        ),
        (
            {"GEMINI_API_KEY": "g", "GOOGLE_API_KEY": "first", "GOOGLE_GENAI_USE_VERTEXAI": "0"},
            {"road": "key", "api_key": "first"},
            {},
        ),
        (
            {**VERTEX, "GOOGLE_GENAI_USE_VERTEXAI": "True", "GEMINI_API_KEY": "g"},
            {"road": "vertex", "project": "p", "api_key": "g"},
            {"road": "vertex", "project": "p"},
        ),
        (
            {"GOOGLE_CLOUD_PROJECT": "p", "ANTHROPIC_VERTEX_PROJECT_ID": "q"}
            | {"CLOUD_ML_REGION": "europe-west1"},
            {"road": "vertex", "project": "p"},
            {"road": "vertex", "project": "q", "region": "europe-west1"},
        ),
    ],
)
def test_system1_environment__roads(
    env: dict[str, str], google: dict[str, str], anthropic: dict[str, str]
) -> None:
    """The variables of system 1 and of the SDKs, an empty one taken as unset."""
    found = system1_environment(env)

    assert (google, anthropic) == (found.google, found.anthropic)


def test_system1_environment__judge_and_credentials_file() -> None:
    """The judge's model and the file that Google's library reads; nothing of either is None."""
    found = system1_environment({"EVAL_JUDGE_MODEL": "m", "GOOGLE_APPLICATION_CREDENTIALS": "f"})

    assert ("m", "f") == (found.judge_model, found.credentials_file)
    assert system1_environment({"EVAL_JUDGE_MODEL": ""}).judge_model is None
    assert system1_environment({}).credentials_file is None


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["GEMINI_API_KEY", "ANTHROPIC_API_KEY"]), st.just("s3cret")))
def test_system1_environment__secrets_are_not_in_its_repr(env: dict[str, str]) -> None:
    """A log line of the record shows no key."""
    assert "s3cret" not in repr(system1_environment(env))


def test_connection__secrets_are_not_in_a_repr() -> None:
    """Neither the configuration nor a connection shows a key."""
    config = read("connections:\n  google:\n    api_key: ${K}", {"K": "s3cret"})

    assert "s3cret" == config.connection("google").text("api_key")
    assert "s3cret" not in repr(config) + repr(config.connection("google"))


def test_connection__unset_variable_matters_only_when_used() -> None:
    """The file is read without any variable; the connection says which one it misses."""
    text = (
        "connections:\n  google:\n    road: vertex\n    project: ${P}\n"
        "  anthropic: {road: direct, api_key: a}"
    )
    config = read(text, {})

    assert {"road": "direct", "api_key": "a"} == config.connection("anthropic").values
    with pytest.raises(ConfigError, match=r"gate.yaml:5: the variable P is not set"):
        config.connection("google")


def test_connection__variable_of_the_other_road_may_be_unset() -> None:
    """Only the keys of the road that is taken are looked up."""
    text = "connections:\n  google:\n    road: vertex\n    project: 12\n    api_key: ${K}"

    assert {"road": "vertex", "project": "12"} == read(text, {}).connection("google").values


def test_connection__gate_yaml_wins_key_by_key() -> None:
    """What is written stays; what is left out for that road is taken from the environment."""
    env = {**VERTEX, "GOOGLE_CLOUD_LOCATION": "us-east5", "GEMINI_API_KEY": "g"}

    written = read("connections:\n  google: {project: mine}", env).connection("google")
    assert {"road": "vertex", "project": "mine", "location": "us-east5"} == written.values
    other = read("connections:\n  google: {road: key}", env).connection("google")
    assert {"road": "key", "api_key": "g"} == other.values
    around = read("", env).connection("google")
    assert {"road": "vertex", "project": "p", "location": "us-east5"} == around.values


@pytest.mark.parametrize(
    ("text", "road"),
    [
        ("{road: key, project: p, api_key: k}", "key"),
        ("{api_key: k}", "key"),
        ("{project: p}", "vertex"),
        ('{road: "${ROAD}", api_key: k}', "key"),
    ],
)
def test_connection__road_is_written_or_follows_from_the_keys(text: str, road: str) -> None:
    """A block that gives a key or a project need not name the road."""
    config = read(f"connections:\n  google: {text}", {"ROAD": "key"})

    assert road == config.connection("google").text("road")


@pytest.mark.parametrize(
    ("vendor", "text", "message"),
    [
        ("google", "", "gate.yaml: no connection to google: set GEMINI_API_KEY"),
        ("anthropic", "", "set ANTHROPIC_API_KEY, or GOOGLE_CLOUD_PROJECT"),
        ("google", "connections:\n  google: {road: vertex}", "gate.yaml:3: `connections.google.p"),
        ("anthropic", "connections:\n  anthropic: {road: direct}", "`connections.anthropic.api_k"),
        ("google", 'connections:\n  google: {road: "${R}"}', "gate.yaml:3: the variable R is not"),
    ],
)
def test_connection__no_way(
    vendor: Literal["google", "anthropic"], text: str, message: str
) -> None:
    """What is missing, and the variables that would do."""
    config = read(text, {})

    with pytest.raises(ConfigError) as caught:
        config.connection(vendor)
    assert message in str(caught.value)


def test_road__as_written() -> None:
    """A stand-in has the road without any credential; None where the file does not say."""
    config = read('connections: {google: {road: key, api_key: "${K}"}, anthropic: {}}', VERTEX)

    assert "key" == config.road("google")
    assert config.road("anthropic") is None
    assert read("", VERTEX).road("google") is None


def test_connection__road_left_empty() -> None:
    """A road of null is none that is written."""
    config = read("connections: {google: {road: null, project: p}}", {})

    assert "vertex" == config.connection("google").text("road")


def test_connection__road_from_a_variable_is_checked() -> None:
    """What is filled in later is held to the same words."""
    config = read('connections:\n  google:\n    road: "${R:-x}"', {"R": "key"})
    with pytest.raises(ConfigError, match=r"`connections.google.api_key` is missing"):
        config.connection("google")

    with pytest.raises(ConfigError, match=r"gate.yaml:4: `connections.google.road`: must be"):
        read('connections:\n  google:\n    road: "${R:-x}"', {})


def test_judge__environment_overrides_its_model() -> None:
    """One run is judged by another model without an edit; the other options stay."""
    text = "judge:\n  use: claude\n  model: one\n  effort: low"
    judge = read(text, {"EVAL_JUDGE_MODEL": "two"}).judge
    assert judge is not None

    assert {"model": "two", "effort": "low"} == judge.options.values
    assert 4 == judge.options.lines["model"]


def test_judge__environment_alone_names_claude() -> None:
    """Without a judge in the file, the variable of system 1 means its judge."""
    judge = read("", {"EVAL_JUDGE_MODEL": "two"}).judge
    assert judge is not None

    assert ("claude", {"model": "two"}, None) == (judge.use, judge.options.values, judge.line)
