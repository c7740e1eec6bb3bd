"""Classes of the project: their bases, methods and attributes, through modules."""

import ast
import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphdoctor.source.names import dotted_name, project_name
from graphdoctor.source.scopes import Scope, Store, Walk

if TYPE_CHECKING:
    from graphdoctor.source.functions import Function
    from graphdoctor.source.module import Module

LONGEST_CHAIN = 8


@dataclasses.dataclass(frozen=True, slots=True)
class Class:
    """A class of the project and the scope of its body."""

    node: ast.ClassDef
    scope: Scope
    home: "Module"

    @property
    def name(self) -> str:
        """Its name, as in messages."""
        return self.node.name

    def ancestors(self, depth: int = 0) -> "Iterator[Class | str | None]":
        """The class itself, then its bases: project classes, dotted names of others, None when unknown."""
        yield self
        if depth > LONGEST_CHAIN:
            return
        outer = self.scope.parent or self.scope
        for base in self.node.bases:
            found = resolve_class(base, outer)
            if found is not None and found.node is not self.node:
                yield from found.ancestors(depth + 1)
            else:
                yield dotted_name(base, outer)

    def external_bases(self) -> set[str | None]:
        """The bases that are not classes of the project; None stands for what is not known."""
        return {base for base in self.ancestors() if not isinstance(base, Class)}

    def method(self, name: str) -> "Function | None":
        """The method of this name that an instance has; None when not exactly one is known."""
        for ancestor in self.ancestors():
            if not isinstance(ancestor, Class):
                continue
            if ancestor.scope.bindings.get("__new__"):
                return None  # it may put other methods into the instance
            bindings = ancestor.scope.bindings.get(name, [])
            if bindings:
                last = bindings[-1]
                same = len(bindings) == 1 and last.kind == "function"
                return ancestor.home.functions.get(last.node) if same else None
        return None

    def stores(self, name: str) -> list[Store]:
        """Every `self.name = …` in the methods of the class and of its bases in the project."""
        return [
            store
            for ancestor in self.ancestors()
            if isinstance(ancestor, Class)
            for store in ancestor.home.attribute_stores.get((ancestor.node, name), ())
        ]


def resolve_class(node: ast.expr, scope: Scope, depth: int = 0) -> Class | None:
    """The class of the project that an expression names."""
    if depth > LONGEST_CHAIN or scope.home is None:
        return None
    if isinstance(node, ast.Name):
        found = scope.lookup(node.id)
        if found is None or len(found[1]) != 1:
            return None
        binding = found[1][0]
        if binding.kind == "class" and isinstance(binding.node, ast.ClassDef):
            return class_at(binding.node, found[0])
        if binding.kind == "import":
            return _imported(binding.target, scope.home)
        if binding.kind == "value" and binding.value is not None and binding.index is None:
            return resolve_class(binding.value, found[0], depth + 1)
    elif isinstance(node, ast.Attribute):
        name = project_name(node, scope)
        return _imported(name, scope.home) if name else None
    elif isinstance(node, ast.Subscript):  # `Base[int]`
        return resolve_class(node.value, scope, depth + 1)
    return None


def _imported(target: str, home: "Module") -> Class | None:
    found = home.project.find(target, home)
    if found is None or not isinstance(found.node, ast.ClassDef):
        return None
    return class_at(found.node, found.scope)


def class_at(node: ast.ClassDef, outer: Scope) -> Class | None:
    """The class whose statement stands in a scope."""
    home = outer.home
    scope = home.walk.scopes.get(node) if home else None
    return Class(node, scope, home) if home is not None and scope is not None else None


def class_of_instance(node: ast.expr, scope: Scope, depth: int = 0) -> Class | None:
    """The project class of which an expression is an instance: `self`, `Trainer()`, `trainer`."""
    if depth > LONGEST_CHAIN:
        return None
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return None
        return resolve_class(node.func, scope)
    if isinstance(node, ast.Attribute):
        return _class_of_attribute(node, scope, depth)
    if not isinstance(node, ast.Name):
        return None
    found = scope.lookup(node.id)
    if found is None or len(found[1]) != 1:
        return None
    binding = found[1][0]
    if binding.kind == "parameter":
        return _class_of_parameter(node.id, found[0])
    if binding.kind == "value" and binding.value is not None and binding.index is None:
        return class_of_instance(binding.value, found[0], depth + 1)
    return None


def _class_of_attribute(node: ast.Attribute, scope: Scope, depth: int) -> Class | None:
    """The class of `self.encoder`, when every assignment of it makes an instance of the same class."""
    owner = class_of_instance(node.value, scope, depth + 1)
    stores = owner.stores(node.attr) if owner else []
    classes = {
        class_of_instance(store.value, store.scope, depth + 1)
        if store.value and store.index is None
        else None
        for store in stores
    }
    return classes.pop() if len(classes) == 1 else None


def _class_of_parameter(name: str, scope: Scope) -> Class | None:
    """The class of `self` (or `cls`), or the one that a parameter's annotation names."""
    node, parent = scope.node, scope.parent
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or parent is None:
        return None
    arguments = [*node.args.posonlyargs, *node.args.args]
    if isinstance(parent.node, ast.ClassDef) and arguments and arguments[0].arg == name:
        static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
        return None if static else class_at(parent.node, parent.parent or parent)
    for argument in (*arguments, *node.args.kwonlyargs):
        if argument.arg == name and argument.annotation is not None:
            return resolve_class(argument.annotation, parent)
    return None


def collect_stores(walk: Walk) -> dict[tuple[ast.ClassDef, str], list[Store]]:
    """Every `self.name = …` in a method, by class and name; class-level values count as well."""
    found: dict[tuple[ast.ClassDef, str], list[Store]] = {}
    for store in walk.stores:
        value = store.target.value
        around = store.scope.function
        while around is not None and isinstance(value, ast.Name):
            parent = around.parent
            if parent is not None and isinstance(parent.node, ast.ClassDef):
                arguments = getattr(around.node, "args", None)
                first = [a.arg for a in (*arguments.posonlyargs, *arguments.args)][:1] if arguments else []
                if first == [value.id]:
                    found.setdefault((parent.node, store.target.attr), []).append(store)
                break
            around = parent.function if parent is not None else None
    return found
