"""Steps without a gradient → the same values, with the gradient of a smooth stand-in."""

import ast
import dataclasses

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.dtypes import FLOATS, dtype_name
from graphdoctor.refactoring.syntax.expressions import operand, source_with, within
from graphdoctor.refactoring.syntax.temporaries import name_first
from graphdoctor.source.calls import called_name
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias
from graphdoctor.source.surroundings import parents_of

# Steps of one tensor: what they give goes forward, the gradient goes past them.
STEPS = ("round", "floor", "ceil", "rint")
MATH = ("tensorflow.", "tensorflow.math.", "keras.ops.")
RISING, FALLING = (ast.Gt, ast.GtE), (ast.Lt, ast.LtE)
COMPARING = {"greater": True, "greater_equal": True, "less": False, "less_equal": False}
STEEP = "10.0"
CHEAP = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.UnaryOp)
SMOOTH = "smooth"
COMPARED = "values"


@dataclasses.dataclass(frozen=True)
class _Comparison:
    """What is the greater one where a comparison holds, and the other."""

    greater: ast.expr
    less: ast.expr


def stand_in(module: Module, node: ast.AST | None) -> tuple[Edit, ...] | None:
    """The edits that let a gradient through a rounding, or through a comparison that is cast to floats."""
    if not isinstance(node, ast.Call | ast.Compare):
        return None
    step = _rounded(module, node)
    if step is not None and isinstance(node, ast.Call):
        return _past_rounding(module, node, step)
    compared, cast = _compared(module, node), _cast_around(module, node)
    if compared is None or cast is None:
        return None
    return _past_comparison(module, cast, compared)


def _rounded(module: Module, node: ast.AST) -> ast.expr | None:
    """What is rounded by a call, if one is; a `name=` says nothing about it."""
    if not isinstance(node, ast.Call) or any(keyword.arg != "name" for keyword in node.keywords):
        return None
    called = called_name(node, module.scope_at(node))
    known = any(called == home + step for home in MATH for step in STEPS)
    plain = len(node.args) == 1 and not isinstance(node.args[0], ast.Starred)
    return node.args[0] if known and plain else None


def _past_rounding(module: Module, node: ast.Call, given: ast.expr) -> tuple[Edit, ...] | None:
    """`x + tf.stop_gradient(tf.round(x) - x)`, of a name where `x` is computed first."""
    library = _library(module, node)
    if library is None:
        return None
    step = module.source_of(node.func)
    if _is_cheap(given):
        text = module.source_of(given)
        return (_passed(module, node, text, f"{step}({text})", library),)
    line = name_first(module, given, SMOOTH)
    if line is not None:
        return line, _passed(module, node, SMOOTH, f"{step}({SMOOTH})", library)
    tensorflow = module_alias("tensorflow", module.scope_at(node))
    if tensorflow is None or node.keywords:
        return None
    return (module.replace(node.func, f"{tensorflow}.grad_pass_through({step})"),)


def _library(module: Module, node: ast.Call) -> str | None:
    """What has `stop_gradient` beside a step: TensorFlow, or `keras.ops` as the step names it."""
    called = called_name(node, module.scope_at(node))
    if called.startswith("keras."):
        return module.source_of(node.func.value) if isinstance(node.func, ast.Attribute) else None
    return module_alias("tensorflow", module.scope_at(node))


def _compared(module: Module, node: ast.Call | ast.Compare) -> _Comparison | None:
    """The two sides of `x > 0.5`, or of `tf.greater(x, 0.5)`."""
    if isinstance(node, ast.Compare):
        if len(node.ops) != 1 or not isinstance(node.ops[0], (*RISING, *FALLING)):
            return None
        sides, rising = (node.left, node.comparators[0]), isinstance(node.ops[0], RISING)
    else:
        called = called_name(node, module.scope_at(node)).rpartition(".")
        known = f"{called[0]}." in MATH and called[2] in COMPARING
        if not known or len(node.args) != 2 or any(keyword.arg != "name" for keyword in node.keywords):
            return None
        sides, rising = (node.args[0], node.args[1]), COMPARING[called[2]]
    return _Comparison(*sides) if rising else _Comparison(*reversed(sides))


def _cast_around(module: Module, node: ast.expr) -> ast.Call | None:
    """The `tf.cast` to floating point numbers that a comparison is given to."""
    call, scope = parents_of(module).get(node), module.scope_at(node)
    if not isinstance(call, ast.Call) or call.args[:1] != [node]:
        return None
    given = [*call.args[1:], *(each.value for each in call.keywords if each.arg == "dtype")]
    known = bool(given) and dtype_name(given[0], scope) in FLOATS
    return call if called_name(call, scope) == "tensorflow.cast" and known else None


def _past_comparison(module: Module, cast: ast.Call, compared: _Comparison) -> tuple[Edit, ...] | None:
    tensorflow = module_alias("tensorflow", module.scope_at(cast))
    dear = [side for side in (compared.greater, compared.less) if not _is_cheap(side, constant=True)]
    if tensorflow is None or len(dear) > 1:
        return None
    line = name_first(module, dear[0], COMPARED) if dear else None
    if (dear and line is None) or cast.lineno != cast.end_lineno:
        return None
    greater, less = (
        COMPARED if side in dear else module.source_of(side) for side in (compared.greater, compared.less)
    )
    smooth = f"{tensorflow}.sigmoid({STEEP} * ({greater} - {operand(less)}))"
    whole = source_with(module, cast, dict.fromkeys(dear, COMPARED))
    passed = _passed(module, cast, smooth, whole, tensorflow)
    return (line, passed) if line is not None else (passed,)


def _is_cheap(given: ast.expr, *, constant: bool = False) -> bool:
    """Whether it may be written three times: arithmetic on names and numbers, the same each time."""
    parts = list(ast.walk(given))
    named = constant or any(isinstance(part, ast.Name) for part in parts)
    plain = not any(isinstance(part, ast.expr) and not isinstance(part, CHEAP) for part in parts)
    return named and plain and given.lineno == given.end_lineno


def _passed(module: Module, node: ast.expr, smooth: str, step: str, library: str) -> Edit:
    """What is smooth, and what lacks to the values of a step, without a gradient."""
    text = f"{smooth} + {library}.stop_gradient({step} - {operand(smooth)})"
    return module.replace(node, within(text, parents_of(module).get(node)))
