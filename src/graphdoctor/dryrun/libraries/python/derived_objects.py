"""Objects of classes that derive from a library's: what they inherit."""

import ast

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.control.flow import Raised
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.attributes import store_attribute, target_named
from graphdoctor.dryrun.core.items import get_item, set_entry
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.keras.added_losses import note_added
from graphdoctor.dryrun.libraries.keras.calls import call_keras_object
from graphdoctor.dryrun.libraries.keras.training import keras_model_method
from graphdoctor.dryrun.libraries.python.settings import is_settings, settings_method
from graphdoctor.dryrun.libraries.registry import Call, call_method, function, methods
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.values import (
    NONE,
    TRUE,
    UNKNOWN,
    Class,
    Constant,
    Instance,
    Sequence,
    Super,
    Value,
    is_known_text,
)

# What the constructors of Keras' layers and models take, in one generation or the other.
OPTIONS = names("options of Keras objects")


def call_derived_object(machine: Machine, callee: Instance, arguments: Arguments, node: ast.AST) -> Value:
    """The call of an object that inherits its `__call__`."""
    if callee.cls.derives("keras."):
        return call_keras_object(machine, callee, arguments, node)
    return UNKNOWN


def initialize_derived(machine: Machine, made: Instance, arguments: Arguments, node: ast.AST) -> None:
    """The constructor of a library class."""
    if made.cls.derives("keras.Sequential"):
        given = arguments.get(0, "layers")
        made.cells["layers"] = given if isinstance(given, Sequence) else UNKNOWN


@function(
    "builtins.dict.__getitem__", "builtins.dict.__setitem__", "builtins.dict.__init__", "builtins.dict.get",
    "builtins.dict.update",
)  # fmt: skip
def method_of_dict(call: Call) -> Value:
    """`dict.__getitem__(self, name)`, also as the `__getattr__` of a class."""
    receiver, *rest = call.arguments.positional or [UNKNOWN]
    held = receiver.entries if isinstance(receiver, Instance) else receiver
    if call.last == "__getitem__" and rest:
        return get_item(call.machine, held or receiver, rest[0], call.node)
    if call.last == "__setitem__" and len(rest) > 1 and isinstance(rest[0], Constant):
        set_entry(call.machine, held or receiver, rest[0], rest[1], call.node)
        return NONE
    name = "update" if call.last == "__init__" else call.last
    given = Arguments(rest, dict(call.arguments.keywords), {}, call.arguments.loose)
    return call_method(call.machine, held, name, given, call.node) if held is not None else UNKNOWN


@methods(Instance)
def inherited_method(
    machine: Machine, receiver: Instance, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """A method that a class of the project inherits from a library."""
    if receiver.cls.derives("keras."):
        return _inherited_from_keras(machine, receiver, name, arguments, node)
    if is_settings(receiver):
        return settings_method(machine, receiver, name, arguments, node)
    if receiver.entries is not None:
        return call_method(machine, receiver.entries, name, arguments, node)
    return UNKNOWN


def _inherited_from_keras(
    machine: Machine, receiver: Instance, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name == "__call__":  # of Keras: it builds, and runs the `call` that the class has
        return call_keras_object(machine, receiver, arguments, node)
    return keras_model_method(machine, receiver, name, arguments, node)


def _is_refused(cls: Class, arguments: Arguments) -> bool:
    """Whether Keras 2 and 3 refuse an option that is handed on to their own class (run with both)."""
    plain = cls.libraries and set(cls.libraries) <= {"keras.Model", "keras.Layer"}
    return bool(plain) and not cls.is_open and not OPTIONS.issuperset(arguments.keywords)


def call_super(machine: Machine, receiver: Super, name: str, arguments: Arguments, node: ast.AST) -> Value:
    """`super().name(…)` where the library's class answers."""
    inner = receiver.receiver
    if isinstance(inner, Instance) and inner.entries is not None and name in ("__init__", "update"):
        return call_method(machine, inner.entries, "update", arguments, node)
    if name == "__init__":
        if isinstance(inner, Instance) and _is_refused(inner.cls, arguments):
            raise Raised(UNKNOWN)
        if isinstance(inner, Instance) and "activity_regularizer" in arguments.keywords:
            note_added(machine, inner)
        if isinstance(inner, Instance) and "name" in arguments.keywords:
            inner.cells.setdefault("name", arguments.keywords["name"])
        if isinstance(inner, Instance) and truth(arguments.get(None, "dynamic")):
            machine.program.eager_keras = True
            machine.heap.put(inner.cells, "__dynamic__", TRUE)  # Keras 2 runs it eagerly, Keras 3 refuses it
        given = arguments.positional or "inputs" in arguments.keywords
        if isinstance(inner, Instance) and given and inner.cls.derives("keras.Model"):
            machine.heap.put(inner.cells, "__built__", TRUE)  # a functional model has its variables at once
        return NONE
    if name == "__new__":
        cls = arguments.get(0, "cls")
        return Instance(cls, machine.origin(node)) if isinstance(cls, Class) else UNKNOWN
    if name == "__setattr__" and isinstance(inner, Instance):
        key = arguments.get(0, "name")
        if is_known_text(key):
            target = target_named(key.value, node)  # type: ignore[attr-defined]
            store_attribute(machine, inner, target, arguments.get(1, "value"), node, False)
        return NONE
    if isinstance(inner, Instance) and inner.cls.derives("keras."):
        return _inherited_from_keras(machine, inner, name, arguments, node)
    if isinstance(inner, Instance) and inner.entries is not None and name != "__setattr__":
        return call_method(machine, inner.entries, name, arguments, node)
    return UNKNOWN
