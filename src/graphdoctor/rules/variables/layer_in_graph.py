"""GD402."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.repair import Eagerly, Repair
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.variables.variable_in_graph import made_again, make_it_once


class LayerInGraph(Rule):
    """A layer, optimizer or metric created in a traced function creates new Variables at each trace.

    What it finds
    `keras.layers.Dense(…)`, `keras.optimizers.Adam(…)`, `keras.metrics.Mean(…)` and others that hold
    Variables, in a traced function, on a path that each trace takes. A layer must also be called there:
    without a call it creates no Variables. Layers that draw random numbers (`Dropout`), random generators and
    moving averages have Variables too.

    Why it matters
    Its weights would be new at each trace, and TensorFlow raises ValueError: "tf.function only supports
    singleton tf.Variables created on the first call".

    How to fix it
    Create it once, in `__init__` or before the function, and use it in the function.

    When to leave it
    Never: it raises when the function is called.
    """

    id = "GD402"
    severity = Severity.ERROR
    repair = Repair(trains=True, eagerly=Eagerly.RENEWED)
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf


                @tf.function
                def project(x):
                    return keras.layers.Dense(2, kernel_initializer="ones")(x)


                print(project(tf.ones([1, 2])).numpy())
                """,
            good="""
                import keras
                import tensorflow as tf


                dense = keras.layers.Dense(2, kernel_initializer="ones")


                @tf.function
                def project(x):
                    return dense(x)


                print(project(tf.ones([1, 2])).numpy())
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        reported: set[object] = set()
        for event, place in made_again(facts):
            if event.what == "variable" or event.outer:
                continue
            span = facts.span(event.made or place)
            function = facts.function_of(event)
            if not {span, place} & reported:  # a model and its layers create their Variables in one call
                reported |= {span, place}
                yield self.finding(
                    span,
                    f"each trace of `{function.name if function else 'the graph'}` creates a new "
                    f"{event.what} with its own Variables",
                    function,
                    event=event,
                    fix=make_it_once(facts, event, event.made or place),
                )
