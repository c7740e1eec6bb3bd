"""GD759."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Example, FailureText, Rule


class WeightsOfAnotherModel(Rule):
    """The file holds the weights of a model with other layers.

    What it finds
    In a run: `load_weights` or `load_model` of a file whose layers or shapes are not those of the model.

    Why it matters
    Keras 3 matches weights by the structure of the model, and raises ValueError where they do not match.

    How to fix it
    Build the model as it was when the file was written, or load the layers that both have:
    `load_weights(path, skip_mismatch=True)`.

    When to leave it
    Never: it raises.
    """

    id = "GD759"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"A total of (\d+) objects could not be loaded",
            meaning="{0} layers of the model have no weights in the file, which belongs to another model",
            order="Build the model of the file",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras

                net = keras.Sequential([keras.Input([3]), keras.layers.Dense(2)])
                net.save_weights("net.weights.h5")
                other = keras.Sequential([keras.Input([3]), keras.layers.Dense(2), keras.layers.Dense(2)])
                other.load_weights("net.weights.h5")
                """,
            good="""
                import keras

                net = keras.Sequential([keras.Input([3]), keras.layers.Dense(2)])
                net.save_weights("net.weights.h5")
                other = keras.Sequential([keras.Input([3]), keras.layers.Dense(2)])
                other.load_weights("net.weights.h5")
                """,
            raises="ValueError",
        ),
    )
