"""GD752."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Example, FailureText, Rule


class NumpyIntegerAsSize(Rule):
    """Keras 3 does not accept a NumPy integer as the size of a layer.

    What it finds
    In a run: a layer that rejects a positive number as its size because it is not a Python `int`.

    Why it matters
    `Dense(data.max() + 1)` gives a NumPy integer. Keras 3 tests for `int`, and its message shows a number
    that looks right.

    How to fix it
    Write `int(…)` around it.

    When to leave it
    Never: it raises.
    """

    id = "GD752"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"invalid value for `(\w+)`, expected a positive integer\. Received: \w+=([1-9]\d*)$",
            meaning="`{0}` is {1}, but not a Python `int`, which Keras 3 requires",
            order="Write `int(…)` around it",
        ),
        FailureText(
            pattern=r"`(\w+)` must be a positive integer\. Received: \w+=([1-9]\d*) \(of type u?int\d+\)",
            meaning="`{0}` is {1}, but not a Python `int`, which Keras 3 requires",
            order="Write `int(…)` around it",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras
                import numpy as np

                keras.layers.Dense(np.max([1, 4]))
                """,
            good="""
                import keras
                import numpy as np

                keras.layers.Dense(int(np.max([1, 4])))
                """,
            raises="ValueError",
        ),
    )
