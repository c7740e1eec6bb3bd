"""`def`, `lambda`, `class` and their decorators; objects of the project's classes."""

import ast

from graphdoctor.dryrun.control.flow import Raised
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import Activation, Scope
from graphdoctor.dryrun.core.machine import Machine, expression, statement
from graphdoctor.dryrun.core.scopes import bind_name
from graphdoctor.dryrun.values import (
    UNKNOWN,
    BoundMethod,
    Class,
    Constant,
    Descriptor,
    Dictionary,
    Fields,
    Function,
    GraphFunction,
    Instance,
    Library,
    LibraryObject,
    Memoized,
    Method,
    Partial,
    Sequence,
    Unknown,
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
    given = arguments.get(0, "value")
    if not isinstance(given, Constant):
        return UNKNOWN
    members = [(name, value.value) for name, value in cls.cells.items() if isinstance(value, Constant)]
    named = [name for name, value in members if name[0] != "_" and value == given.value]
    return machine.attribute(cls, named[0], node) if named else UNKNOWN


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
        return machine.call_method(callee, "__call__", arguments, node)
    return call_derived(machine, callee, arguments, node)


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
