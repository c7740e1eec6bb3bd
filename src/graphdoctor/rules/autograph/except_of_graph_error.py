"""GD328."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.refactoring.wrappers.caught_errors import caught_in_python
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at, function_at, span_at

TITLE = "Run it in `tf.py_function`"


class ExceptOfGraphError(Rule):
    """`try`/`except` in a traced function does not catch errors of the running graph.

    What it finds
    `except tf.errors.InvalidArgumentError` (or a similar error) in a traced function, around operations of
    TensorFlow.

    Why it matters
    The `try` runs while tracing, when no operation computes anything. The error is raised later, when the
    graph runs, outside the `try`: it is never caught.

    How to fix it
    Catch the error where the `tf.function` is called, or test with an operation before. A helper that must
    continue after the error can run in `tf.py_function`: there Python catches the error at each call.

    When to leave it
    When the error is raised by Python code while tracing.
    """

    id = "GD328"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def pick(x, index):
                    try:
                        return tf.gather(x, index)
                    except tf.errors.InvalidArgumentError:
                        return tf.constant(0.0)


                print(pick(tf.ones([2]), tf.constant(7)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def pick(x, index):
                    return tf.gather(x, index)


                try:
                    print(pick(tf.ones([2]), tf.constant(7)).numpy())
                except tf.errors.InvalidArgumentError:
                    print(0.0)
                """,
            raises="InvalidArgumentError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(Staging):
            if event.reason != "graph-error" or event.conflict is None or not event.chain:
                continue
            name = event.conflict.name
            fix, alternatives = _fixes(facts, event)
            yield self.finding(
                span_at(facts, event),
                f"`{name}` is raised when the graph runs, but this `except` is active only while tracing",
                function_at(event),
                event=event,
                fix=fix,
                alternatives=alternatives,
            )


def _fixes(facts: Facts, event: Staging) -> tuple[Fix | None, tuple[Fix, ...]]:
    """Python catches it, run by the graph: the possible shapes of its result."""
    found = body_at(facts, event.chain[-1].place)
    ways = caught_in_python(facts.sources.modules, found[0]) if found is not None else []
    fixes = [Fix(title=TITLE, safety=Safety.UNSAFE, edits=edits) for edits in ways]
    return (fixes[0], tuple(fixes[1:])) if fixes else (None, ())
