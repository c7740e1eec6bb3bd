"""GD756."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Example, FailureText, Rule


class RemovedFileFormat(Rule):
    """Keras 3 does not write or read this kind of file.

    What it finds
    In a run: `save` without `.keras` or `.h5`, `save_weights` without `.weights.h5`, `load_model` of a
    SavedModel folder.

    Why it matters
    Keras 2 chose the format by itself. Keras 3 raises ValueError, often after the training is done.

    How to fix it
    `model.save("net.keras")`, `model.save_weights("net.weights.h5")`, `model.export(folder)` for a
    SavedModel, and `keras.layers.TFSMLayer(folder)` to run one.

    When to leave it
    Never: it raises.
    """

    id = "GD756"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Invalid filepath extension for saving",
            meaning="Keras 3 saves a model to `.keras` or `.h5`, but the file name has neither extension",
            order="Save to a `.keras` file",
        ),
        FailureText(
            pattern=r"must end in `\.weights\.h5`",
            meaning="Keras 3 saves weights only to a name that ends in `.weights.h5`",
            order="End the name in `.weights.h5`",
        ),
        FailureText(
            pattern=r"File format not supported: .*Keras 3 only supports V3",
            meaning="Keras 3 loads `.keras` and `.h5` files, but not a SavedModel",
            order="Use `keras.layers.TFSMLayer`",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras

                net = keras.Sequential([keras.Input([3]), keras.layers.Dense(2)])
                net.save_weights("net.h5")
                """,
            good="""
                import keras

                net = keras.Sequential([keras.Input([3]), keras.layers.Dense(2)])
                net.save_weights("net.weights.h5")
                """,
            raises="ValueError",
        ),
    )
