"""Calling a graph function: TensorFlow's cache, and the trace of a miss."""

import ast
from collections.abc import Callable, Mapping
from typing import Any

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.control.staging_conflicts import note_conflict
from graphdoctor.dryrun.core.arguments import Arguments, bind, given_by, parameter_names
from graphdoctor.dryrun.core.context import EAGER_OFF, Graph
from graphdoctor.dryrun.core.definitions import is_generator_function
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.staleness.allocation import is_kept_by_its_object
from graphdoctor.dryrun.staleness.stale_state import find_stale
from graphdoctor.dryrun.tracing.cache_keys import generalized_all, key_of, misfit, shares_surely
from graphdoctor.dryrun.tracing.operations import as_now
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    AbstractNumber,
    Array,
    BoundMethod,
    Constant,
    Dictionary,
    Function,
    GraphFunction,
    Instance,
    Kept,
    KerasTensor,
    Library,
    LibraryObject,
    Memoized,
    Method,
    Origin,
    Partial,
    Sequence,
    Tensor,
    TensorSpec,
    Value,
)
from graphdoctor.dryrun.values.dtypes import dtype_of
from graphdoctor.dryrun.values.joining import python_type
from graphdoctor.dryrun.values.printed_content import note_texts
from graphdoctor.dryrun.values.structures import parts_of, rebuilt
from graphdoctor.recording.format import ASSUMED, Calls, Definition, Place

MOST_TRACES = 24
RELAXING = ("reduce_retracing", "experimental_relax_shapes")
DEEPEST = 5
PASSED = ("tuple", "list", "set", "range", "view", "dict")  # iterators stay what they are
# The parameters of what a Keras model has from Keras itself.
STEP_PARAMETERS = dict.fromkeys(("train_step", "test_step", "predict_step"), ("data",))


def call_traced(machine: Machine, function: GraphFunction, arguments: Arguments, node: ast.AST) -> Value:
    """What calling a graph function gives; a miss of its cache runs its body in a graph."""
    _reset_caches(machine, function)
    inner, arguments = _unwrapped(function.function, arguments)
    if machine.eager_switch or function.switched:
        definition = machine.log.traced_definition(function)
        if definition is not None:
            machine.log.write(Calls, node, definition, function=definition, switch="run_functions_eagerly")
        return machine.call(inner, arguments, node)
    function.calls += 1
    machine.log.called(function)
    if isinstance(inner, Function):
        return _call_function(machine, function, inner, arguments, node)
    if isinstance(inner, (Instance, LibraryObject, Library, Method)):
        return _call_object(machine, function, inner, arguments, node)
    return UNKNOWN


def _reset_caches(machine: Machine, function: GraphFunction) -> None:
    """Each entry of the program starts with empty caches."""
    if function.cells.get("entry") != machine.entry:
        function.cells["entry"] = machine.entry
        function.cache.clear()
        function.cells.pop("concrete", None)
        function.cells.pop("traces", None)
        function.captures = {}
        function.kept.clear()
        function.writes.clear()
        function.resources.clear()
        function.relaxed = {}


def _unwrapped(inner: Value, arguments: Arguments) -> tuple[Value, Arguments]:
    """The function inside partials, bound methods and other graph functions, with what they add."""
    while True:
        if isinstance(inner, BoundMethod):
            arguments = arguments.after(inner.receiver)
            inner = inner.function
        elif isinstance(inner, Partial):
            more = arguments.after(*inner.positional)
            more.keywords = {**inner.keywords, **more.keywords}
            inner, arguments = inner.function, more
        elif isinstance(inner, (GraphFunction, Memoized)):
            inner = inner.function
        else:
            return inner, arguments


def _call_function(
    machine: Machine, function: GraphFunction, inner: Function, arguments: Arguments, node: ast.AST
) -> Value:
    from graphdoctor.dryrun.core.function_bodies import run_function

    machine.called.add(inner.node)
    definition = machine.log.definition(inner)
    values, nodes = bind(inner, arguments, machine.origin(node)), given_by(inner, arguments)
    own = _own_parameters(function, inner)
    if machine.module.keras == 3:
        for name, value in values.items():
            for given in _unpacked(inner, name, value):
                if isinstance(given, KerasTensor):
                    machine.log.use("keras-input", nodes.get(name, node), given, definition.name)
    if is_generator_function(inner):
        machine.log.staging("generator", "refused", node, reason="generator")
        return UNKNOWN
    seen = {name: value for name, value in values.items() if name not in own}
    signature = function.options.get("input_signature")
    traced = _by_signature(machine, signature, inner, list(seen), values, node)
    _note_misfits(machine, signature, seen, nodes, node)
    key = tuple((name, key_of(value)) for name, value in traced.items())
    if function.relaxed and _is_relaxed(function) and key not in function.cache:
        traced = generalized_all(traced, function.relaxed)
        key = tuple((name, key_of(value)) for name, value in traced.items())
    if "concrete" in function.cells and key not in function.cache:
        key = _concrete_key(function, traced) or key
    if any(graph is not None and graph.function is function for graph in machine.graphs):
        if key in function.tracing:
            if not machine.may:
                machine.log.staging("recursion", "refused", node, reason="recursion")
            return UNKNOWN
        if len(function.tracing) > DEEPEST:
            return UNKNOWN
    if key in function.cache:
        _find_stale(machine, function, key, list(traced.values()), node)
        return _lowered(machine, as_now(machine, function.cache[key], node), node)
    if len(function.cache) >= MOST_TRACES:
        return UNKNOWN
    function.tracing.append(key)
    function.relaxed = traced

    def trace(first: bool) -> Value:
        number = machine.log.trace(
            function,
            definition,
            seen,
            nodes,
            node,
            options=_options(function),
            per_instance=function.receiver is not None or is_kept_by_its_object(function),
        )
        return in_trace(
            machine,
            function,
            lambda: run_function(
                machine,
                inner,
                {
                    name: lifted(machine, value, node, name=_kept(inner, name))
                    for name, value in traced.items()
                },
                arguments,
            ),
            number,
            first,
            node,
        )

    try:
        result = traced_twice(machine, function, trace)
    finally:
        function.tracing.pop()
    note_texts(machine, [result], "result")
    function.kept[key] = Kept(function.captures, node, list(traced.values()))
    function.cache[key] = result
    return _lowered(machine, result, node)


def _find_stale(
    machine: Machine, function: GraphFunction, key: Any, given: list[Value], node: ast.AST
) -> None:
    """Note what has changed since the trace that a call runs, if it does: of other sizes there is another."""
    kept = function.kept.get(key)
    if kept is not None:
        pairs = zip(given, kept.given, strict=False)
        alike = node is kept.node or _is_relaxed(function)  # which lets any size through, once it met two
        sure = alike or all(shares_surely(now, then) for now, then in pairs)
        find_stale(machine, function, kept.captures, sure)


def _concrete_key(function: GraphFunction, traced: dict[str, Value]) -> tuple[tuple[str, Any], ...] | None:
    """The key of a trace of `get_concrete_function` that is general enough for these arguments."""
    for concrete in function.cells["concrete"]:
        known = tuple((name, key_of(value)) for name, value in concrete.items())
        wide = generalized_all(traced, concrete)
        if known == tuple((name, key_of(value)) for name, value in wide.items()):
            return known
    return None


def _is_relaxed(function: GraphFunction) -> bool:
    return any(truth(function.options.get(name, NONE)) for name in RELAXING)


def _own_parameters(function: GraphFunction, inner: Function) -> tuple[str, ...]:
    """The parameters that are no arguments: `self`."""
    bound = function.receiver is not None or isinstance(function.function, BoundMethod)
    return parameter_names(inner)[:1] if bound else ()


def _options(function: GraphFunction) -> dict[str, str]:
    found = {}
    for name, value in function.options.items():
        if isinstance(value, Constant):
            if value.value is not None:
                found[name] = repr(value.value)
        else:
            found[name] = "…"
    return found


def _innermost(function: GraphFunction) -> GraphFunction:
    """The graph function that traces the user's code where one is made of another."""
    while isinstance(function.function, GraphFunction):
        function = function.function
    return function


def traced_twice(machine: Machine, function: GraphFunction, trace: Callable[[bool], Value]) -> Value:
    """A first call that makes variables is traced once more, and must not make them again."""
    first = function.traces == 0
    before = machine.log.variables_made
    result = trace(first)
    machine.heap.put(function.cells, "traces", function.traces + 1)
    if first and machine.log.variables_made > before:
        result = trace(False)
        machine.heap.put(function.cells, "traces", function.traces + 1)
    return result


def in_trace(
    machine: Machine,
    function: GraphFunction,
    action: Callable[[], Value],
    number: int,
    first: bool,
    node: ast.AST,
    keras: bool = False,
) -> Value:
    """Run something in a new graph."""
    switched_off = truth(_innermost(function).options.get("autograph", Constant(True))) is False
    graph = Graph(machine.graph, "trace", function, "switched-off" if switched_off else "", number)
    graph.first, graph.may = first, machine.may
    graph.first_loop = len(machine.loops)
    graph.keras = keras
    graph.building = machine.building
    graph.xla = bool(truth(function.options.get("jit_compile", NONE)))
    around = machine.graph
    if around is not None:
        graph.evidence, graph.shown_by = around.evidence, around.shown_by
    else:
        unlike = keras and machine.graph_switch == EAGER_OFF  # Keras then trains in TensorFlow 1's graph
        graph.evidence = ASSUMED if unlike else machine.evidence
        graph.shown_by = machine.log.place(node)
    function.captures = {}
    tapes = machine.tapes
    machine.enter_graph(graph)
    result: Value = UNKNOWN
    try:
        result = action()
        return result
    finally:
        machine.leave_graph()
        machine.tapes = tapes
        machine.log.traced(number, graph.fingerprint, empty=graph.empty and result is NONE)


def _call_object(
    machine: Machine, function: GraphFunction, inner: Value, arguments: Arguments, node: ast.AST
) -> Value:
    """`tf.function(model)`: what is traced is the object's own call."""
    key = (id(inner), tuple(map(key_of, arguments)))
    if key in function.cache:
        _find_stale(machine, function, key, list(arguments), node)
        return _lowered(machine, as_now(machine, function.cache[key], node), node)
    if len(function.cache) >= MOST_TRACES:
        return UNKNOWN
    definition = _object_definition(machine, inner, node)
    names = STEP_PARAMETERS.get(inner.name, ()) if isinstance(inner, Method) else ()
    paths = [names[i] if i < len(names) else f"args[{i}]" for i in range(len(arguments.positional))]
    values = dict(zip(paths, arguments.positional, strict=True))
    nodes = {path: arguments.nodes[i] for i, path in enumerate(paths) if i in arguments.nodes}

    def run() -> Value:
        given = Arguments(
            [lifted(machine, value, node) for value in arguments.positional],
            {name: lifted(machine, value, node) for name, value in arguments.keywords.items()},
        )
        return machine.call(inner, given, node)

    def trace(first: bool) -> Value:
        number = machine.log.trace(function, definition, values, nodes, node, options=_options(function))
        return in_trace(machine, function, run, number, first, node)

    result = traced_twice(machine, function, trace)
    function.kept[key] = Kept(function.captures, node, list(arguments))
    function.cache[key] = result
    return _lowered(machine, result, node)


def _object_definition(machine: Machine, inner: Value, node: ast.AST) -> Definition:
    place: Place = machine.log.place(node)
    name = inner.cls.name if isinstance(inner, Instance) else getattr(inner, "name", "function")
    return Definition(name=str(name).rpartition(".")[2], path=place.path, line=place.line)


def _kept(inner: Function, name: str) -> str:
    """The name of a parameter, unless it is a dict that Python packs again for each call."""
    packed = inner.node.args.kwarg
    return "" if packed is not None and packed.arg == name else name


def _unpacked(inner: Function, name: str, value: Value) -> tuple[Value, ...]:
    """What a caller gave to a parameter: one value, or those that `*arguments` and `**keywords` pack."""
    star, named = inner.node.args.vararg, inner.node.args.kwarg
    if star is not None and star.arg == name and isinstance(value, Sequence):
        return value.items or ()
    if named is not None and named.arg == name and isinstance(value, Dictionary):
        return tuple(value.entries.values())
    return (value,)


def lifted(machine: Machine, value: Value, node: ast.AST, name: str = "") -> Value:
    """An argument as the traced code sees it: tensors are symbolic, arrays become tensors.

    `name` is that of the parameter, where TensorFlow forbids to change what was given.
    """
    origin = Origin(
        machine.module if machine.activations else None, node, tuple(machine.loops), machine.graph
    )

    def symbolic(part: Value) -> Value:
        if isinstance(part, Tensor):
            copied = part.moved(origin)
            copied.constant = None
            return copied
        if isinstance(part, Array):
            return Tensor(part.dtype, part.shape, origin, part.paths)
        return _of_typical(part, symbolic, origin)

    made = rebuilt(value, symbolic, origin, PASSED)
    if name:
        _note_argument(made, name)
    return made


def _of_typical(value: Value, part: Callable[[Value], Value], origin: Origin) -> Value:
    """A list of which only a typical element is known, with another one."""
    if not isinstance(value, Sequence) or value.kind == "iterator" or value.items is not None:
        return value
    typical = value.cells["element"]
    inner = rebuilt(typical, part, origin, PASSED) if typical is not None else None
    return Sequence(value.kind, None, origin, inner, value.count, value.fields)


def _note_argument(value: Value, name: str) -> None:
    """What is in a structure must not be changed either."""
    if isinstance(value, Dictionary) or (isinstance(value, Sequence) and value.kind != "iterator"):
        value.argument = name if isinstance(value, Dictionary) or value.kind == "list" else ""
        for part in parts_of(value):
            _note_argument(part, name)


def _lowered(machine: Machine, value: Value, node: ast.AST) -> Value:
    """A result as the caller sees it: tensors of the caller's graph, or eager ones with all sizes known."""
    origin = machine.origin(node)

    def outside(part: Value) -> Value:
        if isinstance(part, Tensor):
            copied = part.moved(machine.origin(node))
            if machine.graph is None and copied.shape is not None:
                copied.shape = tuple(AbstractNumber("int") if size is None else size for size in copied.shape)
            return copied
        if python_type(part):
            return Tensor(dtype_of(part), (), machine.origin(node))
        return _of_typical(part, outside, origin)

    return rebuilt(value, outside, origin, PASSED)


def _by_signature(
    machine: Machine,
    signature: Value | None,
    inner: Function,
    names: list[str],
    values: dict[str, Value],
    node: ast.AST,
) -> dict[str, Value]:
    """The arguments as an `input_signature` makes them; `*arguments` takes what is left of it."""
    if not isinstance(signature, Sequence) or signature.items is None:
        return values
    traced = dict(values)
    star = inner.node.args.vararg
    for place, (name, spec) in enumerate(zip(names, signature.items, strict=False)):
        if star is not None and star.arg == name:
            rest = Sequence("tuple", signature.items[place:], signature.origin)
            traced[name] = from_spec(machine, rest, values.get(name, UNKNOWN), node)
            break
        traced[name] = from_spec(machine, spec, values.get(name, UNKNOWN), node)
    return traced


def _note_misfits(
    machine: Machine,
    signature: Value | None,
    values: Mapping[str, Value],
    nodes: Mapping[str, ast.AST],
    node: ast.AST,
) -> None:
    """Write down arguments that an `input_signature` refuses."""
    specs = signature.items if isinstance(signature, Sequence) else None
    for (name, value), spec in zip(values.items(), specs or (), strict=False):
        kind = misfit(spec, value) if isinstance(spec, TensorSpec) else ""
        if kind:
            asked = from_spec(machine, spec, UNKNOWN, node)
            note_conflict(machine, "signature", nodes.get(name, node), kind, name, asked, value)


def note_refused(machine: Machine, callee: Value, arguments: Arguments, node: ast.AST) -> None:
    """Write down what the signature of a method refuses, in a call that does not trace it."""
    function = callee.function if isinstance(callee, BoundMethod) else None
    inner, given = _unwrapped(callee, arguments)
    if isinstance(inner, Function) and isinstance(function, GraphFunction):
        values = bind(inner, given, machine.origin(node))
        seen = {name: value for name, value in values.items() if name not in parameter_names(inner)[:1]}
        signature = function.options.get("input_signature")
        _note_misfits(machine, signature, seen, given_by(inner, given), node)


def from_spec(machine: Machine, spec: Value, value: Value, node: ast.AST, depth: int = 0) -> Value:
    """What a spec lets through: a tensor of its dtype and shape."""
    if isinstance(spec, TensorSpec):
        made = Tensor(
            spec.dtype,
            spec.shape,
            machine.origin(node),
            open_rank=machine.origin(node) if spec.open_rank else None,
        )
        if isinstance(value, Tensor):
            made.paths, made.watched = value.paths, value.watched
        return made
    if isinstance(spec, Sequence) and spec.items is not None and depth < DEEPEST:
        parts = value.items if isinstance(value, Sequence) and value.items is not None else ()
        padded = [*parts, *[UNKNOWN] * (len(spec.items) - len(parts))]
        items = tuple(
            from_spec(machine, s, v, node, depth + 1) for s, v in zip(spec.items, padded, strict=False)
        )
        return Sequence(spec.kind, items, machine.origin(node))
    if isinstance(spec, Dictionary) and depth < DEEPEST:
        inner = value.entries if isinstance(value, Dictionary) else {}
        return Dictionary(
            {
                k: from_spec(machine, s, inner.get(k, UNKNOWN), node, depth + 1)
                for k, s in spec.entries.items()
            },
            machine.origin(node),
        )
    return value
