"""One Jinja environment for prompts and report texts, and the fence around foreign text.

Templates are files of the package, named from its root: `scorers/prompts/quality.system.md.j2`,
`reports/templates/comment.md.j2`. An undefined name is an error, never an empty string. The
environment is sandboxed and escapes nothing: prompts and Markdown are no HTML. What a template
is handed is data: Jinja's own signs in a value are not read.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache

from jinja2 import PackageLoader, StrictUndefined
from jinja2.meta import find_referenced_templates
from jinja2.sandbox import ImmutableSandboxedEnvironment

from gate.types import digest

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Unicode's control characters but newline and tab."""
_SURROGATES = re.compile("[\ud800-\udfff]")
"""Halves of a surrogate pair, which no UTF-8 text can hold."""
_MARKER_LENGTH = 16
_FENCE_NAME = re.compile(r"[a-z][a-z0-9_-]*")


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    return ImmutableSandboxedEnvironment(
        loader=PackageLoader("gate", ""),
        undefined=StrictUndefined,
        autoescape=False,  # prompts and Markdown are no HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # templates do not change while we run
    )


def render(name: str, **values: object) -> str:
    """Return the template `name` with its values.

    Raises jinja2.TemplateNotFound for an unknown name and jinja2.UndefinedError for a value that
    the template needs and was not given: both are faults of ours, not of a user.
    """
    return _environment().get_template(name).render(values)


def template_digest(*names: str) -> str:
    """Return the SHA-256 of the templates' sources, in this order: the identity of a prompt.

    What a template includes, extends or imports counts with it, so that an edit of a shared part
    changes the identity of every prompt that shows it.
    """
    return _digest(_environment(), names)


@cache
def _digest(environment: ImmutableSandboxedEnvironment, names: tuple[str, ...]) -> str:
    """Read each template once: every prompt of a run asks for its identity."""
    return digest([source for name in names for source in _sources(environment, name)])


def _sources(environment: ImmutableSandboxedEnvironment, name: str) -> list[str]:
    """Source of a template and of all that it refers to, each once, in reading order."""
    loader = environment.loader
    assert loader is not None
    found: dict[str, str] = {}
    waiting = [name]
    while waiting:
        current = waiting.pop(0)
        if current in found:
            continue
        source, _, _ = loader.get_source(environment, current)
        found[current] = source
        referenced = find_referenced_templates(environment.parse(source))
        waiting.extend(one for one in referenced if one is not None)
    return list(found.values())


def fence(name: str, content: str, case_id: str) -> str:
    r"""Return `content` between two lines that it cannot contain.

    The shape is `<<<name MARKER>>>`, the content, `<<<end name MARKER>>>`, each on lines of their
    own. MARKER is the first 16 hexadecimal digits of SHA-256 over the content, the byte 0x1F and
    the case's id; where the content happens to contain it, of SHA-256 over MARKER, 0x1F and what
    was hashed before, and so on. It depends on nothing else, so the request stays the same from
    run to run and caches hold.

    No text contains its own fence. Both fence lines contain MARKER, and the loop ends only with a
    MARKER that is no part of the content. It does end: a content of n characters has fewer than n
    stretches of 16, and each round draws a new one of 2^64. The byte 0x1F cannot come from the
    content, since control characters other than newline and tab are taken out of it, so content
    and id cannot be shifted into one another. Lone surrogates become U+FFFD.

    Raises ValueError for a name that is not lower-case letters, digits, `_` and `-`: it stands in
    the fence and is ours to choose.
    """
    if not _FENCE_NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot name a fence: use lower-case letters, digits, _ and -")
    clean = _clean(content)
    hashed = f"{clean}\x1f{_clean(case_id)}"
    marker = _marker(hashed)
    while marker in clean:
        hashed = f"{marker}\x1f{hashed}"
        marker = _marker(hashed)
    return f"<<<{name} {marker}>>>\n{clean}\n<<<end {name} {marker}>>>"


def _marker(hashed: str) -> str:
    return hashlib.sha256(hashed.encode("utf-8")).hexdigest()[:_MARKER_LENGTH]


def _clean(text: str) -> str:
    """Take out control characters but newline and tab, and replace lone surrogates."""
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", _CONTROLS.sub("", text))
