"""GD202."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Effect, Escape
from graphdoctor.rules.effects.kept import deferring
from graphdoctor.rules.effects.side_effects import (
    READ,
    SYMBOLIC,
    all_effects,
    called_once,
    calls_from,
    counts_in_test,
    figures,
    is_read_by_nobody,
    speaks_of_traces,
    what_ran,
)
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule


class OuterListMutated(Rule):
    """A list or dict outside a traced function is changed once per trace and gets symbolic tensors.

    What it finds
    `log.append(x)`, `cache[key] = x` and similar changes in a traced function, where `log` is a list or dict
    created outside it: at the top of the module, in a function around it that is not traced, or in `__init__`
    for an attribute that code outside the graph reads. Also `counts["steps"] += 1`, where code outside the
    graph reads the counts.

    Why it matters
    The change is Python and runs only while tracing. The list gets one entry however often the function is
    called, and the entry is a symbolic tensor, not a value.

    How to fix it
    Return the value and append it where the function is called, or write to a `tf.Variable`.

    When to leave it
    When the list is meant to be filled once per trace, with no tensor in it. When traces are counted: counts
    that have `trac` in their name, or in the line that reads them, are left alone. Where nothing in the
    project reads the list or dict outside the graph, the confidence is low.
    """

    id = "GD202"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                losses = []


                @tf.function
                def step(x):
                    loss = tf.reduce_sum(x)
                    losses.append(loss)
                    return loss


                for _ in range(3):
                    step(tf.ones([2]))
                print(len(losses))
                """,
            good="""
                import tensorflow as tf

                losses = []


                @tf.function
                def step(x):
                    loss = tf.reduce_sum(x)
                    return loss


                for _ in range(3):
                    losses.append(step(tf.ones([2])))
                print(len(losses))
                """,
            output=("1", "3"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        single = called_once(facts)
        met_again = {escape.place for escape in facts.of(Escape) if escape.used}
        for event, function in all_effects(facts, "append", "item"):
            if event.state is None or event.place is None:
                continue
            counts = function not in single and _counts(facts, event)
            if event.shows not in SYMBOLIC and not counts:
                continue  # perhaps a cache, or a count of traces
            if event.values and all(value.kind == "variable" for value in event.values):
                continue  # lives on outside the graph
            owner = event.state.name
            kept = event.what == "item" and event.place in met_again
            if "." in owner and event.read is None and not kept:
                continue  # a way to hand tensors to other code of the same trace
            unread = is_read_by_nobody(event) and not kept
            span = facts.span(event.place)
            yield self.finding(
                span,
                what_ran(facts, event, "the change") or f"`{owner}` is {_how(counts, function.name)}",
                function,
                event=event,
                guesses=(READ,) if unread else (),
                observed=figures(facts, event),
                fix=Fix(title="Return the value instead", safety=Safety.MANUAL),
                alternatives=deferring(facts, span, calls_from(event, function)),
            )


def _counts(facts: Facts, event: Effect) -> bool:
    """Whether an entry of a dict is incremented, and read to count calls."""
    numbers = event.values and all(value.type in ("int", "float", "number") for value in event.values)
    counted = event.what == "item" and event.counted and bool(numbers) and event.read is not None
    return counted and not event.once and not counts_in_test(event) and not speaks_of_traces(facts, event)


def _how(counts: bool, function: str) -> str:
    if counts:
        return f"incremented only while `{function}` is traced, not at each call"
    return f"changed only while `{function}` is traced, and gets a symbolic tensor"
