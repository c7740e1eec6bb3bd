"""GD514."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.recording.format import Made
from graphdoctor.refactoring.tapes.lifetime import deleted_after_use, tape_in_loop
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule


class PersistentTapeKept(Rule):
    """A persistent tape in a loop keeps the intermediate results of a step until the next iteration.

    What it finds
    `tf.GradientTape(persistent=True)` in a loop of eager code, never deleted in the loop.

    Why it matters
    A persistent tape frees nothing after `gradient`. What follows in the loop (validation, saving, loading
    the next batch) runs while all results of the step are still in memory. Measured on 2.21: the old tape is
    freed when the next `with` opens, so the steps do not add up. A tape with one `gradient` call does not
    need `persistent=True`.

    How to fix it
    `del tape` after the last `gradient` call. (Marked unsafe: code after the loop may still use the tape.)

    When to leave it
    When the step is small, or nothing large follows it in the loop. In a function the tape is freed at the
    end.
    """

    id = "GD514"
    severity = Severity.NOTE
    examples = (
        Example(
            bad="""
                import gc

                import tensorflow as tf

                x = tf.Variable(3.0)
                for step in range(2):
                    print(sum(isinstance(value, tf.GradientTape) for value in gc.get_objects()))
                    with tf.GradientTape(persistent=True) as tape:
                        y = x * x
                        z = y * y
                    tape.gradient(y, x)
                    tape.gradient(z, x)
                """,
            good="""
                import gc

                import tensorflow as tf

                x = tf.Variable(3.0)
                for step in range(2):
                    print(sum(isinstance(value, tf.GradientTape) for value in gc.get_objects()))
                    with tf.GradientTape(persistent=True) as tape:
                        y = x * x
                        z = y * y
                    tape.gradient(y, x)
                    tape.gradient(z, x)
                    del tape
                """,
            output=("0\n1", "0\n0"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for event in facts.of(Made):
            kept = event.what == "tape" and event.options.get("kept") == "True" and not event.trace
            if not kept or event.place is None or event.frame is None or not event.frame.loops:
                continue
            span = facts.span(event.place)
            module = facts.sources.module(span.path)
            tape = tape_in_loop(module, span) if module is not None else None
            name = f"`{tape.name}`" if tape else "this tape"
            yield self.finding(
                span,
                f"{name} keeps the results of the step in memory until the next iteration",
                event=event,
                fix=offer(f"Delete `{tape.name}` when done", deleted_after_use(module, tape))
                if tape is not None and module is not None
                else None,
            )
