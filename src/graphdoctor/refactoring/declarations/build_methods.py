"""A `build()` for a Keras layer that holds others, where its `call` says which shape each of them gets."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Edit
from graphdoctor.source.def_use import place_of
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.resolving import class_around, method_of

LAYERS = ("keras.", "tensorflow.keras.", "tf_keras.")
DEEPEST = 4


def holds_unbuilt_layers(owner: ast.ClassDef) -> bool:
    """Whether a class with a `call` has no `build()`, and makes in `__init__` what it may call."""
    methods = {node.name: node for node in owner.body if isinstance(node, ast.FunctionDef)}
    if "call" not in methods or "build" in methods:
        return False
    stored = (node for node in ast.walk(owner) if isinstance(node, ast.Assign))
    return any(
        isinstance(target, ast.Attribute) and any(isinstance(part, ast.Call) for part in ast.walk(node.value))
        for node in stored
        for target in node.targets
    )


def with_build(module: Module, owner: ast.ClassDef) -> Edit | None:
    """A `build()` before `call`; None where a shape is not known."""
    chain = _Chain(module, owner)
    called = chain.methods.get("call")
    if called is None or "build" in chain.methods or chain.follow("call") is None or not chain.layers:
        return None
    first = min([called.lineno, *(each.lineno for each in called.decorator_list)])
    indent = " " * called.col_offset
    lines = [f"def build(self, {chain.shape}):", *(f"    {line}" for line in chain.lines())]
    return module.insert(first, 1, "".join(f"{indent}{line}\n" for line in lines) + "\n")


class _Chain:
    """The layers that a class calls one after the other, each on what the one before gave."""

    shape = "input_shape"

    def __init__(self, module: Module, owner: ast.ClassDef) -> None:
        self.module = module
        self.methods = {node.name: node for node in owner.body if isinstance(node, ast.FunctionDef)}
        self.layers: list[str] = []
        self.depth = 0

    def follow(self, method: str) -> bool | None:
        """Go through a method; None where it does anything but call layers on its first argument."""
        node, self.depth = self.methods[method], self.depth + 1
        names = [each.arg for each in node.args.args]
        if self.depth > DEEPEST or len(names) < 2:
            return None
        value = names[1]
        for statement in node.body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue
            result = statement.value if isinstance(statement, ast.Assign | ast.Return) else None
            if result is None or not self._call(result, names[0], value):
                return None
            if isinstance(statement, ast.Return):
                return True
            if not (isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)):
                return None
            value = statement.targets[0].id
        return None

    def _call(self, node: ast.expr, receiver: str, value: str) -> bool:
        """Whether an expression is the value, or a layer's call on such an expression."""
        if isinstance(node, ast.Name):
            return node.id == value
        if not isinstance(node, ast.Call) or len(node.args) != 1 or not isinstance(node.func, ast.Attribute):
            return False
        held = node.func.value
        if not (isinstance(held, ast.Name) and held.id == receiver):
            return False
        if not self._call(node.args[0], receiver, value):
            return False
        method = self._method(node.func.attr, receiver)
        if method is not None:
            return self.follow(method) is True
        self.layers.append(node.func.attr)
        return self._is_layer(node.func.attr)

    def _method(self, attribute: str, receiver: str) -> str | None:
        """The method that an attribute names: its own, or what `__init__` gave to `tf.function`."""
        maker = self.methods.get("__init__")
        if attribute in self.methods or maker is None:
            return attribute if attribute in self.methods else None
        made = list(_stored(maker, attribute))
        scope = self.module.scope_at(maker.body[0])
        if len(made) != 1 or dotted_name(made[0].func, scope) != "tensorflow.function" or not made[0].args:
            return None
        owner, _, method = place_of(made[0].args[0]).partition(".")
        return method if owner == receiver and method in self.methods else None

    def _is_layer(self, attribute: str) -> bool:
        """Whether `__init__` makes a layer of it: only the last may be of a class of the project."""
        maker = self.methods.get("__init__")
        made = list(_stored(maker, attribute)) if maker is not None else []
        if len(made) != 1 or maker is None:
            return False
        scope = self.module.scope_at(maker.body[0])
        calls = list(self._makers(maker, self.layers))
        of_keras = [(dotted_name(call.func, scope) or "").startswith(LAYERS) for call in calls]
        known = of_keras[-1] or self._is_class(calls[-1].func)
        return known and len(calls) == len(self.layers) and all(of_keras[:-1])

    def _is_class(self, made: ast.expr) -> bool:
        """Whether a name is that of a layer that this module defines."""
        return isinstance(made, ast.Name) and any(
            isinstance(node, ast.ClassDef) and node.name == made.id and method_of(node, "call") is not None
            for node in self.module.tree.body
        )

    def _makers(self, maker: ast.FunctionDef, layers: list[str]) -> Iterator[ast.Call]:
        for layer in layers:
            yield from _stored(maker, layer)

    def lines(self) -> Iterator[str]:
        """The statements of `build()`."""
        if len(self.layers) == 1:
            yield f"self.{self.layers[0]}.build({self.shape})"
            return
        shape, built = self.shape, set()
        for index, layer in enumerate(self.layers):
            if layer not in built:
                yield f"self.{layer}.build({shape})"
            built.add(layer)
            if set(self.layers[index + 1 :]) - built:
                yield f"shape = self.{layer}.compute_output_shape({shape})"
                shape = "shape"


def _stored(maker: ast.FunctionDef, attribute: str) -> Iterator[ast.Call]:
    for node in ast.walk(maker):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and target.attr == attribute:
                    yield node.value


def builds(module: Module, names: list[str]) -> tuple[Edit, ...] | None:
    """A `build()` for each of these classes of a module; None where one of them cannot have it."""
    classes = {node.name: node for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)}
    edits = [with_build(module, classes[name]) if name in classes else None for name in names]
    return tuple(edit for edit in edits if edit) if edits and all(edits) else None


def owner_of(function: Function) -> ast.ClassDef | None:
    """The class of a method, also of a function inside one."""
    return function.owner or class_around(function.placed.scope)
