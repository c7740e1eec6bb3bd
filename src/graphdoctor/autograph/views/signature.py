"""The cache key that arguments make, argument by argument, and whether a trace for it exists."""

import itertools
from typing import Any

from graphdoctor.autograph import tensorflow_internals as internals
from graphdoctor.autograph.places import reference
from graphdoctor.autograph.targets.examples import traces_of
from graphdoctor.autograph.traces.tracing import Traced
from graphdoctor.model import FunctionRef
from graphdoctor.model.words import count
from graphdoctor.observer.objects.describe import describe_arguments
from graphdoctor.recording import Argument, Recording, Trace
from graphdoctor.recording.differences import describe
from graphdoctor.recording.format import Definition
from graphdoctor.recording.nearest import closest

MEANING = {
    "tensor": "dtype and shape count, its values do not",
    "value": "a Python value: compared by ==",
    "object": "an object: compared by identity",
    "list": "its length and its elements count",
    "tuple": "its length and its elements count",
    "dict": "its keys and its values count",
    "record": "its fields count",
    "other": "compared by its own trace type",
}


def render_signature(function: Any, traced: Traced, recorded: Recording | None) -> str:
    """The key, and whether it would hit: in the recording if there is one, else in the function's cache."""
    key = internals.key_of_call(traced.graph_function, traced.args, traced.kwargs)
    arguments = arguments_of(key)
    lines = [f"The cache key of {traced.function.__qualname__} with these arguments"]
    lines += _table(arguments) or ["  (no argument)"]
    answer = (
        _ask_recording(recorded, traced, arguments) if recorded else _ask_cache(function, traced, arguments)
    )
    return "\n".join([*lines, *answer]) + "\n"


def arguments_of(key: Any) -> tuple[Argument, ...]:
    """What a key holds of each argument."""
    numbers: dict[int, int] = {}
    counter = itertools.count(1)

    def identify(value: Any) -> int:
        return numbers.setdefault(id(value), next(counter))

    parameters = {
        name: parameter for name, parameter in key.parameters.items() if parameter.type_constraint is not None
    }
    return describe_arguments(parameters, identify)


def _table(arguments: tuple[Argument, ...]) -> list[str]:
    names = max((len(argument.path) for argument in arguments), default=0)
    texts = max((len(describe(argument)) for argument in arguments), default=0)
    return [
        f"  {argument.path:<{names}}  {describe(argument):<{min(texts, 40)}}  {MEANING[argument.kind]}"
        for argument in arguments
    ]


def _ask_cache(function: Any, traced: Traced, arguments: tuple[Argument, ...]) -> list[str]:
    if not internals.is_graph_function(function):
        return ["It is no tf.function: nothing is cached until one calls it."]
    keys = internals.cached_keys(function)
    if not keys:
        return ["The function holds no trace yet: the first call traces."]
    key = internals.key_of_call(function, traced.args, traced.kwargs)
    if internals.would_hit(function, key):
        return [f"It would hit: the function holds a trace for this key ({len(keys)} in all)."]
    return _miss(traced, arguments, [_as_trace(traced, arguments_of(other)) for other in keys])


def _ask_recording(recorded: Recording, traced: Traced, arguments: tuple[Argument, ...]) -> list[str]:
    place = reference(traced.function)
    earlier = traces_of(recorded, place.name, place.line)
    if not earlier:
        return [f"{recorded.path} holds no trace of it: the first call traces."]
    wanted = [_as_trace(traced, trace.arguments) for trace in earlier]
    return _miss(traced, arguments, wanted)


def _miss(traced: Traced, arguments: tuple[Argument, ...], earlier: list[Trace]) -> list[str]:
    """By comparing the keys ourselves; the caller has asked TensorFlow first where it can."""
    now = _as_trace(traced, tuple(entry for entry in arguments if entry.path != "self"))
    before, differences = closest(now, [_without_self(trace) for trace in earlier])
    if before is None or not differences:
        return [f"It would hit: the recording holds a trace for this key ({len(earlier)} in all)."]
    lines = [f"It would not hit: of {count(len(earlier), 'trace')} the closest differs in"]
    for difference in differences:
        axis = f" axis {difference.axis}" if difference.axis is not None else ""
        lines.append(f"  {difference.argument}{axis}: now {difference.now}, before {difference.before}")
    return lines


def _without_self(trace: Trace) -> Trace:
    arguments = tuple(argument for argument in trace.arguments if argument.path != "self")
    return Trace(number=1, function=trace.function, object=1, arguments=arguments)


def _as_trace(traced: Traced, arguments: tuple[Argument, ...]) -> Trace:
    ref: FunctionRef = reference(traced.function)
    function = Definition(name=ref.name, path=ref.path, line=ref.line)
    return Trace(number=1, function=function, object=1, arguments=arguments)
