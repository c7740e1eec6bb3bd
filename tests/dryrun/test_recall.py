"""Mechanisms that repairs showed to be missing (docs/recall): right programs, then what is told."""

from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

HEAD = "import keras\nfrom keras import ops\nimport sonnet as snt\nimport tensorflow as tf\n"
RIGHT = {
    "a metric whose state decides nothing in Python": """
        class Ratio(keras.metrics.Metric):
            def result(self):
                return tf.where(self.count == 0, 0.0, self.total / self.count)
        """,
    "a result that is no metric's": """
        class Search(keras.Model):
            def result(self):
                score = tf.reduce_sum(tf.ones([3]))
                return 1 if score > 2.0 else 0
        """,
    "a metric that a setting decides": """
        class Ratio(keras.metrics.Metric):
            def __init__(self, mean=True):
                super().__init__()
                self.mean = mean
                self.count = self.add_weight(name="count")
            def result(self):
                if self.mean:
                    return self.count / 2.0
                return self.count
        """,
    "a metric that keeps a tensor for its result, which the same step asks for": """
        class Last(keras.metrics.Metric):
            def __init__(self):
                super().__init__()
                self.last = tf.Variable(0.0)
            def update_state(self, y_true, y_pred, sample_weight=None):
                self.last = tf.reduce_mean(y_pred)
            def result(self):
                return self.last
        """,
    "the length of what may be a list": """
        class Pair(keras.layers.Layer):
            def call(self, inputs):
                assert len(inputs) == 2
                return inputs[0] + inputs[1]
        """,
    "the length of a static shape": """
        class Depth(keras.layers.Layer):
            def call(self, inputs):
                return tf.reshape(inputs, [1] * len(inputs.shape))
        """,
    "a length that AutoGraph converts": """
        @tf.function
        def ones(x):
            return [1] * len(tf.shape(x))
        ones(tf.ones([2, 3]))
        """,
    "the length of a tensor that has a value": """
        table = tf.ones([3])
        @tf.function(autograph=False)
        def scale(x):
            return x * len(table)
        scale(tf.ones([3]))
        """,
    "a module that reads values is for eager code": """
        class Plot(tf.Module):
            def __call__(self, x):
                height, width = tf.shape(x).numpy()
                return height
        """,
    "a module that the program calls eagerly": """
        class Sizes(tf.Module):
            def __call__(self, x):
                height, width = tf.shape(x)
                return height
        print(Sizes()(tf.ones([2, 3])))
        """,
    "a module's other methods": """
        class Sizes(tf.Module):
            def show(self, x):
                height, width = tf.shape(x)
                return height
        """,
}
TOLD = {
    "a metric that asks its state, if it is traced": (
        "GD701 note",
        """
        class Ratio(keras.metrics.Metric):
            def __init__(self):
                super().__init__()
                self.count = self.add_weight(name="count")
            def result(self):
                if self.count == 0:
                    return 0.0
                return 1.0 / self.count
        """,
    ),
    "a metric that asks its state, and is trained with": (
        "GD701 error",
        """
        class Ratio(keras.metrics.Metric):
            def __init__(self):
                super().__init__()
                self.count = self.add_weight(name="count")
            def update_state(self, y_true, y_pred, sample_weight=None):
                self.count.assign(self.count + 1.0)
            def result(self):
                if self.count == 0:
                    return 0.0
                return 1.0 / self.count
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse", metrics=[Ratio()])
        model.fit(tf.ones([4, 3]), tf.ones([4, 1]))
        """,
    ),
    "the length of a tensor in code that is not converted": (
        "GD601 error",
        """
        @tf.function(autograph=False)
        def scale(x):
            return x * len(tf.shape(x))
        scale(tf.ones([2, 3]))
        """,
    ),
    "the same in a layer of Keras 3": (
        "GD601 error",
        """
        class Depth(keras.layers.Layer):
            def call(self, inputs):
                return tf.reshape(inputs, [-1] + [1] * (len(tf.shape(inputs)) - 1))
        model = keras.Sequential([Depth()])
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 1]), tf.ones([4, 1]))
        """,
    ),
    "a module's call that fails whenever it is traced": (
        "GD332 note",
        """
        class Policy(snt.Module):
            def __call__(self, inputs):
                samples, batch = tf.shape(inputs)[:2]
                return tf.zeros([samples, batch])
        """,
    ),
}


@pytest.mark.parametrize("program", RIGHT.values(), ids=RIGHT)
def test_nothing_is_told_of_what_is_right(program: str) -> None:
    assert _told(program) == []


@pytest.mark.parametrize(("expected", "program"), TOLD.values(), ids=TOLD)
def test_what_a_repair_mended_is_told(expected: str, program: str) -> None:
    assert expected in _told(program)


def _told(program: str) -> list[str]:
    found = check_module(parse_module("program.py", HEAD + cleandoc(program) + "\n"), Config())
    return [f"{finding.rule} {finding.severity.value.lower()}" for finding in found]
