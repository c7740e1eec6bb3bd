"""Objects of the project's classes: making and calling them."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    UNKNOWN,
    BoundMethod,
    Class,
    Constant,
    Dictionary,
    Fields,
    Instance,
    LibraryObject,
    Sequence,
    Value,
)
from graphdoctor.dryrun.values.joining import perhaps_replaced


def instantiate(machine: Machine, cls: Class, arguments: Arguments, node: ast.AST) -> Value:
    """A new object of a class."""
    if cls.record == "namedtuple" or "builtins.tuple" in cls.libraries:
        return _named_tuple(machine, cls, arguments, node)
    if cls.record == "enum":
        return _enum_by_value(machine, cls, arguments, node)
    made = Instance(cls, machine.origin(node))
    machine.program.note_instance(made)
    _note_made(machine, made, node)
    init = cls.find("__init__")
    if "builtins.dict" in cls.libraries:
        _hold_entries(machine, made, Arguments() if init is not None else arguments, node)
    new = cls.find("__new__")
    if new is not None and init is None and cls.record != "dataclass":
        given = machine.call(new, arguments.after(cls), node)
        return given if isinstance(given, Instance) else made
    if init is not None:
        machine.call(BoundMethod(init, made), arguments, node)
    elif cls.record == "dataclass":
        _fill_record(machine, made, arguments, node)
    elif cls.libraries:
        from graphdoctor.dryrun.libraries.registry import initialize

        initialize(machine, made, arguments, node)
    if cls.find("__metaclass__") is not None:  # it makes the objects, and it is unknown what it does to them
        for name, value in perhaps_replaced(made.cells, UNKNOWN).items():
            machine.heap.put(made.cells, name, value)
    return made


def _hold_entries(machine: Machine, made: Instance, arguments: Arguments, node: ast.AST) -> None:
    """What an object of a class that derives from `dict` begins with; its own `__init__` may add some."""
    from graphdoctor.dryrun.libraries.registry import call_library

    held = call_library(machine, "builtins.dict", arguments, node)
    if isinstance(held, Dictionary):
        made.cells[made.ENTRIES] = held


def _note_made(machine: Machine, made: Instance, node: ast.AST) -> None:
    for prefix, what in (("keras.", "layer"), ("tensorflow.Module", "module")):
        if made.cls.derives(prefix):
            kind = "model" if made.cls.derives("keras.Model") else what
            machine.log.made(kind, made, node)
            return


def _named_tuple(machine: Machine, cls: Class, arguments: Arguments, node: ast.AST) -> Value:
    items = list(arguments.positional)
    for name in cls.fields[len(items) :]:
        items.append(arguments.keywords.get(name) or cls.cells.get(name) or UNKNOWN)
    made = Sequence(
        "tuple",
        None if arguments.loose else tuple(items),
        machine.origin(node),
        fields=Fields(cls.fields, cls),
    )
    if arguments.loose:
        made.cells["element"] = UNKNOWN
    return made


def _enum_by_value(machine: Machine, cls: Class, arguments: Arguments, node: ast.AST) -> Value:
    """`Mode("train")`: the member that has this value."""
    from graphdoctor.dryrun.core.attributes import get_attribute

    given = arguments.get(0, "value")
    if not isinstance(given, Constant):
        return UNKNOWN
    members = [(name, value.value) for name, value in cls.cells.items() if isinstance(value, Constant)]
    named = [name for name, value in members if name[0] != "_" and value == given.value]
    return get_attribute(machine, cls, named[0], node) if named else UNKNOWN


def _fill_record(machine: Machine, made: Instance, arguments: Arguments, node: ast.AST) -> None:
    """The `__init__` that `dataclass` writes."""
    cls = made.cls
    positional = dict(zip(cls.fields, arguments.positional, strict=False))
    for name in cls.fields:
        default = cls.find(name)
        value = positional.get(name) or arguments.keywords.get(name)
        if value is None:
            value = (
                _default(machine, default, node) if default is not None and not arguments.loose else UNKNOWN
            )
        made.cells[name] = value
    after = cls.find("__post_init__")
    if after is not None:
        machine.call(BoundMethod(after, made), Arguments(), node)


def _default(machine: Machine, default: Value, node: ast.AST) -> Value:
    """A field's default; `field(default_factory=…)` makes one."""
    if isinstance(default, LibraryObject) and default.kind == "field":
        if "default" in default.arguments:
            return default.arguments["default"]
        factory = default.arguments.get("default_factory")
        return machine.call(factory, Arguments(), node) if factory is not None else UNKNOWN
    return default


def call_object(machine: Machine, callee: Instance, arguments: Arguments, node: ast.AST) -> Value:
    """`object(…)`: its `__call__`, or what Keras and others make of it."""
    from graphdoctor.dryrun.libraries.registry import call_derived

    own = callee.cls.find("__call__")
    if own is not None:
        from graphdoctor.dryrun.core.attributes import get_attribute

        return machine.call(get_attribute(machine, callee, "__call__", node), arguments, node)
    return call_derived(machine, callee, arguments, node)
