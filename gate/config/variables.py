"""Fills `${VAR}` and `${VAR:-default}` into the values of a configuration, from a given mapping.

As in a shell, `${VAR:-default}` takes the default where the variable is unset or empty. Without
a default an empty variable counts as unset, since that is how a runner hands over a secret that
does not exist. `$${` stands for `${`. Keys are left as they are.

A value that is one variable and nothing else is typed as if its content stood there without
quotes, since between braces YAML asks for quotes around it: `{max_cost_usd: "${CEILING}"}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from gate.errors import ConfigError
from gate.wire.yaml import Block, Items, Node, Scalar

__all__ = ["expand", "unset"]

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
