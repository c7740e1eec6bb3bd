"""GD212: real programs; must not fire, must fire."""

import inspect

import pytest
from tests.running import TensorFlowServer

from graphdoctor.model import Finding

pytestmark = pytest.mark.tensorflow

HEAD = "import tensorflow as tf\nimport keras\nx = tf.ones([2, 2])\n"


def found(tensorflow: TensorFlowServer, program: str) -> list[Finding]:
    ran = tensorflow.run(HEAD + inspect.cleandoc(program))
    assert ran.error is None, ran.output
    assert ran.recording.problems == ()
    return [f for f in ran.report.findings if f.observed and f.rule == "GD212"]


SILENT = {
    "a local list": """
        @tf.function
        def f(x):
            parts = []
            for i in range(3): parts.append(x * i)
            return tf.add_n(parts)
        f(x)
        """,
    "handed to other code of the same trace": """
        class M(tf.Module):
            def encode(self, x):
                self.kl = tf.reduce_sum(x)
                return x * 2.0
            @tf.function
            def step(self, x):
                return self.encode(x) + self.kl
        m = M(); m.step(x); m.step(tf.ones([3, 2]))
        """,
    "Keras: handed from call to train_step": """
        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = keras.layers.Dense(1)
            def call(self, x):
                self.hidden = self.dense(x)
                return self.hidden
            def train_step(self, data):
                y = self(data[0], training=True)
                return {"loss": tf.reduce_mean(y) + tf.reduce_mean(self.hidden)}
        net = Net(); net.compile("sgd", "mse")
        net.fit(x, x, verbose=0, epochs=2)
        """,
    "Keras: add_loss and metrics": """
        class Layer(keras.layers.Layer):
            def call(self, x):
                self.add_loss(tf.reduce_sum(x))
                return x * 2.0
        net = keras.Sequential([Layer(), keras.layers.Dense(1)])
        net.compile("sgd", "mse", metrics=["mae"])
        net.fit(x, tf.ones([2, 1]), verbose=0, epochs=2)
        net.evaluate(x, tf.ones([2, 1]), verbose=0)
        """,
    "a list made again in each trace": """
        class M(tf.Module):
            @tf.function
            def step(self, x):
                self.skips = []
                self.skips.append(x * 2.0)
                return self.skips[0] + x
        m = M(); m.step(x); m.step(tf.ones([3, 2]))
        """,
    "eager tensors in a list": """
        log = []
        @tf.function
        def f(x): return x * 2.0
        for _ in range(3): log.append(f(x))
        """,
    "a list of layers": """
        layers = [keras.layers.Dense(2), keras.layers.Dense(2)]
        @tf.function
        def f(x):
            for layer in layers: x = layer(x)
            return x
        f(x); f(x)
        """,
    "variables created on the first call": """
        class M(tf.Module):
            def __init__(self): self.v = None
            @tf.function
            def step(self, x):
                if self.v is None: self.v = tf.Variable(x * 0.0 + 1.0)
                return x * self.v
        m = M(); m.step(x); m.step(x)
        """,
    "a graph that is still being made": """
        class M(tf.Module):
            @tf.function
            def inner(self, x): return x + 1.0
            @tf.function
            def step(self, x):
                self.h = x * 2.0
                y = self.inner(x)
                h, self.h = self.h, None
                return y + h
        m = M(); m.step(x)
        print(m.h)
        """,
    "overwritten in the dictionary by each trace": """
        class M(tf.Module):
            def __init__(self): self.parts = {}
            @tf.function
            def step(self, x):
                self.parts["a"] = x * 2.0
                return self.parts["a"] + x
        m = M(); m.step(x); m.step(tf.ones([3, 2]))
        """,
}

LOUD = {
    "a state that stands still": (
        """
        class Cell(tf.Module):
            def __init__(self): self.h = tf.zeros([2, 2])
            @tf.function
            def step(self, x):
                self.h = self.h + x
                return self.h * 1.0
        cell = Cell(); cell.step(x); cell.step(x)
        """,
        "the symbolic tensor `add:0` of `Cell.step` is still in `Cell.h` after its trace",
        8,
    ),
    "a list outside": (
        """
        log = []
        @tf.function
        def f(x):
            y = x * 2.0
            log.append(y)
            return y
        f(x); f(x)
        """,
        "the symbolic tensor `mul:0` of `f` is still in list `log` after its trace",
        8,
    ),
    "a global": (
        """
        last = None
        @tf.function
        def f(x):
            global last
            last = x * 2.0
            return last
        f(x)
        print(last)
        """,
        "the symbolic tensor `mul:0` of `f` is still in global `last` after its trace",
        8,
    ),
    "a cache": (
        """
        cache = {}
        def masks(x):
            if "mask" not in cache: cache["mask"] = x > 0.5
            return cache["mask"]
        @tf.function
        def f(x): return tf.where(masks(x), x, -x)
        f(x)
        """,
        "the symbolic tensor `Greater:0` of `masks` is still in dict `cache` after its trace",
        6,
    ),
    "inside a tuple, in a helper's object": (
        """
        class State: pass
        state = State()
        def keep(x): state.pair = (1, x * 2.0)
        @tf.function
        def f(x):
            keep(x)
            return x
        f(x)
        print(state.pair)
        """,
        "the symbolic tensor `mul:0` of `keep` is still in `State.pair` after its trace",
        6,
    ),
    "a layer's weights of attention": (
        """
        class Attention(keras.layers.Layer):
            def call(self, x):
                self.weights_seen = tf.nn.softmax(x)
                return x * self.weights_seen
        layer = Attention()
        net = keras.Sequential([layer, keras.layers.Dense(1)])
        net.compile("sgd", "mse")
        net.fit(x, tf.ones([2, 1]), verbose=0)
        print(layer.weights_seen)
        """,
        "the symbolic tensor `sequential_1/attention_1/Softmax:0` of `Attention.call` is still in "
        "`Attention.weights_seen` after its trace",
        6,
    ),
}


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_must_not_fire(program: str, tensorflow: TensorFlowServer) -> None:
    assert [finding.message for finding in found(tensorflow, program)] == []


@pytest.mark.parametrize(("program", "message", "line"), LOUD.values(), ids=LOUD)
def test_must_fire(program: str, message: str, line: int, tensorflow: TensorFlowServer) -> None:
    assert [(finding.message, finding.line) for finding in found(tensorflow, program)] == [(message, line)]
