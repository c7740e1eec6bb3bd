"""GD101."""

import dataclasses
from collections.abc import Iterator

from graphdoctor.model import Change, Edit, Finding, Fix, Related, Safety, Severity
from graphdoctor.recording.format import Argument
from graphdoctor.refactoring.tensor_arguments.dictionary_keys import found_by_caller
from graphdoctor.refactoring.tensor_arguments.numbers import as_tensor, behind_stars
from graphdoctor.refactoring.tensor_arguments.parameter_uses import Need, NumberUse, number_use
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import FEWER_TRACES
from graphdoctor.rules.retracing.evidence import Retracing, retracings_of
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.sites import Expression, ExpressionSite

FEW_NUMBERS, FEW_VALUES = 3, 4
KIND_NAMES = {"int": "number", "float": "number", "complex": "number", "str": "string"}
NUMBERS = ("int", "float", "number")
PASS_TENSOR = "Pass a tensor instead"


class PythonNumberArgument(Rule):
    """A Python value that changes from call to call makes TensorFlow trace again for each new value.

    What it finds
    A call of a traced function with a Python number or string that differs at each call: a step counter, a
    learning rate, a temperature; and a second call with another number, where the graph is the same for both.
    A run does not report a few values that occur early and then serve many calls.

    Why it matters
    Python values are part of the key of the trace cache. Each new value is a new key: the function is traced
    again, which costs hundreds of times as much as a call, and the old graph stays in memory.

    How to fix it
    Pass a tensor: `tf.constant(step)`. If the function combines it with other tensors, use their dtype:
    `tf.constant(step, tf.float32)`. Or keep the counter in a `tf.Variable`.

    When to leave it
    When there are few values and the function needs them in Python, such as a number of layers or a
    `training` flag: one graph for each value is then intended.
    """

    id = "GD101"
    severity = Severity.SLOW
    repair = FEWER_TRACES
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def decay(weights, step):
                    return weights / (1.0 + tf.cast(step, tf.float32))


                for step in range(5):
                    decay(tf.ones([3]), step)
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def decay(weights, step):
                    return weights / (1.0 + tf.cast(step, tf.float32))


                for step in range(5):
                    decay(tf.ones([3]), tf.constant(step))
                """,
            traces=(5, 1),
        ),
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def scale(x, factor):
                    return x * factor


                factor = 1.0
                while factor < 2.0:
                    scale(tf.ones([3]), factor)
                    factor += 0.25
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def scale(x, factor):
                    return x * factor


                factor = 1.0
                while factor < 2.0:
                    scale(tf.ones([3]), tf.constant(factor, tf.float32))
                    factor += 0.25
                """,
            traces=(4, 1),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for history in facts.histories:
            found = [each for each in retracings_of(history, Change.PYTHON_VALUE) if _is_reported(each)]
            for retracing in found:
                together = [other for other in found if _same_call(other, retracing)]
                fix, alternatives, related = _fixes(retracing, together, facts)
                yield self.finding(
                    retracing.span(facts),
                    _message(retracing, facts),
                    retracing.history.function,
                    event=retracing.event,
                    argument=retracing.argument,
                    observed=retracing.observed,
                    fix=fix,
                    alternatives=alternatives,
                    related=related,
                )


def _is_reported(retracing: Retracing) -> bool:
    """Two values are a choice, unless the source shows more; one for each of many is an accident.

    Values count, not traces: several Function objects may each need one for the same two values.
    """
    value = retracing.value
    if retracing.argument is None or value is None:
        return False
    least = FEW_NUMBERS if value.type in ("int", "float", "complex") else FEW_VALUES
    return bool(retracing.predicted) or not retracing.retraces or len(retracing.values) >= least


def _same_call(one: Retracing, other: Retracing) -> bool:
    return one.event.place == other.event.place


def _message(retracing: Retracing, facts: Facts) -> str:
    value = retracing.value
    assert value is not None
    kind = KIND_NAMES.get(value.type, value.type) or value.kind
    if retracing.retraces:
        return retracing.report(f"`{retracing.argument}` is a Python {kind}")
    return (
        f"each new value of the Python {kind} `{retracing.text(facts)}` makes "
        f"`{retracing.history.function.name}` trace again"
    )


@dataclasses.dataclass(frozen=True)
class _Way:
    """How one argument of a call can be made a tensor: the uses that decide, and what to wrap.

    `path` leads from what the call gives to the number, `argument` from the function's parameter.
    """

    use: NumberUse
    module: Module
    expression: Expression
    path: str
    argument: str

    def edits(self, choice: int) -> tuple[str, tuple[Edit, ...]] | None:
        """With one of the dtypes that may do; the last one where there are fewer."""
        dtype = self.use.dtypes[min(choice, len(self.use.dtypes) - 1)]
        return as_tensor(self.module, self.expression, self.path, dtype)


def _fixes(
    retracing: Retracing, together: list[Retracing], facts: Facts
) -> tuple[Fix | None, tuple[Fix, ...], tuple[Related, ...]]:
    """All numbers of a call become tensors at once: one that remains would retrace."""
    ways = [way for each in together if (way := _way(each, facts)) is not None]
    own = next((way for way in ways if way.argument == retracing.argument), None)
    number = retracing.value is not None and retracing.value.type in NUMBERS
    by_hand = Fix(title=PASS_TENSOR, safety=Safety.MANUAL) if number or not retracing.retraces else None
    if own is None or not own.use.tensor_would_do:
        need = own.use.need if own is not None else None
        return _found_outside(retracing, facts) or by_hand, (), (_refusal(need),) if need is not None else ()
    elsewhere = _elsewhere(retracing, own, facts)
    usable = [own, *elsewhere, *(way for way in ways if way is not own and way.use.tensor_would_do)]
    offered = [_fix(usable, choice) for choice in range(max(len(way.use.dtypes) for way in usable))]
    fixes = tuple(fix for fix in offered if fix is not None)
    if fixes and own.use.sure:
        return fixes[0], fixes[1:], ()
    return by_hand, fixes, ()


def _found_outside(retracing: Retracing, facts: Facts) -> Fix | None:
    """A string that is only a key of a dict of numbers: the caller passes the number."""
    function, value = facts.sources.function(retracing.history.function), retracing.value
    if function is None or value is None or value.type != "str" or not value.path.isidentifier():
        return None
    edits = found_by_caller(facts.sources.modules, function, value.path)
    return offer("Look it up before the call", edits) if edits is not None else None


def _refusal(need: Need) -> Related:
    return Related.at(need.module.span(need.node), message=f"a tensor does not work here: {need.why}")


def _fix(ways: list[_Way], choice: int) -> Fix | None:
    built = [each for each in (way.edits(choice) for way in ways) if each is not None]
    if not built or ways[0].edits(choice) is None:
        return None
    edits = tuple(dict.fromkeys(edit for _, some in built for edit in some))
    return Fix(title=f"Pass `{built[0][0]}`", safety=Safety.UNSAFE, edits=edits)


def _way(retracing: Retracing, facts: Facts) -> _Way | None:
    """What can be done about one argument; None where the function or the call is unknown."""
    value = retracing.value
    function = facts.sources.function(retracing.history.function)
    found, path = retracing.expression(facts), value.path if value is not None else ""
    stars = _behind_stars(retracing, facts) if path.isidentifier() else None
    if stars is not None:
        found, path = stars, f'{path}["{path}"]'
    if value is None or not _is_number(value, value.path) or found is None or function is None:
        return None
    dtypes = {a.path: a.dtype or None for a in retracing.event.arguments if a.kind in ("tensor", "array")}
    return _Way(number_use(function, value.path, value.type, dtypes), *found, path, value.path)


def _elsewhere(retracing: Retracing, own: _Way, facts: Facts) -> list[_Way]:
    """The other calls of a run that passed the number: one that remains would retrace."""
    argument, function = own.argument, retracing.history.function
    traces = (trace for retrace in retracing.retraces for trace in (retrace.trace, retrace.closest))
    numbers = (trace for trace in traces if any(_is_number(each, argument) for each in trace.arguments))
    places = dict.fromkeys(trace.place for trace in numbers if trace.place is not None)
    given = [facts.sources.argument(each.path, each.line, function, argument) for each in places]
    return [
        dataclasses.replace(own, module=each[0], expression=each[1], path=argument)
        for each in given
        if each is not None and each[1] is not own.expression
    ]


def _is_number(given: Argument, argument: str) -> bool:
    return given.path == argument and given.type in (*NUMBERS, "bool", "str")


def _behind_stars(retracing: Retracing, facts: Facts) -> ExpressionSite | None:
    """The dict from which a call takes the argument."""
    place, function, argument = retracing.event.place, retracing.history.function, retracing.argument or ""
    if place is None or facts.sources.argument(place.path, place.line, function, argument) is not None:
        return None
    span = facts.sources.call(place.path, place.line, function.name.rpartition(".")[2])
    call = facts.sources.call_at(span) if span is not None else None
    given = behind_stars(call[1], argument) if call is not None else None
    return (call[0], given) if call is not None and given is not None else None
