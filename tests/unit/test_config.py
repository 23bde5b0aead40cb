"""gate.yaml: what is read, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.config import Config, load_config
from gate.config.presets import PRESETS, Preset
from gate.config.shape import GateFile, PolicyBlock, RuleBlock
from gate.errors import ConfigError
from gate.types import Policy, Rule
from gate.wire.records import known_names

LEAST = "dataset: {path: evals/cases.yaml}\n"
"""The shortest file that is read."""

FULL = """\
schema: 1
name: search
dataset: {path: evals/cases.yaml, format: native}
targets:
  gemini-3.8-flash: {use: gemini, model: gemini-3.8-flash, thinking_level: low}
  own:
    use: targets/own.py:Own
    version: 1.10
judge: {use: claude, model: claude-opus-5-5, effort: medium}
scorers:
  - quality
  - {use: quality, judge: second}
connections:
  google: {road: vertex, project: "${GOOGLE_CLOUD_PROJECT}", location: global}
baseline: base.json
calibration: evals/c.json
labels: [evals/labels/*.yaml, more.yaml]
policy:
  q: 0.05
  limits: {p50_latency_s: 3}
  rules: {correctness: {margin: 0.2, gating: false}}
run:
  sample: 24
  seed: 1.10
  repeats: 3
  concurrency: {google: 4}
  max_cost_usd: 2.5
  call_timeout_s: 60
  retry: {tries: 3}
keep_text: true
journal: off
reporters: [markdown, json, csv]
"""


def read(text: str, **env: str) -> Config:
    """Read a configuration."""
    return load_config(text, "gate.yaml", env)


def refused(text: str, **env: str) -> ConfigError:
    """The error of reading a configuration."""
    with pytest.raises(ConfigError) as caught:
        read(text, **env)
    return caught.value


def test_load_config__every_key() -> None:
    """What is written is what is read."""
    config = read(FULL)

    assert "search" == config.name
    assert ("evals/cases.yaml", "native") == (config.dataset.path, config.dataset.format)
    assert ("base.json", "evals/c.json") == (config.baseline, config.calibration)
    assert ("evals/labels/*.yaml", "more.yaml") == config.labels
    assert (24, "1.10", 3) == (config.run.sample, config.run.seed, config.run.repeats)
    assert (4, 16) == (config.run.concurrency.google, config.run.concurrency.anthropic)
    assert (2.5, 60.0, 3) == (
        config.run.max_cost_usd,
        config.run.call_timeout_s,
        config.run.retry.tries,
    )
    assert (True, "off") == (config.keep_text, config.journal)
    assert ("markdown", "json", "csv") == tuple(use.use for use in config.reporters)
    assert config.policy == Policy(
        q=0.05,
        limits={"p50_latency_s": 3},
        rules={"correctness": Rule(margin=0.2, gating=False)},
    )


def test_load_config__plugins_are_kept_raw_with_their_lines() -> None:
    """Options are for the plug-in to read; scalars in them are as they were written."""
    config = read(FULL)
    flash, own = config.targets
    first, second = config.scorers

    assert ("gemini-3.8-flash", "gemini", 5) == (flash.name, flash.use, flash.line)
    assert {"model": "gemini-3.8-flash", "thinking_level": "low"} == flash.options.values
    assert ("own", "targets/own.py:Own", 6) == (own.name, own.use, own.line)
    assert {"version": 8} == own.options.lines
    assert "1.10" == own.options.text("version")
    assert config.judge is not None
    assert ("claude", 9) == (config.judge.use, config.judge.line)
    assert ("quality", {}, 11) == (first.use, first.options.values, first.line)
    assert ("quality", {"judge": "second"}, 12) == (second.use, second.options.values, second.line)


def test_load_config__what_is_left_out() -> None:
    """The rules of the contract, the usual places, nothing that costs or keeps more."""
    config = read(LEAST)

    assert ("default", (), None) == (config.name, config.targets, config.judge)
    assert ["quality"] == [use.use for use in config.scorers]
    assert ["markdown", "json"] == [use.use for use in config.reporters]
    assert ("baseline.json", "evals/calibration.json", ("evals/labels/*.yaml",)) == (
        config.baseline,
        config.calibration,
        config.labels,
    )
    assert Policy() == config.policy
    assert ("full", None, 1, None, 120.0) == (
        config.run.sample,
        config.run.seed,
        config.run.repeats,
        config.run.max_cost_usd,
        config.run.call_timeout_s,
    )
    assert (False, "full") == (config.keep_text, config.journal)


def test_policy__keys_and_defaults_are_those_of_the_word() -> None:
    """A rule that is added to the policy can be written in gate.yaml, or this fails."""
    assert {*known_names(Policy), "preset"} == set(known_names(PolicyBlock))
    assert set(known_names(Rule)) == set(known_names(RuleBlock))
    assert Policy() == PolicyBlock().policy()


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("form", ["policy: {0}\n", "policy: {{preset: {0}}}\n"])
def test_policy__preset_alone_or_as_a_key(name: Preset, form: str) -> None:
    """One word stands for a set of rules, each of which the policy has under that name."""
    policy = read(LEAST + form.format(name)).policy

    assert Policy.model_validate(dict(PRESETS[name])) == policy
    assert set(PRESETS[name]) <= set(known_names(Policy))


def test_policy__what_is_written_goes_before_the_preset() -> None:
    """Also where it is what the default would be."""
    text = "policy: {preset: strict, margin: 0.1, on_inconclusive: pass}\n"
    policy = read(LEAST + text).policy

    assert (0.03, 0.1, "pass") == (policy.min_effect, policy.margin, policy.on_inconclusive)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (LEAST + "policy: sharp", 2, "must be 'default', 'strict', 'lenient' or 'threshold'"),
        ("", 1, "must be a block of keys: begin with `dataset:`"),
        ("- a", 1, "must be a block of keys"),
        ("name: a", 1, "`dataset`: is missing"),
        ("dataset: {}", 1, "`dataset.path`: is missing"),
        ("dataset: {path: a, format: adk}", 1, "`dataset.format`: must be 'native'"),
        (LEAST + "polcy: {}", 2, "unknown key `polcy`; did you mean `policy`? Known: `schema`,"),
        (LEAST + "policy:\n  min_efect: 1", 3, "`policy`: unknown key `min_efect`; did you mean"),
        (LEAST + "policy:\n  rules:\n    x: {margn: 1}", 4, "unknown key `margn`"),
        (LEAST + "policy: {limits: {p50: 1}}", 2, "unknown key `p50`"),
        (LEAST + "policy: {q: 1}", 2, "`policy.q`: must be less than 1"),
        (LEAST + "policy: {margin: 0}", 2, "must be greater than 0"),
        (LEAST + "policy: {coverage: 1.5}", 2, "must be less than or equal to 1"),
        (LEAST + "policy: {rule: strict}", 2, "must be 'default' or 'threshold'"),
        (LEAST + "policy: {report_only: yes}", 2, "must be true or false"),
        (LEAST + "schema: 2", 2, "`schema`: must be 1"),
        (LEAST + "run: {sample: half}", 2, "must be 'full' or a whole number"),
        (LEAST + "run: {sample: 0}", 2, "must be 'full' or greater than or equal to 1"),
        (LEAST + "run: {repeats: 0}", 2, "must be greater than or equal to 1"),
        (LEAST + "run: {max_cost_usd: -1}", 2, "must be greater than or equal to 0"),
        (LEAST + "run: {call_timeout_s: 0}", 2, "must be greater than 0"),
        (LEAST + "run: {concurrency: {gogle: 1}}", 2, "did you mean `google`?"),
        (LEAST + "journal: none", 2, "must be 'full', 'no-pages', 'no-text' or 'off'"),
        (LEAST + "policy: true", 2, "must be a block of keys"),
        (LEAST + "targets: {flash: gemini}", 2, "`targets.flash`: must be a block of keys"),
        (LEAST + "targets: {flash: {model: x}}", 2, "`targets.flash.use`: is missing"),
        (LEAST + 'targets:\n  "a\\nb": {use: x}', 3, "cannot stand in tables"),
        (LEAST + "scorers: []", 2, "`scorers`: is empty"),
        (LEAST + "scorers: [{judge: x}]", 2, "`scorers[0].use`: is missing"),
        (LEAST + "scorers:\n  - quality\n  - quality", 4, "again, first on line 3"),
        (LEAST + "judge: claude", 2, "`judge`: must be a block of keys"),
        (LEAST + "connections: {gogle: {}}", 2, "unknown connection `gogle`; did you mean"),
        (LEAST + "connections: {google: {rod: x}}", 2, "unknown key `rod`; did you mean `road`?"),
        (LEAST + "connections: {google: {road: x}}", 2, "must be 'vertex' or 'key'"),
        (LEAST + "connections: {google: }", 2, "`connections.google`: must be a block"),
        (LEAST + "connections: none", 2, "`connections`: must be a block of keys"),
        (LEAST + "name: a\nname: b", 3, "first on line 2"),
    ],
)
def test_load_config__refuses(text: str, line: int, message: str) -> None:
    """File, line, what is known and what to do; the exit code is 2."""
    error = refused(text)

    assert f"gate.yaml:{line}: " == str(error)[: len(f"gate.yaml:{line}: ")]
    assert message in str(error)
    assert 2 == error.exit_code


def test_find_use__known_and_unknown() -> None:
    """A name on the command line is looked up among those of the file."""
    config = read(FULL)

    assert config.targets[1] == config.find_use("targets", "own")
    with pytest.raises(ConfigError, match=r"gate.yaml:4: unknown target `onw`; did you mean `own`"):
        config.find_use("targets", "onw")


def test_find_uses__order_of_the_file() -> None:
    """Named ones keep the file's order; no name means all of them."""
    config = read(FULL)

    assert config.targets == config.find_uses("targets")
    assert config.targets == config.find_uses("targets", ["own", "gemini-3.8-flash"])
    assert config.targets[1:] == config.find_uses("targets", ["own"])
    assert config.scorers == config.find_uses("scorers", ["quality"])
    with pytest.raises(ConfigError, match="unknown scorer `x`"):
        config.find_uses("scorers", ["quality", "x"])


def test_find_uses__none_at_all() -> None:
    """Nothing to run is said before anything is paid."""
    with pytest.raises(ConfigError, match=r"gate.yaml: names no targets: add one"):
        read(LEAST).find_uses("targets")


def test_require_files__cases_missing(tmp_path: Path) -> None:
    """The cases must be there; baseline, labels and calibration may come later."""
    config = read("name: a\n" + LEAST)
    with pytest.raises(ConfigError, match=r"gate.yaml:2: the file of cases evals/cases.yaml"):
        config.require_files(tmp_path)

    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "cases.yaml").write_text("[]", "utf-8")
    config.require_files(tmp_path)


def test_line_of__a_key_inside() -> None:
    """Messages of later rooms can name a line."""
    config = read(FULL)

    assert 19 == config.line_of("policy", "q")
    assert 1 == read("{dataset: {path: a}}").line_of("none")


def test_gate_file__own_configuration(root: Path) -> None:
    """The project's own gate.yaml is read, without any variable set."""
    place = root / "gate.yaml"
    if not place.is_file():
        pytest.skip("no gate.yaml in this checkout")
    config = load_config(place.read_text("utf-8"), "gate.yaml", {})

    assert GateFile.model_fields["name"].default == config.name
    assert ["gemini-3.8-flash"] == [use.name for use in config.targets]
