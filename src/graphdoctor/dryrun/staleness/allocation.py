"""What a loop reallocates at each iteration: Function objects, and the objects that calls are given."""

import ast
import functools
from collections.abc import Callable, Iterator

from graphdoctor.dryrun.core.context import LoopRun, Scope
from graphdoctor.dryrun.core.escape_analysis import (
    captured_names,
    is_only_computed,
    names_bound,
    names_read,
    own_attributes,
)
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.staleness.bounds import is_for_one_iteration
from graphdoctor.dryrun.values import (
    AbstractNumber,
    Array,
    BoundMethod,
    Constant,
    Dataset,
    Dictionary,
    Function,
    Generator,
    GraphFunction,
    Instance,
    LibraryObject,
    Memoized,
    Origin,
    Partial,
    Sequence,
    Union,
    Unknown,
    Value,
    Variable,
    is_few,
    is_none,
)
from graphdoctor.dryrun.values.joining import alternatives, same
from graphdoctor.dryrun.values.structures import parts_of
from graphdoctor.source.nodes import walk

DEEPEST = 3
WITH_WEIGHTS = ("layer", "model")
OF_TRAINING = ("optimizer", "loss", "metric")
KERAS_CLASSES = ("keras.layers.", "keras.Layer", "keras.Model", "keras.models.")
OF_LIBRARIES = ("keras.", "tensorflow.")
OWN_COMPARISON = ("__eq__", "__hash__", "__tf_tracing_type__", "__tf_flatten__")


def active_loops(machine: Machine) -> list[LoopRun]:
    """The Python loops around this place, inside the trace that is under way."""
    first = machine.graph.root.first_loop if machine.graph is not None else 0
    return [loop for loop in machine.loops[first:] if not loop.graph and not loop.driver]


def made_this_iteration(origin: Origin, loop: LoopRun) -> bool:
    """Whether something was made in the iteration of a loop that is under way."""
    iterations = dict(zip(origin.loops, origin.iterations, strict=True))
    return iterations.get(loop) == loop.iteration


def made_each_iteration(origin: Origin, loop: LoopRun) -> bool:
    """Whether each later iteration goes on with another one: its own, or what the one before has made."""
    made = dict(zip(origin.loops, origin.iterations, strict=True)).get(loop, 0)
    return made > loop.first_iteration and loop.iteration - made <= 1


def is_few_key(machine: Machine, value: Value) -> bool:
    """Whether a cache that is given this has few results for it, however often the loops iterate."""
    origin = getattr(value, "origin", None)
    lasts = isinstance(origin, Origin) and not any(
        made_this_iteration(origin, loop) for loop in active_loops(machine)
    )
    return is_few(value) or (isinstance(value, (Instance, LibraryObject)) and lasts)


def reallocating_loop(machine: Machine, function: GraphFunction) -> LoopRun | None:
    """The innermost loop around this call that makes the Function object again at each later iteration."""
    if machine.graph is not None or any(
        option.varies or isinstance(option, Unknown) for option in function.options.values()
    ):
        return None
    kept = function.has_few_keys or is_kept_by_its_object(function)
    if function.conditional and kept:  # `if not hasattr(self, "_step"): …`, `if name not in steps: …`
        return None
    if function.looked_up:
        return None
    for loop in reversed(active_loops(machine)):
        if is_for_one_iteration(loop):
            continue
        if made_each_iteration(function.origin, loop) and not _is_made_once(function, loop):
            return loop
    return None


def _is_made_once(function: GraphFunction, loop: LoopRun) -> bool:
    """Whether of all iterations so far, which were run one by one, one alone has made it."""
    iterations = loop.makes.get(function.origin.node) if function.origin.node is not None else None
    return loop.exact and iterations is not None and len(iterations) == 1


def reallocated_objects(machine: Machine, value: Value) -> Iterator[LoopRun]:
    """The loops around this place at whose iterations TensorFlow is given another object."""
    if isinstance(value, Union):  # whichever it is
        of_each = [set(reallocated_objects(machine, each)) for each in value.alternatives]
        yield from set.intersection(*of_each)
    if is_distinguished(value) and not _equals_another(machine, value):
        for loop in active_loops(machine):
            if is_for_one_iteration(loop):
                continue
            # A loop that is run whole shows each iteration: what one has made may stay for several.
            begun = loop.iteration > loop.first_iteration
            own = begun and made_this_iteration(value.origin, loop)  # type: ignore[attr-defined]
            if own or (not loop.exact and made_each_iteration(value.origin, loop)):  # type: ignore[attr-defined]
                yield loop


def _equals_another(machine: Machine, value: Value) -> bool:
    """Whether a frozen dataclass equals one that was given before and a name still holds.

    TensorFlow takes the two for the same; of one that is gone it knows no more (run on 2.21).
    """
    if not isinstance(value, Instance) or not value.cls.frozen or value.cls.record != "dataclass":
        return False
    fields = value.cells
    if not all(isinstance(field, Constant) for field in fields.values()):
        return False
    scopes = [each.scope for each in machine.activations]
    held = [each for scope in scopes for each in scope.cells.values() if isinstance(each, Instance)]
    return any(
        each is not value
        and each.cls is value.cls
        and each.origin.number in machine.log.given
        and each.cells.keys() == fields.keys()
        and not any(loop in each.origin.loops for loop in active_loops(machine))
        and all(same(each.cells[name], field) for name, field in fields.items())
        for each in held
    )


def brings_weights(value: Value, loop: LoopRun) -> bool:
    """Whether it is a layer or model of this iteration alone, which needs a graph of its own anyway."""
    if isinstance(value, Union):
        return any(brings_weights(each, loop) for each in value.alternatives)
    if isinstance(value, LibraryObject):
        return value.kind in WITH_WEIGHTS and made_this_iteration(value.origin, loop)
    if isinstance(value, Instance):
        return any(map(value.cls.derives, KERAS_CLASSES)) and made_this_iteration(value.origin, loop)
    return False


def is_distinguished(value: Value) -> bool:
    """Whether TensorFlow knows it by its identity alone: functions, generators, objects of plain classes.

    So it knows optimizers, losses and metrics. Layers and models too, but each of them is to have its graph.
    """
    if isinstance(value, LibraryObject):
        return value.kind in OF_TRAINING
    if isinstance(value, BoundMethod):
        return isinstance(value.function, Function)
    if isinstance(value, Instance):
        cls = value.cls
        plain = not cls.libraries and not cls.is_open and (not cls.record or cls.frozen)
        return plain and all(cls.find(name) is None for name in OWN_COMPARISON)
    if isinstance(value, Sequence):
        return value.kind == "iterator"
    return isinstance(value, (Function, Partial, Generator))


def is_tied(machine: Machine, function: GraphFunction, loop: LoopRun) -> bool | None:
    """Whether a Function object works on something that the same iteration of the loop has made.

    None: on something unknown.
    """
    method = function.function
    if function.receiver is not None and not isinstance(method, BoundMethod):
        method = BoundMethod(method, function.receiver)
    if _is_of_iteration(machine, method, loop, False, 0):
        return True
    return None if _is_of_iteration(machine, method, loop, True, 0) else False


def is_kept_by_its_object(function: GraphFunction) -> bool:
    """Whether a Function object is made of a method, and an attribute of the same object holds it."""
    method = function.function
    if not isinstance(method, BoundMethod) or not isinstance(method.receiver, Instance):
        return False
    held = [value for value in method.receiver.cells.values() if isinstance(value, Value)]
    return any(each is function for value in held for each in alternatives(value))


def _is_of_iteration(
    machine: Machine,
    value: object,
    loop: LoopRun,
    unknown: bool,
    depth: int,
    read: frozenset[str] | None = None,
) -> bool:
    """`read`: the attributes of the object that the function looks at; None for all."""
    if depth > DEEPEST:
        return False
    deeper = functools.partial(_is_of_iteration, machine, loop=loop, unknown=unknown, depth=depth + 1)
    if isinstance(value, BoundMethod):
        return deeper(value.receiver, read=_attributes_read(value)) or deeper(value.function)
    if isinstance(value, Partial):
        return any(map(deeper, [value.function, *value.positional, *value.keywords.values()]))
    if isinstance(value, (GraphFunction, Memoized)):
        return deeper(value.function)
    if isinstance(value, Function):
        return any(
            deeper(scope.cells.get(name))
            or (
                unknown
                and _is_unknown_of_iteration(machine, scope, name, loop)
                and not is_only_computed(value.node, name)
            )
            for scope, name in captured_names(value)
        )
    if isinstance(value, Instance):
        return made_this_iteration(value.origin, loop) and _is_state_of_iteration(
            value, read, deeper, unknown
        )
    if isinstance(value, (LibraryObject, Variable, Dataset)):
        return made_this_iteration(value.origin, loop)
    return any(map(deeper, parts_of(value)))


def _is_state_of_iteration(
    instance: Instance, read: frozenset[str] | None, deeper: Callable[[object], bool], unknown: bool
) -> bool:
    """Whether an object that an iteration has made has variables, layers or data of that iteration."""
    if instance.unknown_start or any(name.startswith(OF_LIBRARIES) for name in instance.cls.libraries):
        return True
    held = [value for name, value in instance.cells.items() if read is None or name in read]
    return any(map(deeper, held)) or (unknown and _has_unknown(instance, held, read or frozenset()))


def _has_unknown(instance: Instance, held: list[object], read: frozenset[str]) -> bool:
    """Whether an object has something unknown, or that is yet to come."""
    later = any(name not in instance.cells and instance.cls.find(name) is None for name in read)
    return later or any(isinstance(each, (Unknown, Union)) or is_none(each) for each in held)


def _attributes_read(method: BoundMethod, depth: int = 0) -> frozenset[str] | None:
    """The attributes that a method looks at, and the methods that it calls; None: perhaps all."""
    function, receiver = method.function, method.receiver
    if not isinstance(function, Function) or not isinstance(receiver, Instance) or depth > DEEPEST:
        return None
    read = own_attributes(function.node)
    for name in read or ():
        called = receiver.cls.find(name)
        if isinstance(called, Function):
            inner = _attributes_read(BoundMethod(called, receiver), depth + 1)
            read = read | inner if read is not None and inner is not None else None
        elif called is not None and name not in receiver.cells:
            return None
    return read


def _is_unknown_of_iteration(machine: Machine, scope: Scope, name: str, loop: LoopRun) -> bool:
    """Whether it is unknown what a captured name is, and it may be another thing at each iteration."""
    if not isinstance(scope.cells.get(name), (Unknown, Union)):
        return False
    if scope.kind == "module" and scope is not loop.activation.scope:
        return False
    around = machine.activations[: machine.activations.index(loop.activation) + 1]
    if any(_is_within(each.scope, scope) for each in around):
        return name in names_bound(loop.node)
    return True  # a name of a call that the loop makes


def reads_iteration(function: Value, loop: LoopRun) -> bool:
    """Whether a function reads, from around it, what differs at each iteration of a loop."""
    while isinstance(function, (BoundMethod, Partial, GraphFunction, Memoized)):
        function = function.function
    return isinstance(function, Function) and any(
        loop in getattr(scope.cells.get(name), "varies", ()) or (id(scope.cells), name) in loop.targets
        for scope, name in captured_names(function)
    )


def _is_within(inner: Scope, outer: Scope) -> bool:
    scope: Scope | None = inner
    while scope is not None:
        if scope is outer:
            return True
        scope = scope.parent
    return False


def is_steady(
    machine: Machine, value: object, loop: LoopRun, depth: int = 0, made: ast.AST | None = None
) -> bool:
    """Whether a value is the same at each iteration of a loop, as far as the loop itself shows.

    `made`: the call that was given it.
    """
    if isinstance(value, (Unknown, Union)):
        return _is_call_steady(machine, loop, made)
    if depth > DEEPEST:
        return False
    if isinstance(value, (AbstractNumber, Array)):
        return loop not in value.varies
    if isinstance(value, (Sequence, Dictionary)):
        return all(is_steady(machine, part, loop, depth + 1, made) for part in parts_of(value))
    if isinstance(value, Dataset):
        return is_steady_dataset(machine, value, loop)
    origin = getattr(value, "origin", None)
    return not isinstance(origin, Origin) or not made_this_iteration(origin, loop)


def is_steady_dataset(machine: Machine, dataset: Dataset, loop: LoopRun) -> bool:
    """Whether a dataset gives the same at each iteration: made before the loop, or of what was."""
    origin = dataset.origin
    if not made_this_iteration(origin, loop):
        return True
    if origin.node is not None and names_iteration(origin.node, loop):
        return False
    return all(is_steady(machine, value, loop, 1, origin.node) for value in origin.given)


def names_iteration(call: ast.AST, loop: LoopRun) -> bool:
    """Whether a call in the body of a `for` names what the loop goes through."""
    if not isinstance(loop.node, ast.For) or not any(each is call for each in walk(loop.node)):
        return False
    return not names_bound(loop.node.target).isdisjoint(names_read(call))


def _is_call_steady(machine: Machine, loop: LoopRun, made: ast.AST | None) -> bool:
    """Whether the call in the body of the loop, or the one that led to it, names nothing that it changes."""
    if not isinstance(loop.node, ast.For):
        return False
    written = made is not None and any(each is made for each in walk(loop.node))
    statement = made if written else loop.activation.node
    return statement is not None and not names_bound(loop.node).intersection(names_read(statement))
