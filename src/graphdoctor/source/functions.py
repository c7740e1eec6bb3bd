"""Functions of a module, and which of them TensorFlow traces."""

import ast
import dataclasses

from graphdoctor.model import FunctionRef
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import FunctionNode, Placed, Scope, Walk

PARTIAL = "functools.partial"
TF_FUNCTION = "tensorflow.function"


@dataclasses.dataclass(eq=False, slots=True)
class Function:
    """A function, method or lambda of the module."""

    node: FunctionNode
    scope: Scope
    placed: Placed
    path: str

    @property
    def ref(self) -> FunctionRef:
        """Its name and the line of its first decorator, as the running half knows it."""
        decorators = getattr(self.node, "decorator_list", [])
        line = min([self.node.lineno, *(decorator.lineno for decorator in decorators)])
        return FunctionRef(name=self.scope.name, path=self.path, line=line)

    @property
    def owner(self) -> ast.ClassDef | None:
        """The class of which this is a method."""
        node = self.placed.scope.node
        return node if isinstance(node, ast.ClassDef) else None

    @property
    def is_static(self) -> bool:
        """Whether a method takes no `self`."""
        decorators = getattr(self.node, "decorator_list", [])
        return any(dotted_name(d, self.placed.scope) == "builtins.staticmethod" for d in decorators)


@dataclasses.dataclass(eq=False, slots=True)
class TracedFunction:
    """A function that TensorFlow traces, and the `tf.function` that says so."""

    function: Function
    options: dict[str, ast.expr]
    decorator: ast.expr | None  # None when `tf.function(f)` wraps it elsewhere

    def has(self, *options: str) -> bool:
        """Whether one of these options is given at all."""
        return any(option in self.options for option in options)


def collect_functions(walk: Walk, path: str) -> dict[ast.AST, Function]:
    """Every function of the module by its node."""
    return {node: Function(node, scope, placed, path) for node, scope, placed in walk.functions}


def find_traced(walk: Walk, functions: dict[ast.AST, Function]) -> dict[ast.AST, TracedFunction]:
    """The functions traced by a decorator or by `tf.function(f)`, by their node."""
    traced: dict[ast.AST, TracedFunction] = {}
    for node, function in functions.items():
        for decorator in getattr(node, "decorator_list", []):
            options = tf_function_options(decorator, function.placed.scope)
            if options is not None:
                traced[node] = TracedFunction(function, options, decorator)
    for call in walk.calls:
        assert isinstance(call.node, ast.Call)
        wrapped = wrapped_function(call.node, call.scope, functions)
        if wrapped is not None:
            options = _keywords(call.node)
            traced.setdefault(wrapped.node, TracedFunction(wrapped, options, None))
    return traced


def tf_function_options(decorator: ast.expr, scope: Scope) -> dict[str, ast.expr] | None:
    """The options of `@tf.function`, `@tf.function(…)` or `@partial(tf.function, …)`; None for others."""
    if dotted_name(decorator, scope) == TF_FUNCTION:
        return {}
    if isinstance(decorator, ast.Call):
        called = dotted_name(decorator.func, scope)
        first = decorator.args[0] if decorator.args else None
        if called == TF_FUNCTION and first is None:
            return _keywords(decorator)
        if called == PARTIAL and first is not None and dotted_name(first, scope) == TF_FUNCTION:
            return _keywords(decorator)
    if isinstance(decorator, ast.Name):
        return _aliased_options(decorator, scope)
    return None


def _aliased_options(decorator: ast.Name, scope: Scope) -> dict[str, ast.expr] | None:
    """Options behind a name such as `graph = functools.partial(tf.function, jit_compile=True)`."""
    found = scope.lookup(decorator.id)
    if found is None or len(found[1]) != 1:
        return None
    binding = found[1][0]
    if binding.kind == "value" and binding.index is None and isinstance(binding.value, ast.Call):
        return tf_function_options(binding.value, found[0])
    return None


def wrapped_function(call: ast.Call, scope: Scope, functions: dict[ast.AST, Function]) -> Function | None:
    """The function of this module that `tf.function(f)` or `tf.function(func=f)` wraps."""
    if dotted_name(call.func, scope) != TF_FUNCTION:
        return None
    given = call.args[0] if call.args else _keywords(call).get("func")
    return definition(given, scope, functions) if given is not None else None


def definition(node: ast.expr, scope: Scope, functions: dict[ast.AST, Function]) -> Function | None:
    """The one function of this module that an expression stands for."""
    if isinstance(node, ast.Lambda):
        return functions.get(node)
    if isinstance(node, ast.Name):
        found = scope.lookup(node.id)
        if found is None or len(found[1]) != 1:
            return None
        binding = found[1][0]
        if binding.kind == "function":
            return functions.get(binding.node)
        if binding.kind == "value" and binding.value is not None and binding.index is None:
            return _definition_of_value(binding.value, found[0], functions)
    if isinstance(node, ast.Attribute):
        return _method(node, scope, functions)
    return None


def _definition_of_value(
    value: ast.expr, scope: Scope, functions: dict[ast.AST, Function]
) -> Function | None:
    if isinstance(value, ast.Call):
        return wrapped_function(value, scope, functions)
    if isinstance(value, ast.Lambda):
        return functions.get(value)
    return None


def _method(node: ast.Attribute, scope: Scope, functions: dict[ast.AST, Function]) -> Function | None:
    """The method behind `self.step`, `Trainer.step`, or `trainer.step` for a known `Trainer()`."""
    owner = class_of(node.value, scope)
    if owner is None:
        return None
    methods = [
        statement
        for statement in owner.body
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name == node.attr
    ]
    return functions.get(methods[0]) if len(methods) == 1 else None


def class_of(node: ast.expr, scope: Scope) -> ast.ClassDef | None:
    """The class of this module that an expression is an instance of, or is itself."""
    if isinstance(node, ast.Call):
        return class_of(node.func, scope) if isinstance(node.func, ast.Name) else None
    if not isinstance(node, ast.Name):
        return None
    found = scope.lookup(node.id)
    if found is None or len(found[1]) != 1:
        return None
    binding = found[1][0]
    if binding.kind == "class":
        return binding.node if isinstance(binding.node, ast.ClassDef) else None
    if binding.kind == "parameter":
        return _class_of_self(node.id, found[0])
    if binding.kind == "value" and isinstance(binding.value, ast.Call) and binding.index is None:
        return class_of(binding.value, found[0])
    return None


def _class_of_self(name: str, scope: Scope) -> ast.ClassDef | None:
    node, parent = scope.node, scope.parent
    if parent is None or not isinstance(parent.node, ast.ClassDef):
        return None
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    arguments = [*node.args.posonlyargs, *node.args.args]
    return parent.node if arguments and arguments[0].arg == name else None


def _keywords(call: ast.Call) -> dict[str, ast.expr]:
    return {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
