"""What programs of real reports need: a program, the rules that must be silent or speak, and where."""

from inspect import cleandoc

import pytest
from tests.checking import check, fixed

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

HEAD = "import functools\nimport keras\nimport tensorflow as tf\nfrom keras import ops\n"
RULES = ("GD103", "GD215", "GD310", "GD402", "GD403", "GD406", "GD407", "GD512", "GD607", "GD701", "GD801")

SILENT = {
    "a generator that stands outside": """
        generator = tf.random.Generator.from_seed(1)
        @tf.function
        def f(x): return x + generator.normal(tf.shape(x))
        f(tf.ones([2])), f(tf.ones([2]))
        """,
    "a generator in eager code": """
        def f(x): return x + tf.random.Generator.from_seed(1).normal([2])
        f(tf.ones([2]))
        """,
    "a moving average that is first applied in the function": """
        average, w = tf.train.ExponentialMovingAverage(0.9), tf.Variable(1.0)
        @tf.function
        def f(x):
            average.apply([w])
            return average.average(w) + x
        f(tf.ones([2])), f(tf.ones([3]))
        """,
    "a dropout of nothing": """
        @tf.function
        def f(x): return keras.layers.Dropout(0.0)(x)
        f(tf.ones([2]))
        """,
    "a dropout of it is unknown how much": """
        @tf.function
        def f(x, rate=tf.get_logger().level): return keras.layers.Dropout(rate)(x)
        f(tf.ones([2]))
        """,
    "methods that tensors have": """
        @tf.function
        def f(x):
            x.set_shape([2])
            return x.get_shape(), x.shape.as_list(), x.ref()
        f(tf.ones([2]))
        """,
    "methods of eager tensors' values": """
        names = tf.data.Dataset.from_tensor_slices(["a/b"])
        def read(path): return path.numpy().decode().split("/")[0]
        [read(each) for each in names]
        names.map(lambda path: tf.py_function(lambda p: p.numpy().upper(), [path], tf.string))
        """,
    "methods of NumPy's arrays, asked for": """
        tf.experimental.numpy.experimental_enable_numpy_behavior()
        @tf.function
        def f(x): return x.reshape(-1).astype(tf.int32)
        f(tf.ones([2]))
        """,
    "a list under a key that the iteration gives": """
        @tf.function
        def f(x, frames):
            found = {}
            for frame in frames:
                found["tensor", frame] = x * 2.0
                found["list", frame] = [x]
                found["list", frame].append(x * 2.0)
            return found
        f(tf.ones([2]), [int(tf.get_logger().level), 1])
        """,
    "methods of texts and of objects": """
        class Path:
            def split(self, by): return [by]
        @tf.function
        def f(x, path):
            return x + len(path.split("/")) + len("a b".split())
        f(tf.ones([2]), Path()), f(tf.ones([2]), "a/b")
        """,
    "the weights read outside": """
        model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
        @tf.function
        def f(x):
            for old, new in zip(model.weights, model.weights):
                old.assign(new)
            return model(x)
        f(tf.ones([1, 2])), model.get_weights(), model.save_weights("a.weights.h5")
        """,
    "a checkpoint after the call, and one that is only written": """
        w = tf.Variable(1.0)
        checkpoint = tf.train.Checkpoint(w=w)
        @tf.function
        def f(x):
            checkpoint.write("a")
            return x * w
        f(tf.ones([2])), checkpoint.save("b")
        """,
    "placeholders given to Keras": """
        inputs = keras.Input([3])
        hidden = ops.relu(keras.layers.Dense(2)(inputs))
        model = keras.Model(inputs, keras.layers.Lambda(lambda t: tf.reduce_sum(t, axis=-1))(hidden))
        tf.debugging.assert_equal(inputs, inputs), tf.is_tensor(inputs)
        """,
    "the gradient of a layer's output that a model gives": """
        inputs = keras.Input([8, 8, 1])
        conv = keras.layers.Conv2D(2, 3, name="conv")
        model = keras.Model(inputs, keras.layers.Flatten()(conv(inputs)))
        both = keras.Model(model.input, [model.get_layer("conv").output, model.output])
        with tf.GradientTape() as tape:
            maps, scores = both(tf.ones([1, 8, 8, 1]))
            best = scores[:, 0]
        tape.gradient(best, maps)
        """,
    "a cache of numbers, and one of eager code without tensors": """
        @functools.lru_cache(maxsize=None)
        def basis(n): return list(range(n))
        @tf.function
        def f(x): return x + len(basis(3))
        f(tf.ones([2])), basis(4)
        """,
    "pictures of three axes": """
        def load(raw):
            picture = tf.io.decode_image(raw, expand_animations=False)
            return tf.image.resize(picture, [8, 8]), tf.image.resize(tf.io.decode_png(raw), [8, 8])
        tf.data.Dataset.from_tensor_slices([b""]).map(load)
        """,
    "pictures that are given a shape, or eager": """
        def load(raw):
            picture = tf.io.decode_image(raw)
            picture.set_shape([None, None, 3])
            parsed = tf.reshape(tf.io.parse_tensor(raw, tf.float32), [4, 4, 1])
            return tf.image.resize(picture, [8, 8]), tf.image.resize(parsed, [8, 8])
        tf.data.Dataset.from_tensor_slices([b""]).map(load)
        tf.image.resize(tf.io.decode_image(b""), [8, 8])
        """,
    "thawed before the first step, and compiled again after the change": """
        base = keras.Sequential([keras.Input([6]), keras.layers.Dense(8)])
        model = keras.Sequential([base, keras.layers.Dense(1)])
        base.trainable = False
        base.trainable = True
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 6]), tf.ones([4, 1]))
        base.trainable = False
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 6]), tf.ones([4, 1]))
        """,
    "two models that train in iteration": """
        d = keras.Sequential([keras.Input([6]), keras.layers.Dense(1)])
        g = keras.Sequential([keras.Input([2]), keras.layers.Dense(6)])
        gan = keras.Sequential([g, d])
        d.compile("sgd", "mse"), gan.compile("sgd", "mse")
        for _ in range(3):
            d.trainable = True
            d.train_on_batch(tf.ones([4, 6]), tf.ones([4, 1]))
            d.trainable = False
            gan.train_on_batch(tf.ones([4, 2]), tf.ones([4, 1]))
        """,
    "a counter of the optimizer that a number is compared with in Python": """
        class M(keras.Model):
            def __init__(self):
                super().__init__()
                self.d = keras.layers.Dense(1)
            def call(self, x): return self.d(x)
            def train_step(self, data):
                if self.optimizer is not None:
                    return {"steps": self.optimizer.iterations}
                return {}
        m = M()
        m.compile(optimizer="sgd")
        m.fit(tf.ones([4, 2]), tf.ones([4, 1]))
        """,
}

SILENT["the optimizer that Keras makes by its name, used at each trace of a step"] = """
        class M(keras.Model):
            def __init__(self):
                super().__init__()
                self.d = keras.layers.Dense(1)
            def call(self, x): return self.d(x)
            def train_step(self, data):
                x, y = data
                with tf.GradientTape() as tape:
                    loss = self.compute_loss(y=y, y_pred=self(x))
                slopes = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(slopes, self.trainable_variables))
                return {"loss": loss}
        m = M()
        m.compile("sgd", "mse")
        m.fit(tf.ones([4, 2]), tf.ones([4, 1])), m.fit(tf.ones([4, 2]), tf.ones([4, 1]))
        """

SILENT |= {
    "arrays of one length, and of a number that stays": """
        import numpy as np
        import random
        @tf.function
        def f(x): return x * 2
        n = random.randint(3, 30)
        for _ in range(50):
            f(np.ones(n)), f(np.zeros(5))
        """,
    "a variable made of numbers, or before the tape": """
        w = tf.Variable(1.0)
        start = tf.Variable(w * 2.0)
        with tf.GradientTape() as tape:
            other = tf.Variable(0.5)
            loss = w * other * start
        tape.gradient(loss, [w, other, start])
        """,
    "weights set before the tape, or to numbers": """
        one = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
        two = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
        two.set_weights(one.get_weights())
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(one(tf.ones([1, 2])) + two(tf.ones([1, 2])))
        tape.gradient(loss, one.trainable_variables)
        """,
    "a schedule that only computes": """
        class Rate(keras.optimizers.schedules.LearningRateSchedule):
            def __init__(self, peak): self.peak = peak
            def __call__(self, step):
                if self.peak > 1.0:
                    return self.peak
                return self.peak / (tf.cast(step, tf.float32) + 1.0)
        model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(Rate(0.1)), "mse")
        model.fit(tf.ones([4, 2]), tf.ones([4, 1]))
        """,
    "the parts of a text as the key of a table": """
        table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)
        names = {"a": 1}
        def parse(path): return table.lookup(tf.strings.split(path, "/")[0]) + names["a"]
        tf.data.Dataset.from_tensor_slices(["a/b"]).map(parse)
        """,
}

REPORTED = {
    "a random generator per trace": (
        """
        def noise(x): return tf.random.Generator.from_seed(1).normal(tf.shape(x))
        @tf.function
        def f(x): return x + noise(x)
        f(tf.ones([2]))
        """,
        ["GD402 1"],
    ),
    "a seed generator per trace": (
        """
        @tf.function
        def f(x): return x + keras.random.normal([2], seed=keras.random.SeedGenerator(1))
        f(tf.ones([2]))
        """,
        ["GD402 2"],
    ),
    "a moving average per trace": (
        """
        w = tf.Variable(1.0)
        @tf.function
        def f(x):
            average = tf.train.ExponentialMovingAverage(0.9)
            average.apply([w])
            return x + average.average(w)
        f(tf.ones([2]))
        """,
        ["GD402 4"],
    ),
    "a dropout per call of a layer": (
        """
        class Block(keras.layers.Layer):
            def call(self, x): return keras.layers.Dropout(0.5)(x)
        model = keras.Sequential([Block(), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 2]), tf.ones([4, 1]))
        """,
        ["GD402 2"],
    ),
    "methods of texts and arrays": (
        """
        def parts(path): return path.split("/")[0]
        def scaled(x): return x.astype("float32") / 255.0
        tf.data.Dataset.from_tensor_slices(["a/b"]).map(parts)
        tf.data.Dataset.from_tensor_slices(tf.ones([2, 3])).map(scaled)
        """,
        ["GD801 1", "GD801 2"],
    ),
    "the values of weights": (
        """
        model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
        dense = keras.layers.Dense(1)
        @tf.function
        def f(x):
            total = sum(model.get_weights()[0])
            return dense.get_weights()
        f(tf.ones([1, 2]))
        """,
        ["GD801 5", "GD801 6"],
    ),
    "saved in a graph": (
        """
        w = tf.Variable(1.0)
        manager = tf.train.CheckpointManager(tf.train.Checkpoint(w=w), "a", 3)
        model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
        @tf.function
        def f(x):
            manager.save()
            model.save_weights("a.weights.h5")
            return x
        f(tf.ones([1, 2]))
        """,
        ["GD407 6", "GD407 7"],
    ),
    "placeholders given to TensorFlow": (
        """
        inputs = keras.Input([3])
        total = tf.reduce_sum(inputs, axis=1)
        hits = tf.numpy_function(len, [keras.layers.Dense(2)(inputs)], tf.float32)
        """,
        ["GD406 2", "GD406 3"],
    ),
    "the gradient of a layer's placeholder": (
        """
        inputs = keras.Input([8])
        layer = keras.layers.Dense(2, name="hidden")
        model = keras.Model(inputs, keras.layers.Dense(1)(layer(inputs)))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(tf.ones([1, 8])))
        tape.gradient(loss, model.get_layer("hidden").output)
        """,
        ["GD406 6"],
    ),
    "a tensor that a cache has to look up": (
        """
        @functools.lru_cache(maxsize=None)
        def basis(x): return tf.sin(x)
        @tf.function
        def f(x): return basis(x)
        f(tf.ones([2]))
        """,
        ["GD310 4"],
    ),
    "pictures of any number of axes": (
        """
        def load(raw):
            picture = tf.cast(tf.io.decode_image(raw, channels=3), tf.float32) / 255.0
            return tf.image.resize(picture, [8, 8])
        tf.data.Dataset.from_tensor_slices([b""]).map(load)
        """,
        ["GD607 2"],
    ),
    "a tensor that was serialised": (
        """
        def load(raw): return tf.image.resize(tf.io.parse_tensor(raw, tf.float32), [8, 8])
        tf.data.Dataset.from_tensor_slices([b""]).map(load)
        """,
        ["GD607 1"],
    ),
    "thawed between two fits": (
        """
        base = keras.Sequential([keras.Input([6]), keras.layers.Dense(8)])
        inputs = keras.Input([6])
        model = keras.Model(inputs, keras.layers.Dense(1)(base(inputs)))
        base.trainable = False
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 6]), tf.ones([4, 1]))
        base.trainable = True
        model.fit(tf.ones([4, 6]), tf.ones([4, 1]))
        """,
        ["GD215 6"],
    ),
    "frozen between two calls of a step": (
        """
        model = keras.Sequential([keras.Input([6]), keras.layers.Dense(1)])
        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(model(x))
            return tape.gradient(loss, model.trainable_variables)
        step(tf.ones([4, 6]))
        model.trainable = False
        step(tf.ones([4, 6]))
        """,
        ["GD215 6"],
    ),
    "the optimizer's counter decides": (
        """
        class M(keras.Model):
            def __init__(self):
                super().__init__()
                self.d = keras.layers.Dense(1)
            def call(self, x): return self.d(x)
            def train_step(self, data):
                if self.optimizer.iterations % 3 == 0:
                    return {"due": 1.0}
                return {"due": 0.0}
        m = M()
        m.compile(optimizer="sgd")
        m.fit(tf.ones([4, 2]), tf.ones([4, 1]))
        """,
        ["GD701 7"],
    ),
    "arrays of another length at each iteration": (
        """
        import numpy as np
        import random
        @tf.function
        def f(x): return x * 2
        for _ in range(50):
            f(np.ones(random.randint(3, 30)))
        """,
        ["GD103 6"],
    ),
    "a variable made of what the tape follows": (
        """
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            fast = tf.Variable(w - 0.1)
            loss = fast * fast
        tape.gradient(loss, w)
        """,
        ["GD512 3"],
    ),
    "weights set to what the tape follows": (
        """
        one = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
        two = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
        with tf.GradientTape() as tape:
            two.set_weights([w * 2.0 for w in one.trainable_variables])
            loss = tf.reduce_sum(two(tf.ones([1, 2])))
        tape.gradient(loss, one.trainable_variables)
        """,
        ["GD512 4"],
    ),
    "a schedule that a tensor decides in": (
        """
        class Rate(keras.optimizers.schedules.LearningRateSchedule):
            def __call__(self, step):
                if step < 10:
                    return 0.1
                return 0.01
        model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(learning_rate=Rate()), "mse")
        model.fit(tf.ones([4, 2]), tf.ones([4, 1]))
        """,
        ["GD701 3"],
    ),
    "a part of a text as the key of a dict": (
        """
        names = {"a": 1}
        def parse(path): return names[tf.strings.split(path, "/")[0]]
        tf.data.Dataset.from_tensor_slices(["a/b"]).map(parse)
        """,
        ["GD310 2"],
    ),
}


def test_tensorflow_on_placeholders_of_tf_keras_is_no_mistake_by_itself() -> None:
    program = """
        import tensorflow as tf
        inputs = tf.keras.Input([3])
        outputs = tf.reduce_sum(inputs, axis=1)
        """
    module = parse_module("program.py", cleandoc(program) + "\n")
    assert check_module(module, Config(select=("GD406",))) == []


def findings(program: str) -> list[str]:
    """Rule and line of each finding above a note, by the lines of the program."""
    text = HEAD + cleandoc(program)
    found = [each for rule in RULES for each in check(text, rule) if each.is_shown]
    return [f"{each.rule} {each.line - HEAD.count(chr(10))}" for each in found]


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_silent(program: str) -> None:
    assert findings(program) == []


@pytest.mark.parametrize(("program", "expected"), REPORTED.values(), ids=REPORTED)
def test_reported(program: str, expected: list[str]) -> None:
    assert findings(program) == expected


FIXED = {
    "GD801": (
        """
        def load(path, x):
            total = x.sum(axis=0) + x.flatten()[0] + x.reshape(2, 1)[0]
            return path.split("/")[0], x.astype("int32"), total
        tf.data.Dataset.from_tensor_slices((["a/b"], tf.ones([1, 2]))).map(load)
        """,
        """
        def load(path, x):
            total = tf.reduce_sum(x, axis=0) + tf.reshape(x, [-1])[0] + tf.reshape(x, [2, 1])[0]
            return tf.strings.split(path, "/")[0], tf.cast(x, "int32"), total
        tf.data.Dataset.from_tensor_slices((["a/b"], tf.ones([1, 2]))).map(load)
        """,
    ),
    "GD607": (
        """
        def load(raw): return tf.image.resize(tf.io.decode_image(raw), [8, 8])
        tf.data.Dataset.from_tensor_slices([b""]).map(load)
        """,
        """
        def load(raw): return tf.image.resize(tf.io.decode_image(raw, expand_animations=False), [8, 8])
        tf.data.Dataset.from_tensor_slices([b""]).map(load)
        """,
    ),
    "GD215": (
        """
        model = keras.Sequential([keras.Input([6]), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 6]), tf.ones([4, 1]))
        model.trainable = False
        model.fit(tf.ones([4, 6]), tf.ones([4, 1]))
        """,
        """
        model = keras.Sequential([keras.Input([6]), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 6]), tf.ones([4, 1]))
        model.trainable = False
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 6]), tf.ones([4, 1]))
        """,
    ),
}


@pytest.mark.parametrize("rule", FIXED)
def test_fixed(rule: str) -> None:
    before, after = FIXED[rule]
    assert fixed(HEAD + cleandoc(before), rule) == HEAD + cleandoc(after) + "\n"
