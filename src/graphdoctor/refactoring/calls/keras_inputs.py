"""A function of TensorFlow's that is given a placeholder of Keras → `keras.ops`, or a layer around it."""

import ast
import dataclasses
from collections.abc import Iterable, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.calls.keras_operations import KERAS_OPERATIONS
from graphdoctor.refactoring.syntax.expressions import source_with
from graphdoctor.source.calls import called_name, has_stars
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name, module_alias
from graphdoctor.source.resolving import attribute_values, class_around, is_self
from graphdoctor.source.scopes import Binding, Scope
from graphdoctor.source.surroundings import parents_of

# What a `Lambda` cannot tell the shape or dtype of: it takes all for floating point numbers.
UNTOLD = (
    *("argmax", "argmin", "argsort", "boolean_mask", "bucketize", "cast", "equal", "greater"),
    *("greater_equal", "in_top_k", "is_finite", "is_inf", "is_nan", "less", "less_equal", "logical_and"),
    *("logical_not", "logical_or", "not_equal", "one_hot", "rank", "reduce_all", "reduce_any", "where"),
    *("searchsorted", "size", "sequence_mask", "shape", "shape_n", "top_k", "unique", "unique_with_counts"),
)
# They have effects, Variables or functions of their own.
REFUSED = (
    *("Variable", "Module", "Graph", "Operation", "GradientTape"),
    *("print", "py_function", "numpy_function"),
)
FAMILIES = ("math.", "nn.", "linalg.", "image.", "signal.")
PASSED_ON = (ast.List, ast.Tuple, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.keyword)
WRITTEN = (
    *(ast.Constant, ast.List, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.Subscript, ast.Slice),
    *(ast.operator, ast.unaryop, ast.expr_context, ast.keyword),
)
GIVEN = "given"


@dataclasses.dataclass(frozen=True)
class Placeholder:
    """An expression that gives a placeholder, and its dtype where that is known."""

    node: ast.expr
    dtype: str = ""


def outermost_call(module: Module, given: ast.expr) -> ast.Call | None:
    """The call that a placeholder is given to, or the one of TensorFlow's around it."""
    calls = _Calls(module)
    call = calls.around(given)
    return calls.outermost(call) if call is not None else None


def called_by_keras(module: Module, given: Sequence[Placeholder]) -> Edit | None:
    """The edit that lets `keras.ops` do what TensorFlow was to do; None where it does not do the same."""
    calls = _Calls(module)
    around = {calls.around(each.node) for each in given}
    call = around.pop() if len(around) == 1 else None
    return calls.by_keras(call, given) if call is not None else None


def called_in_a_layer(module: Module, given: Sequence[Placeholder]) -> Edit | None:
    """The edit that calls a function of TensorFlow's, or a graph function, in a `Lambda` layer."""
    calls = _Calls(module)
    call = calls.around(given[0].node) if given else None
    if call is None:
        return None
    return calls.of_function(call, given) or calls.in_a_layer(calls.outermost(call), given)


class _Calls:
    """The calls of a module that placeholders are given to."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.parents = parents_of(module)

    def around(self, given: ast.AST) -> ast.Call | None:
        """The call that is given an expression, as it is or in a list that is written there."""
        outer = self.parents.get(given)
        while isinstance(outer, ast.List | ast.Tuple | ast.keyword):
            given, outer = outer, self.parents.get(outer)
        return outer if isinstance(outer, ast.Call) and outer.func is not given else None

    def outermost(self, call: ast.Call) -> ast.Call:
        """The outermost call of TensorFlow's that gets what a call gives, by way of more of the like."""
        found: ast.Call = call
        node: ast.AST = call
        while isinstance(outer := self.parents.get(node), (ast.Call, *PASSED_ON)):
            if isinstance(outer, ast.Call):
                if outer.func is node or not self._called(outer).startswith("tensorflow."):
                    break
                found = outer
            node = outer
        return found

    def by_keras(self, call: ast.Call, given: Sequence[Placeholder]) -> Edit | None:
        """`keras.ops.sum(x, axis=1)` for `tf.reduce_sum(x, axis=1)`."""
        known = KERAS_OPERATIONS.get(self._called(call))
        keras = _name_of(self.module, "keras.ops", call)
        if known is None or keras is None or len(call.args) > len(known.parameters) or has_stars(call):
            return None
        if any(keyword.arg not in known.parameters for keyword in call.keywords):
            return None
        if known.floats and not all(each.dtype.startswith(("float", "bfloat")) for each in given):
            return None
        renamed = {each.value: f"{known.parameters[each.arg or '']}=" for each in call.keywords}
        written = [self.module.source_of(each) for each in call.args]
        written += [f"{name}{self.module.source_of(value)}" for value, name in renamed.items()]
        return self.module.replace(call, f"{keras}.{known.name}({', '.join(written)})")

    def in_a_layer(self, call: ast.Call, given: Sequence[Placeholder]) -> Edit | None:
        """`keras.layers.Lambda(lambda x: tf.f(x, 2))(x)`; of several placeholders a list."""
        layers = _name_of(self.module, "keras.layers", call)
        floats = all(each.dtype in ("float32", "") for each in given)
        if layers is None or not floats or not given or not self._may_be_later(call, given):
            return None
        nodes = {self.module.source_of(each.node): each.node for each in given}
        alone = next(iter(nodes.values())) if len(nodes) == 1 else None
        name = alone.id if isinstance(alone, ast.Name) else GIVEN
        if name in self._names(call, given):
            return None
        if alone is not None:
            written, handed = dict.fromkeys((each.node for each in given), name), self.module.source_of(alone)
        else:
            order = {text: number for number, text in enumerate(nodes)}
            written = {each.node: f"{name}[{order[self.module.source_of(each.node)]}]" for each in given}
            handed = f"[{', '.join(nodes)}]"
        bound = "".join(f", {each}={each}" for each in self._changing(call, given))
        body = source_with(self.module, call, written)
        return self.module.replace(call, f"{layers}.Lambda(lambda {name}{bound}: {body})({handed})")

    def of_function(self, call: ast.Call, given: Sequence[Placeholder]) -> Edit | None:
        """`keras.layers.Lambda(double)(inputs)`, of a graph function that takes nothing else."""
        layers = _name_of(self.module, "keras.layers", call)
        plain = isinstance(call.func, ast.Name | ast.Attribute) and not call.keywords
        if layers is None or not plain or call.args != [each.node for each in given]:
            return None
        if len(given) != 1 or self._called(call).startswith("tensorflow."):
            return None
        return self.module.replace(call.func, f"{layers}.Lambda({self.module.source_of(call.func)})")

    def _called(self, call: ast.Call) -> str:
        return called_name(call, self.module.scope_at(call))

    def _may_be_later(self, call: ast.Call, given: Sequence[Placeholder]) -> bool:
        """Whether all that a call is given beside placeholders is the same, and no Variable, when it runs."""
        if self._called(call).rpartition(".")[2] in UNTOLD:
            return False
        return all(self._is_plain(part) for part in _outside(call, {each.node for each in given}))

    def _is_plain(self, part: ast.AST) -> bool:
        scope = self.module.scope_at(part)
        if isinstance(part, ast.Call):
            called = self._called(part).removeprefix("tensorflow.")
            known = called != self._called(part) and ("." not in called or called.startswith(FAMILIES))
            return known and called not in REFUSED
        named = dotted_name(part, scope) if isinstance(part, ast.Name | ast.Attribute) else None
        if (named or "").partition(".")[0] in ("tensorflow", "keras", "numpy", "math"):
            return True
        if isinstance(part, ast.Name):
            found = scope.lookup(part.id)
            return found is not None and all(_is_number(binding, found[0]) for binding in found[1])
        if isinstance(part, ast.Attribute):
            return is_self(part.value) and self._is_number_of(class_around(scope), part.attr)
        return isinstance(part, WRITTEN)

    def _is_number_of(self, owner: ast.ClassDef | None, attribute: str) -> bool:
        """Whether an attribute of a class is only ever a number, or the like."""
        values = attribute_values(owner, attribute) if owner is not None else []
        return bool(values) and all(_is_literal(each) or self._is_number_name(each) for each in values)

    def _is_number_name(self, value: ast.expr) -> bool:
        scope = self.module.scope_at(value)
        bindings = scope.bindings.get(value.id, ()) if isinstance(value, ast.Name) else ()
        return bool(bindings) and all(_is_number(binding, scope) for binding in bindings)

    def _names(self, call: ast.Call, given: Sequence[Placeholder]) -> set[str]:
        outside = _outside(call, {each.node for each in given})
        return {part.id for part in outside if isinstance(part, ast.Name)}

    def _changing(self, call: ast.Call, given: Sequence[Placeholder]) -> list[str]:
        """The names that may have another value when the layer is called again."""
        scope = self.module.scope_at(call)
        return sorted(name for name in self._names(call, given) if _changes(name, scope))


def _name_of(module: Module, package: str, node: ast.AST) -> str | None:
    """`keras.ops` as a module knows it: by its own name, or as a part of Keras or of TensorFlow."""
    scope = module.scope_at(node)
    own, keras = module_alias(package, scope), module_alias("keras", scope)
    tensorflow = module_alias("tensorflow", scope)
    part = package.rpartition(".")[2]
    if own is not None or keras is not None:
        return own or f"{keras}.{part}"
    return f"{tensorflow}.keras.{part}" if tensorflow is not None else None


def _outside(call: ast.Call, given: set[ast.expr]) -> Iterable[ast.AST]:
    """The parts of a call that are no placeholders, and what names a module or function is one part."""
    waiting: list[ast.AST] = [call]
    while waiting:
        part = waiting.pop()
        if part in given:
            continue
        yield part
        if not isinstance(part, ast.Attribute):
            waiting += [each for each in ast.iter_child_nodes(part) if each not in given]


def _is_number(binding: Binding, scope: Scope) -> bool:
    """Whether a name has a number, a text or a shape, as far as the text tells: no Variable, no function."""
    if binding.kind == "parameter":
        return _is_number_parameter(scope.node, binding.name)
    if binding.kind == "item" and isinstance(binding.value, ast.Call):
        return called_name(binding.value, scope) == "builtins.range"
    return binding.kind in ("value", "item", "update") and _is_literal(binding.value)


def _is_number_parameter(function: ast.AST, name: str) -> bool:
    """Whether the default or the annotation of a parameter says that it is one."""
    if not isinstance(function, ast.FunctionDef):
        return False
    given = function.args
    ordered = [*given.posonlyargs, *given.args]
    defaults: dict[str, ast.expr | None] = dict(
        zip([each.arg for each in ordered[len(ordered) - len(given.defaults) :]], given.defaults, strict=True)
    )
    defaults |= {each.arg: default for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)}
    default = defaults.get(name)
    known = _is_literal(default) and not (isinstance(default, ast.Constant) and default.value is None)
    annotated = next((each.annotation for each in (*ordered, *given.kwonlyargs) if each.arg == name), None)
    return known or (isinstance(annotated, ast.Name) and annotated.id in ("int", "float", "bool", "str"))


def _is_literal(value: ast.expr | None) -> bool:
    return value is not None and all(isinstance(part, WRITTEN) for part in ast.walk(value))


def _changes(name: str, scope: Scope) -> bool:
    found = scope.lookup(name)
    kinds = [binding.kind for binding in found[1]] if found is not None else []
    return len(kinds) > 1 or any(kind in ("item", "update", "other") for kind in kinds)
