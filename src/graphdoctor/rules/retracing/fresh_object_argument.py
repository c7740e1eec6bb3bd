"""GD109."""

from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Severity
from graphdoctor.refactoring.creation.graph_functions import REMEMBER
from graphdoctor.refactoring.creation.hoisting import hoist_made, made_once_and_reset
from graphdoctor.refactoring.creation.shared_instances import is_made_of_numbers, made_once_for_each
from graphdoctor.rules.effects.kept import know_callers
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import FEWER_TRACES
from graphdoctor.rules.retracing.evidence import Retracing, retracings
from graphdoctor.rules.rule import Example, FailureText, Rule

KIND_NAMES = {
    "method": "bound method",
    "function": "function",
    "functools.partial": "partial",
    "partial": "partial",
    "lambda": "lambda",
    "generator": "generator",
}


class FreshObjectArgument(Rule):
    """A new Python object passed at each call makes TensorFlow trace again for each object.

    What it finds
    A lambda, a bound method (`model.step` is a new object each time it is read), a generator, a
    `functools.partial`, a new instance of your own class, or a new Keras optimizer, loss or metric, passed to
    a traced function in a loop that does not also create a new model.

    Why it matters
    Python objects are part of the trace cache key by identity. A new object is a new key and a new trace.
    When the old object is freed, its graph can never be used again but stays in memory.

    How to fix it
    Create the object once, before the loop, and pass the same one: `step = model.step`. Or pass tensors: a
    `NamedTuple` of tensors is compared by its contents.

    When to leave it
    When the function is called only a few times.
    """

    id = "GD109"
    severity = Severity.SLOW
    repair = FEWER_TRACES
    failures = (
        FailureText(
            pattern=r"Could not generate a generic TraceType for",
            meaning="an argument is neither hashable nor a tensor, so it cannot be a trace cache key",
            order="Freeze the dataclass",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def apply(function, x):
                    return function(x)


                for batch in range(5):
                    apply(lambda x: x + 1.0, tf.ones([3]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def apply(function, x):
                    return function(x)


                def function(x):
                    return x + 1.0


                for batch in range(5):
                    apply(function, tf.ones([3]))
                """,
            traces=(5, 1),
        ),
        Example(
            bad="""
                import tensorflow as tf


                class Model:
                    def step(self, x):
                        return x + 1.0


                @tf.function
                def epoch(step, x):
                    return step(x)


                model = Model()
                for number in range(5):
                    epoch(model.step, tf.ones([3]))
                """,
            good="""
                import tensorflow as tf


                class Model:
                    def step(self, x):
                        return x + 1.0


                @tf.function
                def epoch(step, x):
                    return step(x)


                model = Model()
                step = model.step
                for number in range(5):
                    epoch(step, tf.ones([3]))
                """,
            traces=(5, 1),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for retracing in retracings(facts, Change.OBJECT_IDENTITY):
            if retracing.argument is None or not retracing.is_many(2):
                continue
            fix, others = _fixes(retracing, facts)
            yield self.finding(
                retracing.span(facts),
                _message(retracing),
                retracing.history.function,
                event=retracing.event,
                argument=retracing.argument,
                observed=retracing.observed,
                fix=fix,
                alternatives=others,
            )


def _fixes(retracing: Retracing, facts: Facts) -> tuple[Fix, tuple[Fix, ...]]:
    """The object created once; else one for each set of arguments, where these are hashable."""
    fix, found = _fix(retracing, facts), retracing.expression(facts)
    if fix.edits or found is None or not (retracing.argument or "").isidentifier():
        return fix, ()
    know_callers(facts)
    remembered = offer(REMEMBER, made_once_for_each(facts.sources.modules, *found))
    if not remembered.edits:
        return fix, ()
    return (remembered, ()) if is_made_of_numbers(*found) else (fix, (remembered,))


def _fix(retracing: Retracing, facts: Facts) -> Fix:
    order = "Pass the same object each time" if retracing.retraces else "Create it before the loop"
    found = retracing.expression(facts)
    argument = retracing.argument or ""
    reset = made_once_and_reset(*found) if found is not None and argument.isidentifier() else None
    if reset is not None:
        return offer("Create it once, then reset it", reset)
    return offer(order, hoist_made(*found, argument) if found and argument.isidentifier() else None)


def _message(retracing: Retracing) -> str:
    what = f"`{retracing.argument}` is a new {_kind(retracing)} each time"
    if retracing.retraces:
        return retracing.report(what) + _already_gone(retracing)
    read = " it is read" if retracing.value is not None and retracing.value.type == "method" else ""
    name = retracing.history.function.name
    return f"`{name}` is traced again at each iteration because {what}{read}"


def _kind(retracing: Retracing) -> str:
    kind = retracing.value.type if retracing.value else "object"
    return KIND_NAMES.get(kind, f"`{kind.removeprefix('__main__.')}`")


def _already_gone(retracing: Retracing) -> str:
    before = [a for r in retracing.retraces for a in r.closest.arguments if a.path == retracing.argument]
    gone = len({a.identity for a in before} & retracing.history.dead_objects)
    return f"; {gone} of their graphs can never be used again" if gone else ""
