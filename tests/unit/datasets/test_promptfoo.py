"""promptfooconfig.yaml -> cases, and what cannot become one."""

from __future__ import annotations

import pytest

from gate.datasets import load_cases
from gate.datasets.case_text import case_text, quoted_text
from gate.datasets.promptfoo import MOST_CASES, Carried, carry_over
from gate.errors import DatasetError

HEAD = """\
description: Capitals
prompts:
  - 'Answer briefly: {{question}}'
providers: [openai:gpt-5-mini]
tests:
"""


def carried(tests: str, head: str = HEAD) -> Carried:
    """Carry over a file of these tests."""
    return carry_over(head + tests, "promptfooconfig.yaml")


def said(found: Carried) -> list[tuple[int, str]]:
    """What is not carried over, but for the providers of the head."""
    return [(one.line, one.says) for one in found.left if "providers" not in one.says]


def asserted(assertion: str) -> tuple[tuple[str, ...], list[tuple[int, str]]]:
    """The sentences of one assertion, and what of it is left."""
    lines = "".join(f"        {line}\n" for line in assertion.splitlines())
    found = carried(f"  - vars: {{question: Why}}\n    assert:\n      -\n{lines}")
    return found.cases[0].assertions, said(found)


def test_carry_over__a_test_becomes_a_case() -> None:
    """The prompt is filled in, the description is a file name, assertions are sentences."""
    found = carried("""\
  - description: "Capital of Côte d'Ivoire?"
    vars: {question: What is its capital?}
    assert:
      - {type: icontains, value: Yamoussoukro}
      - {type: llm-rubric, value: says since when}
""")

    (case,) = found.cases
    assert "capital-of-cote-d-ivoire" == case.id
    assert "Answer briefly: What is its capital?" == case.query
    assert (
        'contains the text "Yamoussoukro", in capitals or not',
        "says since when",
    ) == case.assertions
    assert 2 == found.assertions
    assert [(4, "`providers`: write them under `targets` in gate.yaml")] == [
        (one.line, one.says) for one in found.left
    ]


@pytest.mark.parametrize(
    ("assertion", "sentences"),
    [
        ("type: contains\nvalue: Paris", ('contains the text "Paris"',)),
        ("type: not-contains\nvalue: Lyon", ('does not contain the text "Lyon"',)),
        ("type: equals\nvalue: 42", ('answers with exactly "42" and nothing else',)),
        ("type: starts-with\nvalue: Yes", ('begins with the text "Yes"',)),
        ("type: contains-all\nvalue: [a, b]", ('contains the text "a"', 'contains the text "b"')),
        (
            "type: contains-any\nvalue: a, b",
            ('contains at least one of these texts: "a", "b"',),
        ),
        (
            "type: not-contains-any\nvalue: [a, b]",
            ('does not contain the text "a"', 'does not contain the text "b"'),
        ),
        ("type: model-graded-closedqa\nvalue: is kind", ("is kind",)),
        (
            "type: model-graded-factuality\nvalue: it is 3",
            ('agrees with this and contradicts none of it: "it is 3"',),
        ),
        ("type: llm-rubric\nvalue: says {{question}}", ("says Why",)),
    ],
)
def test_assertion__that_a_judge_can_check(assertion: str, sentences: tuple[str, ...]) -> None:
    """It becomes a sentence, or one for each value; nothing of it is left."""
    assert (sentences, []) == asserted(assertion)


@pytest.mark.parametrize(
    ("assertion", "says"),
    [
        ("type: regex\nvalue: 'P.*'", "assertion regex: a judge that reads the answer cannot"),
        ("type: javascript\nvalue: output.length", "assertion javascript: a judge"),
        ("type: similar\nvalue: x", "assertion similar: a judge"),
        ("type: cost\nthreshold: 0.1", "assertion cost: `policy.limits.usd_per_1k`"),
        ("type: latency\nthreshold: 9", "assertion latency: `policy.limits.p50_latency_s`"),
        ("type: answer-relevance", "assertion answer-relevance: `quality` measures"),
        ("type: equals\nvalue: file://a.txt", "assertion equals: its value lies in a file"),
        ("type: equals\nvalue: {a: 1}", "assertion equals: its value is no text"),
        ("type: contains\nvalue: ''", "assertion contains: its value is empty"),
        ("type: contains\nvalue: '{{nobody}}'", "it needs the variable nobody"),
        ("type: contains\nvalue: '{{question | upper}}'", "it needs more than {{name}}"),
        ("type: contains\nvalue: x\ntransform: output.y", "its `transform` makes another text"),
        ("type: contains\nvalue: x\nweight: 0", "of weight 0, it decides nothing"),
        ("value: x", "an assertion without a type"),
        ("type: assert-set\nassert: []", "assertion assert-set: a judge"),
    ],
)
def test_assertion__that_is_left(assertion: str, says: str) -> None:
    """It is named with its line, and no sentence pretends to check it."""
    sentences, left = asserted(assertion)

    assert () == sentences
    ((line, text),) = left
    assert says in text
    assert 9 == line


def test_assertion__settings_beside_it() -> None:
    """The sentence stays, and what it loses is named on its own line."""
    sentences, left = asserted("type: llm-rubric\nvalue: is kind\nthreshold: 0.8\nmetric: tone")

    assert ("is kind",) == sentences
    assert [
        (11, "`threshold` of assertion llm-rubric, which itself is carried over"),
        (12, "`metric` of assertion llm-rubric, which itself is carried over"),
    ] == left


def test_carry_over__what_holds_for_every_test() -> None:
    """Its variables are under the test's own, its assertions come first."""
    found = carried(
        "  - vars: {question: a}\n  - vars: {question: b, who: you}\n",
        HEAD.replace(
            "tests:",
            "defaultTest:\n  vars: {who: I}\n  options: {}\n"
            "  assert: [{type: contains, value: '{{who}}'}]\ntests:",
        ),
    )

    assert [('contains the text "I"',), ('contains the text "you"',)] == [
        case.assertions for case in found.cases
    ]
    assert [(7, "defaultTest: `options`")] == said(found)


def test_carry_over__a_list_of_values() -> None:
    """One case for each combination, as there."""
    found = carried("  - vars: {question: [a, b], x: [1, 2]}\n")

    assert ["a", "a", "b", "b"] == [case.query[-1] for case in found.cases]
    assert ["a", "a-2", "b", "b-2"] == [case.id for case in found.cases]


@pytest.mark.parametrize(
    ("prompts", "query", "says"),
    [
        ("[prompt.txt]", "Why", "prompt prompt.txt: it lies in a file"),
        ("file://prompts/*.txt", "Why", "prompt file://prompts/*.txt: it lies in a file"),
        ('[\'[{"role": "user"}]\']', "Why", "a prompt of several messages"),
        ("[{id: p, raw: 'Say: {{question}}'}]", "Say: Why", None),
        ("['A {{question}}', 'B {{question}}']", "A Why", "a further prompt"),
    ],
)
def test_carry_over__prompts(prompts: str, query: str, says: str | None) -> None:
    """The first inline one is filled in; without any, a test's only variable is the question."""
    found = carry_over(f"prompts: {prompts}\ntests:\n  - vars: {{question: Why}}\n", "p.yaml")

    assert [query] == [case.query for case in found.cases]
    left = said(found)
    assert left == [] if says is None else says in left[0][1]


@pytest.mark.parametrize(
    ("test", "says"),
    [
        ("vars: file://vars.csv", "its variables lie in a file"),
        ("vars: {question: file://q.txt}", "its variable question lies in a file"),
        ("vars: {question: {a: b}}", "its variable question is no text"),
        ("vars: {other: x}", "it needs the variable question"),
        ("vars: {question: ok}\n    threshold: 0.5", "the gate compares with a baseline"),
        ("vars: {question: ok}\n    assert: file://a.yaml", "assertions that are no list"),
    ],
)
def test_carry_over__of_a_test(test: str, says: str) -> None:
    """What stands in the way is named with the test's line, and other tests are carried over."""
    found = carried(f"  - {test}\n  - vars: {{question: fine}}\n")

    assert "fine" == found.cases[-1].id
    ((line, text),) = said(found)
    assert says in text
    assert line in (6, 7)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[]", "no promptfoo configuration"),
        ("tests: file://tests.csv", "line 1: tests that lie in a file"),
        ("tests: [file://tests.yaml]", "line 1: tests that lie in a file"),
        ("prompts: [x]", "no test that can be carried over"),
        ("tests: &a [*a]", "an anchor"),
        ("a: {b", "p.yaml:1"),
        ("x" * 1_000_001, "above the limit"),
    ],
)
def test_carry_over__of_nothing(text: str, says: str) -> None:
    """It says why, with line and reason."""
    with pytest.raises(DatasetError) as caught:
        carry_over(text, "p.yaml")

    assert says in str(caught.value)


def test_carry_over__values_are_not_read_again() -> None:
    """What a variable holds is text, braces included; nothing of it is run."""
    found = carried("  - vars: {question: '{{question}} {% for %}'}\n")

    assert "Answer briefly: {{question}} {% for %}" == found.cases[0].query


def test_carry_over__a_bomb_of_combinations() -> None:
    """Ten lists of ten values are ten thousand million cases: it stops, and says where."""
    lists = ", ".join(f"v{number}: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]" for number in range(10))
    found = carried(f"  - vars: {{question: q, {lists}}}\n")

    assert MOST_CASES == len(found.cases)
    assert "too many" in said(found)[0][1]


def test_carry_over__a_bomb_of_texts() -> None:
    """A text that would grow past all bounds is not filled in."""
    long = "y" * 90_000
    head = f"prompts: ['{'{{q}} ' * 1_000}']\ntests:\n"

    with pytest.raises(DatasetError, match="more than 100,000 characters"):
        carry_over(f"{head}  - vars: {{q: {long}}}\n", "p.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        'a "quote" \\ and #',
        "Jørn → 木",
        "two\nlines\tand",
        "no\u2028\u0085\x7fbreak",
        "🙂",
    ],
)
def test_quoted_text__is_read_back(text: str) -> None:
    """By the strict reader, to the last sign, on one line."""
    (case,) = load_cases(case_text("one", text, [text]), "cases.yaml")

    assert (text, (text,)) == (case.question.input, case.assertions)
    assert 1 == len(quoted_text(text).splitlines())


@pytest.mark.parametrize("name", ["CON", "nul.txt", "", "!!!", "…", "x" * 300, "../../etc"])
def test_carry_over__ids_are_safe_file_names(name: str) -> None:
    """Whatever the description is; the case can be read."""
    found = carried(f"  - {{description: {quoted_text(name)}, vars: {{question: Why}}}}\n" * 2)
    text = "".join(case_text(one.id, one.query, one.assertions) for one in found.cases)

    assert 2 == len(load_cases(text, "cases.yaml"))
