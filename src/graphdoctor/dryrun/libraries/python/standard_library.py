"""The standard library: effects, values that differ each time, and what combines functions."""

import ast
import itertools
import math
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from graphdoctor.dryrun.control.staging import is_symbolic
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.folding import fold
from graphdoctor.dryrun.core.heap import forget_items, forget_length
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.numpy_arrays import is_few_drawn
from graphdoctor.dryrun.libraries.registry import Call, family, function, object_methods
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.tracing.operations import left
from graphdoctor.dryrun.values import (
    NONE,
    NOTHING,
    UNKNOWN,
    AbstractNumber,
    Array,
    Class,
    Constant,
    Dictionary,
    Function,
    GraphFunction,
    Instance,
    Library,
    LibraryObject,
    Memoized,
    Method,
    Partial,
    Sequence,
    Tensor,
    Union,
    Value,
    Variable,
    computed_number,
    is_none,
    known_int,
)
from graphdoctor.dryrun.values.iteration import (
    MOST_FEW,
    consume,
    count_of,
    element,
    items_of,
    iterated,
    settled,
    varying,
)
from graphdoctor.dryrun.values.joining import perhaps_replaced, python_type
from graphdoctor.dryrun.values.open_sizes import note_open_size
from graphdoctor.source.nodes import walk

CLOCKS = names("clocks")
MOST_COMBINATIONS = 200
CHANGING = names("changers of lists")
LEVELS = ("debug", "info", "warning", "warn", "error", "critical", "exception", "log", "vlog")
WRITERS = names("writers")


@family("random.")
def random_(call: Call) -> Value:
    machine, name = call.machine, call.last
    if name in ("seed", "setstate", "getstate"):
        note_seed(call, "random")
        return NONE
    if name in ("Random", "SystemRandom"):
        return LibraryObject("random", "random.Random", call.origin, given(call))
    with reseeded(machine, "random"):
        return draw(machine, call.name, name, call.arguments, call.node)


def note_seed(call: Call, generator: str) -> None:
    """Note that a trace sets a generator to a seed: what it draws then is meant to be the same each time."""
    seed = call.get(0, "seed")
    if call.last == "seed" and call.machine.graph is not None and not is_none(seed):
        call.machine.graph.root.seeded.add(generator)


def reseeded(machine: Machine, generator: str) -> AbstractContextManager[None]:
    """While open, a draw is no effect where the trace under way has set the generator to a seed."""
    seeded = machine.graph is not None and generator in machine.graph.root.seeded
    return machine.log.silent() if seeded else nullcontext()


def given(call: Call) -> dict[Any, Value]:
    """All arguments of a call, by position and name."""
    return {**dict(enumerate(call.arguments.positional)), **call.arguments.keywords}


@object_methods("random")
def random_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in ("seed", "__call__", "reset", "bit_generator"):
        return NONE
    if receiver.arguments and not machine.is_outer(receiver.origin.graph):
        with machine.log.silent():  # made of a seed in the same trace: meant to be the same each time
            return _drawn(machine, receiver, name, arguments, node)
    return _drawn(machine, receiver, name, arguments, node)


def _drawn(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if receiver.name.startswith("numpy."):
        from graphdoctor.dryrun.libraries.numpy_arrays import drawn_array

        return drawn_array(machine, f"{receiver.name}.{name}", arguments, node)
    return draw(machine, f"{receiver.name}.{name}", name, arguments, node)


def draw(machine: Machine, shown: str, name: str, arguments: Arguments, node: ast.AST) -> Value:
    """A random number of Python's: frozen when it is drawn while tracing."""
    position = machine.log.effect("random", shown, node, tuple(arguments.positional))
    loops = frozenset(machine.loops)
    if name in ("randint", "randrange", "getrandbits"):
        return machine.log.drawn(AbstractNumber("int", loops, few=_small_range(name, arguments)), position)
    if name in ("choice", "sample", "choices"):
        return _chosen(machine, name, arguments, node)
    if name == "shuffle":
        shuffled = arguments.get(0, "x")
        if isinstance(shuffled, Sequence) and shuffled.items is not None and len(shuffled.items) > 1:
            forget_length(machine.heap, shuffled, None, NOTHING)
        return NONE
    return AbstractNumber("float", loops)


def _chosen(machine: Machine, name: str, arguments: Arguments, node: ast.AST) -> Value:
    """One or several elements of a list; each time others, where it is known to have more than a few."""
    population = settled(arguments.get(0, "population"))
    count, given = count_of(population), element(machine, population, node)
    loops = frozenset(machine.loops) if count is None or count > MOST_FEW else NOTHING
    if name == "choice":
        one = (
            AbstractNumber(given.type, frozenset(machine.loops), True)
            if isinstance(given, AbstractNumber)
            else given
        )
        return varying(one, loops) if count is not None else one
    size = arguments.get(1, "k", Constant(1))
    number = known_int(size)
    return Sequence("list", None, machine.origin(node), varying(given, loops), number)


def _small_range(name: str, arguments: Arguments) -> bool:
    if name == "getrandbits":
        bits = arguments.get(0, "k")
        return isinstance(bits, Constant) and bits.value in (1, 2)
    return is_few_drawn(arguments.positional, ends=name == "randint")


@function(*CLOCKS)
def clock(call: Call) -> Value:
    if not _makes_name(call):
        call.machine.log.effect("clock", call.name, call.node)
    return AbstractNumber("float", frozenset(call.machine.loops))


def _makes_name(call: Call) -> bool:
    """Whether the reading only goes into the name of something that each trace makes once."""
    statement = call.machine.activation.statement
    if isinstance(statement, ast.Assign) and statement.targets:
        targets = statement.targets
        if all(isinstance(target, ast.Name) and "name" in target.id.lower() for target in targets):
            return True
    parts = walk(statement) if statement is not None else ()
    names = [part for part in parts if isinstance(part, ast.keyword) and "name" in (part.arg or "")]
    return any(inner is call.node for name in names for inner in walk(name))


@function("os.environ.get", "os.getenv")
def environment(call: Call) -> Value:
    return AbstractNumber("str")


@function(*WRITERS)
def write(call: Call) -> Value:
    call.machine.log.effect("write", call.name, call.node, tuple(call.arguments.positional))
    return UNKNOWN


@family("logging.", "absl.logging.", "tensorflow.get_logger.", "warnings.")
def log_(call: Call) -> Value:
    if call.last in LEVELS:
        call.machine.log.effect("log", call.name, call.node, tuple(call.arguments.positional))
        return NONE
    if call.last in ("getLogger", "Logger"):
        return LibraryObject("logger", "logging.Logger", call.origin, {})
    return UNKNOWN


@object_methods("logger")
def logger_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in LEVELS:
        machine.log.effect("log", f"logger.{name}", node, tuple(arguments.positional))
    return NONE


KIND_OF_MATH = {
    **dict.fromkeys(("floor", "ceil", "trunc", "gcd", "lcm", "factorial", "comb", "perm", "isqrt"), "int"),
    **dict.fromkeys(("isfinite", "isinf", "isnan", "isclose"), "bool"),
}  # the others give a float


@family("math.")
def math_(call: Call) -> Value:
    import math

    values = call.arguments.positional
    for value in values:
        note_open_size(call.machine, value, call.node, call.name)
    if values and not call.arguments.loose and all(isinstance(value, Constant) for value in call.arguments):
        try:
            named = {name: value.value for name, value in call.arguments.keywords.items()}  # type: ignore[attr-defined]
            plain = [value.value for value in values]  # type: ignore[attr-defined]
            return Constant(fold(call.last, getattr(math, call.last), *plain, **named))
        except Exception:
            return UNKNOWN
    for position, value in enumerate(values):
        if is_symbolic(call.machine, value):
            call.machine.log.use("float", call.node, value, call.name, call.arguments.nodes.get(position))
            return UNKNOWN
    kind = KIND_OF_MATH.get(call.last, "float")
    if any(isinstance(value, (Tensor, Variable, Array)) for value in values):
        paths = left(call.machine, values, call.name, call.node)
        return AbstractNumber(kind, frozenset(call.machine.loops), paths=paths)
    if not all(python_type(value) for value in values):
        return UNKNOWN
    return computed_number(kind, call.last, values)


@function("functools.partial", "functools.partialmethod")
def partial(call: Call) -> Value:
    callee, *rest = call.arguments.positional or [UNKNOWN]
    made = Partial(callee, tuple(rest), dict(call.arguments.keywords), call.origin)
    made.sources = {name: node for name, node in call.arguments.nodes.items() if isinstance(name, str)}
    if isinstance(callee, Library) and callee.name == "tensorflow.function" and made.sources:
        from graphdoctor.dryrun.libraries.tensorflow.graph_functions import make_graph_function

        make_graph_function(call.machine, UNKNOWN, dict(made.keywords), call.node, dict(made.sources))
    return made


@function("functools.wraps", "functools.update_wrapper")
def wraps(call: Call) -> Value:
    if call.last == "update_wrapper":
        return call.get(0, "wrapper")
    wrapped = {"__wrapped__": call.get(0, "wrapped")}
    return LibraryObject("identity", "functools.wraps", call.origin, wrapped)


@object_methods("identity")
def identity(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """A decorator that gives back what it is given, and notes on it what `functools.wraps` does."""
    given = arguments.get(0, "value") if name == "__call__" else UNKNOWN
    if isinstance(given, Function):
        for key, value in receiver.arguments.items():
            machine.heap.put(given.cells, key, value)
        if "__wrapped__" in receiver.arguments:
            called = machine.attribute(receiver.arguments["__wrapped__"], "__name__", node)
            machine.heap.put(given.cells, "__name__", called if isinstance(called, Constant) else UNKNOWN)
    return given


@function("functools.lru_cache", "functools.cache")
def memory(call: Call) -> Value:
    given = call.get(0, "user_function")
    if isinstance(given, (Function, GraphFunction)):
        return Memoized(given)
    arguments = {"maxsize": call.get(0, "maxsize")}
    return LibraryObject("memory", "functools.lru_cache", call.origin, arguments)


@object_methods("memory")
def remembering(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """`lru_cache(maxsize)`, called as a decorator."""
    given, size = arguments.get(0, "user_function"), receiver.arguments["maxsize"]
    if name != "__call__":
        return UNKNOWN
    known = isinstance(size, Constant) and isinstance(size.value, int)
    return Memoized(given, size.value) if known else Memoized(given)  # type: ignore[attr-defined]


@family("heapq.", "bisect.", "operator.")
def changing(call: Call) -> Value:
    """What puts elements into a list or takes some out, wherever it likes."""
    if call.last in CHANGING:
        forget_items(call.machine.heap, settled(call.get(0, "a")))
    return UNKNOWN


@function("functools.reduce")
def reduce(call: Call) -> Value:
    machine, callee, values = call.machine, call.get(0, "function"), settled(call.get(1, "sequence"))
    items = items_of(machine, values)
    if items is not None and len(items) <= MOST_COMBINATIONS:
        consume(machine, values)
        parts = [*call.arguments.positional[2:3], *items]
        result = parts[0] if parts else UNKNOWN
        for part in parts[1:]:
            result = machine.call(callee, Arguments([result, part]), call.node)
        return result
    typical = element(machine, values, call.node)
    first = call.get(2, "initial", typical)
    result = machine.call(callee, Arguments([first, typical]), call.node)
    if isinstance(result, (Constant, AbstractNumber)):  # of two of them; it is unknown how many there are
        return AbstractNumber(python_type(result), result.varies) if python_type(result) else UNKNOWN
    return result if isinstance(result, (Tensor, Array)) else UNKNOWN


@function("contextlib.contextmanager", "abc.abstractmethod", "typing.final", "typing.no_type_check",
          "typing.overload", "contextlib.asynccontextmanager", "atexit.register",
          "typing.cast")  # fmt: skip
def first_argument(call: Call) -> Value:
    if call.last == "cast":
        return call.get(1, "value")
    return call.get(0, "value")


@function("functools.singledispatch")
def dispatching(call: Call) -> Value:
    made = LibraryObject("dispatch", call.name, call.origin, {})
    made.cells["functions"] = Sequence("list", (call.get(0, "func"),), call.origin)
    return made


@object_methods("dispatch")
def dispatched(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """One of several functions, which the class of the argument chooses."""
    known = receiver.cells["functions"]
    functions = known.items or () if isinstance(known, Sequence) else ()
    if name == "__call__":
        callee = functions[0] if len(functions) == 1 else Union(functions)
        return machine.call(callee, arguments, node)
    given = arguments.get(1, "func", arguments.get(0, "cls"))
    if name != "register":
        return UNKNOWN
    if isinstance(given, (Function, GraphFunction)):
        machine.heap.put(receiver.cells, "functions", Sequence("list", (*functions, given), receiver.origin))
        return given
    return Partial(Method(receiver, "register"), (given,), {}, machine.origin(node))


@function("contextlib.closing")
def closing(call: Call) -> Value:
    thing = {"thing": call.get(0, "thing")}
    return LibraryObject("closing", call.name, call.origin, thing)


@function("copy.copy", "copy.replace", "dataclasses.replace", "attr.evolve", "attrs.evolve")
def shallow_copy(call: Call) -> Value:
    """Another object of the same parts, some of them replaced."""
    value, changes = call.get(0, "x"), call.arguments.keywords
    origin = call.origin
    if isinstance(value, Instance):
        cells = {**value.cells, **(perhaps_replaced(value.cells, UNKNOWN) if call.arguments.loose else {})}
        if value.cls.record == "dataclass" and call.name != "copy.copy":
            fields = {name: cells[name] for name in value.cls.fields if name in cells}
            return call.machine.call(value.cls, Arguments([], {**fields, **changes}), call.node)
        made = Instance(value.cls, origin)
        made.cells.update({**cells, **changes})
        return made
    if isinstance(value, Dictionary):
        return Dictionary(dict(value.cells), origin, value.type)
    if isinstance(value, Sequence):
        made_of = value.cells["element"] if value.items is None else None
        return Sequence(value.kind, value.items, origin, made_of, value.count, value.fields)
    return value if isinstance(value, (Constant, AbstractNumber, Tensor, Array)) else UNKNOWN


@function("copy.deepcopy")
def deepcopy(call: Call) -> Value:
    value = call.get(0, "x")
    return value if isinstance(value, (Constant, AbstractNumber, Tensor, Array)) else UNKNOWN


@function("dataclasses.dataclass", "attr.s", "attrs.define")
def dataclass(call: Call) -> Value:
    given = call.get(0, "cls")
    if isinstance(given, Class):
        given.record = "dataclass"
        return given
    return LibraryObject("decorator", call.name, call.origin, dict(call.arguments.keywords))


@function("dataclasses.field", "attr.ib", "attrs.field")
def field(call: Call) -> Value:
    arguments = dict(call.arguments.keywords)
    if "factory" in arguments:
        arguments["default_factory"] = arguments["factory"]
    return LibraryObject("field", call.name, call.origin, arguments)


@function("collections.namedtuple", "typing.NamedTuple")
def namedtuple(call: Call) -> Value:
    machine = call.machine
    name, fields = call.get(0, "typename"), call.get(1, "field_names")
    made = Class(str(getattr(name, "value", "record")), [], {}, machine.module, call.node, call.origin)
    made.record = "namedtuple"
    made.fields = tuple(_field_names(fields))
    return made


def _field_names(fields: Value) -> list[str]:
    if isinstance(fields, Constant) and isinstance(fields.value, str):
        return fields.value.replace(",", " ").split()
    if isinstance(fields, Sequence) and fields.items is not None:
        names = [
            item.items[0] if isinstance(item, Sequence) and item.items else item for item in fields.items
        ]
        return [str(name.value) for name in names if isinstance(name, Constant)]
    return []


@function("types.SimpleNamespace", "argparse.Namespace")
def namespace(call: Call) -> Value:
    made = LibraryObject("namespace", call.name, call.origin, {})
    made.cells.update(call.arguments.keywords)
    return made


@family("itertools.")
def itertools_(call: Call) -> Value:
    machine, origin = call.machine, call.origin
    first = iterated(call.machine, call.get(0, "iterable"), call.node)
    made = LibraryObject("iterator", call.name, origin, {})
    if call.last == "count":
        made.cells["element"] = AbstractNumber("int", frozenset(machine.loops))
    elif call.last in ("cycle", "islice", "takewhile", "tee", "repeat"):
        made.cells["element"] = element(machine, first, call.node) if call.last != "repeat" else first
        repeated = call.last == "cycle" and items_of(machine, first) is not None
        made.cells["few"] = repeated or (isinstance(first, LibraryObject) and first.cells.get("few") is True)
    elif call.last == "chain":
        from graphdoctor.dryrun.values.joining import join_all

        made.cells["element"] = join_all(
            [element(machine, settled(v), call.node) for v in call.arguments.positional]
        )
    elif call.last == "product":
        return _product(call)
    return made


def _product(call: Call) -> Value:
    """Every combination one by one, where they are known and not too many; else what one is made of."""
    machine, origin = call.machine, call.origin
    made = LibraryObject("iterator", call.name, origin, {})
    repeat = call.arguments.keywords.get("repeat", Constant(1))
    if call.arguments.loose or not (isinstance(repeat, Constant) and repeat.value in range(1, 9)):
        return made
    values = [settled(value) for value in call.arguments.positional] * repeat.value
    lists = [items for value in values if (items := items_of(machine, value)) is not None]
    if len(lists) == len(values) and math.prod(map(len, lists)) <= MOST_COMBINATIONS:
        rows = tuple(Sequence("tuple", row, origin) for row in itertools.product(*lists))
        return Sequence("iterator", rows, origin)
    parts = tuple(element(machine, value, call.node) for value in values)
    made.cells["element"] = Sequence("tuple", parts, origin)
    return made


@function("tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "tqdm.trange", "rich.progress.track")
def progress(call: Call) -> Value:
    if call.last == "trange":
        from graphdoctor.dryrun.libraries.python.builtin_functions import range_

        return range_(call)
    return call.get(0, "iterable")
