"""GD210."""

import functools
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, FunctionRef, Safety, Severity, Span
from graphdoctor.recording.format import Effect
from graphdoctor.refactoring.arguments.first_statements import done_before
from graphdoctor.refactoring.arguments.next_elements import gives_numbers, taken_by_caller, taken_by_the_graph
from graphdoctor.rules.effects.kept import DEFER, is_traced, know_callers
from graphdoctor.rules.effects.side_effects import calls_from, figures, repeated_effects
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule

TITLE = "Pass it as an argument"
DTYPES = ("float32", "int64", "int32", "float64")


class NextInGraph(Rule):
    """`next` on a Python iterator takes one element while tracing; every call reuses it.

    What it finds
    `next(iterator)` in a traced function, where the iterator comes from outside and is a Python iterator:
    `iter` of a list, an `itertools` object, or a generator.

    Why it matters
    The element is taken while the function is traced and becomes a constant of the graph. Each call uses the
    same element.

    How to fix it
    Pass the element as an argument, or iterate over a `tf.data.Dataset`: `next(iter(dataset))`
    works in a graph.

    When to leave it
    When one element per trace is intended.
    """

    id = "GD210"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                numbers = iter([1.0, 2.0, 3.0])


                @tf.function
                def add(x):
                    return x + next(numbers)


                for _ in range(3):
                    print(add(tf.constant(0.0)).numpy())
                """,
            good="""
                import tensorflow as tf

                numbers = iter([1.0, 2.0, 3.0])


                @tf.function
                def add(x, batch):
                    return x + batch


                for _ in range(3):
                    print(add(tf.constant(0.0), batch=tf.constant(next(numbers))).numpy())
                """,
            output=("1.0\n1.0\n1.0", "1.0\n2.0\n3.0"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in repeated_effects(facts, "next"):
            if event.place is not None:
                span = facts.span(event.place)
                ways = (*_taken_outside(facts, event, function), *_in_the_graph(facts, span))
                yield self.finding(
                    span,
                    f"`next({event.name})` takes one element while `{function.name}` is traced; every "
                    "call reuses it",
                    function,
                    event=event,
                    observed=figures(facts, event),
                    fix=ways[0] if ways and ways[0].title != DEFER else offer(TITLE, None),
                    alternatives=ways[1:] if ways and ways[0].title != DEFER else ways,
                )


def _taken_outside(facts: Facts, event: Effect, function: FunctionRef) -> tuple[Fix, ...]:
    """Give the element as an argument, by each caller, or by the function itself before its graph begins.

    A Python number becomes a tensor: each new number would retrace.
    """
    know_callers(facts)
    known = facts.sources.function(function)
    lines = [frame.place.line for frame in event.chain if frame.function == function.name]
    found = facts.sources.call_at(facts.span(event.place)) if event.place is not None else None
    if known is None or not lines:
        return ()
    numbers = found is not None and bool(found[1].args) and gives_numbers(found[1].args[0], known)
    modules, traced = facts.sources.modules, functools.partial(is_traced, facts)
    by_caller = functools.partial(taken_by_caller, modules, known, traced)
    here = not calls_from(event, function)
    ways = [by_caller(as_tensor=numbers) if here else None]
    if not numbers:
        ways += [done_before(known, lines[-1]), by_caller(as_tensor=True) if here else None]
    return tuple(Fix(title=TITLE, safety=Safety.UNSAFE, edits=edits) for edits in ways if edits)


def _in_the_graph(facts: Facts, span: Span) -> tuple[Fix, ...]:
    """The dtype of what an iterator gives is unknown: the likelier ones are tried."""
    found = facts.sources.expression_at(span)
    ways = [taken_by_the_graph(*found, dtype) for dtype in DTYPES] if found is not None else []
    return tuple(Fix(title=DEFER, safety=Safety.UNSAFE, edits=edits) for edits in ways if edits)
