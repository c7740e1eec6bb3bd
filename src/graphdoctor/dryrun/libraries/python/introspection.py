"""Python's functions that ask or change what an object is: `isinstance`, `getattr`, `super`, `property`…"""

from graphdoctor.dryrun.control.self_closing_guards import note_read
from graphdoctor.dryrun.core.attributes import attributes_of, set_attribute, store_attribute, target_named
from graphdoctor.dryrun.libraries.registry import Call, function
from graphdoctor.dryrun.libraries.tables.tables import methods as methods_of
from graphdoctor.dryrun.libraries.tensorflow.tensors import class_of
from graphdoctor.dryrun.values import (
    FALSE,
    NONE,
    NOWHERE,
    REST,
    TRUE,
    UNKNOWN,
    AbstractNumber,
    Array,
    BoundMethod,
    Class,
    Constant,
    Descriptor,
    Dictionary,
    Function,
    GraphFunction,
    Instance,
    Library,
    Method,
    Numeric,
    Super,
    Tensor,
    TypeOf,
    Unknown,
    Value,
    Variable,
    is_known_text,
    is_none,
)
from graphdoctor.dryrun.values.class_membership import is_any_instance
from graphdoctor.dryrun.values.joining import perhaps_replaced, python_type


@function("builtins.isinstance")
def isinstance_(call: Call) -> Value:
    answer = is_any_instance(call.get(0, "obj"), call.get(1, "classes"))
    return AbstractNumber("bool") if answer is None else TRUE if answer else FALSE


@function("builtins.issubclass")
def issubclass_(call: Call) -> Value:
    value, classes = call.get(0, "cls"), call.get(1, "classes")
    answer = None
    if isinstance(value, TypeOf):
        answer = is_any_instance(value.of, classes)
    elif isinstance(value, Class):
        answer = is_any_instance(Instance(value, value.origin), classes)
    return AbstractNumber("bool") if answer is None else TRUE if answer else FALSE


@function("builtins.hasattr", "builtins.callable")
def unknown_answer(call: Call) -> Value:
    value = call.get(0, "obj")
    if call.last == "callable":
        known = isinstance(value, (Function, GraphFunction, BoundMethod, Class, Library, Method))
        return (
            TRUE
            if known
            else FALSE
            if python_type(value) or isinstance(value, Numeric)
            else AbstractNumber("bool")
        )
    name = call.get(1, "name")
    if isinstance(value, Instance) and isinstance(name, Constant) and call.last == "hasattr":
        note_read(call.machine, value.cells, name.value, None)
        if name.value in value.cells or value.cls.find(str(name.value)) is not None:
            return TRUE
        simple = not value.cls.libraries and not value.cls.is_open and not value.unknown_start
        return FALSE if simple else AbstractNumber("bool")
    if isinstance(value, Tensor) and isinstance(name, Constant) and name.value == "numpy":
        return Constant(value.graph is None)
    kinds = {Tensor: "tensorflow.Tensor", Variable: "tensorflow.Variable", Array: "numpy.ndarray"}
    if type(value) in kinds and isinstance(name, Constant) and name.value in methods_of(kinds[type(value)]):
        return TRUE
    return AbstractNumber("bool")


@function("builtins.getattr")
def getattr_(call: Call) -> Value:
    name = call.get(1, "name")
    if isinstance(name, Constant) and isinstance(name.value, str):
        found = call.machine.attribute(call.get(0, "obj"), name.value, call.node)
        return found if not (isinstance(found, Unknown) and call.arguments.has(2, "default")) else UNKNOWN
    return UNKNOWN


@function("builtins.vars")
def vars_(call: Call) -> Value:
    return attributes_of(call.get(0, "object"))


@function("builtins.setattr")
def setattr_(call: Call) -> Value:
    name = call.get(1, "name")
    if isinstance(name, Constant) and isinstance(name.value, str):
        target = target_named(name.value, call.node)
        set_attribute(call.machine, call.get(0, "obj"), target, call.get(2, "value"), call.node, False)
    elif isinstance(holder := call.get(0, "obj"), Class):
        for key, old in perhaps_replaced(holder.cells, call.get(2, "value")).items():
            call.machine.heap.put(holder.cells, key, old)
    elif isinstance(holder, Instance):
        for key, old in perhaps_replaced(holder.cells, call.get(2, "value")).items():
            if not key.startswith("__"):
                call.machine.heap.put(holder.cells, key, old)
        call.machine.heap.put(holder.cells, REST, UNKNOWN)
    return NONE


@function("builtins.delattr")
def delattr_(call: Call) -> Value:
    holder, name = call.get(0, "obj"), call.get(1, "name")
    if isinstance(holder, (Instance, Class)):
        if isinstance(name, Constant):
            call.machine.heap.remove(holder.cells, name.value)
        else:
            for key, old in perhaps_replaced(holder.cells, UNKNOWN).items():
                call.machine.heap.put(holder.cells, key, old)
    return NONE


@function("builtins.object.__setattr__")
def set_plainly(call: Call) -> Value:
    """`object.__setattr__(self, "name", value)`, which no class can forbid."""
    holder, name, value = call.get(0, "obj"), call.get(1, "name"), call.get(2, "value")
    if isinstance(holder, Instance):
        if not is_known_text(name):
            return setattr_(call)
        target = target_named(name.value, call.node)  # type: ignore[attr-defined]
        store_attribute(call.machine, holder, target, value, call.node, False)
    return NONE


@function("builtins.globals")
def globals_(call: Call) -> Value:
    """The names of the module as a dict, whichever of the two changes them."""
    made = Dictionary({}, NOWHERE)
    made.cells = call.machine.module.scope.cells
    return made


@function("builtins.exec")
def exec_(call: Call) -> Value:
    """Code that nobody has read may set every name of the module."""
    given, names = call.get(1, "globals"), call.machine.module.scope.cells
    cells = given.cells if isinstance(given, Dictionary) else names if is_none(given) else {}
    for name, old in perhaps_replaced(cells, UNKNOWN).items():
        call.machine.heap.put(cells, name, old)
    if cells is not names and isinstance(given, Dictionary):
        call.machine.heap.put(cells, REST, UNKNOWN)
    return NONE


@function("builtins.super")
def super_(call: Call) -> Value:
    activation = call.machine.activation
    if len(call.arguments.positional) == 2:
        cls, receiver = call.arguments.positional
        return Super(cls, receiver) if isinstance(cls, Class) else UNKNOWN
    owner, inner = activation.owner, activation.receiver
    if owner is None:
        for outer in reversed(call.machine.activations):
            if outer.owner is not None:
                owner, inner = outer.owner, outer.receiver
                break
    return Super(owner, inner) if owner is not None and inner is not None else UNKNOWN


@function("builtins.type")
def type_(call: Call) -> Value:
    value = call.get(0, "object")
    if len(call.arguments.positional) == 1 and isinstance(value, Instance):
        return value.cls
    found = class_of(value)
    return TypeOf(value) if isinstance(found, Unknown) and not isinstance(value, Unknown) else found


@function("builtins.property", "builtins.staticmethod", "builtins.classmethod")
def descriptor(call: Call) -> Value:
    setter = call.get(1, "fset")
    return Descriptor(call.last, call.get(0, "fget"), setter if isinstance(setter, Function) else None)


@function("importlib.import_module")
def import_module(call: Call) -> Value:
    """A module by its name; one that begins with dots is looked for from the module that asks."""
    name = call.get(0, "name")
    if not is_known_text(name):
        return UNKNOWN
    text = str(name.value)  # type: ignore[attr-defined]
    dotted = text.lstrip(".")
    return call.machine.program.imported(call.machine, dotted, len(text) - len(dotted), call.machine.module)
