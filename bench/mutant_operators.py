"""Small wrong changes of a piece of code, each of which some test should notice.

Made: comparisons (boundary, negation), conditions (negated, an operand dropped, and/or), signs and
arithmetic, numbers (whole ones +-1, fractions doubled and halved), True and False, words that
programs read, `return None`, statements left out, min/max and the like, elements and named
arguments dropped, the ends of slices.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

Edit = tuple[Any, str, int | None, Any]
"""Node, field, place in the field, and what to put there; None takes the element out."""

NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
SWAPPED = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "floor": "ceil",
    "ceil": "floor",
    "sorted": "list",
}
UNWRAPPED = frozenset({"abs", "round", "result", "rounded", "reversed"})
"""Calls that are replaced by their first argument."""


MANNERS = frozenset({"strict", "dtype", "mode"})
"""Arguments that say in which manner, and are checks or the same as without them."""


def statements(node: ast.stmt) -> Iterator[tuple[str, ast.stmt, str]]:
    """Give the changes of a whole statement: kind, new statement, and its text."""

    def to(new: ast.stmt) -> ast.stmt:
        return ast.copy_location(new, node)

    if isinstance(node, ast.Return) and not isinstance(node.value, ast.Constant | None):
        none = ast.copy_location(ast.Constant(None), node)
        yield "return", to(ast.Return(none)), "return None"
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if called or isinstance(node, ast.Raise | ast.AugAssign):
        yield "left out", to(ast.Pass()), "pass"
    if isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        other = copy.copy(node)
        other.op = ARITHMETIC[type(node.op)]()
        yield "arithmetic", other, ast.unparse(other)
    if isinstance(node, ast.Continue):
        yield "left out", to(ast.Break()), "break"
    if isinstance(node, ast.If | ast.While) and _negatable(node.test):
        other_if = copy.copy(node)
        other_if.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        yield "condition", other_if, f"not {short(node.test)}"


def expressions(node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    """Give what can stand in an expression's place: kind, new expression, and its text."""
    for kind, new in _INSTEAD.get(type(node), _nothing)(node):
        fresh = ast.fix_missing_locations(ast.copy_location(new, node))
        yield kind, fresh, short(fresh)


def parts(node: ast.AST) -> Iterator[tuple[str, Edit, str]]:
    """Give what can be taken out of an expression: kind, edit, and what is left out."""
    if isinstance(node, ast.Call):
        for index, keyword in enumerate(node.keywords):
            if keyword.arg not in {None, *MANNERS}:
                yield "dropped", (node, "keywords", index, None), f"without {keyword.arg}="
    elif isinstance(node, ast.Dict):
        for index, key in enumerate(node.keys):
            said = "without **" if key is None else f"without {short(key)}:"
            yield "dropped", (node, "values", index, None), said
    elif isinstance(node, ast.comprehension):
        yield from _filters(node)
    elif is_collection(node):
        for index, one in enumerate(getattr(node, "elts", ())):
            yield "dropped", (node, "elts", index, None), f"without {short(one)}"


def values(value: object) -> list[object]:
    """Give the values that can stand for a constant."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, float):
        if value == 0.0:
            return [1.0, -1.0]
        return [value + 1.0, value - 1.0] if value >= 1.0 else [value * 2.0, value / 2.0]
    return [f"{value}X"] if isinstance(value, str) else []


def is_collection(node: Any) -> bool:
    """Say whether elements can be dropped: a tuple of other things than words has a shape."""
    if isinstance(node, ast.List | ast.Set):
        return not isinstance(getattr(node, "ctx", None), ast.Store)
    if not isinstance(node, ast.Tuple) or not isinstance(node.ctx, ast.Load) or not node.elts:
        return False
    return any(isinstance(one, ast.Starred) for one in node.elts) or all(
        isinstance(one, ast.Constant) and isinstance(one.value, str) for one in node.elts
    )


def name_of(func: ast.AST) -> str:
    """Give the last part of the name of what is called."""
    return getattr(func, "id", None) or getattr(func, "attr", "")


def short(node: Any) -> str:
    """Give the text of a node on one line; the middle of a long one is left out."""
    if isinstance(node, ast.If | ast.While):
        text = f"{'if' if isinstance(node, ast.If) else 'while'} {ast.unparse(node.test)}"
    elif isinstance(node, ast.For):
        text = f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
    else:
        text = ast.unparse(node)
    text = " ".join(text.split())
    return text if len(text) <= 90 else f"{text[:55]} ... {text[-30:]}"


def is_stopgap(node: ast.AST) -> bool:
    """Say whether this is `... or 0.0`: mostly there for the type checker."""
    if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.Or):
        return False
    last = node.values[-1]
    return isinstance(last, ast.Constant) and last.value in (0, 0.0, "")


Made = Iterator[tuple[str, ast.AST]]


def _compared(node: ast.Compare) -> Made:
    for index, op in enumerate(node.ops):
        for kind, table in (("negation", NEGATED), ("boundary", BOUNDARY)):
            if type(op) in table:
                ops = [*node.ops[:index], table[type(op)](), *node.ops[index + 1 :]]
                yield kind, ast.Compare(node.left, ops, node.comparators)


def _and_or(node: ast.BoolOp) -> Made:
    other = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
    yield "and/or", ast.BoolOp(other, node.values)
    for index in range(len(node.values) - is_stopgap(node)):
        rest = [*node.values[:index], *node.values[index + 1 :]]
        yield "operand dropped", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _sign(node: ast.UnaryOp) -> Made:
    if isinstance(node.op, ast.Not | ast.USub):
        yield "sign", node.operand


def _calculated(node: ast.BinOp) -> Made:
    if type(node.op) in ARITHMETIC and not any(_is_text(one) for one in (node.left, node.right)):
        yield "arithmetic", ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)


def _either(node: ast.IfExp) -> Made:
    if _negatable(node.test):
        yield "condition", ast.IfExp(node.test, node.orelse, node.body)


def _called(node: ast.Call) -> Made:
    name = name_of(node.func)
    if name in SWAPPED:
        other = SWAPPED[name]
        func: ast.expr = ast.Name(other, ast.Load())
        if isinstance(node.func, ast.Attribute):
            func = ast.Attribute(node.func.value, other, ast.Load())
        yield "call", ast.Call(func, node.args, [] if name == "sorted" else node.keywords)
    if name in UNWRAPPED and node.args and isinstance(node.func, ast.Name):
        yield "call", node.args[0]
    if name == "range" and not isinstance(node.args[-1], ast.Constant):
        last = ast.BinOp(node.args[-1], ast.Sub(), ast.Constant(1))
        yield "call", ast.Call(node.func, [*node.args[:-1], last], [])


def _sliced(node: ast.Slice) -> Made:
    for side in ("lower", "upper"):
        end = getattr(node, side)
        if end is not None and not isinstance(end, ast.Constant):
            for op in (ast.Add(), ast.Sub()):
                moved = ast.BinOp(end, op, ast.Constant(1))
                bounds = {"lower": node.lower, "upper": node.upper, "step": node.step}
                yield "slice", ast.Slice(**{**bounds, side: moved})


def _nothing(node: ast.AST) -> Made:  # noqa: ARG001 the shape of the others
    yield from ()


_INSTEAD: dict[type[ast.AST], Callable[[Any], Made]] = {
    ast.Compare: _compared,
    ast.BoolOp: _and_or,
    ast.UnaryOp: _sign,
    ast.BinOp: _calculated,
    ast.IfExp: _either,
    ast.Call: _called,
    ast.Slice: _sliced,
}


def _filters(node: ast.comprehension) -> Iterator[tuple[str, Edit, str]]:
    for index, test in enumerate(node.ifs):
        yield "dropped", (node, "ifs", index, None), f"without if {short(test)}"
        if _negatable(test):
            negated = ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
            yield "condition", (node, "ifs", index, negated), f"if not {short(test)}"


def _negatable(test: ast.AST) -> bool:
    """Say whether a condition has no change of its own that turns it round."""
    return not isinstance(test, ast.Compare | ast.BoolOp) and not (
        isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    )


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
