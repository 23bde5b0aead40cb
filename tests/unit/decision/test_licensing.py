"""The next step where nothing is licensed to fail a run."""

from __future__ import annotations

from collections.abc import Sequence

from gate.decision.calibration import agreements
from gate.decision.comparison import compare
from gate.decision.licence import unlabelled
from gate.decision.verdict import decide
from gate.types import Agreement, Commits, Metric, Policy, Rule
from tests.unit.decision.decision_samples import RELEVANCE, baseline_of, cell, licence, run_of

CLAIMS = Metric(name="faithfulness", judged=True, counts="claims")
PRECISION = Metric(name="citation_precision", judged=True, counts="sentences")
COVERAGE = Metric(name="source_coverage", judged=True, counts="statements")
F1 = Metric(name="citation_f1", judged=True, of=("citation_precision", "source_coverage"))
COUNT = Metric(name="claims", unit="claims", watched=True)


def step(
    metrics: Sequence[Metric], licences: Sequence[Agreement], policy: Policy | None = None
) -> str | None:
    """The next step after a run of these metrics."""
    rules = policy or Policy()
    run = run_of([cell("t", f"c{i}", {one.name: [0.5] for one in metrics}) for i in range(20)])
    run = run.model_copy(update={"metrics": tuple(metrics)})
    verdict = decide(
        run,
        compare(run, baseline_of(run), rules),
        licences,
        rules,
        narrowed=False,
        seed="s",
        commits=Commits(),
        reproduce=(),
    )
    assert verdict.headline.startswith("Nothing is licensed to fail a run")
    return verdict.next_step


def test_to_license__one_list_of_what_is_to_be_labelled() -> None:
    """By what is labelled; what is composed of others, and what is watched, needs no label."""
    metrics = [RELEVANCE, CLAIMS, PRECISION, COVERAGE, F1, COUNT]

    assert (
        "label answers (relevance), claims (faithfulness), sentences (citation_precision) and "
        "statements (source_coverage) in evals/labels, then "
        "`gate kappa RUN.json --write evals/calibration.json`"
    ) == step(metrics, agreements(None, metrics, {}, Policy()))


def test_to_license__says_what_to_do_and_not_why() -> None:
    """The rows say why; dimensions with the same thing to do are named together."""
    metrics = [RELEVANCE, CLAIMS, PRECISION]
    why = {
        "relevance": "prompt changed since then: run `gate kappa --write` again",
        "citation_precision": "computed from x, with its licence: it changed: run `gate kappa "
        "--write` again",
    }
    stale = [
        licence(name, "stale").model_copy(update={"because": said}) for name, said in why.items()
    ]

    assert (
        "label claims (faithfulness) in evals/labels, then "
        "`gate kappa RUN.json --write evals/calibration.json`; "
        "relevance and citation_precision: run `gate kappa --write` again"
    ) == step(metrics, [*stale, unlabelled("faithfulness", "claims")])


def test_to_license__a_rule_is_said_whole() -> None:
    """Its colon stands in the rule itself."""
    policy = Policy(rules={"relevance": Rule(gating=False)})

    assert "relevance: its rule says `gating: false`" == step(
        [RELEVANCE], [licence("relevance")], policy
    )


def test_to_license__a_watched_row_hides_nothing_behind_it() -> None:
    """It is passed over, wherever it stands."""
    metrics = [COUNT, CLAIMS]

    assert (
        "label claims (faithfulness) in evals/labels, then "
        "`gate kappa RUN.json --write evals/calibration.json`"
    ) == step(metrics, agreements(None, metrics, {}, Policy()))


def test_to_license__labels_help_no_row_that_a_rule_keeps_from_failing() -> None:
    """Though nobody has labelled it, either."""
    policy = Policy(rules={"relevance": Rule(gating=False)})

    assert "relevance: its rule says `gating: false`" == step(
        [RELEVANCE], [unlabelled("relevance")], policy
    )
