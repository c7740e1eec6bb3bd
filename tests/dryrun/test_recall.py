"""Mechanisms that repairs showed to be missing (docs/recall): right programs, then what is reported."""

from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

HEAD = (
    "import keras\nimport numpy as np\nfrom keras import ops\nimport sonnet as snt\nimport tensorflow as tf\n"
)
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
    "the text of a module that asks where it is": """
        class Weight(tf.Module):
            def __init__(self, value):
                self.value = tf.Variable(value)
            def __repr__(self):
                return str(self.value.numpy()) if tf.executing_eagerly() else "<weight>"
        """,
    "the text of a module that a program makes": """
        class Weight(tf.Module):
            def __init__(self, value):
                self.value = tf.Variable(value)
            def __repr__(self):
                return str(self.value.numpy())
        print(Weight(1.0))
        """,
    "the text of what is no module": """
        class Weight:
            def __init__(self, value):
                self.value = tf.Variable(value)
            def __repr__(self):
                return str(self.value.numpy())
        """,
    "a value that may be any tensor": """
        class Weight(tf.Module):
            def __init__(self, value):
                self.value = value
            def __repr__(self):
                return str(self.value.numpy())
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
    "a Lambda layer without decisions": """
        def scale(x):
            return x * 2.0 if x.shape[-1] == 3 else x
        keras.layers.Lambda(scale)(keras.Input([4]))
        """,
    "what comes after the end of the program": """
        import sys
        def main():
            sys.exit(1)
            for step in range(5):
                tf.function(lambda x: x * 2.0)(tf.ones([2]))
        main()
        """,
    "a graph function that each layer makes when it has none": """
        class Compiled(keras.layers.Layer):
            def call(self, inputs):
                if not hasattr(self, "_scale"):
                    self._scale = tf.function(self.scale)
                return self._scale(inputs)
            def scale(self, x):
                return x * 2.0
        x = tf.ones([2])
        layers = [Compiled() for _ in range(4)]
        for layer in layers:
            x = layer(x)
        for _ in range(4):
            x = layers[0](x)
        """,
    "a step that the trainer makes when a phase begins": """
        class Trainer:
            def __init__(self, start):
                self.steps = 0
                self.start = start
            def step(self, x):
                if self.steps == 0 or self.steps == self.start:
                    self.run = tf.function(self.one)
                self.run(x)
                self.steps += 1
            def one(self, x):
                return x * 2.0
        trainer = Trainer(int(input()))
        for _ in range(100):
            trainer.step(tf.ones([2]))
        """,
    "a metric's own graph function that takes the size of the tensor": """
        class Count(keras.metrics.Metric):
            @tf.function
            def update_state(self, y_true, y_pred, sample_weight=None):
                for image in tf.range(tf.shape(y_true)[0]):
                    self.total.assign_add(tf.reduce_sum(y_true[image]))
        """,
    "a size that a layer does not ask for": """
        class Heads(keras.layers.Layer):
            def call(self, query, key):
                batch, length, depth = query.shape
                return tf.reshape(query, (-1, length, 2, depth // 2))
        """,
    "the size of a tensor among several": """
        class Rows(keras.layers.Layer):
            def call(self, inputs):
                nodes, lengths = inputs
                return tf.range(tf.shape(lengths)[0])
        """,
    "parts of a setting that has a shape": """
        class Crop(keras.layers.Layer):
            def call(self, inputs, window=(2, 3)):
                height, width = window
                return inputs[:, :height, :width]
        """,
    "a mangled name in code that AutoGraph does not convert": """
        class Scaler:
            def __init__(self):
                self.__factor = 2.0
            @tf.function(autograph=False)
            def scale(self, x):
                return x * self.__factor
        scaler = Scaler()
        scaler.scale(tf.ones([2]))
        """,
    "a mangled name in eager code": """
        class Scaler:
            def __init__(self):
                self.__factor = 2.0
            def scale(self, x):
                return x * self.__factor
        scaler = Scaler()
        scaler.scale(tf.ones([2]))
        """,
    "an eager tensor from outside has a value, whoever made it": """
        class Scale(tf.Module):
            def __init__(self, scale):
                self.scale = scale
            @tf.function
            def run(self, x):
                return x * self.scale.numpy()
        """,
    "weights and values that eager code reads": """
        def export(model, x):
            return model.get_weights(), model(x).numpy()
        @tf.function
        def double(x):
            return 2 * x
        """,
    "values that are read under a guard of their own": """
        @tf.function
        def show(model, x):
            if hasattr(x, "numpy"):
                return x.numpy()
            return model(x)
        """,
    "single examples of a batch that is used as a whole, too": """
        class First(keras.layers.Layer):
            def call(self, inputs):
                first, second = inputs[0], inputs[1]
                return tf.reduce_sum(inputs) + first[: second.shape[0]]
        """,
    "a slice of a tensor up to its own size": """
        @tf.function(input_signature=[tf.TensorSpec([None])])
        def same(x):
            return x[: x.shape[0]]
        """,
    "a slice up to a size that is known": """
        @tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([None])])
        def cut(x, y):
            return y[: x.shape[1]]
        """,
    "a layer around a cell of the project's own, which may have no weights": """
        class Cell(keras.layers.Layer):
            state_size = output_size = 3
            def call(self, inputs, states):
                return inputs + states[0], [inputs]
        @tf.function
        def decode(x):
            return keras.layers.RNN(Cell())(x)
        decode(tf.ones([1, 2, 3]))
        decode(tf.ones([1, 5, 3]))
        """,
    "whole numbers that a model makes floats of": """
        class Norm(keras.layers.Layer):
            def build(self, shape):
                self.scale = self.add_weight(shape=(3,))
            def call(self, inputs):
                mean, variance = tf.nn.moments(inputs, [0])
                return tf.nn.batch_normalization(inputs, mean, variance, None, self.scale, 0.001)
        model = keras.Sequential([Norm(), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(np.random.randint(9, size=(10, 3)), np.random.randint(9, size=(10, 1)))
        """,
    "an open size, and what stands for it where it is open": """
        @tf.function(input_signature=[tf.TensorSpec([None])])
        def count(x):
            size = x.shape[0] or tf.shape(x)[0]
            if x.shape[0]:
                rows = x.shape[0]
            else:
                rows = tf.shape(x)[0]
            return size + rows
        """,
    "a size that the arguments decide": """
        @tf.function
        def count(x):
            if x.shape[0]:
                return 1.0
            return 0.0
        """,
    "a factory gives its graph function away": """
        def make(model):
            @tf.function
            def step(x):
                return model(x)
            return step
        """,
    "a graph function that serves a loop": """
        def evaluate(model, data):
            @tf.function
            def step(x):
                return model(x)
            return [step(x) for x in data]
        """,
    "a graph function made to be exported": """
        def export(model):
            serve = tf.function(lambda x: model(x))
            return serve.get_concrete_function(tf.TensorSpec([None, 3]))
        """,
    "a graph function of each object": """
        class Trainer:
            def __init__(self, model):
                self.step = tf.function(lambda x: model(x))
                self.step(tf.ones([1, 3]))
        """,
    "a graph function that is made when there is none": """
        class Trainer:
            def run(self, x):
                if self.step is None:
                    self.step = tf.function(lambda x: 2 * x)
                return self.step(x)
        """,
    "a right graph function in a branch that this program does not take": """
        def make(model):
            if isinstance(model, str):
                return lambda x: x.numpy()
            return tf.function(lambda x: model(x))
        make("model.h5")
        """,
    "branches that are functions of their own": """
        @tf.function
        def choose(i, x):
            branches = []
            for scale in (1.0, 2.0, 3.0):
                branches.append(lambda scale=scale: scale * x)
            return tf.switch_case(i, branches, default=lambda: x)
        choose(tf.constant(1), tf.ones([2]))
        """,
}
REPORTED = {
    "a decision in a Lambda layer, whichever Keras it is": (
        "GD340 error",
        """
        def tile(x):
            if tf.shape(x)[-1] != 3:
                x = tf.tile(x, [1, 1, 1, 3])
            return x
        tf.keras.layers.Lambda(tile)(tf.keras.Input([8, 8, 1]))
        tf.keras.backend.learning_phase()
        """,
    ),
    "what a program does that refuses to run without an option": (
        "GD215 wrong",
        """
        import argparse
        class Trainer:
            def __init__(self, start):
                self.steps = 0
                self.start = start
            @tf.function
            def step(self, x):
                if self.steps >= self.start:
                    x = x * 2.0
                return x
        def main():
            parser = argparse.ArgumentParser()
            parser.add_argument("--folder", default=None, type=str)
            parser.add_argument("--start", type=int, required=True)
            arguments = parser.parse_args()
            if arguments.folder is None:
                raise ValueError("--folder is missing")
            if arguments.start is None:
                parser.error("--start is missing")
            trainer = Trainer(arguments.start)
            for _ in range(10):
                trainer.step(tf.ones([2]))
                trainer.steps += 1
        if __name__ == "__main__":
            main()
        """,
    ),
    "a metric's own graph function that takes an open size": (
        "GD601 low",
        """
        class Count(keras.metrics.Metric):
            @tf.function
            def update_state(self, y_true, y_pred, sample_weight=None):
                for image in tf.range(y_true.shape[0]):
                    self.total.assign_add(tf.reduce_sum(y_true[image]))
        """,
    ),
    "the sizes of a batch, after a layer that `build` makes": (
        "GD601 low",
        """
        class Heads(keras.layers.Layer):
            def build(self, shape):
                self.dense = keras.layers.Dense(8)
            def call(self, query, key):
                query = self.dense(query)
                batch, length, depth = query.shape
                return tf.reshape(query, (batch, length, 2, -1))
        """,
    ),
    "the size of one of the tensors that a layer is given": (
        "GD601 low",
        """
        class Rows(keras.layers.Layer):
            def call(self, inputs):
                nodes, lengths = inputs
                lengths = tf.cast(lengths, tf.int32)
                return tf.keras.backend.arange(lengths.shape[0])
        """,
    ),
    "a mangled name of which AutoGraph warns": (
        "GD341 low",
        """
        class Scaler:
            def __init__(self):
                self.__factor = 2.0
            @tf.function
            def scale(self, x):
                return x * self.__factor
        scaler = Scaler()
        scaler.scale(tf.ones([2]))
        """,
    ),
    "a metric that asks its state, if it is traced": (
        "GD701 low",
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
        "GD332 low",
        """
        class Policy(snt.Module):
            def __call__(self, inputs):
                samples, batch = tf.shape(inputs)[:2]
                return tf.zeros([samples, batch])
        """,
    ),
    "what a graph function is given is read, whatever it is": (
        "GD801 low",
        """
        @tf.function
        def mean(x):
            return x.numpy().mean()
        """,
    ),
    "the weights of a layer that is unknown": (
        "GD801 low",
        """
        class Sampled(keras.losses.Loss):
            def __init__(self, decoder):
                super().__init__()
                self.decoder = decoder
            def call(self, y_true, y_pred):
                return tf.reduce_sum(self.decoder.get_weights()[0]) * y_pred
        """,
    ),
    "a slice up to the open size of one of several inputs": (
        "GD602 low",
        """
        class Pair(keras.Model):
            def call(self, inputs):
                start = inputs[0]
                end = inputs[1]
                both = self.backbone(tf.concat([start, end], axis=0))
                return both[: start.shape[0]], both[start.shape[0] :]
        """,
    ),
    "a graph function that each call of a library's function makes and calls": (
        "GD102 low",
        """
        def encode(encoder, x):
            @tf.function
            def run(x):
                return encoder(x)
            return run(x)
        """,
    ),
    "a graph function in a branch that this program does not take": (
        "GD801 low",
        """
        def make(model):
            if isinstance(model, str):
                return lambda x: x.numpy()
            return tf.function(lambda x: model(x).numpy())
        make("model.h5")
        """,
    ),
    "branches of a number that is unknown, each with its number": (
        "GD313 low",
        """
        class Choose(keras.layers.Layer):
            def __init__(self, layers):
                super().__init__()
                self.parts = layers
            def call(self, inputs):
                chosen = tf.random.uniform((), maxval=len(self.parts), dtype=tf.int32)
                branches = []
                for i, part in enumerate(self.parts):
                    branches.append((i, lambda: part(inputs)))
                return tf.switch_case(chosen, branches, default=lambda: inputs)
        """,
    ),
    "the text of a module that reads a variable, given or made": (
        "GD801 low",
        """
        class Weight(tf.Module):
            def __init__(self, value):
                if isinstance(value, tf.Variable):
                    self._value = value
                else:
                    self._value = tf.Variable(value)
            @property
            def value(self):
                return self._value
            def __repr__(self):
                inner = self.value
                return f"<weight {inner.numpy()}>"
        """,
    ),
    "a branch for what is there, of an open size": (
        "GD602 low",
        """
        @tf.function(input_signature=[tf.TensorSpec([None, 4])])
        def loss(x):
            count = x.shape[0]
            if count:
                return tf.reduce_mean(x)
            return 0.0
        """,
    ),
    "what a switch does otherwise": (
        "GD801 error",
        """
        @tf.function
        def choose(i, x):
            return tf.switch_case(i, [lambda: x], default=lambda: tf.reduce_sum(x).numpy())
        choose(tf.constant(1), tf.ones([2]))
        """,
    ),
}


@pytest.mark.parametrize("program", RIGHT.values(), ids=RIGHT)
def test_nothing_is_reported_of_what_is_right(program: str) -> None:
    assert _reported(program) == []


@pytest.mark.parametrize(("expected", "program"), REPORTED.values(), ids=REPORTED)
def test_what_a_repair_fixed_is_reported(expected: str, program: str) -> None:
    assert expected in _reported(program)


def _reported(program: str) -> list[str]:
    found = check_module(parse_module("program.py", HEAD + cleandoc(program) + "\n"), Config())
    return [f"{f.rule} {f.severity.value.lower() if f.is_shown else 'low'}" for f in found]
