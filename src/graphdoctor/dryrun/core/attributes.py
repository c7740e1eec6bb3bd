"""Reading and setting attributes."""

import ast
from typing import Final

from graphdoctor.dryrun.control.self_closing_guards import note_read
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import SourceModule
from graphdoctor.dryrun.core.definitions import is_abstract
from graphdoctor.dryrun.core.machine import ACCESSES, ATTRIBUTE, Machine, expression, registering
from graphdoctor.dryrun.core.scopes import is_bound_nowhere
from graphdoctor.dryrun.gradients.rebound_variables import replacing
from graphdoctor.dryrun.gradients.weights import note_replaced, note_retrained
from graphdoctor.dryrun.libraries.registry import ATTRIBUTES
from graphdoctor.dryrun.staleness.captured_state import (
    captured,
    note_attribute,
    note_rebinding,
    note_remembered,
    note_write,
)
from graphdoctor.dryrun.staleness.recurrences import STEPPING, moved_on, stepped
from graphdoctor.dryrun.values import (
    NOWHERE,
    REST,
    UNKNOWN,
    AbstractNumber,
    BoundMethod,
    Class,
    Constant,
    Descriptor,
    Dictionary,
    Function,
    Given,
    GraphFunction,
    Instance,
    KerasTensor,
    Library,
    LibraryObject,
    Memoized,
    Method,
    Module,
    Partial,
    Sequence,
    Super,
    Union,
    Unknown,
    Value,
    is_none,
)
from graphdoctor.dryrun.values.joining import join, join_all
from graphdoctor.dryrun.values.variable_owners import owns_variables
from graphdoctor.source.def_use import CHANGING_METHODS
from graphdoctor.source.nodes import spelled
from graphdoctor.source.remembering import remembered
from graphdoctor.source.unbound import stored_attributes

HOLDERS: Final = frozenset((Instance, LibraryObject, Class, Function, GraphFunction))
# Methods whose names say enough, whatever they are called on; those of datasets, with what stands beside it.
# The functions that a Keras model keeps, and the step that each runs.
STEPS: Final = {f"{kind}_function": f"{kind}_step" for kind in ("train", "test", "predict")}
INFORMATIVE: Final = ("numpy", "get_weights", "apply_gradients", "map", "filter", "flat_map", "interleave")


@expression(ast.Attribute)
def evaluate_attribute(machine: Machine, node: ast.Attribute) -> Value:
    holder = machine.evaluate(node.value)
    kind = holder.__class__
    if kind is Library:
        return machine.program.library_member(machine, holder.name, node.attr)  # type: ignore[attr-defined]
    value = get_attribute(machine, holder, node.attr, node)
    if kind in HOLDERS:
        if machine.reading is not None:
            note_read(machine, holder.cells, node.attr, value)  # type: ignore[attr-defined]
        if kind is Instance and value.__class__ is not BoundMethod:
            machine.log.readers.note(machine, holder, node.attr, value, node)
    elif isinstance(holder, Module):
        scope = holder.module.scope  # its attributes are the names that its own functions know as global
        note_read(machine, scope.cells, node.attr, value)
        machine.log.readers.note(machine, scope, node.attr, value, node)
    return value


def _is_kept_in_variable(holder: LibraryObject, name: str) -> bool:
    """Whether Keras puts what is set there into a Variable of its own, which graphs read when they run."""
    return holder.kind == "optimizer" and name in ("learning_rate", "lr")


def _without_input(model: LibraryObject) -> Value:
    """The layers that `Sequential.layers` names: what only says the input is none of them."""
    layers: Value = model.cells["layers"]
    items = layers.items if isinstance(layers, Sequence) else None
    if not items or not isinstance(layers, Sequence) or not isinstance(items[0], KerasTensor):
        return layers
    return Sequence(layers.kind, items[1:], layers.origin)


@registering(ACCESSES, [ATTRIBUTE])
def get_attribute(machine: Machine, holder: Value, name: str, node: ast.AST) -> Value:
    """`holder.name`."""
    kind = holder.__class__
    if kind is Library:
        return machine.program.library_member(machine, holder.name, name)  # type: ignore[attr-defined]
    if kind is Instance:
        return _of_instance(machine, holder, name, node)  # type: ignore[arg-type]
    if isinstance(holder, Unknown):
        is_informative = name in INFORMATIVE or (isinstance(holder, Given) and name in CHANGING_METHODS)
        return Method(holder, name) if is_informative else UNKNOWN
    if isinstance(holder, Union):
        real = [
            each for each in holder.alternatives if not (isinstance(each, Constant) and each.value is None)
        ]
        return join_all([get_attribute(machine, each, name, node) for each in real])
    if isinstance(holder, Module):
        return _of_module(machine, holder, name, node)
    if isinstance(holder, Class):
        return _of_class(machine, holder, name, node)
    if isinstance(holder, Super):
        return _of_super(machine, holder, name, node)
    if isinstance(holder, Descriptor):
        return Method(holder, name)
    if name == "__dict__" and isinstance(holder, LibraryObject) and holder.kind == "namespace":
        return attributes_of(holder)
    if isinstance(holder, LibraryObject) and name in holder.cells and not _is_kept_in_variable(holder, name):
        value: Value = _without_input(holder) if name == "layers" else holder.cells[name]
        if machine.graphs:
            shown = _shown(node, name)
            captured(machine, holder.cells, name, value, node, "attribute", shown, holder.origin.graph)
        return value
    if isinstance(holder, (Function, GraphFunction)):
        if name in holder.cells:
            return holder.cells[name]  # type: ignore[no-any-return]
        if name == "__name__":
            return Constant(getattr(holder, "name", "function"))
        if name == "python_function" and isinstance(holder, GraphFunction):
            return holder.function
    if isinstance(holder, Sequence) and holder.fields is not None and holder.fields.cls is not None:
        cls = holder.fields.cls
        inherited = cls.find(name) if name not in holder.fields.names else None
        if inherited is not None:
            return _bind(machine, inherited, holder, cls, name, node)
    if isinstance(holder, Constant) and holder.value is None and not name.startswith("__"):
        machine.end()
    reader = ATTRIBUTES.get(type(holder))
    return reader(machine, holder, name, node) if reader is not None else Method(holder, name)


@remembered(20_000)
def _shown(node: ast.AST, name: str) -> str:
    """An attribute as the source names it: `self.config.rate`."""
    return spelled(node) if isinstance(node, ast.Attribute) else name


def _of_module(machine: Machine, holder: Module, name: str, node: ast.AST) -> Value:
    cells = holder.module.scope.cells
    if name in cells:
        value: Value = cells[name]
        if machine.graphs:
            captured(machine, cells, name, value, node, "global", _shown(node, name), None)
        return value
    found = machine.program.submodule(machine, holder.module, name)
    star = cells.get("__star__")  # `from library import *`
    if isinstance(star, Library) and isinstance(found, Unknown) and not name.startswith("_"):
        return machine.program.library_member(machine, star.name, name)
    if isinstance(found, Unknown) and _is_lacking(machine, holder.module, name):
        machine.end()
    return found


def _is_lacking(machine: Machine, module: SourceModule, name: str) -> bool:
    """Whether a module of the project surely has nothing of that name."""
    plain = module.state == "loaded" and not module.is_package and not name.startswith("__")
    return (
        plain
        and is_bound_nowhere(module, name)
        and not machine.program.may_be_another(machine.module, module)
    )


def _of_instance(machine: Machine, holder: Instance, name: str, node: ast.AST) -> Value:
    inherited = holder.cls.find(name)
    if inherited is not None:
        if is_abstract(inherited):
            return UNKNOWN
        if isinstance(inherited, Descriptor) and inherited.kind == "property":
            return machine.call(BoundMethod(inherited.function, holder), Arguments(), node)
        if isinstance(inherited, Instance) and inherited.cls.find("__get__") is not None:
            return UNKNOWN
    if name in holder.cells:
        value: Value = holder.cells[name]
        if machine.graphs:
            shown = _shown(node, name)
            captured(machine, holder.cells, name, value, node, "attribute", shown, holder.origin.graph)
        if machine.loops and value.__class__ in STEPPING:
            return stepped(machine, value, holder.cells, name)
        return value
    if isinstance(inherited, Descriptor) and inherited.kind == "cached property":
        return _remembered(machine, holder, name, inherited.function, node)
    if REST in holder.cells and not isinstance(inherited, (Function, GraphFunction)):
        return UNKNOWN  # `self.__dict__.update(settings)`, and it is unknown what is in them
    if inherited is not None:
        return _bind(machine, inherited, holder, holder.cls, name, node)
    if name == "__class__":
        return holder.cls
    if name == "__dict__":
        return attributes_of(holder)
    given = _from_getattr(machine, holder, name, node)
    if given is not None:
        return given
    if _is_set_nowhere(machine, holder, name):
        machine.end()
    reader = ATTRIBUTES.get(Instance)
    return reader(machine, holder, name, node) if reader is not None else UNKNOWN


def _is_set_nowhere(machine: Machine, holder: Instance, name: str) -> bool:
    """Whether no file that may know an object gives it such an attribute."""
    cls, root = holder.cls, machine.program.root
    if holder.entries is not None or cls.libraries or cls.is_open or cls.record or name.startswith("__"):
        return False
    if root is None or cls.is_replaced:
        return False
    modules = {root, *(each.module for each in cls.ancestry if isinstance(each, Class))}
    known = [stored_attributes(each.syntax.tree) for each in modules]
    return all(each is not None and name not in each for each in known)


def _remembered(machine: Machine, holder: Instance, name: str, getter: Value, node: ast.AST) -> Value:
    """What a `cached_property` gives for the first time: from now on it is an attribute of the object."""
    value = machine.call(BoundMethod(getter, holder), Arguments(), node)
    machine.heap.put(holder.cells, name, value)
    if machine.is_outer(holder.origin.graph):
        note_write(machine, holder.cells, name)
        note_remembered(machine, value, _shown(node, name), node)
    return value


def attributes_of(holder: Value) -> Value:
    """`vars(holder)`: a dict whose entries are the object's attributes, whichever of the two changes them."""
    if isinstance(holder, LibraryObject) and holder.kind == "namespace":
        return _sharing(holder)
    if not isinstance(holder, Instance) or holder.cls.libraries or holder.cls.is_open:
        return UNKNOWN
    return _sharing(holder)


def _sharing(holder: Instance | LibraryObject) -> Dictionary:
    made = Dictionary({}, holder.origin)
    made.cells = holder.cells
    return made


def _from_getattr(machine: Machine, holder: Instance, name: str, node: ast.AST) -> Value | None:
    special = holder.cls.find("__getattr__")
    entries = holder.entries
    if entries is not None and holder.cells.get("__dict__") is holder and name in entries.cells:
        from graphdoctor.dryrun.core.items import get_item

        return get_item(machine, entries, Constant(name), node)
    if entries is not None and hasattr(dict, name):
        return None  # a method of every dict
    if special is None or name.startswith("__"):
        return None
    return machine.ask(BoundMethod(special, holder), Arguments([Constant(name)]), node)


def _bind(machine: Machine, value: Value, receiver: Value, owner: Value, name: str, node: ast.AST) -> Value:
    """What a class says under a name, as read from an object."""
    if isinstance(value, Descriptor):
        if value.kind == "staticmethod":
            return value.function
        if value.kind == "classmethod":
            return BoundMethod(value.function, owner)
        return machine.call(BoundMethod(value.function, receiver), Arguments(), node)
    if isinstance(value, (Function, GraphFunction, Memoized)):
        return BoundMethod(value, receiver, machine.origin(node))
    if isinstance(value, Partial):
        return value
    if isinstance(receiver, Instance) and machine.graphs:
        cells = next(
            (c.cells for c in receiver.cls.ancestry if isinstance(c, Class) and name in c.cells), None
        )
        if cells is not None:
            shown = _shown(node, name)
            captured(machine, receiver.cells, name, value, node, "attribute", shown, receiver.origin.graph)
            captured(machine, cells, name, value, node, "attribute", shown, None)
    return value


def _of_class(machine: Machine, holder: Class, name: str, node: ast.AST) -> Value:
    value = holder.find(name)
    if value is None:
        if name == "__name__":
            return Constant(holder.name)
        library = next((each for each in holder.ancestry if isinstance(each, Library)), None)
        return machine.program.library_member(machine, library.name, name) if library else UNKNOWN
    if isinstance(value, Descriptor):
        if value.kind == "staticmethod":
            return value.function
        return BoundMethod(value.function, holder) if value.kind == "classmethod" else value
    if holder.record == "enum" and not isinstance(value, (Function, GraphFunction)):
        return _enum_member(machine, holder, name, value)
    captured(machine, holder.cells, name, value, node, "attribute", _shown(node, name), None)
    return value


def _enum_member(machine: Machine, holder: Class, name: str, value: Value) -> Value:
    members = holder.cells.setdefault("__members__", {})
    if name not in members:
        member = Instance(holder, NOWHERE)
        member.cells.update(value=value, name=Constant(name))
        members[name] = member
    return members[name]  # type: ignore[no-any-return]


def _of_super(machine: Machine, holder: Super, name: str, node: ast.AST) -> Value:
    receiver = holder.receiver
    line = receiver.cls.ancestry if isinstance(receiver, Instance) else holder.cls.ancestry
    after = line[line.index(holder.cls) + 1 :] if holder.cls in line else holder.cls.ancestry[1:]
    for each in after:
        if isinstance(each, Class) and name in each.cells:
            return _bind(machine, each.cells[name], receiver, each, name, node)
        if isinstance(each, (Library, Unknown)):
            return Method(holder, name)
    return Method(holder, name)


def _set_on_one_of(
    machine: Machine, holders: list[Instance | LibraryObject], name: str, value: Value
) -> None:
    """One of several objects gets an attribute, and it is unknown which: all may have it now."""
    for each in holders:
        inherited = each.cls.find(name) if isinstance(each, Instance) else None
        old = each.cells.get(name, inherited)
        if isinstance(old, (Constant, AbstractNumber)) and not isinstance(inherited, Descriptor):
            machine.heap.put(each.cells, name, join(old, value))


def forget_step(machine: Machine, model: Instance | LibraryObject, step: str) -> None:
    """Keras makes and traces a step again when it is needed: `model.predict_function = None`."""
    known = model.cells.get("__steps__")
    if isinstance(known, Dictionary):
        machine.heap.remove(known.cells, step)


def set_attribute(
    machine: Machine, holder: Value, target: ast.Attribute, value: Value, node: ast.AST, counted: bool
) -> None:
    """`holder.name = value`."""
    name = target.attr
    if isinstance(holder, Union):
        real = [each for each in holder.alternatives if isinstance(each, (Instance, LibraryObject))]
        if len(real) > 1:
            _set_on_one_of(machine, real, name, value)
        holder = real[0] if len(real) == 1 else UNKNOWN
    if isinstance(holder, Instance):
        known = holder.cls.find(name)
        if isinstance(known, Descriptor) and known.kind == "property":
            if known.setter is not None:
                machine.call(BoundMethod(known.setter, holder), Arguments([value]), node)
            return
        special = holder.cls.find("__setattr__")
        if special is not None and not machine.activation.name.startswith("__"):
            machine.call(BoundMethod(special, holder), Arguments([Constant(name), value]), node)
            return
        if holder.entries is not None and holder.cells.get("__dict__") is holder:
            from graphdoctor.dryrun.core.items import set_entry

            set_entry(machine, holder.entries, Constant(name), value, target)  # since `self.__dict__ = self`
            return
    store_attribute(machine, holder, target, value, node, counted)


def target_named(name: str, node: ast.AST) -> ast.Attribute:
    """`object.name`, as an assignment would have it."""
    return ast.copy_location(ast.Attribute(ast.Name("object", ast.Load()), name, ast.Store()), node)


def store_attribute(
    machine: Machine, holder: Value, target: ast.Attribute, value: Value, node: ast.AST, counted: bool
) -> None:
    """What `object.__setattr__` does, whatever properties and `__setattr__` the class has."""
    name = target.attr
    if name == "trainable":
        note_retrained(machine, holder, value, node)
    elif isinstance(holder, Instance) and name in holder.cells and owns_variables(holder.cells[name]):
        note_replaced(machine, holder)
    if name == "run_eagerly" and isinstance(holder, (Instance, LibraryObject)):
        machine.program.eager_keras |= isinstance(value, Constant) and bool(value.value)
        machine.heap.put(holder.cells, "__eagerly__", value)
    if name in STEPS and isinstance(holder, (Instance, LibraryObject)) and is_none(value):
        forget_step(machine, holder, STEPS[name])
    if isinstance(holder, Library) and holder.name == "tensorflow.Tensor":
        machine.activations[0].module.tensor_methods.add(name)
    if isinstance(holder, (Instance, LibraryObject, Class, Function, GraphFunction)):
        origin = holder.origin
        if machine.graph is not None and machine.is_outer(origin.graph):
            note_attribute(machine, holder, name, _shown(target, name), value, node, counted)
        elif machine.graphs and (machine.graph is None or id(holder.cells) in machine.graph.root.kept):
            note_write(machine, holder.cells, name)  # in `tf.init_scope()`, by the trace around it
        machine.note_written(holder.cells, name, node)
        value = moved_on(machine, value, holder.cells, name)
        machine.heap.put(holder.cells, name, replacing(machine, value, holder.cells.get(name), node))
    elif isinstance(holder, Module):
        scope = holder.module.scope
        if machine.graph is not None:
            note_rebinding(machine, scope, name, value, node, counted, _shown(target, name))
        machine.note_written(scope.cells, name, node)
        machine.heap.put(scope.cells, name, replacing(machine, value, scope.cells.get(name), node))
