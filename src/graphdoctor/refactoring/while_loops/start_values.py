"""Start values of a loop as tensors of the dtype and shape that the loop gives them."""

import ast

from graphdoctor.refactoring.syntax.dtypes import dtype_of
from graphdoctor.refactoring.while_loops.loop_counts import CountedLoop
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import place_of
from graphdoctor.source.resolving import attribute_values, class_around, is_self
from graphdoctor.source.surroundings import Body, value_given

KERAS_REDUCTIONS = ("sum", "mean", "max", "min", "prod", "logsumexp")
OF_TENSORFLOW = tuple(f"reduce_{name}" for name in KERAS_REDUCTIONS)
REDUCTIONS = {"tensorflow": OF_TENSORFLOW, "tensorflow.math": OF_TENSORFLOW, "keras.ops": KERAS_REDUCTIONS}
LOSSES = "keras.losses."


def is_set_before(body: Body, loop: CountedLoop, name: str) -> bool:
    """Whether a name gets a value above the loop."""
    return any(_line(each.node) < loop.lineno for each in body.scope.bindings.get(name, ()))


def start_of(body: Body, loop: CountedLoop, name: str) -> str | None:
    """What the loop begins with for a name that it carries; None where no value of a graph would do."""
    earlier = [each.node for each in body.scope.bindings.get(name, ()) if _line(each.node) < loop.lineno]
    value = value_given(earlier[-1], name) if earlier and isinstance(earlier[-1], ast.stmt) else None
    if not isinstance(value, ast.Constant):
        empty = isinstance(value, ast.List | ast.Dict | ast.Set) and not getattr(value, "elts", ())
        return name if earlier and not empty else None
    if type(value.value) not in (int, float, bool):
        return None
    others = [each for each in _terms_of(loop, name) if not isinstance(each, ast.Constant)]
    if all(dtype_of(each, body.scope, {}) == "int32" for each in others):
        return name
    number = repr(float(value.value)) if type(value.value) is int else name
    return number if all(_is_scalar(body, each) for each in others) else None


def _terms_of(loop: CountedLoop, name: str) -> list[ast.expr]:
    """What a loop adds to a name, or puts in its place, but for the name itself."""
    values = (getattr(each, "value", None) for each in ast.walk(loop) if name in _set_by(each))
    terms = [term for each in values if isinstance(each, ast.expr) for term in _terms(each)]
    return [each for each in terms if place_of(each) != name]


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
    package, _, function = called_name(term, body.scope).rpartition(".")
    if function in REDUCTIONS.get(package, ()):
        return isinstance(term, ast.Call) and len(term.args) == 1 and not term.keywords
    return isinstance(term, ast.Call) and _is_loss(body, term.func)


def _is_loss(body: Body, called: ast.expr) -> bool:
    """Whether a method of `self` gives a loss: `compute_loss`, or a loss of Keras that it keeps."""
    owner = class_around(body.scope)
    if owner is None or not isinstance(called, ast.Attribute) or not is_self(called.value):
        return False
    made = attribute_values(owner, called.attr)
    plain = all(isinstance(each, ast.Call) and not each.keywords for each in made)
    of_keras = plain and all(called_name(each, body.scope).startswith(LOSSES) for each in made)
    return called.attr == "compute_loss" or (bool(made) and of_keras)
