"""GD218."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.effects.side_effects import figures, repeated_effects, what_ran
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule


class InputInGraph(Rule):
    """`input` in a traced function asks only while tracing.

    What it finds
    A call of Python's `input` in a function that TensorFlow traces.

    Why it matters
    The user is asked once, while tracing. The answer becomes a constant of the graph: later calls do not ask
    and use the same answer.

    How to fix it
    Ask where the function is called, and pass the answer as a tensor.

    When to leave it
    When one answer is intended for the whole run.
    """

    id = "GD218"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import io
                import sys

                import tensorflow as tf

                sys.stdin = io.StringIO("1\\n2\\n3\\n")


                @tf.function
                def scaled(x):
                    return x * float(input())


                for _ in range(3):
                    print(scaled(tf.ones([])).numpy())
                """,
            good="""
                import io
                import sys

                import tensorflow as tf

                sys.stdin = io.StringIO("1\\n2\\n3\\n")


                @tf.function
                def scaled(x, factor):
                    return x * factor


                for _ in range(3):
                    print(scaled(tf.ones([]), tf.constant(float(input()))).numpy())
                """,
            output=("1.0\n1.0\n1.0", "1.0\n2.0\n3.0"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in repeated_effects(facts, "input"):
            if event.place is not None:
                yield self.finding(
                    facts.span(event.place),
                    what_ran(facts, event, "`input`")
                    or f"`input` asks only while `{function.name}` is traced, not at each call",
                    function,
                    event=event,
                    observed=figures(facts, event),
                    fix=Fix(title="Pass the answer as a tensor", safety=Safety.MANUAL),
                )
