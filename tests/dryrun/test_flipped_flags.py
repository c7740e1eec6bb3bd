"""A flag that traced code asks and then iterations: what Python does once, and what the graph keeps."""

from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

HEAD = "import keras\nimport tensorflow as tf\n"
RIGHT = {
    "layers that are made at the first call": """
        class Lazy(keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.ready = False
            def call(self, inputs):
                if not self.ready:
                    self.scale = self.add_weight(shape=())
                    self.ready = True
                return inputs * self.scale
        """,
    "a check that stands once in the graph": """
        class Checked(keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.checked = False
            def call(self, inputs):
                if not self.checked:
                    tf.debugging.assert_all_finite(inputs, "finite")
                    self.checked = True
                return inputs * 2.0
        """,
    "both ways compute the same name": """
        class Lazy(keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.ready = False
            def call(self, inputs):
                if not self.ready:
                    self.scale = self.add_weight(shape=())
                    self.ready = True
                    outputs = inputs * self.scale
                else:
                    outputs = inputs * self.scale
                return outputs
        """,
    "a tensor that nobody reads afterwards": """
        class Lazy(keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.ready = False
            def call(self, inputs):
                if not self.ready:
                    width = tf.shape(inputs)[-1]
                    print(width)
                    self.ready = True
                return inputs * 2.0
        """,
    "what is made on the way to a layer": """
        class Lazy(keras.layers.Layer):
            def __init__(self, wide=True):
                super().__init__()
                self.ready, self.wide = False, wide
            def call(self, inputs):
                if not self.ready:
                    self.prepare(tf.shape(inputs)[-1])
                    self.ready = True
                return inputs * self.scale
            def prepare(self, size):
                self.wide = self.wide
                if self.wide:
                    size = size * 2
                print(size)
                self.scale = self.add_weight(shape=())
        """,
    "a flag that the trace does not iteration": """
        class Phase(keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.warm = True
            def call(self, inputs):
                if self.warm:
                    inputs = inputs * 0.1
                    self.warm = True
                return inputs
        """,
    "a graph function that runs once": """
        class Start(tf.Module):
            def __init__(self):
                self.first = True
            @tf.function
            def step(self, x):
                if self.first:
                    x = x * 2.0
                    self.first = False
                return x
        print(Start().step(tf.ones([2])))
        """,
    "eager code": """
        class Start:
            def __init__(self):
                self.first = True
            def step(self, x):
                if self.first:
                    x = x * 2.0
                    self.first = False
                return x
        start = Start()
        for _ in range(3):
            print(start.step(tf.ones([2])))
        """,
    "values that are set outside the graph": """
        class Start(tf.Module):
            def __init__(self):
                self.first, self.mean = True, tf.Variable(0.0)
            @tf.function
            def step(self, x):
                if self.first:
                    with tf.init_scope():
                        self.mean.assign(1.0)
                    self.first = False
                return x - self.mean
        start = Start()
        for _ in range(3):
            print(start.step(tf.ones([2])))
        """,
}
REPORTED = {
    "a loss that only the first trace adds": (
        "GD215 low",
        """
        class Noisy(keras.layers.Layer):
            def build(self, shape):
                self.kernel = self.add_weight(shape=(shape[-1], 3))
                self.added = False
                self.built = True
            def call(self, inputs):
                self.penalty()
                return tf.matmul(inputs, self.kernel)
            def penalty(self):
                if not self.added:
                    self.add_loss(tf.reduce_sum(self.kernel ** 2))
                    self.added = True
        """,
    ),
    "a first step that every call repeats": (
        "GD215 wrong",
        """
        class Start(tf.Module):
            def __init__(self):
                self.first = True
            @tf.function
            def step(self, x):
                if self.first:
                    x = x * 2.0
                    self.first = False
                return x
        start = Start()
        for _ in range(3):
            print(start.step(tf.ones([2])))
        """,
    ),
    "a start that is set at each call": (
        "GD215 wrong",
        """
        class Average(tf.Module):
            def __init__(self):
                self.started, self.mean = False, tf.Variable(0.0)
            @tf.function
            def update(self, x):
                if not self.started:
                    self.mean.assign(x)
                    self.started = True
                self.mean.assign(0.9 * self.mean + 0.1 * x)
                return self.mean.read_value()
        average = Average()
        for _ in range(3):
            print(average.update(tf.constant(1.0)))
        """,
    ),
}


@pytest.mark.parametrize("program", RIGHT.values(), ids=RIGHT)
def test_what_python_does_once_is_right(program: str) -> None:
    assert [each for each in _reported(program) if each.startswith("GD215")] == []


@pytest.mark.parametrize(("expected", "program"), REPORTED.values(), ids=REPORTED)
def test_what_the_graph_keeps_is_reported(expected: str, program: str) -> None:
    assert expected in _reported(program)


def test_the_message_says_what_goes_on() -> None:
    _, program = REPORTED["a first step that every call repeats"]
    (finding,) = check_module(parse_module("program.py", HEAD + cleandoc(program) + "\n"), Config())
    assert finding.message == (
        "`Start.step` changes `self.first` while it is traced: calls of this trace use True, the next trace "
        "starts with False"
    )
    assert [(each.line, each.message) for each in finding.related] == [(10, "`self.first` changes here")]


def _reported(program: str) -> list[str]:
    found = check_module(parse_module("program.py", HEAD + cleandoc(program) + "\n"), Config())
    return [f"{f.rule} {f.severity.value.lower() if f.is_shown else 'low'}" for f in found]
