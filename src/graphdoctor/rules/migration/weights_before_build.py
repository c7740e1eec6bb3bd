"""GD753."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Example, FailureText, Rule


class WeightsBeforeBuild(Rule):
    """Weights are saved or loaded before the model has any.

    What it finds
    In a run: `save_weights` or `load_weights` of a model that was never called or built.

    Why it matters
    Layers make their variables at the first call. Before it there is nothing to save, and nothing to load
    into.

    How to fix it
    Call the model on one batch first, or give it a `build()` that builds its layers and call that.

    When to leave it
    Never: it raises.
    """

    id = "GD753"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"You are (saving|loading weights into) a model that has not yet been built",
            meaning="the model has no weights yet: nothing has called or built it",
            order="Build the model first",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras

                net = keras.Sequential([keras.layers.Dense(2)])
                net.save_weights("net.weights.h5")
                """,
            good="""
                import keras

                net = keras.Sequential([keras.layers.Dense(2)])
                net.build([None, 3])
                net.save_weights("net.weights.h5")
                """,
            raises="ValueError",
        ),
    )
