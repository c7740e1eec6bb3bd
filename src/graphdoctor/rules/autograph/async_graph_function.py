"""GD324."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.recording.format import Made
from graphdoctor.recording.places import function_of
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import span_at


class AsyncGraphFunction(Rule):
    """A coroutine cannot be a `tf.function`.

    What it finds
    `async def` decorated with `tf.function`, or given to it.

    Why it matters
    Calling an `async` function only creates a coroutine object; TensorFlow raises TypeError: "must return
    zero or more Tensors".

    How to fix it
    Make the `tf.function` a plain `def`, and call it from the coroutine.

    When to leave it
    Never: it raises when the function is called.
    """

    id = "GD324"
    severity = Severity.ERROR
    reasons = ("async",)
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                async def double(x):
                    return x * 2.0


                double(tf.ones([2])).close()
                """,
            good="""
                import asyncio

                import tensorflow as tf


                @tf.function
                def double(x):
                    return x * 2.0


                async def serve(x):
                    return double(x)


                asyncio.run(serve(tf.ones([2])))
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(Made):
            if "coroutine" not in event.options or event.definition is None or not event.chain:
                continue
            yield self.finding(
                span_at(facts, event),
                f"`{event.definition.name}` is a coroutine, which cannot be a `tf.function`",
                function_of(event.definition),
                event=event,
            )
