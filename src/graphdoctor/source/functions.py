"""Functions of a module, and which of them TensorFlow traces."""

import ast
import dataclasses
from typing import TYPE_CHECKING

from graphdoctor.model import FunctionRef
from graphdoctor.source.classes import Class, class_at, class_of_instance, resolve_class
from graphdoctor.source.names import dotted_name, is_external, project_name
from graphdoctor.source.scopes import Binding, FunctionNode, Placed, Scope, Walk

if TYPE_CHECKING:
    from graphdoctor.source.module import Module

PARTIAL = "functools.partial"
TF_FUNCTION = "tensorflow.function"
LONGEST_CHAIN = 8


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
    def home(self) -> "Module":
        """The module it is defined in."""
        assert self.scope.home is not None
        return self.scope.home

    @property
    def name(self) -> str:
        """Its own name, without the classes and functions around it."""
        return getattr(self.node, "name", "<lambda>")

    @property
    def owner(self) -> ast.ClassDef | None:
        """The class of which this is a method."""
        node = self.placed.scope.node
        return node if isinstance(node, ast.ClassDef) else None

    @property
    def returns(self) -> list[ast.Return]:
        """Its own `return` statements."""
        found: list[ast.Return] = []
        waiting: list[ast.AST] = list(self.node.body) if isinstance(self.node.body, list) else []
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Return):
                found.append(node)
            elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr):
                waiting.extend(ast.iter_child_nodes(node))
        return found

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


def find_traced(
    functions: dict[ast.AST, Function], wrapped: list[tuple[ast.Call, Function]]
) -> dict[ast.AST, TracedFunction]:
    """The functions traced by a decorator or by `tf.function(f)`, by their node."""
    traced: dict[ast.AST, TracedFunction] = {}
    for node, function in functions.items():
        for decorator in getattr(node, "decorator_list", []):
            options = tf_function_options(decorator, function.placed.scope)
            if options is not None:
                traced[node] = TracedFunction(function, options, decorator)
    for call, function in wrapped:
        if function.node in functions:
            traced.setdefault(function.node, TracedFunction(function, keywords_of(call), None))
    return traced


def find_wrapped(walk: Walk) -> list[tuple[ast.Call, Function]]:
    """Every `tf.function(f)` whose f is a function of the project, also of another module."""
    found = []
    for placed in walk.calls:
        assert isinstance(placed.node, ast.Call)
        function = wrapped_function(placed.node, placed.scope)
        if function is not None:
            found.append((placed.node, function))
    return found


def tf_function_options(decorator: ast.expr, scope: Scope) -> dict[str, ast.expr] | None:
    """The options of `@tf.function`, `@tf.function(…)` or `@partial(tf.function, …)`; None for others."""
    if dotted_name(decorator, scope) == TF_FUNCTION:
        return {}
    if isinstance(decorator, ast.Call):
        called = dotted_name(decorator.func, scope)
        first = decorator.args[0] if decorator.args else None
        if called == TF_FUNCTION and first is None:
            return keywords_of(decorator)
        if called == PARTIAL and first is not None and dotted_name(first, scope) == TF_FUNCTION:
            return keywords_of(decorator)
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


def wrapped_function(call: ast.Call, scope: Scope) -> Function | None:
    """The function that `tf.function(f)` or `tf.function(func=f)` wraps."""
    if dotted_name(call.func, scope) != TF_FUNCTION:
        return None
    given = call.args[0] if call.args else keywords_of(call).get("func")
    return resolve_function(given, scope) if given is not None else None


def definition(node: ast.expr, scope: Scope, functions: dict[ast.AST, Function]) -> Function | None:
    """The one function among these that an expression stands for."""
    found = resolve_function(node, scope)
    return found if found is not None and found.node in functions else None


def resolve_function(node: ast.expr, scope: Scope, depth: int = 0) -> Function | None:
    """The one function of the project that an expression stands for, through modules and classes."""
    if scope.home is None or depth > LONGEST_CHAIN:
        return None
    if isinstance(node, ast.Lambda):
        return scope.home.functions.get(node)
    if isinstance(node, ast.Name):
        found = scope.lookup(node.id)
        if found is None or len(found[1]) != 1:
            return None
        return _behind(found[1][0], found[0], depth)
    if isinstance(node, ast.Attribute):
        if is_external(node, scope):
            return None
        return _imported_member(node, scope) or _method(node, scope)
    if isinstance(node, ast.Call):
        return _function_of_value(node, scope, depth)
    return None


def _behind(binding: Binding, scope: Scope, depth: int) -> Function | None:
    assert scope.home is not None
    if binding.kind == "function":
        return scope.home.functions.get(binding.node)
    if binding.kind == "import":
        return _imported(binding.target, scope.home)
    if binding.kind == "value" and binding.value is not None and binding.index is None:
        return _function_of_value(binding.value, scope, depth + 1)
    return None


def _imported(target: str, home: "Module") -> Function | None:
    found = home.project.find(target, home)
    if found is None or len(found.bindings) != 1 or found.rest:
        return None
    binding = found.bindings[0]
    return None if binding.kind == "import" else _behind(binding, found.scope, 0)


def _function_of_value(value: ast.expr, scope: Scope, depth: int) -> Function | None:
    """The function behind `tf.function(f)`, `functools.partial(f, …)`, `make_f(…)`, a lambda or a name."""
    if isinstance(value, ast.Call):
        called = dotted_name(value.func, scope)
        if called == PARTIAL and value.args:
            return resolve_function(value.args[0], scope, depth + 1)
        given = value.args[0] if value.args else keywords_of(value).get("func")
        if called == TF_FUNCTION and given is not None:
            return resolve_function(given, scope, depth + 1)
        maker = resolve_function(value.func, scope, depth + 1)
        return _made_by(maker) if maker is not None else None
    if isinstance(value, ast.Lambda | ast.Name | ast.Attribute):
        return resolve_function(value, scope, depth + 1)
    return None


def _made_by(maker: Function) -> Function | None:
    """The function that another one defines inside itself and returns."""
    returned = [statement.value for statement in maker.returns]
    if len(returned) != 1 or not isinstance(returned[0], ast.Name):
        return None
    bindings = maker.scope.bindings.get(returned[0].id, [])
    inner = len(bindings) == 1 and bindings[0].kind == "function"
    return maker.home.functions.get(bindings[0].node) if inner else None


def _imported_member(node: ast.Attribute, scope: Scope) -> Function | None:
    """The function behind `module.function`."""
    name = project_name(node, scope)
    return _imported(name, scope.home) if name and scope.home else None


def _method(node: ast.Attribute, scope: Scope) -> Function | None:
    """The method behind `self.step`, `Trainer.step`, `super().step`, or `trainer.step`."""
    if _is_super(node.value):
        return _method_of_bases(node.attr, scope)
    owner = class_of_instance(node.value, scope) or resolve_class(node.value, scope)
    if owner is None:
        return None
    found = owner.method(node.attr)
    if found is None and not owner.scope.bindings.get(node.attr):
        return _stored_function(owner, node.attr)
    return found


def _stored_function(owner: Class, name: str) -> Function | None:
    """The function behind `self.step` after `self.step = tf.function(self._step)`."""
    stores = owner.stores(name)
    if len(stores) != 1 or stores[0].value is None or stores[0].index is not None:
        return None
    value = stores[0].value
    return _function_of_value(value, stores[0].scope, LONGEST_CHAIN - 1)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _method_of_bases(name: str, scope: Scope) -> Function | None:
    around = scope.function
    while around is not None and around.parent is not None:
        if isinstance(around.parent.node, ast.ClassDef):
            owner = class_at(around.parent.node, around.parent.parent or around.parent)
            bases = [a for a in owner.ancestors() if isinstance(a, Class)][1:] if owner else []
            for base in bases:
                found = base.scope.bindings.get(name, [])
                if len(found) == 1 and found[0].kind == "function":
                    return base.home.functions.get(found[0].node)
            return None
        around = around.parent.function
    return None


def keywords_of(call: ast.Call) -> dict[str, ast.expr]:
    """What is given by name in a call."""
    return {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
