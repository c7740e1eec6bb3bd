"""GD330."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import function_at, refusals, span_at, text_at


class ComprehensionOverTensor(Rule):
    """A comprehension cannot iterate over a tensor: AutoGraph does not convert it.

    What it finds
    A list, set or dict comprehension or a generator expression over a tensor, in a traced function.

    Why it matters
    AutoGraph converts `for` statements, not comprehensions. Python then asks the symbolic tensor for
    its elements: OperatorNotAllowedInGraphError.

    How to fix it
    Work on the whole tensor, use `tf.map_fn`, or iterate over `tf.unstack(x)`, which needs a length
    that is known while tracing.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD330"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"[Ii]terating over a symbolic `?tf\.Tensor`?",
            meaning="Python itself loops over a tensor here, which has no values while it is traced",
            order="Use `tf.map_fn` or `tf.unstack`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def squares(x):
                    return tf.stack([value * value for value in tf.abs(x)])


                print(squares(tf.constant([1.0, 2.0])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def squares(x):
                    return tf.stack([value * value for value in tf.unstack(tf.abs(x))])


                print(squares(tf.constant([1.0, 2.0])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in refusals(facts, "comprehension", "comprehension-if"):
            tensor = text_at(facts, event.chain[-1].place)
            does = "iterate over" if event.reason == "comprehension" else "choose by"
            yield self.finding(
                span_at(facts, event),
                f"a comprehension cannot {does} the tensor `{tensor}`",
                function_at(event),
                event=event,
                fix=Fix(title="Use `tf.map_fn`", safety=Safety.MANUAL),
            )
