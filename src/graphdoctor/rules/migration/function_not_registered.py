"""GD754."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Example, FailureText, Rule


class FunctionNotRegistered(Rule):
    """Keras 3 cannot find the function of a layer that is cloned or loaded.

    What it finds
    In a run: `clone_model` or `load_model` of a model with a `Lambda` layer whose function is a Python
    lambda, or is not registered.

    Why it matters
    Both create the layers again from their configuration, which holds a function by its name. Keras 3 does
    not load a lambda from a file unless the file is marked as trusted.

    How to fix it
    Write a layer class, or define the function by `def` under `@keras.saving.register_keras_serializable()`.
    For a file that you trust: `load_model(path, safe_mode=False)`.

    When to leave it
    Never: it raises.
    """

    id = "GD754"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"deserialization of a `Lambda` layer whose `function` is a Python lambda",
            meaning="Keras 3 cannot create a `Lambda` layer again from a Python lambda",
            order="Register a function with a name",
        ),
        FailureText(
            pattern=r"Could not locate (function|class) '([^']+)'\. Make sure custom classes",
            meaning="Keras does not find the {0} `{1}`, which is not registered",
            order="Register it with Keras",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras

                inputs = keras.Input([3])
                net = keras.Model(inputs, keras.layers.Lambda(lambda x: x * 2)(inputs))
                keras.models.clone_model(net)
                """,
            good="""
                import keras


                @keras.saving.register_keras_serializable()
                def double(x):
                    return x * 2


                inputs = keras.Input([3])
                net = keras.Model(inputs, keras.layers.Lambda(double)(inputs))
                keras.models.clone_model(net)
                """,
            raises="ValueError",
        ),
    )
