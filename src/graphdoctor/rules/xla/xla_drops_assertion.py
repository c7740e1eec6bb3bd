"""GD903."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.recording.format import LibraryCall
from graphdoctor.rules.event_places import at, called_text, function_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule

OPTIONS = ("message", "summarize", "name", "data")
# Those of types, ranks and shapes are evaluated while tracing.
ASSERTIONS = {"tensorflow.Assert", "tensorflow.debugging.Assert"} | {
    f"tensorflow.debugging.assert_{name}"
    for name in (
        "equal", "none_equal", "near", "less", "less_equal", "greater", "greater_equal", "positive",
        "negative", "non_negative", "non_positive", "all_finite", "integer",
    )
}  # fmt: skip


class XlaDropsAssertion(Rule):
    """XLA removes assertions: invalid values pass unnoticed.

    What it finds
    `tf.debugging.assert_*`, `tf.debugging.Assert` or `tf.Assert` on the values of a tensor, in a function
    with `jit_compile=True` or one of the same file that it calls.

    Why it matters
    XLA cannot raise from compiled code. It compiles the function without the assertion and without a warning
    (TensorFlow 2.21).

    How to fix it
    Check before calling the function, or return the condition and check it outside.

    When to leave it
    When the assertion is only for runs without XLA.
    """

    id = "GD903"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def root(x):
                    tf.debugging.assert_non_negative(x)
                    return x + 1.0


                print(root(tf.constant(-1.0)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def root(x):
                    return x + 1.0


                x = tf.constant(1.0)
                tf.debugging.assert_non_negative(x)
                print(root(x).numpy())
                """,
            output=("0.0", "2.0"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(LibraryCall):
            if event.compiled and event.name in ASSERTIONS and _is_of_values(event):
                yield self.finding(
                    facts.span(at(event)),
                    f"XLA removes `{called_text(facts, event) or event.name}` from the compiled function",
                    function_at(event),
                    event=event,
                )


def _is_of_values(event: LibraryCall) -> bool:
    """Whether a tensor's values decide; numbers, sizes and ranks are compared while tracing."""
    kinds = ("tensor", "variable", "unknown")
    given = [argument for argument in event.arguments if argument.path not in OPTIONS]
    tensors = [argument for argument in given if argument.kind in kinds]
    return bool(tensors) and all(argument.text != "settled" for argument in tensors)
