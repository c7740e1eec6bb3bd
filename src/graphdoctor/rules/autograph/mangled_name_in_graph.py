"""GD320."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.refactoring.control_flow.private_names import unmangled
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import blocking, body_at, first_decisions, function_at, span_at, text_at


class MangledNameInGraph(Rule):
    """AutoGraph does not convert a method that uses a name with two leading underscores.

    What it finds
    `self.__name` in a method that is traced with AutoGraph and has an `if`, `while` or `for` on a
    tensor.

    Why it matters
    Python mangles such names inside a class (`_Class__name`). AutoGraph does not: it leaves the whole method
    unconverted with a warning, and its tensor conditions raise OperatorNotAllowedInGraphError.

    How to fix it
    Use one underscore: `self._name`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD320"
    severity = Severity.ERROR
    reasons = ("mangled-name",)
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                class Scaler:
                    def __init__(self):
                        self.__factor = 2.0

                    @tf.function
                    def scale(self, x):
                        if tf.reduce_sum(x) > 1.0:
                            x = x * self.__factor
                        return x


                scaler = Scaler()
                print(scaler.scale(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                class Scaler:
                    def __init__(self):
                        self._factor = 2.0

                    @tf.function
                    def scale(self, x):
                        if tf.reduce_sum(x) > 1.0:
                            x = x * self._factor
                        return x


                scaler = Scaler()
                print(scaler.scale(tf.ones([2])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in first_decisions(facts, "mangled-name"):
            found = body_at(facts, event.blocked_by)
            name = text_at(facts, event.blocked_by).rpartition(".")[2]
            yield self.finding(
                span_at(facts, event, event.blocked_by),
                blocking(event, f"`{name}`"),
                function_at(event),
                event=event,
                fix=offer(f"Name it `{name[1:]}`", unmangled(found[0], name) if found is not None else None),
            )
