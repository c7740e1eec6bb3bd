"""Programs that are right: what was taken for a mistake on public code, mechanism by mechanism."""

from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Finding
from graphdoctor.source import parse_module

HEAD = "import numpy as np\nimport tensorflow as tf\nx = tf.ones([2])\n"
RIGHT = {
    "another pipeline of the same data": """
        ratings = tf.data.Dataset.from_tensor_slices({"a": [1], "b": [2]})
        found = {}
        for name in ["a", "b"]:
            found[name] = list(ratings.map(lambda row: row[name]))
        for row in ratings.batch(2):
            print(row)
        """,
    "a pipeline for each iteration": """
        parts = []
        for i, name in enumerate(["a", "b", "c"]):
            parts.append(tf.data.Dataset.from_tensor_slices([1]).map(lambda value: (value, i)))
        for value, number in parts[0]:
            print(value)
        """,
    "widths that Keras makes general": """
        import keras
        import numpy as np
        model = keras.Sequential([keras.layers.GlobalAveragePooling1D(), keras.layers.Dense(1)])
        for width in range(5, 25):
            model.predict(np.zeros((4, width, 3)))
        """,
    "what a generator makes once": """
        def training(steps):
            step = tf.function(lambda x: x + 1.0)
            data = tf.data.Dataset.range(4).map(lambda x: x + 1)
            for number in range(steps):
                yield step(x)
            for row in data:
                yield row
        for loss in training(20):
            print(loss)
        """,
    "what a generator gives again and again": """
        @tf.function
        def apply(function, x):
            return function(x)
        def functions():
            double = lambda x: x * 2.0
            while True:
                yield double
        for function in functions():
            apply(function, x)
        """,
    "a wrapper and a signature": """
        import functools
        def passing_on(function):
            @functools.wraps(function)
            def call(*arguments, **keywords):
                return function(*arguments, **keywords)
            return call
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)] * 2)
        @passing_on
        def add(x, y):
            return x + y
        add(x, x)
        """,
    "lengths that a concrete function takes": """
        @tf.function
        def total(values):
            return tf.reduce_sum(values)
        total.get_concrete_function(tf.TensorSpec([None], tf.float32))
        for length in range(20):
            total(tf.ones([length]))
        """,
    "a seed": """
        @tf.function
        def f(x):
            tf.keras.utils.set_random_seed(1)
            return x * 2
        f(x)
        f(x)
        """,
    "variables in a list": """
        variables = [None]

        @tf.function
        def f(x):
            if variables[0] is None:
                variables[0] = tf.Variable(1.0)
            return x * variables[0]
        f(x)
        """,
    "no object of that class": """
        class Core(tf.Module):
            def __call__(self, x, state):
                return x, state

        @tf.function
        def f(x, layers):
            for layer in layers:
                if isinstance(layer, Core):
                    x, state = layer(x, None)
                else:
                    x = layer(x)
            return x
        f(x, (tf.tanh, tf.nn.relu, Core()))
        """,
    "made once, in a loop": """
        class Layer(tf.Module):
            def __init__(self):
                self.built = False

            def __call__(self, x):
                if not self.built:
                    self.w = tf.Variable(tf.ones([2]))
                    self.built = True
                return x * self.w

        class Export(tf.Module):
            def __init__(self, layer):
                self.layer = layer

            @tf.function
            def __call__(self, x):
                return self.layer(x)

        layer = Layer()
        step = tf.function(layer)
        for part in tf.data.Dataset.from_tensor_slices(np.ones([100, 2])):
            step(part)
        export = Export(layer)
        """,
    "AutoGraph's options": """
        @tf.function(experimental_autograph_options=tf.autograph.experimental.Feature.ALL)
        def f(x):
            assert tf.reduce_all(x > 0)
            print(x)
            return x
        f(x)
        f(x)
        """,
    "lifted out of the graph": """
        class Model(tf.Module):
            def __init__(self):
                self.v = tf.Variable(0)
                self.counter = 0

            @tf.function
            def __call__(self):
                if self.counter == 0:
                    with tf.init_scope():
                        self.counter += 1
                        self.v.assign_add(1)
                return self.v

        model = Model()
        for n in range(3):
            print(model().numpy())
        """,
    "two inputs to predict": """
        class Model(tf.keras.Model):
            def call(self, inputs):
                a, b = inputs
                return a + b

        model = Model()
        model.compile("sgd", "mse")
        model.predict((np.ones([4, 2]), np.ones([4, 2])))
        """,
    "a model whose outputs is unknown": """
        from somewhere import layer

        class Model(tf.keras.Model):
            def __init__(self, base):
                super().__init__()
                self.base = base

            def call(self, inputs):
                a, b = self.base(inputs)
                return a + b

        given = tf.keras.Input([2])
        model = Model(tf.keras.Model(given, layer(given)))
        model.compile("sgd", "mse")
        model.fit(np.ones([4, 2]), np.ones([4, 2]))
        """,
    "a loss for each of two labels": """
        def loss(labels, predicted):
            if tf.rank(labels) == 1:
                labels = tf.reshape(labels, (-1, 1))
            return tf.reduce_mean(tf.cast(labels, tf.float32) - predicted)

        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", loss)
        model.fit(np.ones([4, 2]), (np.ones([4]), np.ones([4])))
        """,
    "an optimizer as argument": """
        @tf.function
        def f(x, optimizer, variables):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(x * variables[0])
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        """,
    "a dtype that the environment decides": """
        import os
        INT = tf.int64 if os.environ.get("WIDE") else tf.int32
        @tf.function
        def total(weights):
            @tf.function(input_signature=[tf.TensorSpec([], INT), tf.TensorSpec([], tf.float32)])
            def more(place, amount):
                return place + 1, amount + weights[place]
            return tf.while_loop(lambda place, amount: amount < 1.0, more, (0, 0.0))
        total(x)
        """,
    "a tensor and a tuple in one tuple": """
        @tf.function
        def last(x, keep):
            outputs = (x * 2.0,)
            if keep:
                outputs = outputs + ((x, x),)
            hidden = outputs[0]
            return tf.while_loop(lambda i, h: i < 2, lambda i, h: (i + 1, h + hidden[i]), (0, 0.0))
        def use(keep):
            last(x, keep)
        """,
    "a tape reported to watch the variables of a model one by one": """
        net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
        def each(batch):
            with tf.GradientTape(watch_accessed_variables=False) as tape:
                for variable in net.trainable_variables:
                    tape.watch(variable)
                loss = tf.reduce_sum(net(batch))
            return tape.gradient(loss, net.trainable_variables)
        net(x)
        each(x)
        """,
    "a tape reported to watch what a base of another library has": """
        import parameters
        class Parameter(parameters.Base):
            @property
            def raw(self):
                return self._raw
        def update(mean, gradient):
            with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
                tape.watch([mean.raw])
                doubled = tf.transpose(mean) * 2.0
                result = tf.sqrt(doubled)
            return tape.gradient(result, [doubled], output_gradients=[gradient])
        update(Parameter(x), x)
        """,
    "set by each trace, read by what a base of another library calls": """
        import decoding
        class Sampler(decoding.Sampler):
            def set_size(self, size):
                self._size = size
            @property
            def size(self):
                return self._size
        class Model(tf.Module):
            def __init__(self):
                self.sampler = Sampler()
            @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
            def infer(self, x):
                self.sampler.set_size(tf.shape(x)[0])
                return decoding.decode(self.sampler)
        """,
    "an operation or nothing to do": """
        weight = tf.Variable(1.0)
        @tf.function
        def step(x, due):
            tf.cond(due, lambda: tf.group(weight.assign_add(x[0])), tf.no_op)
        step(x, tf.constant(True))
        """,
    "a dataset that is unknown, of pairs": """
        import keras
        import loading
        class Batches(keras.utils.PyDataset):
            def __getitem__(self, index):
                return loading.batch(index)
        class Model(keras.Model):
            def train_step(self, data):
                x, y = data
                first, *rest = x[0]
                weights = data["weights"] if "weights" in data else None
                return {"loss": self.compute_loss(y=y, y_pred=self(x, training=True))}
        def train(data):
            inputs = keras.Input((3,))
            model = Model(inputs, keras.layers.Dense(1)(inputs))
            model.compile("adam", "mse")
            model.fit(data)
        train(loading.dataset())
        train(loading.dataset().map(lambda a, b: (a, b)))
        train(Batches())
        """,
    "several inputs and no labels": """
        import keras
        class Model(keras.Model):
            def train_step(self, data):
                left, right = data[0]
                return {"loss": tf.reduce_mean(left - right)}
        model = Model()
        model.compile("adam")
        model.fit([np.ones([8, 2]), np.ones([8, 2])])
        """,
    "labels that may be there": """
        def shuffled(text, label):
            if tf.random.uniform([]) > 0.5:
                return text, label
            return tf.gather(text, [1, 0]), tf.gather(label, [1, 0])
        def augmented(text, label=None):
            text, label = shuffled(text, label)
            return (text, label) if label is not None else text
        def build(texts, labels):
            parts = (texts,) if labels is None else (texts, labels)
            return tf.data.Dataset.from_tensor_slices(parts).map(augmented)
        """,
    "set again by an eager call before it is read": """
        import keras
        class Gate(keras.layers.Layer):
            def call(self, x):
                self.gates = tf.nn.softmax(x)
                return x * self.gates
        model = keras.Sequential([Gate(), keras.layers.Dense(1)])
        model.compile("adam", "mse")
        model.fit(np.ones([8, 2]), np.ones([8, 1]))
        gate = Gate()
        @tf.function
        def f(x):
            return gate(x)
        f(x)
        gate(x)
        print(gate.gates + 1.0)
        """,
    "a tensor compared with None": """
        import keras
        from keras import ops
        class Encoding(keras.layers.Layer):
            def adapt(self, data):
                self.statistics = tf.constant(data)
            def call(self, inputs):
                if self.statistics == None:
                    raise ValueError("not adapted")
                return ops.take(self.statistics, inputs)
        layer = Encoding()
        layer.adapt([1.0, 2.0])
        @tf.function
        def f(inputs):
            return layer(inputs)
        f(tf.constant([0, 1]))
        """,
    "made again by each trace under a condition that is unknown": """
        import settings
        class Scrambler(tf.Module):
            def build(self, size):
                self.sequence = tf.range(size)
            def __call__(self, x):
                if x.shape[-1] != settings.size:
                    self.build(x.shape[-1])
                return tf.cast(self.sequence, tf.float32) + x
        scrambler = Scrambler()
        scrambler.build(2)
        @tf.function
        def plain(x):
            return scrambler(x)
        @tf.function(jit_compile=True)
        def compiled(x):
            return scrambler(x)
        plain(x)
        compiled(x)
        """,
    "a length that eager code asks for": """
        class Points:
            def __init__(self, values):
                self.values = tf.Variable(values)
            def __len__(self):
                return tf.shape(self.values)[0]
        print(len(Points([1.0, 2.0])))
        """,
    "elements of a pipeline without rank, taken by eager code": """
        import loading
        def read(name, label):
            return np.load(name), label
        rows = tf.data.Dataset.from_tensor_slices(loading.names_and_labels())
        rows = rows.map(lambda a, b: tf.numpy_function(read, [a, b], [tf.float32, tf.int32]))
        @tf.function
        def step(image, label):
            first = [0] * label.shape[0]
            return tf.reduce_sum(image) + tf.cast(tf.reduce_sum(first), tf.float32)
        for number, (image, label) in enumerate(rows.batch(2)):
            step(image, label)
            print(int(label.shape[0]))
        """,
    "converted by the inner of two graph functions": """
        @tf.function(autograph=True)
        def run(x):
            count = tf.constant(0.0)
            while count < 3 and tf.reduce_sum(x) > 1:
                count += 1.0
            return count
        tf.function(run, autograph=False)(x)
        """,
    "results of a Python function whose dtypes is unknown": """
        import specs
        @tf.function
        def step(x):
            results = tf.numpy_function(np.copy, [x], specs.dtypes())
            return [tf.identity(result) for result, name in zip(results, specs.names())]
        step(x)
        """,
    "attention and its scores": """
        attention = tf.keras.layers.MultiHeadAttention(2, 4)
        @tf.function
        def attend(rows):
            output, scores = attention(rows, rows, return_attention_scores=True)
            return output, scores
        attend(tf.ones([2, 3, 4]))
        """,
    "a pipeline for each part of the data": """
        parts = np.array_split(np.load("numbers.npy"), 32)
        pipelines = []
        for part in parts:
            rows = tf.data.Dataset.from_tensor_slices(part)
            rows = rows.map(lambda row: row + 1)
            pipelines.append(rows)
        """,
    "shapes given to padded_batch": """
        def rows():
            yield [1.0], [1]

        floats = tf.TensorSpec(shape=(None), dtype=tf.float32)
        signature = (floats, tf.TensorSpec(shape=(None), dtype=tf.int32))
        data = tf.data.Dataset.from_generator(rows, output_signature=signature)
        data = data.padded_batch(2, padded_shapes=(8, 4), padding_values=(0.0, 0))
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(data)
        """,
}


def found(program: str) -> list[Finding]:
    """What all rules find in a program."""
    return check_module(parse_module("program.py", HEAD + cleandoc(program) + "\n"), Config())


@pytest.mark.parametrize("program", RIGHT.values(), ids=RIGHT)
def test_is_silent(program):
    assert [f"{f.line} {f.rule} {f.message}" for f in found(program)] == []


WRONG = {
    "counted under a condition that it closes, with an assignment of the graph": (
        """
        class Model(tf.Module):
            def __init__(self):
                self.v = tf.Variable(0)
                self.counter = 0

            @tf.function
            def __call__(self):
                if self.counter == 0:
                    self.counter += 1
                    self.v.assign_add(1)
                return self.v

        model = Model()
        for n in range(3):
            print(model().numpy())
        """,
        "GD204",
    ),
    "a dataset that is unknown, with an option that only datasets have": (
        """
        class Loader:
            def parse(self, row):
                print(row)
                return row
            def load(self, dataset):
                return dataset.map(self.parse, num_parallel_calls=4)
        """,
        "GD219",
    ),
}


@pytest.mark.parametrize(("program", "rule"), WRONG.values(), ids=WRONG)
def test_is_found(program, rule):
    assert rule in [f.rule for f in found(program)]
