"""Fills `${VAR}` and `${VAR:-default}` into the values of a configuration, from a given mapping.

As in a shell, `${VAR:-default}` takes the default where the variable is unset or empty. Without
a default an empty variable counts as unset, since that is how a runner hands over a secret that
does not exist. `$${` stands for `${`. Keys are left as they are.

A value that is one variable and nothing else is typed as if its content stood there without
quotes, since between braces YAML asks for quotes around it: `{max_cost_usd: "${CEILING}"}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gate.errors import ConfigError
from gate.wire.yaml import Block, Items, Node, Scalar

__all__ = ["expand", "expand_like", "unset"]

_VARIABLE = re.compile(
    r"\$\$\{"
    r"|\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^}]*))?\}"
    r"|(?P<broken>\$\{)"
)


def expand(node: Node, env: Mapping[str, str], path: str) -> Node:
    """Return the tree with every variable filled in.

    Raises ConfigError with file, line and variable for one that is unset and has no default.
    """
    if isinstance(node, Block):
        return replace(
            node,
            entries=tuple(
                replace(entry, value=expand(entry.value, env, path)) for entry in node.entries
            ),
        )
    if isinstance(node, Items):
        return replace(node, items=tuple(expand(item, env, path) for item in node.items))
    return _expand_scalar(node, env, path)


def expand_like(node: Node, like: Node | None, env: Mapping[str, str], path: str) -> Node:
    """Fill in only the variables that `like`, another tree, has in the very same place and text.

    The tree may come from a stranger: were its own variables filled in, it could have a credential
    sent to a model, and answered, by naming it in a prompt. Others need a default, and get it.
    Raises ConfigError with file, line and variable where there is none.
    """
    if isinstance(node, Block):
        there = like if isinstance(like, Block) else Block((), node.line)
        return replace(
            node,
            entries=tuple(
                replace(entry, value=expand_like(entry.value, there.get(entry.key), env, path))
                for entry in node.entries
            ),
        )
    if isinstance(node, Items):
        others: Sequence[Node | None] = like.items if isinstance(like, Items) else ()
        return replace(
            node,
            items=tuple(
                expand_like(item, others[place] if place < len(others) else None, env, path)
                for place, item in enumerate(node.items)
            ),
        )
    if isinstance(like, Scalar) and like.text == node.text:
        return _expand_scalar(node, env, path)
    if unset(node, {}):
        raise ConfigError(
            "names a variable that the base's file does not have there, and a candidate's file is "
            "given no others: write the value or a default, `${NAME:-default}`, or bring the "
            "variable to the base branch first",
            path,
            node.line,
        )
    return _expand_scalar(node, {}, path)


def unset(node: Node, env: Mapping[str, str]) -> bool:
    """Whether a scalar asks for a variable that is unset and has no default."""
    return isinstance(node, Scalar) and any(
        match["name"] and not env.get(match["name"]) and match["default"] is None
        for match in _VARIABLE.finditer(node.text)
    )


def _expand_scalar(scalar: Scalar, env: Mapping[str, str], path: str) -> Scalar:
    def fill(match: re.Match[str]) -> str:
        if match["broken"]:
            raise ConfigError(
                "`${` without a variable: write `${NAME}` or `${NAME:-default}`, "
                "or `$${` for the two characters themselves",
                path,
                scalar.line,
            )
        name, default = match["name"], match["default"]
        if name is None:
            return "${"
        value = env.get(name) or default
        if value is None:
            raise ConfigError(
                f"the variable {name} is not set, or empty: set it in the environment, "
                f"or write `${{{name}:-default}}`",
                path,
                scalar.line,
            )
        return value

    whole = _VARIABLE.fullmatch(scalar.text)
    plain = scalar.plain or (whole is not None and whole["name"] is not None)
    return replace(scalar, text=_VARIABLE.sub(fill, scalar.text), plain=plain)
