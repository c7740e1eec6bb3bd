"""Start values of a loop as tensors of the dtype and shape that the loop gives them."""

import ast

from graphdoctor.refactoring.syntax.bodies import Body
from graphdoctor.refactoring.syntax.dtypes import dtype_of
from graphdoctor.refactoring.syntax.resolving import attribute_values, class_around, is_self
from graphdoctor.refactoring.syntax.statements import value_given
from graphdoctor.refactoring.while_loops.loop_counts import CountedLoop
from graphdoctor.source.names import dotted_name

REDUCTIONS = tuple(f"reduce_{name}" for name in ("sum", "mean", "max", "min", "prod", "logsumexp"))
KERAS_REDUCTIONS = ("sum", "mean", "max", "min", "prod", "logsumexp")
LOSSES = "keras.losses."


def is_set_before(body: Body, loop: CountedLoop, name: str) -> bool:
    """Whether a name gets a value above the loop."""
    return any(_line(each.node) < loop.lineno for each in body.scope.bindings.get(name, ()))


def start_of(body: Body, loop: CountedLoop, name: str) -> str | None:
    """What the loop begins with for a name that it carries; None where no value of a graph would do."""
    earlier = [each for each in body.scope.bindings.get(name, ()) if _line(each.node) < loop.lineno]
    if not earlier:
        return None
    value = value_given(earlier[-1].node, name) if isinstance(earlier[-1].node, ast.stmt) else None
    if not isinstance(value, ast.Constant):
        empty = isinstance(value, ast.List | ast.Dict | ast.Set) and not getattr(value, "elts", ())
        return None if empty else name
    if type(value.value) not in (int, float, bool):
        return None
    updates = [each for each in ast.walk(loop) if name in _set_by(each)]
    values = [getattr(each, "value", None) for each in updates]
    terms = [term for each in values if isinstance(each, ast.expr) for term in _terms(each)]
    others = [term for term in terms if not (isinstance(term, ast.Name) and term.id == name)]
    if all(isinstance(each, ast.Constant) or dtype_of(each, body.scope, {}) == "int32" for each in others):
        return name
    if not all(isinstance(each, ast.Constant) or _is_scalar(body, each) for each in others):
        return None
    return repr(float(value.value)) if type(value.value) is int else name


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _set_by(node: ast.AST) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    is_set = isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)
    return [each.id for each in targets if is_set and isinstance(each, ast.Name)]


def _terms(value: ast.expr) -> list[ast.expr]:
    """The operands of a sum, product or quotient, as deep as it is written."""
    if isinstance(value, ast.BinOp):
        return [*_terms(value.left), *_terms(value.right)]
    return _terms(value.operand) if isinstance(value, ast.UnaryOp) else [value]


def _is_scalar(body: Body, term: ast.expr) -> bool:
    """Whether an expression surely gives one number: a reduction of everything, or a loss of Keras."""
    if isinstance(term, ast.Name):
        bindings = body.scope.bindings.get(term.id, ())
        value = value_given(bindings[0].node, term.id) if len(bindings) == 1 else None
        return value is not None and not isinstance(value, ast.Name) and _is_scalar(body, value)
    if not isinstance(term, ast.Call):
        return False
    package, _, function = (dotted_name(term.func, body.scope) or "").rpartition(".")
    reduces = (package in ("tensorflow", "tensorflow.math") and function in REDUCTIONS) or (
        package == "keras.ops" and function in KERAS_REDUCTIONS
    )
    if reduces:
        return len(term.args) == 1 and not term.keywords
    owner = class_around(body.scope)
    if owner is None or not isinstance(term.func, ast.Attribute) or not is_self(term.func.value):
        return False
    if term.func.attr == "compute_loss":
        return True
    made = attribute_values(owner, term.func.attr)
    calls = [each for each in made if isinstance(each, ast.Call) and not each.keywords]
    named = [dotted_name(each.func, body.scope) or "" for each in calls]
    return bool(made) and len(calls) == len(made) and all(each.startswith(LOSSES) for each in named)
