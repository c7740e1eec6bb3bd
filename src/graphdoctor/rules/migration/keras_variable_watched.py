"""GD750."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Example, FailureText, Rule


class KerasVariableWatched(Rule):
    """A tape cannot watch the variables of Keras 3.

    What it finds
    In a run: `tape.watch(…)` that is given variables of a Keras 3 layer or model and raises.

    Why it matters
    A Keras 3 variable wraps a `tf.Variable` but is not one. `tape.watch` accepts only TensorFlow's variables
    and tensors and raises ValueError.

    How to fix it
    Remove the line: a tape watches trainable variables by itself. With `watch_accessed_variables=False`,
    watch `variable.value`.

    When to leave it
    Never: it raises.
    """

    id = "GD750"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Passed in object .* of type 'Variable', not tf\.Tensor or tf\.Variable",
            meaning="a tape cannot watch a Keras 3 variable; it watches trainable variables automatically",
            order="Remove `tape.watch`",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf

                net = keras.Sequential([keras.Input([3]), keras.layers.Dense(2)])
                with tf.GradientTape() as tape:
                    tape.watch(net.trainable_variables)
                    loss = tf.reduce_sum(net(tf.ones([1, 3])))
                tape.gradient(loss, net.trainable_variables)
                """,
            good="""
                import keras
                import tensorflow as tf

                net = keras.Sequential([keras.Input([3]), keras.layers.Dense(2)])
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(net(tf.ones([1, 3])))
                tape.gradient(loss, net.trainable_variables)
                """,
            raises="ValueError",
        ),
    )
