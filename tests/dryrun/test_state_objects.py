"""Variables, layers and optimizers in traced code: what is made again, and what an optimizer is used for."""

import pytest
from tests.dryrun.events import events_of

from graphdoctor.recording.format import Applied, Made

HEAD = "import tensorflow as tf\n"
SILENT = {
    "a variable kept in the object": """
        class Scaler:
            def __init__(self):
                self.factor = None
            @tf.function
            def scale(self, x):
                if self.factor is None:
                    self.factor = tf.Variable(1.0)
                return x * self.factor
        Scaler().scale(tf.ones([2]))
        """,
    "a layer that the first call builds": """
        dense = tf.keras.layers.Dense(2)
        @tf.function
        def project(x):
            return dense(x)
        project(tf.ones([1, 2]))
        project(tf.ones([3, 2]))
        """,
    "a decorator that is unknown": """
        from elsewhere import once
        @once
        def make():
            return tf.Variable(1.0)
        @tf.function
        def scale(x):
            return x * make()
        scale(tf.ones([2]))
        """,
    "an unknown condition": """
        @tf.function
        def scale(x, ready):
            if ready:
                return x
            return x * tf.Variable(1.0)
        def run(x, ready):
            scale(x, ready)
        """,
    "an optimizer that was built before": """
        weight = tf.Variable(1.0)
        @tf.function
        def step(optimizer):
            optimizer.apply_gradients([(tf.constant(1.0), weight)])
        for rate in (0.1, 0.2):
            optimizer = tf.keras.optimizers.Adam(rate)
            optimizer.build([weight])
            step(optimizer)
        """,
}
MADE_AGAIN = {
    "a helper's variable": (
        ("variable", False),
        """
        def make():
            return tf.Variable(1.0)
        @tf.function
        def scale(x):
            return x * make()
        scale(tf.ones([2]))
        """,
    ),
    "a default that is made in the body": (
        ("variable", False),
        """
        def scale(x, factor=None):
            factor = tf.Variable(1.0) if factor is None else factor
            return x * factor
        graph = tf.function(scale)
        graph(tf.ones([2]))
        """,
    ),
    "a layer class of the project": (
        ("layer", False),
        """
        class Project(tf.keras.layers.Layer):
            def build(self, shape):
                self.kernel = self.add_weight(shape=(2, 2))
            def call(self, x):
                return x @ self.kernel
        @tf.function
        def run(x):
            return Project()(x)
        run(tf.ones([1, 2]))
        """,
    ),
    "a second layer as argument": (
        ("layer", True),
        """
        @tf.function
        def run(layer, x):
            return layer(x)
        for size in (1, 2):
            run(tf.keras.layers.Dense(size), tf.ones([1, 2]))
        """,
    ),
    "a second optimizer in an attribute": (
        ("optimizer", True),
        """
        class Trainer:
            def __init__(self):
                self.weight = tf.Variable(1.0)
                self.optimizer = tf.keras.optimizers.Adam()
            @tf.function
            def step(self, scale):
                self.optimizer.apply_gradients([(tf.constant(1.0), self.weight)])
        trainer = Trainer()
        trainer.step(1)
        trainer.optimizer = tf.keras.optimizers.SGD(momentum=0.9)
        trainer.step(2)
        """,
    ),
}


def made_again(text: str) -> list[tuple[str, bool]]:
    return [(event.what, event.outer) for event in events_of(HEAD + _body(text), Made) if event.anew]


@pytest.mark.parametrize("name", SILENT)
def test_what_is_made_once_is_left_alone(name: str) -> None:
    assert made_again(SILENT[name]) == []


@pytest.mark.parametrize("name", MADE_AGAIN)
def test_what_a_later_trace_makes(name: str) -> None:
    expected, text = MADE_AGAIN[name]
    assert made_again(text) == [expected]


TWO_MODELS = """
    optimizer = tf.keras.optimizers.Adam()
    def train(model):
        model.compile(optimizer, "mse")
        model.fit(tf.ones([4, 2]), tf.ones([4, 1]))
    for size in (1, 2):
        train(tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)]))
    """


def uses_of(text: str, what: str) -> int:
    return sum(event.what == what for event in events_of(HEAD + _body(text), Applied))


def test_an_optimizer_of_two_models() -> None:
    assert uses_of(TWO_MODELS, "other variables") == 1


def test_an_optimizer_for_each_model() -> None:
    text = TWO_MODELS.replace("compile(optimizer", "compile(tf.keras.optimizers.Adam()")
    assert uses_of(text, "other variables") == 0


def _body(text: str) -> str:
    import inspect

    return inspect.cleandoc(text) + "\n"
