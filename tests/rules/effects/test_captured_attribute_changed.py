"""GD215: real programs; must not fire, must fire."""

import inspect

import pytest
from tests.running import TensorFlowServer

from graphdoctor.model import Finding

pytestmark = pytest.mark.tensorflow

HEAD = "import tensorflow as tf\nimport keras\nx = tf.constant([[1.0]])\n"


def found(tensorflow: TensorFlowServer, program: str) -> list[Finding]:
    ran = tensorflow.run(HEAD + inspect.cleandoc(program))
    assert ran.error is None, ran.output
    assert ran.recording.problems == ()
    return [f for f in ran.report.findings if f.observed and f.rule in ("GD214", "GD215")]


SILENT = {
    "never changed": """
        class M(tf.Module):
            def __init__(self): self.rate = 1.0
            @tf.function
            def step(self, x): return x * self.rate
        m = M(); m.step(x); m.step(x)
        """,
    "an attribute that is not read": """
        class M(tf.Module):
            def __init__(self): self.rate, self.calls = 1.0, 0
            @tf.function
            def step(self, x): return x * self.rate
            def run(self, x):
                self.calls += 1
                return self.step(x)
        m = M(); m.run(x); m.run(x)
        """,
    "set by the traced code": """
        class M(tf.Module):
            def __init__(self): self.n, self.built = 0, False
            @tf.function
            def step(self, x):
                self.n += 1
                if not self.built:
                    self.built = True
                return x * self.n
        m = M(); m.step(x); m.step(x); m.step(tf.ones([2, 2])); m.step(x)
        """,
    "another instance changed": """
        class M(tf.Module):
            def __init__(self): self.rate = 1.0
            @tf.function
            def step(self, x): return x * self.rate
        m, other = M(), M()
        m.step(x); other.step(x)
        other.rate = 5.0
        m.step(x); m.step(x)
        """,
    "a property": """
        class M(tf.Module):
            reads = 0
            @property
            def rate(self):
                M.reads += 1
                return 1.0 * M.reads
            @tf.function
            def step(self, x): return x * self.rate
        m = M(); m.step(x); m.step(x)
        assert M.reads == 1, M.reads
        """,
    "a variable as attribute": """
        class M(tf.Module):
            def __init__(self): self.rate = tf.Variable(1.0)
            @tf.function
            def step(self, x): return x * self.rate
        m = M(); m.step(x); m.rate.assign(2.0); m.step(x)
        """,
    "Keras: what Keras itself changes": """
        class Layer(keras.layers.Layer):
            def build(self, shape): self.w = self.add_weight(shape=(shape[-1], 1))
            def call(self, x):
                assert self.built and self.name
                return x @ self.w
        model = keras.Sequential([Layer(), keras.layers.Dropout(0.5)])
        model.compile("sgd", "mse")
        model.fit(tf.ones([8, 2]), tf.ones([8, 1]), batch_size=2, epochs=2, verbose=0,
                  validation_data=(tf.ones([4, 2]), tf.ones([4, 1])))
        model.evaluate(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)
        model.predict(tf.ones([4, 2]), verbose=0)
        """,
    "Keras: compiled again": """
        class Model(keras.Model):
            def __init__(self): super().__init__(); self.beta = 1.0; self.dense = keras.layers.Dense(1)
            def call(self, x): return self.dense(x) * self.beta
        model = Model()
        for model.beta in (1.0, 2.0):
            model.compile("sgd", "mse")
            model.fit(tf.ones([4, 2]), tf.ones([4, 1]), batch_size=2, verbose=0)
        """,
    "Keras: read in test_step only, then trained on": """
        class Model(keras.Model):
            def __init__(self): super().__init__(); self.flag = 0; self.dense = keras.layers.Dense(1)
            def call(self, x): return self.dense(x)
            def test_step(self, data):
                return {"loss": tf.constant(float(self.flag))}
        model = Model()
        model.compile("sgd", "mse")
        model.evaluate(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)
        model.fit(tf.ones([4, 2]), tf.ones([4, 1]), batch_size=2, verbose=0)
        model.flag = 1
        model.fit(tf.ones([4, 2]), tf.ones([4, 1]), batch_size=2, verbose=0)
        """,
    "a dictionary that the traced code fills": """
        seen = {"n": 0}
        @tf.function
        def f(x):
            seen["n"] = seen["n"] + 1
            return x * seen["n"]
        f(x); f(x); f(tf.ones([2, 2])); f(x)
        """,
    "the object is gone": """
        class M(tf.Module):
            def __init__(self): self.rate = 1.0
            @tf.function
            def step(self, x): return x * self.rate
        for rate in (1.0, 2.0):
            m = M(); m.rate = rate
            m.step(x); m.step(x)
        """,
}

LOUD = {
    "a config object": (
        """
        import dataclasses
        @dataclasses.dataclass
        class Config:
            rate: float = 0.1
        config = Config()
        @tf.function
        def f(x): return x * config.rate
        f(x); config.rate = 0.5; f(x); f(x)
        """,
        "`config.rate` changed from 0.1 to 0.5 after `f` was traced; 2 calls still used 0.1",
    ),
    "a tensor like the one before": (
        """
        import dataclasses
        @dataclasses.dataclass
        class Config:
            rate: object
        config = Config(tf.ones([2]))
        @tf.function
        def f(x): return x * config.rate
        f(x); config.rate = tf.zeros([2]); f(x); f(x)
        """,
        "`config.rate` (a tensor float32 [2]) was replaced after `f` was traced; 2 calls still used the "
        "old one",
    ),
    "a dataclass with slots": (
        """
        import dataclasses
        @dataclasses.dataclass(slots=True)
        class Config:
            rate: float = 0.1
        config = Config()
        @tf.function
        def f(x): return x * config.rate
        f(x); config.rate = 0.5; f(x)
        """,
        "`config.rate` changed from 0.1 to 0.5 after `f` was traced; 1 call still used 0.1",
    ),
    "a deep one, put again": (
        """
        import types
        class M(tf.Module):
            def __init__(self): self.config = types.SimpleNamespace(rate=0.1)
            @tf.function
            def step(self, x): return x * self.config.rate
        m = M(); m.step(x); m.config = types.SimpleNamespace(rate=0.5); m.step(x)
        """,
        "`self.config.rate` changed from 0.1 to 0.5 after `M.step` was traced; 1 call still used 0.1",
    ),
    "a dictionary of options": (
        """
        options = {"rate": 0.1}
        @tf.function
        def f(x): return x * options["rate"]
        f(x); options["rate"] = 0.5; f(x)
        """,
        '`options["rate"]` changed from 0.1 to 0.5 after `f` was traced; 1 call still used 0.1',
    ),
    "a dictionary in a tf.Module": (
        """
        class M(tf.Module):
            def __init__(self): self.options = {"rate": 0.1}
            @tf.function
            def step(self, x): return x * self.options["rate"]
        m = M(); m.step(x); m.options["rate"] = 0.5; m.step(x)
        """,
        '`self.options["rate"]` changed from 0.1 to 0.5 after `M.step` was traced; 1 call still used 0.1',
    ),
    "a class attribute": (
        """
        class M(tf.Module):
            rate = 0.1
            @tf.function
            def step(self, x): return x * self.rate
        m = M(); m.step(x); M.rate = 0.5; m.step(x)
        """,
        "`self.rate` changed from 0.1 to 0.5 after `M.step` was traced; 1 call still used 0.1",
    ),
    "a bound method": (
        """
        class M:
            def __init__(self): self.rate = 0.1
            def helper(self, x): return x * self.rate
            def step(self, x): return self.helper(x) + 1.0
        m = M(); step = tf.function(m.step); step(x); m.rate = 0.5; step(x)
        """,
        "`self.rate` changed from 0.1 to 0.5 after `M.step` was traced (read in `M.helper`); 1 call still "
        "used 0.1",
    ),
    "a model called in a step": (
        """
        class Net(keras.Model):
            def __init__(self): super().__init__(); self.beta = 1.0; self.dense = keras.layers.Dense(1)
            def call(self, x): return self.dense(x) * self.beta
        net = Net()
        @tf.function
        def step(x): return tf.reduce_sum(net(x, training=True))
        step(x); step(x); net.beta = 2.0; step(x)
        """,
        "`self.beta` changed from 1.0 to 2.0 after `step` was traced (read in `Net.call`); 1 call still "
        "used 1.0",
    ),
    "Keras: a callback changes the model": (
        """
        class Net(keras.Model):
            def __init__(self): super().__init__(); self.beta = 0.0; self.dense = keras.layers.Dense(1)
            def call(self, x): return self.dense(x)
            def train_step(self, data):
                loss = tf.reduce_mean(self(data[0])) * self.beta
                return {"loss": loss}
        class Warm(keras.callbacks.Callback):
            def on_epoch_begin(self, epoch, logs=None): self.model.beta = 0.5 * epoch
        net = Net()
        net.compile("sgd", "mse")
        net.fit(tf.ones([4, 2]), tf.ones([4, 1]), batch_size=2, epochs=3, verbose=0, callbacks=[Warm()],
                validation_data=(tf.ones([4, 2]), tf.ones([4, 1])))
        """,
        "`self.beta` changed from 0.0 to 1.0 after `fit:multi_step_on_iterator` was traced (read in "
        "`Net.train_step`); 4 calls still used 0.0",
    ),
}


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_must_not_fire(program: str, tensorflow: TensorFlowServer) -> None:
    assert [finding.message for finding in found(tensorflow, program)] == []


@pytest.mark.parametrize(("program", "message"), LOUD.values(), ids=LOUD)
def test_must_fire(program: str, message: str, tensorflow: TensorFlowServer) -> None:
    assert [(finding.rule, finding.message) for finding in found(tensorflow, program)] == [("GD215", message)]


def test_a_flag_of_another_module(tensorflow: TensorFlowServer) -> None:
    program = """
        import pathlib, sys
        sys.path.insert(0, "")
        pathlib.Path("settings_of_mine.py").write_text("debug = False")
        pathlib.Path("switching.py").write_text("import settings_of_mine as s\\ndef on(): s.debug = True")
        import settings_of_mine, switching
        @tf.function
        def f(x): return x * 2.0 if settings_of_mine.debug else x
        f(x); switching.on(); f(x)
        """
    (finding,) = found(tensorflow, program)
    assert finding.message == (
        "`settings_of_mine.debug` changed from False to True after `f` was traced; 1 call still used False"
    )
    assert (finding.line, finding.column) == (10, 29)
