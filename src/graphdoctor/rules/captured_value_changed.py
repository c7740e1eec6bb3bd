"""GD214."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording import History
from graphdoctor.rules import stale
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import related
from graphdoctor.source.rebinding import stale_globals
from graphdoctor.source.sites import Sources


class CapturedValueChanged(Rule):
    """A global or closure variable changed after the trace that read it, and calls still use the old value.

    What it finds
    From the source: a global number or text that a traced function reads, and that the same file assigns
    again between two calls of it. In a run: a number, text, bool, None or small tuple that a traced
    function, or a function it calls, reads from its module or its closure; that changed after the trace;
    and calls that ran the old graph afterwards. With the value traced, the value now, and the number of
    those calls.

    Why it matters
    The value is read once, while tracing, and becomes a constant of the graph. It is no argument, so
    TensorFlow does not know that it changed: the program goes on with the old one and says nothing.

    How to fix it
    Pass what changes as an argument (as a tensor, or each new value traces again), or keep it in a
    `tf.Variable` and `assign` to it.

    When to leave it
    When the old value is meant: then keep it in a name of its own that nobody assigns to again.
    """

    id = "GD214"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                scale = 1.0


                @tf.function
                def scaled(x):
                    return x * scale


                for scale in (1.0, 2.0, 3.0):
                    print(scaled(tf.constant(1.0)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def scaled(x, scale):
                    return x * scale


                for scale in (1.0, 2.0, 3.0):
                    print(scaled(tf.constant(1.0), tf.constant(scale)).numpy())
                """,
            output=("1.0\n1.0\n1.0", "1.0\n2.0\n3.0"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body, use, change in stale_globals(module):
            yield self.finding_in(
                body,
                use,
                f"`{use.id}` is read while `{body.name}` is traced; its later value is not seen",
                argument=use.id,
                related=(related(module.span(change), f"`{use.id}` is assigned again here"),),
                fix=Fix(title=f"Pass `{use.id}` as an argument", safety=Safety.MANUAL),
            )

    def check_recording(self, history: History, sources: Sources) -> Iterator[Finding]:
        for note in stale.stale_captures(history, "value"):
            yield self.finding(
                sources.expression(note.path, note.line, note.name),
                stale.message(history, note),
                history.function,
                argument=note.name,
                observed=stale.observed(note),
                fix=Fix(title=f"Pass `{note.name}` as an argument", safety=Safety.MANUAL),
            )
