"""The tables of library behaviour, and the one way in which a library call finds its entry."""

from __future__ import annotations

import ast
import functools
import pathlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import SourceModule
from graphdoctor.dryrun.core.escape_analysis import forget_given
from graphdoctor.dryrun.core.machine import Machine, hand_over, registering
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.staleness.recurrences import computed_of
from graphdoctor.dryrun.staleness.value_numbering import note_recipe
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    Array,
    Constant,
    Function,
    Instance,
    LibraryObject,
    Origin,
    Super,
    Tensor,
    Value,
)
from graphdoctor.dryrun.values.printed_content import note_given_texts
from graphdoctor.source.module import Module as Syntax

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.machine import Machine


NUMERIC = (Array, Tensor)
# What belongs to these and has no model changes no list or dict that it is given.
HARMLESS = sys.stdlib_module_names | names("changing nothing they get")


@dataclass(slots=True, eq=False, repr=False)
class Call:
    """A call of a library function: its canonical name, arguments and place."""

    machine: Machine
    name: str
    arguments: Arguments
    node: ast.AST

    def get(self, position: int | None, name: str, default: Value | None = None) -> Value:
        """An argument by position or name; None, as a value, when it is not given."""
        return self.arguments.get(position, name, default)

    @property
    def origin(self) -> Origin:
        """Here and now, for what the call makes."""
        return self.machine.origin(self.node)

    @property
    def last(self) -> str:
        """The last part of the name."""
        return self.name[self.name.rfind(".") + 1 :]


FunctionModel = Callable[[Call], Value]
MethodModel = Callable[[Machine, Any, str, Arguments, ast.AST], Value]
AttributeModel = Callable[[Machine, Any, str, ast.AST], Value]
FUNCTIONS: dict[str, FunctionModel] = {}
FAMILIES: dict[str, FunctionModel] = {}  # by the beginning of the name, the longest first
METHODS: dict[type[Value], MethodModel] = {}
ATTRIBUTES: dict[type[Value], AttributeModel] = {}
OBJECTS: dict[str, MethodModel] = {}  # methods of library objects, by their kind
Handler = TypeVar("Handler", bound=Callable[..., Any])


def function(*names: str) -> Callable[[Handler], Handler]:
    """Registers what a library function gives."""
    return registering(FUNCTIONS, names)


def family(*prefixes: str) -> Callable[[Handler], Handler]:
    """Registers what all functions whose names begin so give, unless one has an entry of its own."""
    return registering(FAMILIES, prefixes)


def methods(*types: type[Value]) -> Callable[[Handler], Handler]:
    """Registers the methods of a kind of value."""
    return registering(METHODS, types)


def attributes(*types: type[Value]) -> Callable[[Handler], Handler]:
    """Registers the attributes of a kind of value."""
    return registering(ATTRIBUTES, types)


def object_methods(*kinds: str) -> Callable[[Handler], Handler]:
    """Registers the methods of a kind of library object; `__call__` is one of them."""
    return registering(OBJECTS, kinds)


def call_library(machine: Machine, name: str, arguments: Arguments, node: ast.AST) -> Value:
    """What a library function gives; Unknown when it is not known."""
    call = Call(machine, name, arguments, node)
    if machine.graphs:
        note_given_texts(machine, name, arguments.positional, arguments.keywords)
        if machine.graph is not None:
            machine.graph.root.empty &= name.startswith("builtins.")
            machine.graph.note(node, name)
        if needs_values(call):
            return UNKNOWN
    result = _call_known(machine, name, arguments, node, call)
    if machine.graph is not None and result is not NONE and not name.startswith(("tensorflow.", "keras.")):
        # What Python computes of its numbers may decide about the graph; what it only prints does not.
        machine.graph.note(node, *[value.value for value in arguments if isinstance(value, Constant)])
    return result


def _call_known(machine: Machine, name: str, arguments: Arguments, node: ast.AST, call: Call) -> Value:
    """What the prelude or the model of a function gives; otherwise its arguments escape."""
    forwarding = in_prelude(machine, name)
    if forwarding is not None:
        activation = machine.activation
        around, activation.entered = activation.entered, name
        try:
            return machine.call(forwarding, arguments, node)
        finally:
            activation.entered = around
    model = _model_of(name)
    if model is not None:
        result = model(call)
        if isinstance(result, NUMERIC) and not arguments.loose and result.origin.node is node:
            note_recipe(name, arguments, result, arguments.keywords)
        if result.__class__ is Constant and machine.loops:
            return computed_of(result, list(arguments))
        return result
    if name.partition(".")[0] not in HARMLESS:
        forget_given(machine.heap, arguments)
    return hand_over(machine, arguments)


@functools.lru_cache(maxsize=8192)
def _model_of(name: str) -> FunctionModel | None:
    """The model of a function: its own, or that of the family with the longest name."""
    model, end = FUNCTIONS.get(name), len(name)
    while model is None and (end := name.rfind(".", 0, end)) > 0:
        model = FAMILIES.get(name[: end + 1])
    return model


def _note_work(machine: Machine) -> None:
    """A trace may do more than call Python's own functions."""
    if machine.graph is not None:
        machine.graph.root.empty = False


def call_method(machine: Machine, receiver: Value, name: str, arguments: Arguments, node: ast.AST) -> Value:
    """What a method of a library value gives."""
    _note_work(machine)
    if isinstance(receiver, LibraryObject):
        model = OBJECTS.get(receiver.kind)
    elif isinstance(receiver, Super):
        from graphdoctor.dryrun.libraries.python.derived_objects import call_super

        return call_super(machine, receiver, name, arguments, node)
    else:
        model = METHODS.get(type(receiver))
    return model(machine, receiver, name, arguments, node) if model is not None else UNKNOWN


def call_library_object(
    machine: Machine, callee: LibraryObject, arguments: Arguments, node: ast.AST
) -> Value:
    """`layer(x)`, `loss(y, p)`: the call of an object that a library made."""
    _note_work(machine)
    model = OBJECTS.get(callee.kind)
    return model(machine, callee, "__call__", arguments, node) if model is not None else UNKNOWN


def call_derived(machine: Machine, callee: Instance, arguments: Arguments, node: ast.AST) -> Value:
    """The call of an object whose class derives from a library's."""
    _note_work(machine)
    from graphdoctor.dryrun.libraries.python.derived_objects import call_derived_object

    return call_derived_object(machine, callee, arguments, node)


def initialize(machine: Machine, made: Instance, arguments: Arguments, node: ast.AST) -> None:
    """What the constructor of a library class does to an object of a derived class."""
    from graphdoctor.dryrun.libraries.python.derived_objects import initialize_derived

    initialize_derived(machine, made, arguments, node)


FOLDER: Final = pathlib.Path(__file__).parent / "prelude"
NAMESPACES: Final = {"keras.ops": "keras_ops.py"}


def in_prelude(machine: Machine, name: str) -> Function | None:
    """The function of the prelude that stands for one of a library."""
    namespace, _, last = name.rpartition(".")
    if namespace not in NAMESPACES:
        return None
    syntax = _syntax(namespace)
    module = machine.program.modules.get(syntax.path)
    if module is None:
        module = machine.program.adopt(SourceModule(syntax, namespace, transparent=True))
        machine.program.load(machine, module)
    found = module.scope.cells.get(last)
    return found if isinstance(found, Function) else None


@functools.cache
def _syntax(namespace: str) -> Syntax:
    path = FOLDER / NAMESPACES[namespace]
    text = path.read_text(encoding="utf-8")
    return Syntax(str(path), text, ast.parse(text))


# Run on 2.21: each of them raises.
LIBRARIES = names("needing values, whole packages")
NEEDING_VALUES = names("needing values")


def needs_values(call: Call) -> bool:
    """Whether a function outside TensorFlow was given a symbolic tensor, which raises; written down then."""
    if call.name not in NEEDING_VALUES and call.name.partition(".")[0] not in LIBRARIES:
        return False
    from graphdoctor.dryrun.libraries.table_calls import symbolic_argument

    symbolic = symbolic_argument(call)
    if symbolic is not None:
        call.machine.log.use("numpy", call.node, symbolic[0], call.name, symbolic[1])
    return symbolic is not None
