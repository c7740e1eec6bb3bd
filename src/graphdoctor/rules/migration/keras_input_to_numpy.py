"""GD755."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Example, FailureText, Rule


class KerasInputToNumpy(Rule):
    """A NumPy function gets a KerasTensor, which has no value.

    What it finds
    In a run: a NumPy function that is given what `keras.Input` or a layer called on it returns.

    Why it matters
    While a functional model is built there are no values. Keras 3 raises ValueError.

    How to fix it
    Write it with `keras.ops`, or in the `call` of a layer, or apply it to what the model returns.

    When to leave it
    Never: it raises.
    """

    id = "GD755"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"A KerasTensor is symbolic.*cannot convert it to a NumPy array",
            meaning="NumPy needs values, but a KerasTensor has none",
            order="Use `keras.ops`",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras
                import numpy as np

                inputs = keras.Input([3])
                outputs = np.mean(inputs)
                """,
            good="""
                import keras
                import numpy as np

                inputs = keras.Input([3])
                outputs = keras.ops.mean(inputs)
                """,
            raises="ValueError",
        ),
    )
