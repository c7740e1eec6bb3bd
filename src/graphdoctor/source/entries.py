"""Where tracing begins: the functions of a module that TensorFlow or Keras traces by itself."""

import ast
import dataclasses
import enum
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphdoctor.source.functions import (
    PARTIAL,
    Function,
    TracedFunction,
    keywords_of,
    resolve_function,
)
from graphdoctor.source.kind import Kind
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

if TYPE_CHECKING:
    from graphdoctor.source.module import Module


class Way(enum.Enum):
    """How code is traced: rewritten by AutoGraph, as it stands, or in a way that is not known."""

    CONVERTED = "converted"
    PLAIN = "not converted"
    UNKNOWN = "unknown"


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """One link of the chain that leads to a function: what is said, and where it stands."""

    text: str
    path: str
    node: ast.AST


@dataclasses.dataclass(eq=False, slots=True)
class Entry:
    """A function that is traced by itself; `inputs` are the kinds of its parameters by position."""

    function: Function
    way: Way
    step: Step
    traced: TracedFunction | None = None
    inputs: tuple[Kind, ...] = ()
    keras: bool = False


# The functions that a dataset calls, by the position of their argument; AutoGraph converts these.
DATASET_CALLS = {
    "map": 0, "filter": 0, "flat_map": 0, "interleave": 0, "take_while": 0, "reduce": 1, "scan": 1,
}  # fmt: skip
DATASET_KEYWORDS = ("map_func", "predicate", "reduce_func", "scan_func")


def find_entries(module: "Module") -> Iterator[Entry]:
    """Every function of the module that is traced without a traced caller."""
    for traced in module.traced.values():
        yield _graph_function(module, traced)
    yield from _wrapped_elsewhere(module)
    for placed in module.walk.calls:
        assert isinstance(placed.node, ast.Call)
        yield from _dataset_functions(module, placed.node, placed.scope)


def _graph_function(module: "Module", traced: TracedFunction) -> Entry:
    plain = is_false(traced.options.get("autograph"))
    node = traced.decorator or traced.function.node
    what = "`tf.function`" if traced.decorator is not None else "`tf.function(…)`"
    return Entry(
        traced.function,
        Way.PLAIN if plain else Way.CONVERTED,
        Step(f"`{traced.function.ref.name}` is made a graph function by {what}", module.path, node),
        traced,
        _kinds_of_signature(traced),
    )


def _wrapped_elsewhere(module: "Module") -> Iterator[Entry]:
    """`tf.function(f)`, where f is a function of another module."""
    for call, function in module.wrapped:
        if function.home is not module and function.node not in function.home.traced:
            entry = _graph_function(module, TracedFunction(function, keywords_of(call), None))
            yield dataclasses.replace(entry, step=dataclasses.replace(entry.step, node=call))


def _kinds_of_signature(traced: TracedFunction) -> tuple[Kind, ...]:
    """A parameter with a `TensorSpec` is a tensor."""
    signature = traced.options.get("input_signature")
    if not isinstance(signature, ast.List | ast.Tuple):
        return ()
    return tuple(
        Kind.TENSOR if _is_tensor_spec(element, traced.function.placed.scope) else Kind.UNKNOWN
        for element in signature.elts
    )


def _is_tensor_spec(node: ast.expr, scope: Scope) -> bool:
    return isinstance(node, ast.Call) and dotted_name(node.func, scope) == "tensorflow.TensorSpec"


def is_decorated(function: Function) -> bool:
    """Whether something stands between the function's name and its body."""
    return bool(getattr(function.node, "decorator_list", []))


def _dataset_functions(module: "Module", call: ast.Call, scope: Scope) -> Iterator[Entry]:
    target = call.func
    if not isinstance(target, ast.Attribute) or target.attr not in DATASET_CALLS:
        return
    keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    if "num_parallel_calls" not in keywords and kind_of(target.value, scope) is not Kind.DATASET:
        return
    position = DATASET_CALLS[target.attr]
    given = call.args[position] if len(call.args) > position else None
    given = given or next((keywords[name] for name in DATASET_KEYWORDS if name in keywords), None)
    function = resolve_function(given, scope) if given is not None else None
    if function is None or is_decorated(function):
        return
    count = len(function.node.args.args)
    bound = function.owner is not None and not function.is_static
    yield Entry(
        function,
        Way.CONVERTED,
        Step(f"`{function.ref.name}` is traced by `Dataset.{target.attr}`", module.path, call),
        None,
        (Kind.TENSORS,) * (count - bound) if not _is_partial(given, scope) else (),
    )


def _is_partial(given: ast.expr | None, scope: Scope) -> bool:
    """Whether some of the parameters may already be given."""
    found = scope.lookup(given.id) if isinstance(given, ast.Name) else None
    if found is not None and len(found[1]) == 1 and found[1][0].kind == "value":
        return _is_partial(found[1][0].value, found[0])
    return isinstance(given, ast.Call) and dotted_name(given.func, scope) == PARTIAL


def is_false(node: ast.expr | None) -> bool:
    """Whether an expression is the literal False."""
    return isinstance(node, ast.Constant) and node.value is False
