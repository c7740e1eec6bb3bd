"""GD320."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.unconverted import first_decision, mangled_names


class MangledNameInGraph(Rule):
    """AutoGraph does not convert a method that uses a name with two leading underscores.

    What it finds
    `self.__name` in a method that is traced with AutoGraph and has an `if`, `while` or `for` on a
    tensor.

    Why it matters
    Python changes such names inside a class (`_Class__name`). AutoGraph cannot, gives up on the whole
    method with a warning, and its tensor conditions raise OperatorNotAllowedInGraphError.

    How to fix it
    One underscore: `self._name`.

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

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            decision = first_decision(body)
            for node in mangled_names(body) if decision is not None else ():
                assert decision is not None
                yield self.finding_in(
                    body,
                    node,
                    f"`{node.attr}` keeps AutoGraph from converting `{body.name}`, whose "
                    f"{decision.what} on line {getattr(decision.node, 'lineno', 0)} needs it",
                    fix=Fix(title=f"Name it `{node.attr[1:]}`", safety=Safety.MANUAL),
                )
                break
