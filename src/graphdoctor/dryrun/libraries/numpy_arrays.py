"""NumPy: arrays, random numbers, and what it does to symbolic tensors."""

import ast

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine, calls
from graphdoctor.dryrun.libraries.registry import Call, family, function, methods
from graphdoctor.dryrun.libraries.table_calls import TableArguments, symbolic_argument
from graphdoctor.dryrun.libraries.tables.names import names, spellings
from graphdoctor.dryrun.libraries.tables.operations import Operation
from graphdoctor.dryrun.libraries.tables.tables import operation
from graphdoctor.dryrun.libraries.tensorflow.tensors import by_table, results
from graphdoctor.dryrun.tracing.operations import left
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    AbstractNumber,
    Array,
    Constant,
    Dimension,
    DType,
    LibraryObject,
    Numeric,
    Sequence,
    Shape,
    Stepped,
    Tensor,
    Value,
    Variable,
    is_few,
    is_none,
    term_of,
    terms,
)
from graphdoctor.dryrun.values.dtypes import (
    INTEGERS,
    OF_NUMPY,
    dtype_given,
    dtype_named,
    dtype_of,
    shape_given,
    shape_of,
)
from graphdoctor.dryrun.values.joining import changing_size, python_type
from graphdoctor.dryrun.values.open_sizes import note_open_size, note_open_sizes
from graphdoctor.dryrun.values.slicing import FUNCTIONS, computed, number_in
from graphdoctor.dryrun.values.terms import MOST_FEW, Term

AS_TERMS = spellings("operations on numbers")


def is_few_of_numpy(name: str, values: list[Value]) -> bool:
    """Whether a function of NumPy gives one of a few numbers."""
    if name == "clip":
        ends = [
            each.value for each in values[1:] if isinstance(each, Constant) and isinstance(each.value, int)
        ]
        return len(ends) == 2 and ends[1] - ends[0] < MOST_FEW and _is_whole(values[0])
    if name in ("searchsorted", "digitize"):
        edges = values[0] if name == "searchsorted" else values[-1]
        return isinstance(edges, Sequence) and edges.items is not None and len(edges.items) < MOST_FEW
    term = of_numpy(name, values)
    return terms.is_few(term) if term is not None else bool(values) and all(map(is_few, values))


def of_numpy(name: str, values: list[Value]) -> Term | None:
    """The term of what a function of NumPy computes of numbers."""
    known = [term for value in values if (term := term_of(value)) is not None]
    if not values or len(known) < len(values):
        return None
    return terms.apply(AS_TERMS.get(name, name), *known)


def is_few_drawn(values: list[Value], ends: bool) -> bool:
    """Whether a random whole number between two, or below one, is one of a few; `ends`: the last is, too."""
    bounds = [value.value for value in values if isinstance(value, Constant) and isinstance(value.value, int)]
    if not bounds or len(bounds) != len(values) or len(bounds) > 2:
        return False
    first, last = (0, bounds[0]) if len(bounds) == 1 else bounds
    return last - first + ends <= MOST_FEW


def is_few_chosen(population: Value) -> bool:
    """Whether what is drawn from a list or an array is one of a few."""
    if isinstance(population, Sequence):
        count = len(population.items) if population.items is not None else population.count
    else:
        size = population.shape[0] if isinstance(population, Array) and population.shape else None
        count = size if isinstance(size, int) else None
    return count is not None and count <= MOST_FEW


def _is_whole(value: Value) -> bool:
    kind = value.type if isinstance(value, AbstractNumber) else getattr(value, "dtype", None) or ""
    return kind.startswith(("int", "uint", "bool"))


def few_array(value: Value) -> bool:
    """Whether a number of NumPy's is one of a few."""
    return isinstance(value, Array) and (value.few or value.dtype == "bool")


MAKERS = ("default_rng", "RandomState", "Generator", "PCG64", "SeedSequence")
# Where those that draw take a dtype.
DTYPE_AT = {"randint": 3, "integers": 3, "random": 1, "standard_normal": 1, "standard_exponential": 1}
WITH_OWN_AXES = ("dirichlet", "multinomial", "multivariate_normal", "multivariate_hypergeometric")
# Run: each raises TypeError for None where it needs a number or a shape.
NEEDING_SIZES = names("needing sizes")
REDUCTIONS = ("sum", "mean", "max", "min", "std", "var", "prod", "argmax", "argmin", "any", "all")


@family("numpy.", "scipy.")
def numpy_(call: Call) -> Value:
    machine = call.machine
    known = operation(call.name)
    symbolic = symbolic_argument(call)
    raises = known.raises_on_symbolic if known is not None else call.name.startswith("scipy.")
    if symbolic is not None and raises:
        machine.log.use("numpy", call.node, symbolic[0], call.name, symbolic[1])
        return UNKNOWN
    if call.last in NEEDING_SIZES:
        _note_open_sizes(call, known)
    paths = left(machine, list(call.arguments), call.name, call.node)
    made = results(call, known) if known is not None and not call.arguments.loose else UNKNOWN
    if isinstance(made, Tensor):  # NumPy gives an array of what was a tensor
        made = Array(made.dtype, made.shape, call.origin)
    if isinstance(made, Array):
        made.paths = paths
        made.varies = frozenset().union(*(value.varies for value in call.arguments))
        given = list(call.arguments)
        made.few = is_few_of_numpy(call.last, given)
        if any(isinstance(value, Stepped) or term_of(value) is not None for value in given):
            made.term = of_numpy(call.last, given) or made.term
        if not call.arguments.keywords:
            made.number = computed(FUNCTIONS.get(call.last), call.arguments.positional)
    return made


@function("numpy.where", "keras.ops.where")
def where(call: Call) -> Value:
    """One of two values, place by place; of a condition alone, the places: one array for each axis."""
    made = numpy_(call) if call.name.startswith("numpy.") else by_table(call)
    return made if call.arguments.has(1, "x") or call.arguments.has(1, "x1") else UNKNOWN


def _note_open_sizes(call: Call, known: Operation | None) -> None:
    """Write down sizes that are None while tracing; a parameter that is None by default may be None."""
    values = TableArguments(call, known).values if known is not None and not call.arguments.loose else {}
    for name, value in values.items():
        if isinstance(value, Sequence):
            note_open_sizes(call.machine, value, call.node, call.name)
        elif known is not None and known.defaults.get(name, name) is not None:
            note_open_size(call.machine, value, call.node, call.name)


@function("numpy.array", "numpy.asarray", "numpy.ascontiguousarray")
def array(call: Call) -> Value:
    given = call.get(0, "object")
    symbolic = symbolic_argument(call)
    if symbolic is not None:
        call.machine.log.use("numpy", call.node, symbolic[0], call.name, symbolic[1])
        return UNKNOWN
    dtype = dtype_given(call.get(1, "dtype"), array_dtype(given), "numpy")
    paths = left(call.machine, [given], call.name, call.node)
    made = Array(dtype, shape_of(given), call.origin, paths, given.varies)
    made.number = number_in(given)
    return made


@function("numpy.frombuffer", "numpy.fromfile")
def read_array(call: Call) -> Value:
    """Numbers in a row, as many as there are; a dtype with fields or axes of its own gives something else."""
    symbolic = symbolic_argument(call)
    if symbolic is not None:
        call.machine.log.use("numpy", call.node, symbolic[0], call.name, symbolic[1])
        return UNKNOWN
    dtype = dtype_given(call.get(1, "dtype"), "float64", "numpy")
    if dtype is None or call.arguments.loose:
        return UNKNOWN
    return Array(dtype, (AbstractNumber("int"),), call.origin)


@function("keras.utils.pad_sequences")
def pad_sequences(call: Call) -> Value:
    """Rows of one length: the one that is asked for, or that of the longest row."""
    rows, wanted = call.get(0, "sequences"), call.get(1, "maxlen")
    given = shape_of(rows)
    width: Dimension = AbstractNumber("int")
    if isinstance(wanted, Constant) and isinstance(wanted.value, int):
        width = wanted.value
    elif is_none(wanted):
        width = _longest(rows) or width
    elif isinstance(wanted, AbstractNumber):
        width = wanted
    dtype = dtype_given(call.get(2, "dtype"), "int32", "numpy")
    shape = lasting(call.machine, (given[0] if given else AbstractNumber("int"), width))
    return Array(dtype, shape, call.origin)


def _longest(rows: Value) -> Dimension:
    """The size of the longest row; None if unknown."""
    items = rows.items if isinstance(rows, Sequence) and rows.items is not None else None
    shapes = [shape_of(item) for item in items] if items else [(shape_of(rows) or ())[1:]]
    sizes = [shape[0] for shape in shapes if shape]
    if sizes and all(isinstance(size, int) for size in sizes):
        return max(sizes)  # type: ignore[type-var]
    return next((size for size in sizes if isinstance(size, AbstractNumber) and size.varies), None)


def lasting(machine: Machine, shape: Shape) -> Shape:
    """The shape of rows that are put into one array: a loop that has ended gave them one size."""
    if shape is None:
        return None
    running = frozenset(machine.loops)
    return tuple(
        AbstractNumber("int", size.varies & running, size.few)
        if isinstance(size, AbstractNumber) and size.varies
        else size
        for size in shape
    )


@calls(DType)
def cast(machine: Machine, callee: DType, arguments: Arguments, node: ast.AST) -> Value:
    """`np.float32(x)`: only those of NumPy can be called."""
    return array(Call(machine, "numpy.array", Arguments([arguments.get(0, "x"), callee]), node))


@function("numpy.linspace", "numpy.logspace", "numpy.geomspace")
def spaced(call: Call) -> Value:
    number = call.get(2, "num", Constant(50))
    note_open_size(call.machine, number, call.node, call.name)
    ends = all(python_type(call.get(position, name)) for position, name in enumerate(("start", "stop")))
    size = (
        number.value
        if isinstance(number, Constant) and isinstance(number.value, int)
        else AbstractNumber("int")
    )
    dtype = dtype_given(call.get(5, "dtype"), "float64", "numpy")
    return Array(dtype, (size,) if ends else None, call.origin)


def array_dtype(value: Value) -> str | None:
    """The dtype that NumPy gives to a Python value."""
    if isinstance(value, (Tensor, Array, Variable)):
        return dtype_of(value)
    if isinstance(value, Sequence):
        found = {array_dtype(item) for item in value.members}
        if found == {"int64", "float64"}:
            return "float64"
        return found.pop() if len(found) == 1 else None
    return OF_NUMPY.get(python_type(value))


@family("numpy.random.")
def numpy_random(call: Call) -> Value:
    from graphdoctor.dryrun.libraries.python.standard_library import given, note_seed, reseeded

    if call.last in MAKERS:
        return LibraryObject("random", "numpy.random.Generator", call.origin, given(call))
    if call.last in ("seed", "set_state", "get_state"):
        note_seed(call, "numpy.random")
        return NONE
    with reseeded(call.machine, "numpy.random"):
        return drawn_array(call.machine, call.name, call.arguments, call.node)


def drawn_array(machine: Machine, shown: str, arguments: Arguments, node: ast.AST) -> Value:
    """Random numbers of NumPy's: frozen when they are drawn while tracing."""
    position = machine.log.effect("random", shown, node, tuple(arguments.positional))
    name = shown.rpartition(".")[2]
    loops = frozenset(machine.loops)
    if name == "shuffle":
        return NONE
    known = operation(shown) or operation(f"numpy.random.{name}")
    shape = _drawn_shape(name, known, arguments)
    whole = name in ("randint", "integers", "permutation", "binomial", "poisson", "choice")
    usual = "int64" if whole else "float64"
    dtype = dtype_given(arguments.get(DTYPE_AT.get(name), "dtype"), usual, "numpy")
    if name in ("choice", "permutation"):
        given = arguments.get(0, "a")
        counted = isinstance(given, (Constant, AbstractNumber))
        dtype = "int64" if counted else dtype_of(given) if isinstance(given, Array) else None
        if shape == () and name == "choice" and counted:
            few = is_few_drawn(arguments.positional[:1], ends=False)
            return machine.log.drawn(AbstractNumber("int", loops, few), position)
    if shape == () and name not in ("choice", "integers"):
        few = name in ("randint", "integers") and is_few_drawn(arguments.positional, ends=False)
        return machine.log.drawn(AbstractNumber("int" if whole else "float", loops, few), position)
    made = Array(dtype, shape, machine.origin(node), varies=loops)
    made.few = name in ("randint", "integers") and is_few_drawn(arguments.positional[:2], ends=False)
    made.few |= name == "choice" and is_few_chosen(arguments.get(0, "a"))
    return machine.log.drawn(made, position) if shape == () else made


def _drawn_shape(name: str, known: Operation | None, arguments: Arguments) -> Shape:
    """The `size` that is asked for; one number where nothing else is."""
    if name in ("rand", "randn"):
        from graphdoctor.dryrun.values.dtypes import dimension_given

        return None if arguments.loose else tuple(map(dimension_given, arguments.positional))
    if known is None or "size" not in known.parameters or name in WITH_OWN_AXES:
        return None
    given = arguments.get(known.parameters.index("size"), "size")
    if isinstance(given, Constant) and given.value is None:
        several = any(isinstance(value, (Numeric, Sequence)) for value in arguments.positional)
        return None if several and name != "choice" else ()
    return shape_given(given)


def _listed(machine: Machine, receiver: Array, kind: str, node: ast.AST) -> Value:
    """`array.tolist()`: Python numbers, in lists of lists."""
    shape = receiver.shape
    if not shape:
        return Sequence("list", None, machine.origin(node), UNKNOWN)
    inner: Value = AbstractNumber(kind, receiver.varies, paths=receiver.paths)
    for size in reversed(shape):
        count = size if isinstance(size, int) else None
        inner = Sequence("list", None, machine.origin(node), inner, count)
        inner.cells["grows"] = changing_size(size)
    return inner


@methods(Array)
def array_method(machine: Machine, receiver: Array, name: str, arguments: Arguments, node: ast.AST) -> Value:
    if name == "astype":
        dtype = dtype_named(arguments.get(0, "dtype"), "numpy")
        return Array(dtype, receiver.shape, machine.origin(node), receiver.paths, receiver.varies)
    if name in ("item", "tolist"):
        kind = "int" if receiver.dtype in INTEGERS else "float"
        if receiver.number is not None:
            return Constant(receiver.number)
        if name == "item" or receiver.shape == ():
            return AbstractNumber(kind, receiver.varies, few_array(receiver), receiver.paths)
        return _listed(machine, receiver, kind, node)
    if name in ("copy", "clip", "round"):
        return Array(receiver.dtype, receiver.shape, machine.origin(node), receiver.paths, receiver.varies)
    known = operation(f"numpy.{name}")
    if known is None:
        return UNKNOWN
    call = Call(machine, f"numpy.{name}", arguments.after(receiver), node)
    if name == "reshape" and len(arguments.positional) > 1:
        sizes = Sequence("tuple", tuple(arguments.positional), machine.origin(node))
        call = Call(machine, "numpy.reshape", Arguments([receiver, sizes]), node)
    made = numpy_(call)
    if name in REDUCTIONS and isinstance(made, Array):
        made.varies = receiver.varies
    return made
