"""GD751."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Example, FailureText, Rule


class TrainingByPosition(Rule):
    """Keras 3 accepts only tensors as positional arguments: `training` must be a keyword.

    What it finds
    In a run: a layer or model that is called with `True`, `False` or another value that is no tensor by
    position.

    Why it matters
    `model(x, True)` worked with Keras 2. Keras 3 raises ValueError before `call` runs.

    How to fix it
    Write `model(x, training=True)`.

    When to leave it
    Never: it raises.
    """

    id = "GD751"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Only input tensors may be passed as positional arguments\. .*: (\S+) \(of type",
            meaning="Keras 3 accepts only tensors as positional arguments, but `{0}` is not a tensor",
            order="Pass it by its name",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf

                net = keras.Sequential([keras.Input([3]), keras.layers.Dense(2)])
                net(tf.ones([1, 3]), True)
                """,
            good="""
                import keras
                import tensorflow as tf

                net = keras.Sequential([keras.Input([3]), keras.layers.Dense(2)])
                net(tf.ones([1, 3]), training=True)
                """,
            raises="ValueError",
        ),
    )
