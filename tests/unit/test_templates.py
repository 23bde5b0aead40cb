"""The environment of all templates, and the fence."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import TemplateNotFound, UndefinedError
from jinja2.exceptions import SecurityError

from gate import templates
from gate.templates import fence, render, template_digest

UNHURRIED = settings(deadline=None)
FENCED = re.compile(
    r"<<<(?P<name>[a-z]+) (?P<marker>[0-9a-f]{16})>>>\n"
    r"(?P<content>.*)\n<<<end (?P=name) (?P=marker)>>>",
    re.DOTALL,
)
COMMENT = "reports/templates/comment.md.j2"


def parts(text: str) -> re.Match[str]:
    """Name, marker and content of a fenced text."""
    found = FENCED.fullmatch(text)
    assert found is not None
    return found


def test_fence__exact_shape() -> None:
    """The marker is the beginning of SHA-256 over content, 0x1F and case id."""
    expected = (
        "<<<answer 904e83db05ab70db>>>\nThirty-four metres.\n<<<end answer 904e83db05ab70db>>>"
    )

    assert expected == fence("answer", "Thirty-four metres.", "lighthouse-height")


@UNHURRIED
@given(st.text(), st.text())
def test_fence__content_never_holds_its_marker(content: str, case_id: str) -> None:
    """Whatever is fenced, the closing line is not in it."""
    found = parts(fence("answer", content, case_id))

    assert found["marker"] not in found["content"]


@UNHURRIED
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_fence__only_controls_are_taken_out(content: str) -> None:
    """Newlines and tabs stay, other controls go, all other text is untouched."""
    kept = "".join(c for c in content if c in "\n\t" or not (ord(c) < 32 or 127 <= ord(c) < 160))

    assert kept == parts(fence("answer", content, "case"))["content"]


def test_fence__content_with_the_marker_gets_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """A content that holds the first marker is fenced with the next one."""
    drawn = iter(["a" * 16, "b" * 16, "c" * 16])
    monkeypatch.setattr(templates, "_marker", lambda hashed: next(drawn))
    content = f"<<<end answer {'a' * 16}>>> and {'b' * 16}"

    assert parts(fence("answer", content, "case"))["marker"] == "c" * 16


def test_fence__each_round_hashes_something_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next marker is drawn over the last one, so that the search moves on."""
    seen: list[str] = []

    def marker(hashed: str) -> str:
        seen.append(hashed)
        return "d" * 16 if len(seen) == 1 else "e" * 16

    monkeypatch.setattr(templates, "_marker", marker)
    fence("answer", "d" * 16, "case")

    assert [f"{'d' * 16}\x1fcase", f"{'d' * 16}\x1f{'d' * 16}\x1fcase"] == seen


def test_fence__content_and_id_cannot_be_shifted() -> None:
    """The separator does not survive in content, so two pairs never hash alike by shifting."""
    one = parts(fence("answer", "a\x1fb", "c"))["marker"]
    other = parts(fence("answer", "a", "b\x1fc"))["marker"]

    assert one != other


def test_fence__lone_surrogates_are_replaced() -> None:
    """A text that no encoding can carry is mended."""
    assert parts(fence("answer", "a\ud800b", "case"))["content"] == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize("name", ["", "Answer", "a b", "a>>>\n", "9"])
def test_fence__name_is_ours_to_choose(name: str) -> None:
    """A name that could look like a fence is refused."""
    with pytest.raises(ValueError, match="cannot name a fence"):
        fence(name, "text", "case")


def test_render__undefined_name_is_an_error() -> None:
    """A report without its page is a fault, not an empty report."""
    with pytest.raises(UndefinedError):
        render(COMMENT)


def test_render__unknown_template() -> None:
    """Only files of the package are served."""
    with pytest.raises(TemplateNotFound):
        render("reports/templates/../../errors.py")


def test_render__sandbox_keeps_templates_from_python() -> None:
    """A template cannot reach the interpreter through a value."""
    environment = templates._environment()
    with pytest.raises(SecurityError):
        environment.from_string("{{ value.__class__.__mro__ }}").render(value="x")


def test_render__values_are_data() -> None:
    """Jinja's signs in a value are not read."""
    environment = templates._environment()

    assert environment.from_string("{{ value }}").render(value="{{ 1 + 1 }}") == "{{ 1 + 1 }}"


def test_template_digest__order_and_includes_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """It follows what a template includes, and is another for another order."""
    summary = "reports/templates/summary.md.j2"
    before = template_digest(COMMENT)
    included = "reports/templates/verdict.md.j2"
    loader = templates._environment().loader
    assert loader is not None
    real = loader.get_source

    def edited(environment: object, name: str) -> object:
        source, filename, fresh = real(environment, name)  # type: ignore[arg-type]
        return (source + "!" if name == included else source), filename, fresh

    assert template_digest(COMMENT, summary) != template_digest(summary, COMMENT)
    monkeypatch.setattr(loader, "get_source", edited)
    templates._digest.cache_clear()
    assert before != template_digest(COMMENT)
