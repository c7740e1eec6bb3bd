"""Programs that are right: what was taken for a mistake in a held-out round, mechanism by mechanism.

docs/precision/rounds has the findings that showed each of them.
"""

from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Severity
from graphdoctor.source import parse_module

HEAD = "import tensorflow as tf\nx = tf.ones([2])\n"
RIGHT = {
    "a pipeline that a branch ending in break builds once": """
        def build(paths, limit):
            for i, path in enumerate(paths):
                if i == limit:
                    data = tf.data.Dataset.range(10).map(lambda x: x * 2)
                    break
            return data
        build(list("abcdefgh"), 5)
        """,
    "a graph function that a branch ending in return makes once": """
        def first(paths):
            for path in paths:
                if path.exists():
                    return tf.function(lambda x: x * 2)(x)
        import pathlib
        first([pathlib.Path(name) for name in "abcdefgh"])
        """,
    "branches of tf.cond that both give nothing": """
        count = tf.Variable(0)
        @tf.function
        def step(x, training):
            def update():
                count.assign_add(1)
            def leave():
                pass
            tf.cond(training, true_fn=update, false_fn=leave)
            return tf.cond(training, lambda: (x, None), lambda: (x + 1.0, None))
        step(x, tf.constant(True))
        """,
    "a generator with shapes beside its dtypes": """
        def numbers():
            yield [1.0], [2.0]
        def train(size):
            data = tf.data.Dataset.from_generator(
                numbers, (tf.float32, tf.float32), output_shapes=(tf.TensorShape([size]), [1])
            )
            model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
            model.compile("sgd", "mse")
            model.fit(data.batch(2))
        """,
    "the call of Keras by its name": """
        class Model(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(2)
            def call(self, inputs, training=None):
                return {"out": self.dense(inputs)}
            def step(self, inputs):
                with tf.GradientTape() as tape:
                    outputs = self.__call__(inputs, training=True)
                    loss = tf.reduce_mean(outputs["out"])
                outputs.update({"loss": loss})
                gradients = tape.gradient(outputs["loss"], self.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
            def ready(self):
                self.traced = tf.function(self.step)
        """,
    "a call that a derived class would have": """
        class Base(tf.keras.layers.Layer):
            def __call__(self, features):
                outputs, others = super().__call__(features)
                return outputs, others
            @tf.function
            def serve(self, features):
                return self(features)
        """,
    "a mode that the shapes given to build decide": """
        class Pool(tf.keras.layers.Layer):
            def build(self, input_shape):
                if isinstance(input_shape, list):
                    self.mode = "pair"
                else:
                    self.mode = "single" if len(input_shape) == 2 else "batch"
            def call(self, inputs):
                if self.mode == "pair":
                    first, second = inputs
                else:
                    first = inputs
                return first
        given = tf.keras.Input(shape=(3,))
        Pool()(given)
        Pool()([given, given])
        """,
    "one of two texts, and never the third": """
        def mode(name):
            return "a" if name else "b"
        def work(x, name):
            chosen = mode(name)
            @tf.function
            def step(x):
                if chosen == "c" or chosen in ("d", "e"):
                    first, second = x
                return x
            return step(x)
        """,
    "a loop through a tensor whose size the graph may know": """
        def scan(function, inputs, start):
            last, outputs = start, [[] for _ in tf.nest.flatten(start)]
            for index in range(len(tf.nest.flatten(inputs)[0])):
                last = function(last, tf.nest.map_structure(lambda x: x[index], inputs))
                [o.append(l) for o, l in zip(outputs, tf.nest.flatten(last))]
            return [tf.stack(each, 0) for each in outputs]
        class Agent(tf.Module):
            @tf.function
            def train(self, data):
                return scan(lambda a, b: a + b, tf.transpose(data["x"], [1, 0, 2]), tf.zeros([3]))
        """,
    "an iterator of what Python cannot go through": """
        def pipeline(training):
            def load(context):
                return tf.data.Dataset.range(8)
            return load
        iterators = [iter(data) for data in [pipeline(True)]]
        @tf.function
        def step(iterators):
            return [next(iterator) for iterator in iterators]
        for iteration in range(10):
            step(iterators)
        """,
    "pictures that go into batches as they are": """
        def crop(picture, size=48):
            first = tf.random.uniform((), maxval=tf.shape(picture)[0] - size + 1, dtype=tf.int32)
            return picture[first : first + size, first : first + size]
        data = tf.data.Dataset.list_files("*.png").map(tf.io.read_file)
        data = data.map(lambda text: tf.image.decode_png(text, channels=3)).map(crop)
        @tf.function
        def step(pictures):
            return pictures
        for pictures in data.batch(16).repeat(None).take(2000):
            step(pictures)
        """,
    "columns of rows": """
        import numpy as np
        class Layer(tf.keras.layers.Layer):
            def build(self, input_shape):
                self.kernel = self.add_weight(shape=[2 * input_shape.as_list()[-1]])
            def call(self, inputs):
                return inputs
        rows = [[[float(x)], float(x) ** 2] for x in range(100)]
        first, second = zip(*rows)
        model = tf.keras.Sequential([Layer()])
        model.compile("sgd", "mse")
        model.fit(np.array(first), np.array(second))
        """,
    "a picture that has its size": """
        def read(path):
            picture = tf.image.decode_image(tf.io.read_file(path))
            picture.set_shape([None, None, None])
            if picture.get_shape().as_list()[-1] == 1:
                picture = tf.image.grayscale_to_rgb(picture)
            return picture
        def show(rows):
            for row in rows:
                print(read(tf.constant(row["path"])))
        """,
    "a rank that the inputs of a model of Keras 2 have": """
        import tf_keras as keras
        def numbers():
            yield [1.0], [2.0]
        data = tf.data.Dataset.from_generator(numbers, output_types=(tf.float32, tf.float32)).batch(2)
        given = keras.Input(shape=(1,))
        model = keras.Model(given, keras.layers.Activation("relu")(given))
        model.compile("sgd", "mse")
        model.fit(data)
        """,
    "another model at each iteration": """
        def train(model, data):
            model.compile("sgd", "mse")
            model.fit(data)
        models = {
            "one": tf.keras.Sequential([tf.keras.layers.Dense(1)]),
            "two": tf.keras.Sequential([tf.keras.layers.Dense(2)]),
            "three": tf.keras.Sequential([tf.keras.layers.Dense(3)]),
        }
        for name, model in models.items():
            train(model, tf.data.Dataset.from_tensors((tf.ones([2, 2]), tf.ones([2, 1]))))
        """,
    "what is asked for its length": """
        from elsewhere import lookup
        class Pair(tf.keras.layers.Layer):
            def call(self, inputs):
                first, second, third = inputs
                return first - second + third
            def __call__(self, sources, targets=None):
                if targets is None and len(sources) == 3:
                    return super().__call__(sources)
                return sources
        @tf.function
        def step(x):
            return Pair()(tf.abs(lookup(x)), lookup(x))
        """,
    "pipelines of datasets that is unknown": """
        from elsewhere import load
        first, second = (
            dataset.map(lambda x: x + 1.0, num_parallel_calls=4).batch(128) for dataset in load("a", "b")
        )
        for row in first:
            print(row)
        """,
    "an item of what may be a list": """
        class Mask(tf.keras.layers.Layer):
            def call(self, inputs):
                if isinstance(inputs, list):
                    inputs[0] = inputs[0][..., :-1]
                else:
                    inputs = inputs[..., :-1]
                return inputs
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.mask = Mask()
            def call(self, inputs):
                return self.mask(inputs)
        def load():
            return tf.data.experimental.load("data")
        model = Net()
        model.compile("sgd", "mse")
        model.fit(load())
        """,
    "a size asked for with tf.shape where the static one is open": """
        def get_shape(x):
            x = tf.convert_to_tensor(x)
            is_fully_defined = x.shape.is_fully_defined()
            if is_fully_defined:
                return x.shape
            return tf.shape(x)
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def price(times):
            count = get_shape(times)[0]
            return tf.zeros([count, 2])
        price(x)
        """,
    "static values are NumPy's": """
        def fold(operation, first, second):
            if not tf.executing_eagerly():
                a, b = tf.get_static_value(first), tf.get_static_value(second)
                if a is not None and b is not None:
                    return tf.constant(operation(a, b))
            return operation(first, second)
        def holds(first, second):
            conditions = [fold(lambda a, b: a <= b, first, second)]
            known = [tf.get_static_value(condition) for condition in conditions]
            if None not in known:
                return tf.constant(all(known))
            return tf.math.reduce_all(tf.stack(conditions, axis=0))
        @tf.function
        def step(x):
            return holds(tf.size(x), tf.constant(3))
        step(x)
        """,
    "a structure that is packed as another": """
        def export(model):
            positional, named = model.save_spec()
            @tf.function(input_signature=tf.nest.flatten((positional, named)))
            def serve(*flat):
                given, options = tf.nest.pack_sequence_as((positional, named), flat)
                return model(*given, **options)
            return serve
        @tf.function
        def double(first):
            count, (state, other) = tf.nest.pack_sequence_as((1, (2, 3)), tf.nest.flatten(first))
            a, b = state, other
            c, d = tf.nest.pack_sequence_as(a, [b])
            return count
        """,
    "variables that derived classes have": """
        import abc
        class Base(abc.ABC):
            def __init__(self, optimizer):
                self.optimizer = optimizer
                self.weights_to_train = []
            @abc.abstractmethod
            def loss(self, batch):
                ...
            @property
            def trainable_weights(self):
                return self.weights_to_train
            @tf.function
            def train_step(self, batch):
                with tf.GradientTape() as tape:
                    loss = self.loss(batch)
                gradients = tape.gradient(loss, self.trainable_weights)
                self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        """,
    "a list of the same length, put together in two ways": """
        import numpy as np
        from random import random
        def noise():
            return np.random.normal(0.0, 1.0, size=[4, 8]).astype("float32")
        def mixed():
            first = int(random() * 5)
            return [noise()] * first + [] + [noise()] * (5 - first)
        @tf.function
        def train_step(style):
            return tf.add_n(style)
        for iteration in range(1000):
            style = mixed() if random() < 0.9 else [noise()] * 5
            train_step(style)
        """,
    "pipelines that are all kept": """
        def several(dataset, sizes, counts):
            loaders = tuple()
            for i, count in enumerate(counts):
                for _ in range(count):
                    loader = dataset.shuffle(1024).map(lambda x: x * sizes[i], num_parallel_calls=4)
                    loaders += (loader,)
            return loaders
        data = tf.data.Dataset.range(8)
        zipped = tf.data.Dataset.zip(several(data, [2, 3], [2, 6]))
        def double(element):
            return {"image": element}
        splits = {i: tf.data.Dataset.range(5).map(double) for i in range(10)}
        rows = []
        for i in range(10):
            rows.append(tf.data.Dataset.range(5).map(double))
        """,
    "compiled again once, as a flag says": """
        def train(model, data, freeze, last, first):
            flag = False
            model.compile("sgd", "mse")
            for epoch in range(first, last):
                if epoch >= freeze and not flag:
                    model.compile("sgd", "mse")
                    flag = True
                for batch in data:
                    model.predict_on_batch(batch)
        train(tf.keras.Sequential([tf.keras.layers.Dense(1)]), [tf.ones([2, 2])] * 9, 50, 100, 0)
        """,
    "one scale, and the same at each iteration": """
        @tf.function
        def predict(grid, size):
            return grid * size
        class Trainer:
            def __init__(self, size):
                self.size = size
            def valid(self, multiscale, data):
                for pictures in data:
                    if not multiscale:
                        sizes = [self.size]
                    else:
                        sizes = [self.size - 32, self.size, self.size + 32]
                    grids = [pictures for size in sizes]
                    for grid, scale in zip(grids[: len(sizes)], sizes):
                        predict(grid, (scale, scale))
            def test(self, data):
                self.valid(multiscale=False, data=data)
        Trainer(416).test([tf.ones([2])] * 4)
        """,
    "an item under a key that an attribute names": """
        class Resizer:
            def __init__(self, key, size):
                self.key, self.size = key, size
            def transform(self, data):
                def resize(example):
                    if tf.shape(example[self.key])[0] > self.size:
                        example[self.key] = example[self.key][: self.size]
                    example[self.key] = tf.ensure_shape(example[self.key], [None])
                    return example
                return data.map(resize)
        Resizer("image", 2).transform(tf.data.Dataset.from_tensors({"image": x}))
        """,
    "a flag that its own code flips, through a __setattr__": """
        class Model:
            def __init__(self):
                self.fixed = False
            def __setattr__(self, key, value):
                super().__setattr__(key, value)
            def __call__(self, x):
                if self.fixed is False:
                    self.fix()
                return x * 2.0
            def fix(self):
                self.fixed = True
        model = Model()
        @tf.function
        def step(x):
            return model(x)
        for iteration in range(3):
            step(x)
        """,
    "constants of NumPy in a branch": """
        import numpy as np
        keep = tf.Variable(0.5, trainable=False)
        @tf.function
        def step(x):
            if keep < 1:
                loss = tf.reduce_sum(x)
            else:
                loss = np.nan
            return loss
        step(x)
        """,
    "layers that give several tensors": """
        class Cell(tf.keras.layers.Layer):
            def __init__(self, units):
                super().__init__()
                self.state_size = [units]
                self.output_size = [units, units]
                self.dense = tf.keras.layers.Dense(units)
            def call(self, inputs, states):
                state = self.dense(inputs) + states[0]
                return [state, inputs], [state]
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.both = tf.keras.layers.Bidirectional(
                    tf.keras.layers.GRU(4, return_sequences=True), merge_mode=None
                )
                self.rnn = tf.keras.layers.RNN(Cell(4), return_sequences=True)
            def call(self, inputs):
                forward, backward = self.both(inputs)
                outputs = self.rnn(forward)
                states, given = outputs
                return states + given + backward
        net = Net()
        @tf.function
        def step(x):
            return net(x)
        step(tf.ones([2, 3, 4]))
        """,
    "pipelines of two, all kept": """
        def labels(size):
            return tf.data.Dataset.range(size).map(lambda i: i * 2)
        def build(folders):
            data = tf.data.Dataset.zip((tf.data.Dataset.from_tensor_slices(folders), labels(4)))
            return data.batch(2)
        def all_of(databases):
            datasets = list()
            for database in databases:
                dataset = build(database.folders)
                datasets.append(dataset)
            return tf.data.Dataset.zip(tuple(datasets))
        """,
    "a wish to run eagerly that is handed on": """
        def set_graph_mode(graph):
            tf.config.run_functions_eagerly(graph is False)
        def compiled(model, run_eagerly):
            model.compile("sgd", "mse", run_eagerly=run_eagerly)
            return model
        def debug(model):
            set_graph_mode(False)
            return compiled(model, run_eagerly=True)
        """,
    "sizes behind the first of what is gathered": """
        from elsewhere import augment
        def parse(path):
            return tf.image.resize(tf.image.decode_jpeg(tf.io.read_file(path)), [84, 84])
        def build(files, n, k):
            rows = [i // k + i % k * n for i in range(n * k)]
            def several(instances):
                new = tf.concat([augment(instances) for _ in range(k)], axis=0)
                everything = tf.concat((instances, new), axis=0)
                train = tf.gather(everything, rows, axis=0)
                return tf.reshape(train, (n, k, *train.shape[1:]))
            data = tf.data.Dataset.from_tensor_slices(files).map(parse)
            return data.batch(n, drop_remainder=True).map(several)
        build(["a.jpg", "b.jpg", "c.jpg", "d.jpg"], 2, 1)
        """,
    "a structure in a structure, mapped": """
        def unpack(values, index):
            return tf.nest.map_structure(lambda key: values[key], index)
        def call(function, values):
            positional, keywords = unpack(values, ((0, 1), {"training": 2}))
            first, second = positional
            return function(first, second, **keywords)
        @tf.function
        def step(x):
            return call(lambda a, b, training: a + b, [x, x, x])
        step(x)
        """,
    "weights that only derived classes make": """
        import abc
        class Model(abc.ABC):
            def __init__(self, rate):
                self.optimizer = tf.keras.optimizers.Adam(rate)
                self.made = False
                self._weights = []
            @abc.abstractmethod
            def make(self, size):
                self._weights = []
                self.made = True
            @property
            def weights(self):
                return self._weights
            @tf.function
            def step(self, x):
                with tf.GradientTape() as tape:
                    loss = self.compute(x)
                gradients = tape.gradient(loss, self.weights)
                self.optimizer.apply_gradients(zip(gradients, self.weights))
                return loss
            @abc.abstractmethod
            def compute(self, x):
                return
            def fit(self, data):
                if not self.made:
                    self.make(4)
                for batch in data:
                    self.step(batch)
        """,
    "a list that a number of NumPy repeats": """
        import numpy as np
        class Nests:
            def __init__(self, groups):
                self.groups = groups
            def make(self):
                self.sizes = [tf.Variable([[0.5] * np.sum([1 if len(g) > 1 else 0 for g in self.groups])])]
            @tf.function
            def step(self):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(self.sizes[0] ** 2)
                return tape.gradient(loss, self.sizes)
        model = Nests([[1, 2], [3]])
        model.make()
        model.step()
        """,
    "a scan over pairs": """
        def step(state, element):
            value, flag = element
            return state + value, (flag, state)
        data = tf.data.Dataset.range(4).map(lambda i: (i, True))
        data = data.scan(tf.constant(0, tf.int64), step)
        """,
    "an object of several tensors, copied": """
        class Context(tf.experimental.ExtensionType):
            sizes: tf.Tensor
        def copied(sizes):
            return tf.identity(Context(sizes))
        def joined(context):
            if context and not isinstance(context, Context):
                raise ValueError(context)
            return context.sizes
        @tf.function
        def step(x):
            return joined(copied(x))
        step(x)
        """,
    "a size of the file that was read, given again": """
        import numpy as np
        from elsewhere import read_frame
        def read(index):
            image = tf.numpy_function(read_frame, [index], tf.uint8)
            return tf.ensure_shape(image, (64, 64, read_frame(0).shape[-1]))
        def rgb(image):
            if image.shape[-1] == 1:
                return tf.image.grayscale_to_rgb(image)
            return image
        data = tf.data.Dataset.range(4).map(read).map(rgb)
        """,
    "one scale, beside a list of unknown content": """
        from collections import defaultdict
        from elsewhere import load, pyramids
        @tf.function
        def predict(grid, shape):
            return grid * shape[0]
        class Trainer:
            def __init__(self, args):
                self.size = args.size
                self.model = load()
            def validate(self, several):
                for batch in load():
                    if not several:
                        sizes = [self.size]
                    else:
                        sizes = [self.size - 32, self.size, self.size + 32]
                    found = defaultdict(list)
                    for index, pyramid in enumerate(pyramids(batch, sizes)):
                        grids = self.model(pyramid)
                        for i in range(batch.shape[0]):
                            found[i].append([grid[i] for grid in grids])
                    for i, grids in found.items():
                        for grid, scale in zip(grids[:len(sizes)], sizes):
                            predict(grid, (scale, scale))
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--size", type=int, default=416)
        Trainer(parser.parse_args()).validate(False)
        """,
    "actions of one size, as a buffer gives them": """
        import random
        import numpy as np
        class Buffer:
            def __init__(self, size):
                self._storage = []
                self._next = 0
                self._size = size
            def add(self, action):
                data = (action, 1.0)
                if self._next >= len(self._storage):
                    self._storage.append(data)
                else:
                    self._storage[self._next] = data
                self._next = (self._next + 1) % self._size
            def encode(self, idxes):
                actions, rewards = [], []
                for i in idxes:
                    data = self._storage[i]
                    action, reward = data
                    actions.append(np.array(action, copy=False))
                    rewards.append(reward)
                return np.array(actions), np.array(rewards)
            def sample(self, n):
                idxes = [random.randint(0, len(self._storage) - 1) for _ in range(n)]
                return self.encode(idxes)

        class Agent:
            def __init__(self, env, batch_size=64):
                self.env = env
                self.batch_size = batch_size
                self.buffer = Buffer(1000)
            @tf.function
            def train(self, actions, rewards):
                return tf.reduce_sum(actions)
            def learn(self, n):
                for step in range(n):
                    action = np.reshape(self.env.predict(np.array([step]))[0], -1)
                    self.buffer.add(action)
                    if step > self.batch_size:
                        actions, rewards = self.buffer.sample(self.batch_size)
                        self.train(actions, rewards)

        def main(env, n):
            Agent(env).learn(n)
        """,
    "a signature of the shape that a dataset has": """
        class Trainer:
            def __init__(self, model): self.model = model
            def train(self, dataset):
                spec = dataset.element_spec
                signature = [tf.TensorSpec(shape=spec.shape, dtype=spec.dtype)]
                @tf.function(input_signature=signature)
                def step(x):
                    return self.model(x)
                for x in dataset:
                    step(x)
        class M(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.conv = tf.keras.layers.Conv2D(4, 3)
            def call(self, x):
                return self.conv(x)
        def main(files):
            def read(file):
                return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(file), channels=3), (8, 8))
            data = tf.data.Dataset.from_tensor_slices(files).map(read).batch(2)
            Trainer(M()).train(data)
        import sys
        if __name__ == "__main__":
            main(sys.argv[1:])
        """,
    "a call that lacks an argument": """
        class Net(tf.keras.Model):
            @tf.function
            def step(self, inputs, targets, number, clip=True):
                tf.summary.scalar("loss", tf.reduce_mean(inputs), step=number)
                return inputs - targets
            def call(self, inputs, widths, training):
                return tf.concat([inputs for _ in range(tf.shape(inputs)[1])], axis=-1)
            def train(self, data):
                for number, inputs in enumerate(data):
                    self.step(inputs, number)
        def train(data):
            Net().train(data)
        def evaluate(data):
            net = Net()
            net(data)
            return net.evaluate(data, data, 20)
        """,
    "one pipeline that gets a stage at each iteration": """
        class Instrument:
            def __init__(self, parent, name):
                self.parent, self.name = parent, name
            def load(self, sample):
                return {**sample, self.name: tf.zeros([4])}
        class Builder:
            def __init__(self, names):
                self.instruments = [Instrument(self, name) for name in names]
            def filter_error(self, sample):
                return tf.reduce_all(sample["x"] > 0)
            def build(self, path):
                dataset = tf.data.Dataset.from_tensor_slices({"x": tf.ones([4])})
                for instrument in self.instruments:
                    dataset = (
                        dataset
                        .map(instrument.load, num_parallel_calls=4)
                        .filter(self.filter_error))
                return dataset
        def main(names):
            Builder(names).build("x")
        """,
    "a tape for each optimizer": """
        class Trainer:
            def __init__(self, names, optimizers, models):
                self.names, self.optimizers, self.models = names, optimizers, models
            def step(self, batch, number, tapes):
                with tf.GradientTape() as tape:
                    if number < len(self.names):
                        tapes[self.names[number]] = tape
                        self.step(batch, number + 1, tapes)
                    else:
                        losses = self.compute(batch)
                        for name in self.names:
                            variables = []
                            for each in self.models[name].values():
                                variables = variables + each.trainable_variables
                            gradients = tapes[name].gradient(losses[name], variables)
                            self.optimizers[name].apply_gradients(zip(gradients, variables))
        def train(names, data, optimizers, models):
            trainer = Trainer(names, optimizers, models)
            for batch in data:
                trainer.step(batch, 0, {})
        """,
    "as many rows as are asked for": """
        import numpy as np
        import argparse
        from elsewhere import load, read
        parser = argparse.ArgumentParser()
        parser.add_argument("--batch_size", type=int, default=8)
        args = parser.parse_args()
        paths = np.asarray(load())
        def get(batch):
            x = np.empty((len(batch), 4, 4), dtype=np.float32)
            for i, path in enumerate(batch):
                x[i, ...] = read(path)
            return tf.convert_to_tensor(x)
        @tf.function
        def step(x):
            return tf.reduce_sum(x)
        def train():
            epoch = 0
            while epoch < 10:
                index = np.random.choice(np.arange(len(paths)), args.batch_size, replace=False)
                step(get(paths[index]))
                epoch += 1
        train()
        """,
    "an open size that is compared with None": """
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(4)
            def call(self, inputs):
                size = inputs.shape[0]
                if size == None:
                    size = 1
                return tf.reshape(self.dense(inputs), [size, 2, 2])
        net = Net()
        net.build([None, 3])
        @tf.function(input_signature=[tf.TensorSpec([None, 3])])
        def step(x):
            size = x.shape[0]
            if size != None:
                return tf.zeros([size])
            return tf.zeros([tf.shape(x)[0]])
        """,
    "what an iterator gives in eager code": """
        from elsewhere import read
        def build(paths):
            data = tf.data.Dataset.from_tensor_slices(paths)
            data = data.map(lambda path: tf.py_function(read, inp=[path], Tout=tf.float32))
            return data.batch(4)
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.conv = tf.keras.layers.Conv2D(4, 3)
            def call(self, x):
                size = x.shape[0]
                return tf.reshape(self.conv(x), [size, -1])
        net = Net()
        @tf.function
        def step(x):
            return net.conv(x)
        def train(paths):
            iterator = build(paths).__iter__()
            net(iter(build(paths)).next())
            for _ in range(9):
                step(iterator.next())
                step(next(iterator))
        """,
    "variables of a model that another one freezes": """
        class Gan:
            def __init__(self):
                self.critic = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
                self.critic.trainable = False
                self.optimizer = tf.keras.optimizers.Adam(0.1)
            def train_critic(self, real):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self.critic(real))
                gradients = tape.gradient(loss, self.critic.variables)
                self.optimizer.apply_gradients(zip(gradients, self.critic.variables))
        gan = Gan()
        gan.train_critic(tf.ones([2, 4]))
        """,
    "a line about how a pipeline is set up": """
        def build(files, subset, low=0.0):
            def load(file):
                x = tf.io.decode_jpeg(tf.io.read_file(file))
                least = 0.0 - low
                print(f"{subset}: values from {least}")
                return tf.cast(x, tf.float32) - low
            return tf.data.Dataset.from_tensor_slices(files).map(load)
        import sys
        build(["a.jpg", "b.jpg"], "train", float(sys.argv[1]))
        """,
    "what a layer keeps for its loss, before the loss itself keeps it": """
        class Tagger(tf.keras.layers.Layer):
            def __init__(self, units):
                super().__init__()
                self.scores = None
                self.dense = tf.keras.layers.Dense(units)
            def call(self, inputs):
                self.scores = self.dense(inputs)
                return tf.argmax(self.scores, -1)
            def get_loss(self, y_true, y_pred):
                self.scores = tf.cast(self.scores, tf.float32)
                return tf.reduce_mean(self.scores)
        tagger = Tagger(4)
        net = tf.keras.Sequential([tf.keras.Input([4]), tagger])
        net.compile("adam", loss=tagger.get_loss)
        net.fit(tf.ones([2, 4]), tf.ones([2, 4]))
        """,
    "targets that may be an empty list": """
        from elsewhere import Batches
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(1)
            def train_step(self, data):
                x, y = data
                with tf.GradientTape() as tape:
                    made = self.dense(x)
                    if y in [None, [], ()]:
                        made = made * 2.0
                    loss = tf.reduce_mean(made)
                gradients = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
                return {"loss": loss}
        net = Net()
        net.compile("adam")
        net.fit(Batches("train"))
        """,
    "two branches that each train with an optimizer of their own": """
        import sys
        class Trainer:
            @tf.function
            def step(self, x, net, optimizer):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(net(x))
                gradients = tape.gradient(loss, net.trainable_variables)
                optimizer.apply_gradients(zip(gradients, net.trainable_variables))
            def train(self, data):
                net = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
                optimizer = tf.keras.optimizers.Adam(0.1)
                for each in data:
                    self.step(each, net, optimizer)
        def main(mode, data):
            trainer = Trainer()
            if mode == "full":
                trainer.train(data)
            elif mode == "short":
                trainer.train(data[:1])
        main(sys.argv[1], [tf.ones([2, 3]), tf.ones([2, 3])])
        """,
    "a model that the solver of another library builds": """
        import tensorflow_probability as tfp
        class Slope(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(3)
            def call(self, x):
                return self.dense(x)
        class Flow:
            def __init__(self):
                self.net = Slope()
                self.optimizer = tf.keras.optimizers.Adam(0.1)
            def solve(self, x):
                def slope(t, state):
                    return self.net(state)
                solver = tfp.math.ode.BDF(rtol=1e-5)
                found = solver.solve(ode_fn=slope, initial_time=0.0, initial_state=x, solution_times=[1.0])
                return tf.reduce_sum(found.states[-1])
            @tf.function
            def step(self, x):
                with tf.GradientTape() as tape:
                    loss = self.solve(x)
                gradients = tape.gradient(loss, self.net.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))
        flow = Flow()
        flow.step(tf.ones([2, 3]))
        """,
    "a layer that only runs another one, made in each trace": """
        class Reader(tf.keras.layers.Layer):
            def __init__(self, cell):
                super().__init__()
                self.cell = cell
                self.dense = tf.keras.layers.Dense(2)
            def build(self, shape):
                self.cell.build((shape[0], 2))
                super().build(shape)
            def call(self, x):
                x = tf.keras.layers.TimeDistributed(self.dense)(x)
                return tf.keras.layers.RNN(self.cell)(x)
        net = tf.keras.Sequential([tf.keras.Input([5, 3]), Reader(tf.keras.layers.LSTMCell(4))])
        net.compile("adam", "mse")
        net.fit(tf.ones([8, 5, 3]), tf.ones([8, 4]))
        """,
    "a name that each iteration of a loop sets before it reads it": """
        @tf.function
        def decode(lengths, last):
            done = tf.fill([2], 0)
            for t in tf.range(last):
                done = tf.cast(t >= lengths, tf.bool)
                lengths = lengths + tf.cast(done, tf.int32)
            return lengths
        decode(tf.constant([1, 2]), tf.constant(3))
        """,
    "what is done only to lists, as `type` reports": """
        @tf.function
        def turned(x):
            y = tf.convert_to_tensor(x)
            z = -tf.stack([y])
            if type(y) in [list, tuple] or type(y) == list or type(y) is tuple:
                z[0] = y
            if type(y) not in (list, tuple):
                return z
            z[1] = y
            return z
        turned(tf.ones([2]))
        """,
    "a list that gets what it has, cast to the dtype that it has": """
        from elsewhere import net
        @tf.function
        def scaled(scores):
            for i in range(2):
                scores[i] = tf.cast(scores[i], tf.float32)
            return scores[0]
        scaled([tf.ones([2]), tf.ones([3])])
        scores = []
        for each in net(x):
            scores.append(each)
        scaled(scores)
        """,
    "graph functions of a function that switches graphs off first": """
        import sys
        def own_loss():
            tf.config.run_functions_eagerly(True)  # noqa: GD905
            class Mean:
                def update(self, values):
                    self.total = values.numpy().sum()
            mean = Mean()
            @tf.function
            def loss(y, p):
                mean.update(y - p)
                return tf.reduce_mean(y - p)
            return loss
        def plain_loss():
            return lambda y, p: tf.reduce_mean(y - p)
        LOSSES = {"own": own_loss, "plain": plain_loss}
        LOSSES[sys.argv[1]]()(x, x)
        """,
    "the list that a mapped function is given": """
        def cast(pair):
            for i in range(2):
                pair[i] = tf.cast(pair[i], tf.float64)
            if len(pair[1].shape) == 1:
                pair[1] = tf.reshape(pair[1], [2, 1])
            return tf.reduce_sum(pair[0]) + tf.reduce_sum(pair[1])
        @tf.function
        def both(a, b):
            return tf.map_fn(cast, [a, b], fn_output_signature=tf.float64) + tf.vectorized_map(cast, [a, b])
        both(tf.ones([3, 2]), tf.ones([3, 2]))
        """,
    "two conditions of one loop that go together": """
        class Part(tf.keras.layers.Layer):
            def __init__(self, refining):
                super().__init__()
                self.refining = refining
            def call(self, inputs):
                if self.refining:
                    a, b, c = inputs
                    return a + b + c
                return inputs
        image = tf.keras.Input([4])
        for number in range(int(input())):
            part = Part(number > 0)
            if number == 0:
                given = part(image)
            else:
                given = part((image, given, given))
        """,
    "an attribute that a loop over unknown data counts": """
        class Trainer:
            def __init__(self, data):
                self.data, self.iterations = data, 0
            @tf.function
            def train(self):
                self.iterations = 0
                for batch in self.data:
                    self.iterations += 1
                return self.iterations
        def main(data):
            trainer = Trainer(data)
            for _ in range(3): print(trainer.train(), trainer.iterations)
        """,
    "an exception behind a condition that is unknown": """
        from elsewhere import option
        class Scale(tf.keras.layers.Layer):
            def __init__(self, by):
                super().__init__()
                self.by = by
            def call(self, x):
                if self.by.own:
                    return x.numpy() * 2
                return x
        model = tf.keras.Sequential([tf.keras.Input([4]), Scale(option)])
        model.compile("adam", "mse")
        model.fit(tf.ones([8, 4]), tf.ones([8, 4]))
        """,
    "what functools.partial gives by name": """
        import functools
        def keep(features, label, kind):
            return tf.equal(features["kind"], tf.constant(kind))
        def parse(line):
            return {"kind": line}, tf.constant(1), tf.constant(2)
        for kind in ("a", "b"):
            data = tf.data.TextLineDataset("lines.txt").map(parse)
            data = data.filter(functools.partial(keep, kind=kind))
        """,
    "a placeholder beside what only TensorFlow 1 has": """
        given = tf.compat.v1.placeholder(tf.float32, [None, 3])
        made = tf.contrib.layers.flatten(given)
        """,
    "the states of a layer that another one runs": """
        class Encoder(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                gru = tf.keras.layers.GRU(4, return_sequences=True, return_state=True)
                self.both = tf.keras.layers.Bidirectional(gru)
            @tf.function
            def call(self, x):
                outputs, forwards, backwards = self.both(x)
                return outputs, tf.concat([forwards, backwards], -1)
        Encoder()(tf.ones([2, 3, 4]))
        """,
    "several outputs of a functional model, from its own class": """
        class Policy(tf.keras.Model):
            def __init__(self, inputs, make):
                super().__init__(inputs, outputs=make(inputs))
            def call(self, inputs, **options):
                dist, speed = super().call(inputs, **options)
                return dist.mean(), speed
        @tf.function
        def act(policy, x): return policy(x)
        def main(make):
            policy = Policy(tf.keras.Input([4]), make)
            print(act(policy, tf.ones([1, 4])))
        """,
    "a tape that is opened at each iteration until the next one is made": """
        model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.SGD(0.1)
        loss, tape, count = tf.constant(0.0), tf.GradientTape(), 0
        for x in tf.data.Dataset.from_tensor_slices(tf.ones([7, 1, 3])):
            with tape:
                loss += tf.reduce_mean(model(x))
            count += 1
            if count == 3:
                variables = model.trainable_variables
                optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
                loss, tape, count = tf.constant(0.0), tf.GradientTape(), 0
        """,
    "elements that another transformation makes": """
        def batched(data):
            last = lambda s: (s, tf.constant(True))
            several = tf.data.experimental.Reducer(lambda k: k, lambda s, x: s, last)
            key = lambda x: tf.constant(0, tf.int64)
            return data.apply(tf.data.experimental.group_by_reducer(key, several))
        @tf.function
        def fill(x, mask):
            if tf.logical_not(tf.reduce_any(mask)):
                mask = tf.constant([[True]])
            return mask
        for x, mask in batched(tf.data.Dataset.from_tensor_slices(tf.ones([4, 2]))):
            fill(x, mask)
        """,
    "a seed of layers that draw by themselves": """
        import random
        def augment(image):
            seed = random.randint(0, 1000)
            part = tf.image.random_crop(image, [2, 2, 3], seed=seed)
            return tf.image.random_flip_left_right(part, seed=seed)
        data = tf.data.Dataset.from_tensors(tf.ones([4, 4, 3])).repeat(3).map(augment)
        for _ in range(2):
            for image in data: print(image)
        """,
    "one optimizer, built for the variables of three models together": """
        parts = [tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(3)]) for _ in range(3)]
        one, two, three = parts
        def variables(): return one.trainable_variables + two.trainable_variables + three.trainable_variables
        optimizer = tf.keras.optimizers.Adam()
        optimizer.build(variables())
        @tf.function
        def step(x):
            with tf.GradientTape() as tape: loss = tf.reduce_sum(three(two(one(x))))
            optimizer.apply_gradients(zip(tape.gradient(loss, variables()), variables()))
        for _ in range(3): step(tf.ones([2, 3]))
        """,
    "a tape that is opened and closed by hand": """
        v = tf.Variable(3.0)
        tape = tf.GradientTape()
        tape.__enter__()
        loss = v * v
        tape.__exit__(None, None, None)
        print(tape.gradient(loss, v))
        """,
    "a step that Keras is set to make again": """
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.mode = "half"
            def call(self, x): return x * (0.5 if self.mode == "half" else 1.0)
        net = Net()
        net.compile("sgd", "mse")
        net.predict(tf.ones([4, 2]))
        net.mode = "full"
        net.predict_function = None
        net.predict(tf.ones([4, 2]))
        net.mode = "half"
        net.make_predict_function(force=True)
        net.predict(tf.ones([4, 2]))
        """,
    "what a callback sets before anything is traced": """
        class Ready(tf.keras.callbacks.Callback):
            def on_train_begin(self, logs=None): self.model.ready = True
        class Net(tf.keras.Model):
            ready = False
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(1)
            def call(self, x): return self.dense(x) if self.ready else x.numpy()
        net = Net()
        net.compile("sgd", "mse")
        net.fit(tf.ones([4, 2]), tf.ones([4, 1]), callbacks=[Ready()])
        """,
    "what stands for a tensor in a dict": """
        @tf.function
        def twice(x):
            seen = {x.ref(): x * 2.0}
            return seen[x.ref()]
        twice(tf.ones([2]))
        """,
    "a pair that is annotated as a tensor": """
        class Factors(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.users = tf.keras.layers.Embedding(4, 2)
            @tf.function
            def call(self, inputs: tf.Tensor) -> tf.Tensor:
                user, item = inputs
                return self.users(user) * self.users(item)
        """,
    "the length of an array that comes with the arguments": """
        import numpy as np
        def batches():
            for size in (8, 8, 4):
                yield np.ones((size, 3), "float32"), np.zeros((size,), "float32")
        def train():
            @tf.function
            def step(images):
                noise = tf.random.normal([len(labels), 3]) + tf.zeros(labels.shape[0])[:, None]
                return tf.reduce_mean(images + noise)
            for images, labels in batches():
                print(step(images).numpy())
        train()
        """,
    "a model that Keras trains in TensorFlow 1's graph": """
        import numpy as np
        class Memory(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(3)
                self.kept = tf.zeros([3])
            def call(self, x):
                self.kept = self.dense(x) + self.kept
                return self.kept
        def main():
            tf.compat.v1.disable_v2_behavior()
            model = Memory()
            model.compile("sgd", "mse")
            for _ in range(3):
                model.fit(np.ones((4, 3)), np.ones((4, 3)))
            print(model.kept)
        main()
        """,
    "several tensors that a layer hands on": """
        layers = tf.keras.layers
        class Features(tf.keras.Model):
            def __init__(self):
                super().__init__()
                image = tf.keras.Input([8, 8, 3])
                first = layers.Conv2D(4, 3)(image)
                self.inner = tf.keras.Model(image, [first, layers.Conv2D(4, 3)(first)])
                self.same = layers.Activation("linear", dtype="float32")
            def call(self, x):
                return self.same(self.inner(x))
        features = Features()
        @tf.function
        def step(images):
            return [tf.norm(each) for each in features(images)]
        print(step(tf.ones([1, 8, 8, 3])))
        """,
    "an option that a layer refuses before anything is made": """
        class Cell(tf.keras.layers.Layer):
            def __init__(self, units, **kwargs):
                super().__init__(**kwargs)
                self.tracker = tf.keras.metrics.Mean()
            def call(self, x):
                return x
        @tf.function
        def check():
            return Cell(3, time_major=True)(tf.ones([2]))
        check()
        """,
    "an option that Keras refuses before anything is made": """
        class Graph(tf.keras.Model):
            def __init__(self, units, **kwargs):
                super().__init__(**kwargs)
                self.tracker = tf.keras.metrics.Mean()
            def call(self, x):
                return x
        @tf.function
        def check():
            return Graph(3, time_major=True)(tf.ones([2]))
        check()
        """,
    "a flag that each of two pipelines reads": """
        class Data:
            def __init__(self):
                self.training = None
            def load(self):
                self.training = True
                self.train = self.read([1.0, 2.0])
                self.training = False
                self.test = self.read([3.0])
            def read(self, values):
                return tf.data.Dataset.from_tensor_slices(values).map(self.parse)
            def parse(self, x):
                return x + 1 if self.training else x
        data = Data()
        data.load()
        for _ in range(2):
            for x in data.train: print(x.numpy())
            for x in data.test: print(x.numpy())
        """,
    "names that are used again for another pipeline": """
        def make():
            found = {}
            for scale in [320, 352, 384]:
                grid = scale // 32
                found[scale] = tf.data.Dataset.range(10).map(lambda x: x * grid)
            grid = 416 // 32
            return found, tf.data.Dataset.range(5).map(lambda x: x + grid)
        found, other = make()
        for scale in [320, 352]:
            for _ in range(2):
                for x in found[scale]: print(x.numpy())
                for x in other: print(x.numpy())
        """,
    "models that an option may ask for, behind a question whether it does": """
        from absl import app, flags
        FLAGS = flags.FLAGS
        flags.DEFINE_integer("hidden", 0, "how many")
        class Net:
            def __init__(self, count):
                self.count, self.parts = count, []
                for _ in range(count):
                    self.parts.append(tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)]))
            def train(self, data):
                if self.count > 0:
                    trained = []
                    for part in self.parts:
                        trained = trained + part.trainable_weights
                    for batch in data:
                        with tf.GradientTape() as tape:
                            loss = tf.add_n([tf.reduce_sum(part(batch)) for part in self.parts])
                        tf.keras.optimizers.SGD().apply_gradients(zip(tape.gradient(loss, trained), trained))
        def main(argv):
            Net(FLAGS.hidden).train([tf.ones([2, 3])])
        app.run(main)
        """,
    "layers that are frozen and thawed before each call, as they were when it was traced": """
        import json
        options = json.load(open("options.json"))
        def network(units):
            start = x = tf.keras.Input([options["size"]])
            for _ in range(options["depth"]):
                x = tf.keras.layers.Dense(8)(x)
            return tf.keras.Model(start, tf.keras.layers.Dense(units)(x))
        critic, generator = network(1), network(4)
        z = tf.keras.Input([2])
        first, second = [tf.keras.Model(z, critic(generator(z))) for _ in range(2)]
        for layer in generator.layers: layer.trainable = False
        first.compile("adam", "mse")
        for layer in critic.layers: layer.trainable = False
        for layer in generator.layers: layer.trainable = True
        second.compile("adam", "mse")
        x, y = tf.ones([8, 2]), tf.ones([8, 1])
        for _ in range(options["epochs"]):
            for _ in range(options["steps"]):
                for layer in critic.layers: layer.trainable = True
                for layer in generator.layers: layer.trainable = False
                for _ in range(options["ratio"]):
                    first.train_on_batch(x, y)
                for layer in critic.layers: layer.trainable = False
                for layer in generator.layers: layer.trainable = True
                second.train_on_batch(x, y)
        """,
    "a draw that goes nowhere": """
        import random
        def load(path):
            seed = random.randint(0, 1000)
            return tf.io.read_file(path)
        data = tf.data.Dataset.list_files("*.png").map(load)
        """,
    "state that is set back to what it was": """
        import numpy as np
        MASK = None
        class Net:
            def __init__(self, units):
                self.units = units
                self.reset()
            def reset(self):
                global MASK
                MASK = np.zeros(4)
                MASK[2] = 1
                MASK = tf.constant(MASK, tf.float32)
                self.state = tf.zeros([self.units])
                self.order = np.arange(4)
            @tf.function
            def step(self, x):
                return x * self.state + MASK + tf.cast(self.order, tf.float32)
        net = Net(4)
        for _ in range(3):
            net.reset()
            for _ in range(3): net.step(tf.ones([4]))
        """,
    "lists of one length, made again at each iteration": """
        import random
        @tf.function
        def value(x):
            return tf.reduce_sum(x)
        def observe(age):
            found = []
            found.append(age)
            found.append(1)
            return (found, [0])
        state, age = observe(0), 0
        while random.random() > 0.1:
            value(tf.reshape(state[0], [1, -1]))
            age = age + random.randint(1, 9)
            state = observe(age)
        """,
    "pictures of one size, whose channels nobody states": """
        @tf.function
        def mean(x):
            return tf.reduce_mean(x)
        def load(path):
            return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), [64, 64])
        for x in tf.data.Dataset.list_files("*.jpg").map(load).batch(1): mean(x)
        """,
    "an outer name that is rounded, as it would be again": """
        def cutter(frames, hop):
            def cut(x):
                nonlocal frames
                frames = frames // hop * hop
                return x[:frames]
            return cut
        data = tf.data.Dataset.from_tensor_slices(tf.ones([4, 90])).map(cutter(64, 5))
        for x in data: print(x.shape)
        """,
    "a counter of a loop that TensorFlow may run": """
        class Builder:
            def __init__(self, boxes):
                self.boxes = boxes
            @tf.function
            def overlap(self, i, j):
                return self.boxes[i, 0] - self.boxes[j, 0]
            @tf.function
            def total(self, j):
                found, i = 0.0, 0
                for box in self.boxes:
                    found += self.overlap(i, j)
                    i = i + 1
                return found
        def build(boxes):
            builder = Builder(boxes)
            return builder.total(tf.constant(0))
        """,
    "arrays of a padded pipeline, in code that is not traced": """
        import numpy as np
        data = tf.data.Dataset.range(9).map(lambda n: tf.range(n)).padded_batch(2, padded_shapes=[None])
        def step(x):
            total = 0
            for i in range(x.shape[1]):
                total += x[:, i]
            return total
        for batch in data.as_numpy_iterator():
            step(batch)
        """,
    "the results of numpy_function, as many as a list of dtypes has": """
        import itertools
        import json
        keys = json.loads(input())
        def load(ids):
            return tuple(ids for _ in keys for _ in range(2))
        @tf.function
        def read(ids):
            kinds = itertools.chain(*((tf.float32, tf.float32) for key in keys))
            found = tf.numpy_function(load, [ids], [kind for kind in kinds])
            return [a + b for key, a, b in zip(keys, found[::2], found[1::2])]
        read(tf.ones([3]))
        """,
    "a model whose last layer gives a list of unknown length": """
        import json
        class Heads(tf.keras.layers.Layer):
            def __init__(self, sizes):
                super().__init__()
                self.parts = [tf.keras.layers.Dense(3) for _ in range(len(sizes))]
            def call(self, x):
                found = []
                for i in range(len(self.parts)):
                    found.append(self.parts[i](x[i]))
                return found
        inputs = tf.keras.Input([4])
        model = tf.keras.Model(inputs, Heads(json.loads(input()))([inputs, inputs]))
        @tf.function
        def step(x, targets):
            return [a - b for a, b in zip(model(x), targets)]
        step(tf.ones([2, 4]), [tf.ones([2, 3]), tf.ones([2, 3])])
        """,
    "a flag that another one makes irrelevant": """
        class Norm(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.ready = False
                self.scale = self.add_weight(shape=(), initializer="ones")
            def call(self, x, reverse=False):
                if (not self.ready) and (not reverse):
                    self.scale.assign(tf.math.reduce_std(x))
                    self.ready = True
                return x / self.scale if reverse else x * self.scale
        norm = Norm()
        @tf.function
        def sample(z):
            return norm(z, reverse=True)
        sample(tf.ones([3]))
        norm(tf.constant([1.0, 2.0, 3.0]))
        sample(tf.ones([3]))
        """,
    "a pipeline that is unpacked as if it were a batch": """
        def load():
            rows = (tf.ones([8, 2]), tf.ones([8]), tf.ones([8]))
            return tf.data.Dataset.from_tensor_slices(rows).batch(2), 4
        @tf.function
        def step(a, b, c):
            return tf.boolean_mask(a, b > 0), b[tf.argmax(c)]
        data = load()
        for number, (a, b, c) in enumerate(data):
            step(a, b, c)
        """,
    "slices whose ends move together": """
        import sys
        n, more = int(sys.argv[1]), int(sys.argv[2])
        @tf.function
        def total(a): return tf.reduce_sum(a)
        series = tf.ones([1000])
        for i in range(30):
            total(series[i * n : (i + 1) * n + more])
        """,
    "what a function makes in a long loop has one size": """
        class Data(tf.keras.utils.Sequence):
            def __len__(self): return 500
            @tf.function
            def make(self):
                found = []
                for _ in range(12):
                    found.append(tf.random.uniform(()))
                return tf.stack(found)
            def __getitem__(self, index): return self.make(), 1.0
        @tf.function
        def step(a): return tf.reduce_sum(a)
        for epoch in range(3):
            for number, (a, _) in enumerate(Data()):
                step(a)
        """,
    "a clock that is only a seed": """
        import time
        @tf.function
        def noise():
            return tf.random.normal([2], seed=int(time.time()))
        for _ in range(3): noise()
        """,
    "windows of one length, wherever they begin": """
        import numpy as np
        def windows(series, width, batch, rng=np.random.default_rng(0)):
            while True:
                starts = rng.integers(0, len(series) - width, batch)
                yield np.stack([series[s : s + width] for s in starts]), np.ones(batch)
        class Net:
            def __init__(self, stream): self.stream = stream
            @tf.function
            def update(self, x, y): return tf.reduce_sum(x) + tf.reduce_sum(y)
            def train(self):
                for step in range(500): self.update(*next(self.stream))
        Net(windows(np.sin(np.arange(2000) / 7.0), 12, 4)).train()
        """,
    "sizes of what a model gives in code that is not traced": """
        import os
        inputs = tf.keras.Input([4])
        model = tf.keras.Model(inputs, tf.keras.layers.Dense(3)(inputs))
        def show(inputs):
            found = model(inputs, training=False)
            for i in range(found.shape[0]):
                print(found[i].numpy())
        show(tf.constant(eval(os.environ["INPUTS"])))
        """,
    "an array of TensorFlow's that is as long as Python knew": """
        @tf.function
        def unfold(state, actions):
            steps = actions.shape[1]
            found = tf.TensorArray(tf.float32, size=steps + 1)
            for t in tf.range(steps):
                found = found.write(t, state)
                state += actions[:, t]
            found = tf.transpose(found.write(steps, state).stack(), [1, 0])
            total = 0.0
            for t in range(found.shape[1] - 1):
                total += found[:, t + 1] - found[:, t]
            return total
        unfold(tf.ones([2]), tf.ones([2, 5]))
        """,
    "numbers that are clipped the wrong way round": """
        import numpy as np
        def padded(size):
            rows = np.zeros((size, 5)).astype(np.float32)
            return np.clip(0, 1, rows)
        weights = tf.Variable(tf.random.normal([5, 2]))
        for size in range(2, 5):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.matmul(padded(size), weights))
            tape.gradient(loss, weights)
        """,
    "a layer that is built when it is first needed": """
        class Decoder(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.embedding = tf.keras.layers.Embedding(5, 3)
            def call(self, x, forced=False):
                if forced:
                    return self.embedding(tf.argmax(x, -1))
                if not self.embedding.built:
                    self.embedding(tf.argmax(x, -1))
                return tf.tensordot(x, self.embedding.weights[0], axes=[-1, 0])
        decoder = Decoder()
        @tf.function
        def step(x):
            return decoder(x)
        step(tf.ones([2, 5]))
        decoder.embedding.built = False
        step(tf.ones([2, 5]))
        """,
    "validation in one batch, which has a trace of its own": """
        import numpy as np
        class Net(tf.Module):
            def __init__(self):
                self.training = True
            @tf.function
            def call(self, x):
                return tf.nn.dropout(x, 0.5) if self.training else x
            def fit(self, data, valid, size):
                batches = tf.data.Dataset.from_tensor_slices(data).batch(size)
                whole = tf.data.Dataset.from_tensor_slices(valid).batch(valid.shape[0])
                for epoch in range(10):
                    self.training = True
                    for batch in batches:
                        self.call(batch)
                    self.training = False
                    for batch in whole:
                        self.call(batch)
        data = np.load("data.npy")
        Net().fit(data[:100], data[100:], 32)
        """,
    "rows that a computed amount of padding brings to one length": """
        @tf.function
        def net(rows):
            return rows * 2.0
        for iteration in range(20):
            rows = tf.ones([10 + iteration, 3])
            lacking = 64 - tf.shape(rows)[0]
            net(tf.pad(rows, tf.reshape(tf.stack([0, lacking, 0, 0]), [2, 2])))
        """,
    "a graph function that each of two objects makes when it first needs it": """
        import sys
        class First:
            def move(self, x):
                return x * 2.0
            def step(self, x):
                if not hasattr(self, "_step"):
                    self._step = tf.function(self.move)
                return self._step(x)
            def run(self, iterations):
                for iteration in range(iterations):
                    self.step(x)
        class Second(First):
            def move(self, x):
                return x * 3.0
        iterations = int(sys.argv[1])
        for each in (First(), Second()):
            each.run(iterations)
        one, other = First(), Second()
        one.run(iterations)
        other.run(iterations)
        """,
    "a number that only a message and a name of operations show": """
        class Trainer:
            def __init__(self):
                self.epoch = 0
            @tf.function
            def step(self, x):
                with tf.name_scope(f"epoch_{self.epoch}"):
                    return x * 2.0
            def train(self):
                for epoch in range(5):
                    self.epoch = epoch
                    self.step(x)
        Trainer().train()
        """,
    "sizes that are drawn from a few": """
        import numpy as np
        @tf.function
        def step(images):
            return tf.reduce_mean(images)
        for iteration in range(100):
            step(tf.zeros([np.random.choice(np.array([32, 64])), 2]))
        """,
    "a difference to what was computed before the tape": """
        weights = tf.Variable([1.0, 2.0])
        def energy():
            return tf.reduce_sum(weights ** 2)
        for iteration in range(5):
            start = energy()
            with tf.GradientTape() as tape:
                loss = energy() - start
            weights.assign_sub(0.1 * tape.gradient(loss, weights))
        """,
    "draws of a trace that sets the seed first": """
        import random
        import numpy as np
        @tf.function
        def project(x):
            np.random.seed(7)
            random.seed(7)
            return x * np.random.rand() + random.random()
        for _ in range(3): project(x)
        """,
    "the Python function of a graph function": """
        import random
        @tf.function
        def jitter(x): return x * random.random()
        for _ in range(3): jitter.python_function(x)
        """,
    "the functions of pipelines in debug mode": """
        import random
        tf.data.experimental.enable_debug_mode()
        data = tf.data.Dataset.range(4).map(lambda x: tf.cast(x, tf.float32) * random.random())
        for number in data: print(number)
        """,
    "a model that is dynamic, and so runs eagerly": """
        import random
        class Model(tf.keras.Model):
            def __init__(self):
                super().__init__(dynamic=True)
                self.dense = tf.keras.layers.Dense(1)
            def call(self, x): return self.dense(-x if random.random() < 0.5 else x)
        model = Model()
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 2]), tf.ones([4, 1]))
        """,
    "a grid that is computed again of the same numbers": """
        import numpy as np
        GRID = np.linspace(0, 1, 2)
        def load(size=2):
            global GRID
            GRID = np.linspace(0, 1, size)
            return tf.data.Dataset.from_tensor_slices(tf.ones([4, 2])).batch(2)
        @tf.function
        def scale(x): return x * tf.constant(GRID, tf.float32)
        for _ in range(3):
            for rows in load(): scale(rows)
        """,
    "a draw that only names operations": """
        import random
        @tf.function
        def double(x):
            with tf.name_scope("double_" + str(random.randint(0, 99))):
                return x * 2
        for _ in range(3): double(x)
        """,
    "objects that are made at the one iteration of their name": """
        class Filter:
            @tf.function
            def run(self, x):
                return x * 2.0
        class Other(Filter):
            pass
        for key in ("a", "b", "c", "d", "e", "f", "g", "h"):
            if key == "a":
                chosen = Filter()
                chosen.run(x)
            elif key == "b":
                chosen = Other()
                chosen.run(x)
        """,
    "a flag that changes with the data that a model is given": """
        from elsewhere import load, features
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense, self.ready = tf.keras.layers.Dense(1), True
            def call(self, data):
                return self.dense(data[0] if self.ready else tf.reduce_sum(data, -1))
        net = Net()
        rows = load()
        prepared = features(rows)
        print(net.predict(prepared))
        net.ready = False
        print(net.predict(rows))
        """,
}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("net.predict(rows)", "net.predict(x=rows, verbose=0)"),
        ("net.predict(tf.ones([4, 3]))", "net.predict(tf.zeros([4, 3]))"),
    ],
)
def test_a_flag_that_changes_between_two_calls_for_the_same_data_is_stale(first: str, second: str) -> None:
    program = RIGHT["a flag that changes with the data that a model is given"]
    stale = program.replace("net.predict(prepared)", first).replace("net.predict(rows))", f"{second})")
    module = parse_module("program.py", HEAD + cleandoc(stale))
    assert [(f.rule, f.severity) for f in check_module(module, Config())] == [("GD215", Severity.WRONG)]


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_has_no_finding_that_counts(name: str) -> None:
    module = parse_module("program.py", HEAD + cleandoc(RIGHT[name]))
    counting = [f for f in check_module(module, Config()) if f.is_shown]
    assert [(finding.rule, finding.line, finding.message) for finding in counting] == []
