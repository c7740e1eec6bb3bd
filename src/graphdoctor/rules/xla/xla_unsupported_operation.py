"""GD901."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import MUST, SEEN, LibraryCall
from graphdoctor.rewriting.options import without_option
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.telling import at, called_text, function_at

UNSUPPORTED = {"tensorflow.print", "tensorflow.py_function", "tensorflow.numpy_function"} | {
    f"tensorflow.strings.{name}" for name in ("as_string", "format", "join", "split", "length")
}


class XlaUnsupportedOperation(Rule):
    """XLA has no `tf.print`, no Python calls and no strings: compiling the function fails.

    What it finds
    `tf.print`, `tf.py_function`, `tf.numpy_function` or an operation of `tf.strings` in a function with
    `jit_compile=True`, or in a function that it calls.

    Why it matters
    XLA compiles the function as a whole. An operation it does not have raises InvalidArgumentError:
    "Detected unsupported operations when trying to compile graph".

    How to fix it
    Take the operation out of the compiled function: return the value and print it outside.

    When to leave it
    Never: it raises when the function is called.
    """

    id = "GD901"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(jit_compile=True)
                def double(x):
                    tf.print("x", x)
                    return x * 2.0


                double(tf.ones([2]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    tf.print("x", x)
                    return x * 2.0


                double(tf.ones([2]))
                """,
            raises="InvalidArgumentError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(LibraryCall):
            if event.compiled and event.name in UNSUPPORTED and event.reached in (MUST, SEEN):
                yield self.finding(
                    facts.span(at(event)),
                    f"XLA cannot compile `{called_text(facts, event) or event.name}`",
                    function_at(event),
                    event=event,
                    fix=_fix(facts, event),
                )


def _fix(facts: Facts, event: LibraryCall) -> Fix:
    """The function that XLA compiles, without it: it is the one that is traced."""
    history = facts.history_of(event)
    function = facts.sources.function(history.function) if history is not None else None
    edit = without_option(function, "jit_compile") if function is not None else None
    return offer("Drop `jit_compile`", edit)
