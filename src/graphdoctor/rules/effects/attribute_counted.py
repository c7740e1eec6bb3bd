"""GD204."""

from collections.abc import Iterator

from graphdoctor.model import Finding, FunctionRef, Severity, Span
from graphdoctor.refactoring.variables.python_values import needs_python_value
from graphdoctor.rules.effects.kept import deferring, variable_fix
from graphdoctor.rules.effects.side_effects import counts_in_test, figures, repeated_effects
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule

NUMBERS = ("int", "float", "number")
HARMLESS = {"call", "calls", "name", "names", "id", "uid", "index"}  # counts of calls, numbers for names


class AttributeCounted(Rule):
    """A Python counter in an attribute is incremented once per trace, not once per call.

    What it finds
    `self.steps += 1` in a traced method, where the attribute holds a Python number and is read elsewhere.

    Why it matters
    The addition is Python and runs only while tracing. After a thousand calls the attribute is 1, and the
    graph uses the value that it had during the trace.

    How to fix it
    Make it a `tf.Variable` in `__init__` and use `assign_add`; or count outside the function. In a learning
    rate schedule use the `step` argument, and `keras.ops.where` instead of `if`.

    When to leave it
    When you count traces: an attribute with `trac` in its name is not reported. Nor is one whose only readers
    increment it themselves at each call.
    """

    id = "GD204"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                class Trainer:
                    def __init__(self):
                        self.steps = 0

                    @tf.function
                    def train(self, x):
                        self.steps += 1
                        return x * 2.0


                trainer = Trainer()
                for _ in range(3):
                    trainer.train(tf.ones([2]))
                print(trainer.steps)
                """,
            good="""
                import tensorflow as tf


                class Trainer:
                    def __init__(self):
                        self.steps = tf.Variable(0, trainable=False)

                    @tf.function
                    def train(self, x):
                        self.steps.assign_add(1)
                        return x * 2.0


                trainer = Trainer()
                for _ in range(3):
                    trainer.train(tf.ones([2]))
                print(trainer.steps.numpy())
                """,
            output=("1", "3"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in repeated_effects(facts, "attribute"):
            numbers = all(value is not None and value.type in NUMBERS for value in (*event.values, event.old))
            if not event.counted or not numbers or event.read is None:
                continue
            if _is_harmless(event.name) or counts_in_test(event):
                continue
            span = facts.span(event.chain[-1].place)
            fix, alternatives = variable_fix(facts, span, (*event.values, event.old), (event.read,))
            if _stays_python(facts, span, function):
                fix, alternatives = offer(fix.title, None), ()
            yield self.finding(
                span,
                f"`{event.name}` is incremented only while `{function.name}` is traced, not at each call",
                function,
                event=event,
                observed=figures(facts, event),
                fix=fix,
                alternatives=(*alternatives, *deferring(facts, span)),
            )


def _stays_python(facts: Facts, span: Span, function: FunctionRef) -> bool:
    """Whether a Variable would raise: Keras calls the code unconverted, and a Python `if` reads the count."""
    found = facts.sources.expression_at(span)
    return found is not None and needs_python_value(*found, by_keras=":" in function.name)


def _is_harmless(name: str) -> bool:
    attribute = name.rpartition(".")[2].lower()
    return "trac" in attribute or bool(HARMLESS & set(attribute.split("_")))
