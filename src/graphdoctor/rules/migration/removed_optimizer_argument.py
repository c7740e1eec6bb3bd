"""GD758."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Example, FailureText, Rule


class RemovedOptimizerArgument(Rule):
    """An optimizer of Keras 3 does not take this argument.

    What it finds
    In a run: an optimizer that is made with an argument that Keras 3 has removed, as `lr`.

    Why it matters
    Keras 3 raises ValueError. (`decay` is not refused by Keras 3.15: it warns and goes on without.)

    How to fix it
    `learning_rate` for `lr`; a schedule of `keras.optimizers.schedules` for `decay`.

    When to leave it
    Never: it raises.
    """

    id = "GD758"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Argument\(s\) not recognized: \{'(\w+)'",
            meaning="an optimizer of Keras 3 does not take `{0}`",
            order="Use the argument of Keras 3",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras

                keras.optimizers.Adam(lr=0.001)
                """,
            good="""
                import keras

                keras.optimizers.Adam(learning_rate=0.001)
                """,
            raises="ValueError",
        ),
    )
