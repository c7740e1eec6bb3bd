"""GD203."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity, Span
from graphdoctor.recording.format import Effect
from graphdoctor.rules.effects.kept import deferring, kept_tensor, variable_fix
from graphdoctor.rules.effects.side_effects import (
    READ,
    counts_in_test,
    figures,
    is_read_by_nobody,
    repeated_effects,
    speaks_of_traces,
    what_ran,
)
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule


class OuterNameRebound(Rule):
    """A `global` or `nonlocal` name in a traced function is assigned once per trace, not at each call.

    What it finds
    An assignment to a name declared `global` or `nonlocal` in a function that TensorFlow traces.

    Why it matters
    The assignment is Python and runs only while the function is traced. It is not part of the graph: a
    counter stays at 1, and a tensor stored this way belongs to a finished graph.

    How to fix it
    Keep the state in a `tf.Variable` and `assign` to it, or return the new value.

    When to leave it
    When the name counts traces on purpose. Where nothing in the project reads the name outside the graph, nor
    the graph itself at its next trace, the confidence is low.
    """

    id = "GD203"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                steps = 0


                @tf.function
                def train(x):
                    global steps
                    steps += 1
                    return x * 2.0


                for _ in range(3):
                    train(tf.ones([2]))
                print(steps)
                """,
            good="""
                import tensorflow as tf

                steps = tf.Variable(0, trainable=False)


                @tf.function
                def train(x):
                    global steps
                    steps.assign_add(1)
                    return x * 2.0


                for _ in range(3):
                    train(tf.ones([2]))
                print(steps.numpy())
                """,
            output=("1", "3"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in repeated_effects(facts, "global"):
            flag = event.shows == "constant" and not event.counted
            if flag or speaks_of_traces(facts, event) or event.place is None:
                continue
            if counts_in_test(event):
                continue
            span = facts.span(event.place)
            fix, alternatives = variable_fix(facts, span, (*event.values, event.old), (event.read,))
            yield self.finding(
                span,
                what_ran(facts, event, "the assignment")
                or f"`{event.name}` is assigned only while `{function.name}` is traced, not at each call",
                function,
                event=event,
                guesses=(READ,) if is_read_by_nobody(event) else (),
                observed=figures(facts, event),
                fix=fix,
                alternatives=(*alternatives, *_kept(facts, span, event), *deferring(facts, span)),
            )


def _kept(facts: Facts, span: Span, event: Effect) -> tuple[Fix, ...]:
    """A tensor in place of None is kept in a Variable of its dtype and shape."""
    tensors = [value for value in event.values if value.kind == "tensor"]
    return kept_tensor(facts, span, tensors[0]) if len(tensors) == 1 else ()
