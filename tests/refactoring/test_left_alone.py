"""What edits leave alone: names that are taken, unknown values, forms that are not plain."""

import inspect

import pytest
from tests.checking import check, fixed

HEAD = "import keras\nimport numpy as np\nimport tensorflow as tf\n\n"
LEFT = {
    "GD301 the value cannot be written above, and its shape is open": """
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def f(x):
            if tf.reduce_sum(x) > 0:
                z = tf.boolean_mask(x, x > 1)
                y = z * 2.0
            return y
        """,
    "GD302 it is asked for": """
        @tf.function
        def f(x):
            y = None
            if tf.reduce_sum(x) > 0:
                y = x
            if y is None:
                y = x
            return y
        """,
    "GD303 in a loop": """
        @tf.function
        def f(x):
            while True:
                x = x * 2.0
                if tf.reduce_sum(x) > 9.0:
                    return x
        """,
    "GD304 a text": """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                y = tf.constant("a")
            else:
                y = tf.constant(1)
            return y
        """,
    "GD305 an object": """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                g = tf.sin
            else:
                g = tf.cos
            return g(x)
        """,
    "GD309 pairs": """
        @tf.function
        def f(x, n):
            out = []
            for i in tf.range(n):
                out.append((x, i))
            return out
        """,
    "GD309 a list of the caller's": """
        @tf.function
        def f(x, n, out):
            for i in tf.range(n):
                out.append(x)
            return tf.stack(out)
        f(tf.ones([2]), tf.constant(2), [])
        """,
    "GD309 sorted in place": """
        @tf.function
        def f(x, n):
            out = []
            for i in tf.range(n):
                out.append(x)
                out.reverse()
            return tf.stack(out)
        """,
    "GD314 several at once": """
        @tf.function
        def f(x):
            for i, v in enumerate([1.0, 2.0]):
                if x[i] > v:
                    break
                x = x + v
            return x
        """,
    "GD317 in a loop of Python's": """
        @tf.function
        def f(x):
            for j in range(2):
                for i in tf.range(3):
                    if x[i] > 0:
                        return i
            return tf.constant(0)
        """,
    "GD320 the short name is taken": """
        class A:
            def __init__(self):
                self.__k = 1.0
                self._k = 2.0
            @tf.function
            def f(self, x):
                if tf.reduce_sum(x) > 0:
                    x = x * self.__k + self._k
                return x
        """,
    "GD321 endless": """
        def steps(x):
            while True:
                if tf.reduce_sum(x) > 1.0:
                    x = x / 2.0
                yield x
        @tf.function
        def f(x):
            return next(steps(x))
        """,
    "GD321 it hears": """
        def steps(x):
            if tf.reduce_sum(x) > 1.0:
                x = x / 2.0
            y = yield x
        @tf.function
        def f(x):
            return list(steps(x))[0]
        """,
    "GD322 behind a condition": """
        @tf.function
        def f(x, flag=True):
            y = flag and (n := tf.norm(x))
            if tf.reduce_sum(x) > 0:
                x = -x
            return x
        """,
    "GD330 a dict": """
        @tf.function
        def f(x, names):
            return {n: v for n, v in zip(names, x)}
        f(tf.ones([2]), ["a", "b"])
        """,
    "GD333 a generator inside": """
        @tf.function
        def f(x):
            return sum(v * 2.0 for v in x)
        """,
    "GD334 a module of which more is wanted than to call it": """
        class Head(tf.Module):
            def __init__(self, scale):
                self.w = tf.Variable(scale)
        heads = [Head(1.0), Head(2.0)]
        @tf.function
        def f(x, task):
            head = heads[task]
            return x * head.w
        f(tf.ones([2]), tf.constant(1))
        """,
    "GD334 a function that is handed on": """
        actions = [tf.sin, tf.cos]
        def choose(task):
            return actions[task]
        @tf.function
        def f(x, task):
            return tf.map_fn(choose(task), x)
        f(tf.ones([2]), tf.constant(1))
        """,
    "GD607 the last size is unknown, for which layers have weights": """
        def parse(path):
            value = tf.numpy_function(lambda p: np.atleast_2d(np.loadtxt(p)), [path], tf.float64)
            return value, 0.0
        model = keras.Sequential([keras.layers.Conv1D(2, 3), keras.layers.GlobalMaxPooling1D()])
        model.compile("sgd", "mse")
        model.fit(tf.data.Dataset.from_tensor_slices(["a", "b"]).map(parse).batch(2))
        """,
    "GD607 one part of unknown shape": """
        def read(path):
            return np.load(path.numpy()), 1
        def load(path):
            scan, label = tf.py_function(read, [path], [tf.float32, tf.int32])
            return scan, label
        data = tf.data.Dataset.from_tensor_slices(["a.npy"]).map(load).batch(4)
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(data)
        """,
    "GD607 numbers that stay in one row": """
        def read(path):
            return np.fromfile(path, "float32")
        def parse(path):
            value = tf.numpy_function(read, [path], tf.float32)
            return value, 0.0
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(tf.data.Dataset.from_tensor_slices(["a", "b"]).map(parse).batch(2))
        """,
    "GD102 a decorator whose function wraps what its own call gives": """
        def compiled(fn):
            def inner(x, scale):
                graph = tf.function(lambda y: fn(y) * scale)
                return graph(x)
            return inner
        @compiled
        def double(x):
            return x + x
        for _ in range(6):
            double(tf.ones([3]), 2.0)
        """,
    "GD209 both ends of an interval, and a clock that counts from another moment": """
        import time
        class Meter:
            def __init__(self):
                self.started = time.perf_counter()
                self.last = tf.Variable(time.time())
        meter = Meter()
        @tf.function
        def f(x):
            began = time.time()
            y = x @ x
            return y, time.time() - began, time.perf_counter() - meter.started, time.time() - meter.last
        for _ in range(3):
            f(tf.ones([2, 2]))
        """,
    "GD211 Python does with the text what no tensor can do": """
        import os
        @tf.function
        def f(x):
            kept = {}
            kept[str(x)] = 1
            names = [f"a {x}", "b"]
            file = tf.io.read_file(os.path.join("a", str(x)))
            return tf.constant(str(x).zfill(3)), tf.constant(names), file
        f(tf.constant(1))
        """,
    "GD211 a tensor is made of it where nobody looks": """
        def pad(text):
            return tf.constant(text)
        @tf.function
        def f(x):
            return pad(f"step {x}")
        f(tf.constant(1))
        """,
    "GD334 two indices": """
        @tf.function
        def f(i):
            table = [[1, 2], [3, 4]]
            return table[i][0]
        """,
    "GD339 only one branch appends": """
        @tf.function
        def f(x):
            out = [x]
            if tf.reduce_sum(x) > 0:
                out.append(x)
            return out
        """,
    "GD401 from an argument": """
        @tf.function
        def f(x):
            v = tf.Variable(x)
            return v + 1.0
        f(tf.ones([2]))
        """,
    "GD401 the name is taken": """
        v = 3
        @tf.function
        def f(x):
            v = tf.Variable(1.0)
            return v + x
        f(tf.ones([2]))
        """,
    "GD402 a function that makes it and calls it": """
        def gate(units, state):
            return keras.layers.Dense(units)(state)
        class Net(tf.Module):
            def __init__(self):
                super().__init__()
                self.units, self.state = 3, tf.Variable(tf.ones([1, 3]))
            @tf.function
            def __call__(self):
                return gate(self.units, self.state)
        net = Net()
        net()
        """,
    "GD402 a layer for each of two calls": """
        def project(x):
            return keras.layers.Dense(2)(x)
        @tf.function
        def f(x):
            return project(x) + project(x)
        f(tf.ones([1, 2]))
        """,
    "GD402 metrics for each of two calls": """
        def gauges():
            return [keras.metrics.Mean(), keras.metrics.Sum()]
        @tf.function
        def f(x):
            before, after = gauges(), gauges()
            for gauge in before + after:
                gauge.update_state(x)
            return before[0].result() + after[0].result()
        f(tf.ones([1, 2]))
        """,
    "GD402 its size is an argument": """
        @tf.function
        def f(x, units=3):
            layer = keras.layers.Dense(units)
            return layer(x)
        f(tf.ones([1, 2]))
        """,
    "GD407 fit": """
        model = keras.Sequential([keras.layers.Dense(1)])
        @tf.function
        def f(x):
            return model.fit(x, x)
        f(tf.ones([1, 2]))
        """,
    "GD411 in a comprehension": """
        class S:
            @tf.function
            def f(self, x):
                return x * self.k
            def __init__(self, k):
                self.k = k
        print([S(k).f(tf.ones([2])) for k in (1.0, 2.0)])
        """,
    "GD109 metrics that are kept": """
        @tf.function
        def step(x, metric):
            metric.update_state(x)
        kept = []
        for epoch in range(6):
            mean = keras.metrics.Mean()
            step(tf.ones([2]), mean)
            kept.append(mean)
        print([float(each.result()) for each in kept])
        """,
    "GD109 metrics of what the loop gives": """
        @tf.function
        def step(x, metric):
            metric.update_state(x)
        for name in "abcdef":
            mean = keras.metrics.Mean(name=name)
            step(tf.ones([2]), mean)
        """,
    "GD309 one list under two names": """
        @tf.function
        def f(x):
            first = second = []
            for row in x:
                first.append(row)
            return tf.stack(second)
        f(tf.ones([2]))
        """,
    "GD501 a helper that has the tensor from elsewhere": """
        x = tf.constant(3.0)
        def ask(recorder, what):
            of = x * 1.0
            return recorder.gradient(what, of)
        def slope():
            with tf.GradientTape() as tape:
                y = x * x
            return ask(tape, y)
        print(slope())
        """,
    "GD102 an object that keeps a list": """
        class Scale:
            def __init__(self, factor):
                self.factor, self.seen = factor, []
            @tf.function
            def __call__(self, x):
                return x * self.factor
        for number in range(4):
            scale = Scale(3.0)
            number += 1
            scale(tf.constant(2.0))
        """,
    "GD102 an object that is changed by its own method": """
        class Scale:
            def __init__(self, factor):
                self.factor = factor
            @tf.function
            def __call__(self, x):
                self.factor = 2.0; return x
        for number in range(4):
            scale = Scale(3.0)
            number += 1
            scale(tf.constant(2.0))
        """,
    "GD102 an object that is changed where it is made": """
        class Scale:
            def __init__(self, factor):
                self.factor = factor
            @tf.function
            def __call__(self, x):
                return x * self.factor
        for number in range(4):
            scale = Scale(3.0)
            scale.factor = 5.0
            scale(tf.constant(2.0))
        """,
    "GD102 an object made of the iteration": """
        class Scale:
            def __init__(self, factor):
                self.factor = factor
            @tf.function
            def __call__(self, x):
                return x * self.factor
        for number in range(4):
            scale = Scale(number)
            number += 1
            scale(tf.constant(2.0))
        """,
    "GD102 an object made of a new value": """
        class Scale:
            def __init__(self, factor):
                self.factor = factor
            @tf.function
            def __call__(self, x):
                return x * self.factor
        for number in range(4):
            scale = Scale(tf.constant(2.0))
            number += 1
            scale(tf.constant(2.0))
        """,
    "GD215 a model is replaced, and the method is given away": """
        def make():
            return keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1)])
        class Game:
            def __init__(self):
                self.rival = make()
            @tf.function
            def play(self, x):
                return tf.reduce_sum(self.rival(x))
        game = Game()
        game.play(tf.ones([1, 2]))
        game.rival = make()
        game.play(tf.ones([1, 2]))
        player = game.play
        """,
    "GD215 a model is replaced, and the method is called on something unknown": """
        def make():
            return keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1)])
        class Game:
            def __init__(self):
                self.rival = make()
            @tf.function
            def play(self, x):
                return tf.reduce_sum(self.rival(x))
        game = Game()
        game.play(tf.ones([1, 2]))
        game.rival = make()
        game.play(tf.ones([1, 2]))
        [one.play(tf.ones([1, 2])) for one in [game]]
        """,
    "GD215 a model is replaced, and the method has a signature": """
        def make():
            return keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1)])
        class Game:
            def __init__(self):
                self.rival = make()
            @tf.function(input_signature=[tf.TensorSpec([1, 2])])
            def play(self, x):
                return tf.reduce_sum(self.rival(x))
        game = Game()
        game.play(tf.ones([1, 2]))
        game.rival = make()
        game.play(tf.ones([1, 2]))
        """,
    "GD215 a model is replaced, and the name is taken": """
        def make():
            return keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1)])
        class Game:
            def __init__(self):
                self.rival = make()
            @tf.function
            def play(self, x):
                rival = 2.0; return tf.reduce_sum(self.rival(x)) * rival
        game = Game()
        game.play(tf.ones([1, 2]))
        game.rival = make()
        game.play(tf.ones([1, 2]))
        """,
    "GD215 a model is replaced, and the method takes anything": """
        def make():
            return keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1)])
        class Game:
            def __init__(self):
                self.rival = make()
            @tf.function
            def play(self, x, *others):
                return tf.reduce_sum(self.rival(x))
        game = Game()
        game.play(tf.ones([1, 2]))
        game.rival = make()
        game.play(tf.ones([1, 2]))
        """,
    "GD328 two results": """
        def pick(x):
            try:
                return tf.linalg.inv(x), x
            except tf.errors.InvalidArgumentError:
                return tf.linalg.inv(x), x
        @tf.function
        def f(x):
            return pick(x)
        f(tf.ones([2, 2]))
        """,
    "GD328 no result": """
        def pick(x):
            try:
                tf.linalg.inv(x)
            except tf.errors.InvalidArgumentError:
                tf.linalg.inv(x)
        @tf.function
        def f(x):
            return pick(x)
        f(tf.ones([2, 2]))
        """,
    "GD328 any number of arguments": """
        def pick(*x):
            try:
                return tf.linalg.inv(x[0])
            except tf.errors.InvalidArgumentError:
                return tf.linalg.inv(x[0])
        @tf.function
        def f(x):
            return pick(x)
        f(tf.ones([2, 2]))
        """,
    "GD328 in compiled code": """
        def pick(x):
            try:
                return tf.linalg.inv(x)
            except tf.errors.InvalidArgumentError:
                return tf.linalg.inv(x)
        @tf.function(jit_compile=True)
        def f(x):
            return pick(x)
        f(tf.ones([2, 2]))
        """,
    "GD328 in the graph function itself": """
        @tf.function
        def pick(x):
            try:
                return tf.linalg.inv(x)
            except tf.errors.InvalidArgumentError:
                return tf.linalg.inv(x)
        @tf.autograph.experimental.do_not_convert
        def f(x):
            return pick(x)
        f(tf.ones([2, 2]))
        """,
    "GD310 no value for others, in a graph that may be on a GPU": """
        IDS = {"a": 0, "b": 1}
        @tf.function
        def of(word):
            return IDS[word]
        of(tf.constant("a"))
        """,
    "GD310 a dict of the function itself": """
        def of(word):
            ids = {"a": 0, "b": 1}
            return ids[word]
        list(tf.data.Dataset.from_tensor_slices(["b", "a"]).map(of))
        """,
    "GD310 no value for others, and no numbers": """
        class Words:
            def __init__(self, words, rows):
                self.ids = {word: row for row, word in zip(rows, words)}
            def of(self, word):
                return self.ids[word]
        words = Words(["a", "b"], load())
        list(tf.data.Dataset.from_tensor_slices(["b", "c"]).map(words.of))
        """,
    "GD310 another value each time": """
        class Words:
            def __init__(self, words):
                self.ids = {word: number for number, word in enumerate(words)}
            def of(self, word):
                return self.ids.get(word, len(self.ids))
            def learn(self, word):
                pass
        words = Words(["a", "b"])
        list(tf.data.Dataset.from_tensor_slices(["b", "c"]).map(words.of))
        """,
    "GD310 a dict that grows": """
        class Words:
            def __init__(self, words):
                self.ids = {word: number for number, word in enumerate(words)}
            def of(self, word):
                return self.ids.get(word, 9)
            def learn(self, word):
                self.ids[word] = 5
        words = Words(["a", "b"])
        list(tf.data.Dataset.from_tensor_slices(["b", "c"]).map(words.of))
        """,
    "GD310 a dict that is replaced": """
        class Words:
            def __init__(self, words):
                self.ids = {word: number for number, word in enumerate(words)}
            def of(self, word):
                return self.ids.get(word, 9)
            def learn(self, word):
                self.ids = {word: 1}
        words = Words(["a", "b"])
        list(tf.data.Dataset.from_tensor_slices(["b", "c"]).map(words.of))
        """,
    "GD310 a dict that another one changes": """
        class Words:
            def __init__(self, words):
                self.ids = {word: number for number, word in enumerate(words)}
            def of(self, word):
                return self.ids.get(word, 9)
            def learn(self, word):
                pass
        words = Words(["a", "b"])
        words.ids.update({"c": 3})
        list(tf.data.Dataset.from_tensor_slices(["b", "c"]).map(words.of))
        """,
    "GD310 Python asks as well": """
        class Words:
            def __init__(self, words):
                self.ids = {word: number for number, word in enumerate(words)}
            def of(self, word):
                return self.ids.get(word, 9)
            def learn(self, word):
                pass
        words = Words(["a", "b"])
        print(words.of("a") + 1)
        list(tf.data.Dataset.from_tensor_slices(["b", "c"]).map(words.of))
        """,
    "GD215 thawed after a step of a factory, two": """
        def make_step(net, optimizer):
            @tf.function
            def step(x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(net(x)))
                gradients = tape.gradient(loss, net.trainable_variables)
                optimizer.apply_gradients(zip(gradients, net.trainable_variables))
                return len(gradients)
            return step
        def main():
            encoder = keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(2)])
            encoder.trainable = False
            net = keras.Sequential([encoder, keras.layers.Dense(1)])
            net(tf.ones([1, 2]))
            optimizer = keras.optimizers.SGD(0.1)
            step = make_step(net, optimizer)
            other = make_step(net, optimizer)
            print(int(step(tf.ones([1, 2]))))
            encoder.trainable = True
            optimizer.learning_rate = 0.05
            print(int(step(tf.ones([1, 2]))))
        main()
        """,
    "GD215 thawed after a step of a factory, one that is made in a branch": """
        def make_step(net, optimizer):
            @tf.function
            def step(x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(net(x)))
                gradients = tape.gradient(loss, net.trainable_variables)
                optimizer.apply_gradients(zip(gradients, net.trainable_variables))
                return len(gradients)
            return step
        def main():
            encoder = keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(2)])
            encoder.trainable = False
            net = keras.Sequential([encoder, keras.layers.Dense(1)])
            net(tf.ones([1, 2]))
            optimizer = keras.optimizers.SGD(0.1)
            if len(net.layers) > 1:
                step = make_step(net, optimizer)
            print(int(step(tf.ones([1, 2]))))
            encoder.trainable = True
            optimizer.learning_rate = 0.05
            print(int(step(tf.ones([1, 2]))))
        main()
        """,
    "GD215 thawed after a step of a factory, one that is given more than names": """
        def make_step(net, optimizer):
            @tf.function
            def step(x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(net(x)))
                gradients = tape.gradient(loss, net.trainable_variables)
                optimizer.apply_gradients(zip(gradients, net.trainable_variables))
                return len(gradients)
            return step
        def main():
            encoder = keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(2)])
            encoder.trainable = False
            net = keras.Sequential([encoder, keras.layers.Dense(1)])
            net(tf.ones([1, 2]))
            optimizer = keras.optimizers.SGD(0.1)
            step = make_step(net, keras.optimizers.SGD(0.1))
            print(int(step(tf.ones([1, 2]))))
            encoder.trainable = True
            print(int(step(tf.ones([1, 2]))))
        main()
        """,
    "GD401 a helper, called twice": """
        def offset(size):
            v = tf.Variable(tf.ones([size]))
            return v * 2.0
        class Net(tf.Module):
            def __init__(self):
                self.size = 2
            @tf.function
            def __call__(self, x):
                return x + offset(self.size) + offset(self.size)
        Net()(tf.ones([2]))
        """,
    "GD401 a helper, called in a loop": """
        def offset(size):
            v = tf.Variable(tf.ones([size]))
            return v * 2.0
        class Net(tf.Module):
            def __init__(self):
                self.size = 2
            @tf.function
            def __call__(self, x):
                for _ in range(3):
                    x = x + offset(self.size)
                return x
        Net()(tf.ones([2]))
        """,
    "GD401 a helper, of what the call alone knows": """
        def offset(x):
            v = tf.Variable(tf.ones([x.shape[-1]]))
            return v * 2.0
        class Net(tf.Module):
            def __init__(self):
                self.size = 2
            @tf.function
            def __call__(self, x):
                return x + offset(x)
        Net()(tf.ones([2]))
        """,
    "GD401 a helper, of what `__init__` may not set": """
        def offset(size):
            v = tf.Variable(tf.ones([size]))
            return v * 2.0
        class Net(tf.Module):
            def __init__(self, size=2):
                if size:
                    self.size = size
            @tf.function
            def __call__(self, x):
                return x + offset(self.size)
        Net()(tf.ones([2]))
        """,
    "GD401 a helper, given away as well": """
        def offset(size):
            v = tf.Variable(tf.ones([size]))
            return v * 2.0
        class Net(tf.Module):
            def __init__(self):
                self.size = 2
            @tf.function
            def __call__(self, x):
                return x + offset(self.size)
        makers = [offset]
        Net()(tf.ones([2]))
        """,
    "GD501 a list of copies that is made in the tape": """
        def slopes(a, b):
            with tf.GradientTape() as tape:
                y = a * b
                parts = [a + 0.0, b + 0.0]
            return tape.gradient(y, parts)
        slopes(tf.constant(1.0), tf.constant(2.0))
        """,
    "GD501 a list that is made below the tape": """
        def slopes(a, b):
            with tf.GradientTape() as tape:
                y = a * b
            parts = [a, b]
            return tape.gradient(y, parts)
        slopes(tf.constant(1.0), tf.constant(2.0))
        """,
    "GD403 a model that is made after its optimizer": """
        def make():
            return keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1)])
        @tf.function
        def step(net, optimizer, x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x)))
            gradients = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(gradients, net.trainable_variables))
        first, second = keras.optimizers.Adam(0.01), keras.optimizers.Adam(0.02)
        actor, critic = make(), make()
        for _ in range(2):
            step(actor, first, tf.ones([1, 2]))
            step(critic, second, tf.ones([1, 2]))
        """,
    "GD502 the question stands between": """
        w = tf.Variable(2.0)
        with tf.GradientTape(persistent=True) as tape:
            a = w * w
        first = tape.gradient(a, w)
        b = a * 2.0
        print(tape.gradient(b, w))
        """,
    "GD503 NumPy of a value whose method is called": """
        v = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(np.dot(v, v.numpy().astype("float32")))
        print(tape.gradient(loss, v))
        """,
    "GD504 an argmax": """
        w = tf.Variable([0.2, 0.7])
        with tf.GradientTape() as tape:
            loss = tf.cast(tf.argmax(w), tf.float32)
        print(tape.gradient(loss, w))
        """,
    "GD701 a whole number on one way, and a float on the other": """
        from keras import ops
        class Rate(keras.optimizers.schedules.LearningRateSchedule):
            def __call__(self, step):
                return 0 if step < 10 else 0.1
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(Rate()), "mse")
        model.fit(np.ones([4, 2]), np.ones([4, 1]))
        """,
    "GD701 a way that does more than give a value": """
        from keras import ops
        class Rate(keras.optimizers.schedules.LearningRateSchedule):
            def __call__(self, step):
                if step < 10:
                    self.seen = True
                    rate = 0.1
                else:
                    rate = 0.2
                return rate
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(Rate()), "mse")
        model.fit(np.ones([4, 2]), np.ones([4, 1]))
        """,
    "GD701 other names on both ways": """
        from keras import ops
        class Rate(keras.optimizers.schedules.LearningRateSchedule):
            def __call__(self, step):
                rate, other = 0.1, 0.2
                if step < 10:
                    rate = 0.3
                else:
                    other = 0.3
                return rate + other
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(Rate()), "mse")
        model.fit(np.ones([4, 2]), np.ones([4, 1]))
        """,
    "GD701 a name that has no value before": """
        from keras import ops
        class Rate(keras.optimizers.schedules.LearningRateSchedule):
            def __call__(self, step):
                if step < 10:
                    rate = 0.1
                return rate
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(Rate()), "mse")
        model.fit(np.ones([4, 2]), np.ones([4, 1]))
        """,
    "GD701 a comparison that is two": """
        from keras import ops
        class Rate(keras.optimizers.schedules.LearningRateSchedule):
            def __call__(self, step):
                if 1 < step < 10:
                    return 0.1
                return 0.2
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(Rate()), "mse")
        model.fit(np.ones([4, 2]), np.ones([4, 1]))
        """,
    "GD701 a comment that would be lost": """
        from keras import ops
        class Rate(keras.optimizers.schedules.LearningRateSchedule):
            def __call__(self, step):
                if step < 10:  # warm up
                    return 0.1
                return 0.2
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(Rate()), "mse")
        model.fit(np.ones([4, 2]), np.ones([4, 1]))
        """,
    "GD701 nothing is known of what follows": """
        from keras import ops
        class Rate(keras.optimizers.schedules.LearningRateSchedule):
            def __call__(self, step):
                if step < 10:
                    return 0.1
                rate = 0.2
                return rate
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(Rate()), "mse")
        model.fit(np.ones([4, 2]), np.ones([4, 1]))
        """,
    "GD701 two values": """
        from keras import ops
        class Rate(keras.optimizers.schedules.LearningRateSchedule):
            def __call__(self, step):
                low, high = (0.1, 0.2) if step < 10 else (0.2, 0.3)
                return low + high
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(Rate()), "mse")
        model.fit(np.ones([4, 2]), np.ones([4, 1]))
        """,
    "GD504 a comparison that is counted in whole numbers": """
        w = tf.Variable([0.2, 0.7])
        with tf.GradientTape() as tape:
            hits = tf.cast(w > 0.5, tf.int32)
            loss = tf.reduce_sum(tf.cast(hits, tf.float32))
        print(tape.gradient(loss, w))
        """,
    "GD504 a comparison of what two calls compute": """
        w = tf.Variable([0.2, 0.7])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.cast(tf.sin(w) > tf.cos(w), tf.float32))
        print(tape.gradient(loss, w))
        """,
    "GD504 a comparison that is computed after another call": """
        w = tf.Variable([0.2, 0.7])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.constant(2.0) * tf.cast(tf.sin(w) > 0.5, tf.float32))
        print(tape.gradient(loss, w))
        """,
    "GD801 a method of the value": """
        @tf.function
        def f(x):
            y = x.numpy().astype("float64")
            return y
        f(tf.ones([2]))
        """,
    "GD802 no such function": """
        @tf.function
        def f(x):
            return np.histogram(x)
        f(tf.ones([2]))
        """,
    "GD806 a slice": """
        @tf.function
        def f(x):
            y = tf.identity(x)
            y[1:] = 0.0
            return y
        f(tf.ones([2]))
        """,
    "GD902 another index": """
        @tf.function(jit_compile=True)
        def f(x):
            array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
            for i in tf.range(3):
                if x > 0:
                    array = array.write(array.size(), x)
            return array.stack()
        f(tf.constant(1.0))
        """,
}


# Nothing is found in these, so that there is nothing to edit.
NOT_FOUND = {
    "GD303 in a loop",
    "GD309 a list of the caller's",
    "GD314 several at once",
    "GD330 a dict",
    "GD333 a generator inside",
    "GD334 two indices",
}


@pytest.mark.parametrize("name", LEFT)
def test_left_alone(name: str) -> None:
    program, rule = HEAD + inspect.cleandoc(LEFT[name]) + "\n", name.split()[0]
    assert bool(check(program, rule)) is (name not in NOT_FOUND)
    assert fixed(program, rule) == program
