"""`def`, `lambda`, `class` and their decorators."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.control.flow import Raised
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import Activation, Scope
from graphdoctor.dryrun.core.machine import Machine, expression, statement
from graphdoctor.dryrun.core.scopes import bind_name
from graphdoctor.dryrun.values import (
    BoundMethod,
    Class,
    Descriptor,
    Function,
    GraphFunction,
    Instance,
    Library,
    LibraryObject,
    Memoized,
    Method,
    Partial,
    Unknown,
    Value,
)

DESCRIPTORS = {
    "builtins.property": "property",
    "functools.cached_property": "cached property",
    "builtins.staticmethod": "staticmethod",
    "builtins.classmethod": "classmethod",
    "abc.abstractproperty": "property",
}
MEMORIES = ("functools.lru_cache", "functools.cache")


def is_generator_function(function: Function) -> bool:
    """Whether calling it gives a generator."""
    return function.node in function.module.syntax.survey.generators


def forgets_names(function: Function) -> bool:
    """Whether nobody can ask for the names of a call of it once that is over: no function inside has them."""
    survey = function.module.syntax.survey
    return function.node not in survey.enclosing and function.node not in survey.generators


def make_function(
    machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, name: str
) -> Function:
    """The function that a definition makes."""
    signature = node.args
    defaults = [machine.evaluate(default) for default in signature.defaults]
    keyword_defaults = {
        parameter.arg: machine.evaluate(default)
        for parameter, default in zip(signature.kwonlyargs, signature.kw_defaults, strict=True)
        if default is not None
    }
    function = Function(
        node, name, machine.scope, machine.module, defaults, keyword_defaults, machine.origin(node)
    )
    if machine.graph is not None and not machine.unconverted:
        function.cells["__converted__"] = True  # with the code around it, whoever calls it then
    if not isinstance(node, ast.Lambda):
        machine.program.note_function(function)
    return function


@expression(ast.Lambda)
def evaluate_lambda(machine: Machine, node: ast.Lambda) -> Value:
    return make_function(machine, node, "<lambda>")


@statement(ast.FunctionDef, ast.AsyncFunctionDef)
def run_definition(machine: Machine, node: ast.FunctionDef) -> None:
    function = make_function(machine, node, node.name)
    value: Value = function
    for decorator in reversed(node.decorator_list):
        value = decorate(machine, machine.evaluate(decorator), value, decorator)
    if value is function and node not in machine.log.unknown_decorators:
        machine.log.undecorated.add(node)
    bind_name(machine, node.name, value, node)


def decorate(machine: Machine, decorator: Value, value: Value, node: ast.expr) -> Value:
    """What a decorator makes of a function or class; an unknown one leaves it as it is."""
    if isinstance(decorator, Library):
        if decorator.name in DESCRIPTORS:
            return Descriptor(DESCRIPTORS[decorator.name], value)
        if decorator.name in MEMORIES:
            return Memoized(value)
        if decorator.name == "abc.abstractmethod":
            return _abstract(value)
    if isinstance(decorator, Method) and isinstance(decorator.receiver, Descriptor):
        known = decorator.receiver
        setter = value if decorator.name == "setter" else known.setter
        return Descriptor(known.kind, value if decorator.name == "getter" else known.function, setter)
    if isinstance(decorator, LibraryObject) and decorator.name in MEMORIES:
        return machine.call(decorator, Arguments([value]), node)
    made = machine.call(decorator, Arguments([value], nodes={0: node}), node)
    if isinstance(made, Unknown) and isinstance(decorator, (Unknown, Library, LibraryObject, Method)):
        function = underlying(value)
        if function is not None:
            function.cells["__decorated__"] = True  # whether each call reaches it is unknown
            if isinstance(decorator, Unknown) and isinstance(machine.evaluate(_root(node)), Unknown):
                machine.log.unknown_decorators.add(function.node)
        return value
    return made


def _abstract(value: Value) -> Value:
    function = underlying(value)
    if function is not None:
        function.cells["__abstract__"] = True  # derived classes replace it
    return value


def is_abstract(value: Value | None) -> bool:
    """Whether objects never have it: only derived classes, which replace it, can be made."""
    function = underlying(value)
    return function is not None and "__abstract__" in function.cells


def _root(node: ast.expr) -> ast.expr:
    """The name that a decorator begins with: what a library's makes is not looked into, but is no riddle."""
    while isinstance(node, (ast.Call, ast.Attribute)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node


@statement(ast.ClassDef)
def run_class(machine: Machine, node: ast.ClassDef) -> None:
    bases = [machine.evaluate(base) for base in node.bases]
    options = {each.arg: machine.evaluate(each.value) for each in node.keywords if each.arg is not None}
    scope = Scope(machine.scope, machine.module, "class", machine.graph)
    activation = Activation(None, scope, machine.module, len(machine.loops))
    activation.node = node
    machine.activations.append(activation)
    try:
        _execute_body(machine, node.body)
    finally:
        machine.activations.pop()
    annotations = scope.cells.pop("__annotations__", [])
    made = Class(node.name, bases, scope.cells, machine.module, node, machine.origin(node))
    _own(made)
    _record(made, annotations)
    _notify_bases(machine, made, options, node)
    value: Value = made
    for decorator in reversed(node.decorator_list):
        value = _decorate_class(machine, machine.evaluate(decorator), made, value, decorator)
    machine.program.note_class(made)
    bind_name(machine, node.name, value, node)


def _notify_bases(machine: Machine, made: Class, options: dict[str, Value], node: ast.ClassDef) -> None:
    """Call the `__init_subclass__` of the nearest base that has one."""
    meta = options.pop("metaclass", None)
    if isinstance(meta, Class) and meta.find("__call__") is not None:
        made.cells["__metaclass__"] = meta
    for base in made.ancestry[1:]:
        hook = underlying(base.cells.get("__init_subclass__")) if isinstance(base, Class) else None
        if hook is not None:
            machine.call(hook, Arguments([made], options), node)
            return


def _execute_body(machine: Machine, body: list[ast.stmt]) -> None:
    """Run the body of a class; one that seems to raise is a class all the same, with what stands behind."""
    for position, node in enumerate(body):
        try:
            machine.execute([node])
        except Raised:
            for method in body[position:]:
                if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    bind_name(machine, method.name, make_function(machine, method, method.name), method)
            return


def _own(made: Class) -> None:
    """Tell the methods which class they belong to."""
    for value in made.cells.values():
        function = underlying(value)
        if function is not None and function.owner is None:
            function.owner = made


def underlying(value: object) -> Function | None:
    """The function of the project inside a property, a graph function, a partial, a method, an object."""
    while isinstance(value, (Descriptor, GraphFunction, Memoized, Partial, BoundMethod, Instance)):
        value = value.cls.find("__call__") if isinstance(value, Instance) else value.function
    return value if isinstance(value, Function) else None


def _record(made: Class, annotations: list[str]) -> None:
    inherited: tuple[str, ...] = ()
    for base in made.bases:
        if isinstance(base, Class) and base.record in ("dataclass", "namedtuple"):
            inherited += base.fields
            made.record = base.record
        elif isinstance(base, Library):
            if base.name.endswith("NamedTuple"):
                made.record = "namedtuple"
            elif base.name.startswith("enum."):
                made.record = "enum"
            elif base.name in ("flax.struct.PyTreeNode", "tensorflow.experimental.ExtensionType"):
                made.record = "dataclass"
        elif isinstance(base, Class) and base.record == "enum":
            made.record = "enum"
    made.fields = tuple(dict.fromkeys([*inherited, *annotations]))


def _decorate_class(machine: Machine, decorator: Value, made: Class, value: Value, node: ast.expr) -> Value:
    name = decorator.name if isinstance(decorator, (Library, LibraryObject)) else ""
    if name in ("dataclasses.dataclass", "attr.s", "attrs.define", "attr.attrs", "flax.struct.dataclass"):
        from graphdoctor.dryrun.control.conditions import truth

        made.record = "dataclass"
        arguments = decorator.arguments if isinstance(decorator, LibraryObject) else {}
        made.frozen = bool("frozen" in arguments and truth(arguments["frozen"]))
        return value
    if isinstance(decorator, (Library, LibraryObject, Unknown, Method)):
        return value
    made_of = machine.call(decorator, Arguments([value]), node)
    return value if isinstance(made_of, Unknown) else made_of
