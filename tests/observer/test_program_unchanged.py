"""The observed program does and prints exactly what it does and prints alone."""

import inspect

import pytest
from tests.running import Ran, TensorFlowServer

pytestmark = [pytest.mark.tensorflow, pytest.mark.log_noise]

PROGRAMS = {
    "operations that return lists": """
        x = tf.ones([2, 4])
        @tf.function
        def parts(x):
            halves = tf.split(x, 2, axis=1)
            halves.append(x)
            rows = tf.unstack(x)
            rows.pop(0)
            return len(halves) + len(rows), [type(halves).__name__, type(rows).__name__]
        print(parts(x), type(tf.split(x, 2)), type(tf.unstack(x)), type(tf.meshgrid(x[0], x[0])))
        """,
    "saving and loading": """
        import tempfile
        class Model(tf.Module):
            def __init__(self):
                self.w = tf.Variable([1.0, 2.0])
            @tf.function(input_signature=[tf.TensorSpec([None, 2])])
            def __call__(self, x):
                return x * self.w
        model, folder = Model(), tempfile.mkdtemp()
        model(tf.ones([1, 2]))
        tf.saved_model.save(model, folder)
        print(tf.saved_model.load(folder)(tf.ones([3, 2])).numpy())
        checkpoint = tf.train.Checkpoint(model=model)
        path = checkpoint.save(folder + "/checkpoint")
        model.w.assign([5.0, 6.0])
        checkpoint.restore(path).assert_consumed()
        print(model.w.numpy())
        """,
    "saving a Keras model": """
        import os, tempfile
        tf.keras.utils.set_random_seed(1)
        layers = tf.keras.layers
        model = tf.keras.Sequential([tf.keras.Input([4]), layers.Dense(3), layers.BatchNormalization()])
        model.compile("adam", "mse")
        model.fit(tf.ones([8, 4]), tf.ones([8, 3]), verbose=0)
        path = os.path.join(tempfile.mkdtemp(), "model.keras")
        model.save(path)
        print(tf.keras.models.load_model(path)(tf.ones([1, 4])).numpy())
        folder = tempfile.mkdtemp()
        model.export(folder, verbose=False)
        loaded = tf.saved_model.load(folder)
        print(loaded.serve(tf.ones([1, 4])).numpy())
        """,
    "tapes of every kind": """
        import inspect
        w = tf.Variable(3.0)
        with tf.GradientTape(persistent=True) as outer:
            with tf.GradientTape() as inner:
                y = w * w * w
            first = inner.gradient(y, w)
        print(outer.gradient(first, w).numpy(), outer.jacobian(first, w).numpy())
        class Tape(tf.GradientTape):
            def gradient(self, *arguments, **options):
                print("mine")
                return super().gradient(*arguments, **options)
        with Tape() as tape:
            y = w * 2.0
        print(tape.gradient(y, {"w": w}), tape.watched_variables()[0] is w)
        print(inspect.signature(tf.GradientTape.gradient), tf.GradientTape.gradient.__qualname__)
        try:
            tape.gradient(y, w)
        except RuntimeError as error:
            print(error)
        """,
    "a gradient of one's own": """
        @tf.custom_gradient
        def clipped(x):
            def gradient(upstream):
                return tf.clip_by_value(upstream, -0.5, 0.5)
            return tf.identity(x), gradient
        x = tf.Variable([2.0, 3.0])
        @tf.function
        def step():
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(clipped(x) ** 2)
            return tape.gradient(y, x)
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(clipped(x) ** 2)
        print(step().numpy(), tape.gradient(y, x).numpy())
        """,
    "numbers checked by TensorFlow": """
        tf.debugging.enable_check_numerics()
        @tf.function
        def root(x):
            return tf.sqrt(x)
        print(root(tf.constant(4.0)).numpy())
        try:
            with tf.GradientTape() as tape:
                tf.math.log(tf.constant(-1.0))
        except tf.errors.InvalidArgumentError as error:
            print("caught", "Log" in str(error))
        tf.debugging.disable_check_numerics()
        print(tf.math.log(tf.constant(-1.0)).numpy())
        """,
    "an error inside a function": """
        import traceback
        @tf.function
        def broken(x):
            for i in tf.range(3):
                y = x + tf.cast(i, tf.float32)
            return tf.reshape(y, [7])
        try:
            broken(tf.ones([2, 2]))
        except Exception as error:
            print(type(error).__name__, str(error))
            print([frame.name for frame in traceback.extract_tb(error.__traceback__)])
        """,
    "an error while saving": """
        import tempfile, traceback
        scale = tf.Variable(2.0)
        class Model(tf.Module):
            @tf.function(input_signature=[tf.TensorSpec([None])])
            def scaled(self, x):
                return x * scale
        try:
            tf.saved_model.save(Model(), tempfile.mkdtemp())
        except AssertionError as error:
            print(str(error).splitlines()[0])
            print([frame.name for frame in traceback.extract_tb(error.__traceback__)])
            model = Model()
            model.scale = scale
            tf.saved_model.save(model, tempfile.mkdtemp())
        """,
    "functions looked at from outside": """
        import inspect
        @tf.function
        def step(x, scale=2):
            '''Doubles.'''
            return x * scale
        step(tf.ones(2)); step(tf.ones(3), 3)
        print(step.__name__, step.__doc__, inspect.signature(step), step.experimental_get_tracing_count())
        print(step.get_concrete_function(tf.TensorSpec([None])).graph.as_graph_def().node[0].op)
        print(step.pretty_printed_concrete_signatures())
        print(tf.autograph.to_code(step.python_function))
        """,
    "eager functions": """
        tf.config.run_functions_eagerly(True)
        seen = []
        @tf.function
        def step(x):
            seen.append(x.numpy().sum())
            return x + 1
        for n in range(3):
            step(tf.ones(n))
        print(seen)
        """,
    "operations called back": """
        from tensorflow.python.framework import op_callbacks
        seen = []
        def heard(kind, inputs, attributes, outputs, op_name=None, graph=None):
            seen.append((kind, len(inputs), graph is not None))
            return outputs
        op_callbacks.add_op_callback(heard)
        @tf.function
        def step(x):
            return tf.split(x, 2)[0] * 2.0
        print(step(tf.ones(4)).numpy())
        op_callbacks.remove_op_callback(heard)
        print(seen)
        """,
    "random numbers of all kinds": """
        import random
        import numpy as np
        random.seed(1); np.random.seed(2); tf.random.set_seed(3)
        source = np.random.default_rng(4)
        class Noisy(tf.keras.layers.Layer):
            def call(self, x):
                return x + np.random.normal() + random.random()
        @tf.function
        def step(x):
            return x * random.random() + source.normal() + tf.random.normal([])
        print([step(tf.ones(n)).numpy().tobytes() for n in (1, 2, 1)])
        print(tf.keras.Sequential([Noisy()]).predict(tf.ones([2, 2]), verbose=0).tobytes())
        print(random.random(), np.random.rand(), source.normal(), tf.random.uniform([2]).numpy().tobytes())
        """,
    "random numbers that nobody drew yet": """
        import numpy as np
        import random
        random.seed(5)
        @tf.function
        def step(x, draw):
            return x + np.random.rand() if draw else x
        step(tf.ones(2), False)
        np.random.seed(7)
        print(np.random.rand(3).tobytes(), random.getstate()[1][:5])
        """,
    "the variables of a training": """
        tf.keras.utils.set_random_seed(1)
        model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.Adam(0.1)
        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
            variables = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
            return loss
        for n in range(4):
            print(step(tf.random.normal([8, 3]), tf.ones([8, 1])).numpy().tobytes())
        print([v.numpy().tobytes() for v in [*model.variables, *optimizer.variables]])
        """,
    "fit, evaluate and predict": """
        import numpy as np
        tf.keras.utils.set_random_seed(2)
        layers = tf.keras.layers
        model = tf.keras.Sequential([layers.Dense(4), layers.Dropout(0.5), layers.Dense(1)])
        model.compile("adam", "mse")
        x, y = np.random.rand(20, 3), np.random.rand(20, 1)
        history = model.fit(x, y, epochs=2, batch_size=8, verbose=0, validation_data=(x, y))
        print(history.history, model.evaluate(x, y, verbose=0))
        for row in x[:3]:
            print(model.predict(row[None], verbose=0).tobytes())
        model.fit(x, y, batch_size=5, verbose=0)
        print([w.tobytes() for w in model.get_weights()])
        """,
    "data that does not fit": """
        import numpy as np, traceback
        model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        for call in (model.fit, model.evaluate):
            try:
                call(np.ones((4, 2)), np.ones((3, 1)), verbose=0)
            except ValueError as error:
                print(error, [frame.name for frame in traceback.extract_tb(error.__traceback__)])
        """,
    "what is printed while tracing": """
        import contextlib, io, logging, sys
        logging.basicConfig(stream=sys.stdout)
        write = sys.stdout.write
        @tf.function
        def step(x):
            print("tracing", x.shape, end="!", flush=True)
            sys.stdout.write("written")
            logging.warning("logged")
            return x
        step(tf.ones(2)); step(tf.ones(2)); step(tf.ones(3))
        kept = io.StringIO()
        with contextlib.redirect_stdout(kept):
            step(tf.ones(4))
        print(repr(kept.getvalue()), sys.stdout.write == write, "write" in vars(sys.stdout))
        """,
    "objects that count who looks at them": """
        looks = []
        class Config:
            @property
            def rate(self):
                looks.append("rate")
                return 2.0
            def __getattr__(self, name):
                looks.append(name)
                raise AttributeError(name)
        class Trainer:
            def __init__(self):
                self.config, self.steps, self.kept = Config(), 0, {}
            @tf.function
            def step(self, x):
                self.steps += 1
                self.kept["x"] = x.shape
                return x * self.config.rate
        trainer = Trainer()
        for n in (1, 1, 2):
            trainer.step(tf.ones(n))
        print(sorted(looks), trainer.steps, trainer.kept)
        """,
    "arguments that die": """
        import gc, weakref
        class Config:
            def __init__(self, rate):
                self.rate = rate
        @tf.function
        def step(x, config):
            return x * config.rate
        references = []
        for rate in (1.0, 2.0):
            config = Config(rate)
            references.append(weakref.ref(config))
            print(step(tf.ones(2), config).numpy())
            del config
        gc.collect()
        print([reference() for reference in references], step.experimental_get_tracing_count())
        """,
    "threads that trace": """
        import threading
        counts, lock = {"traced": 0}, threading.Lock()
        @tf.function
        def step(x):
            with lock:
                counts["traced"] += 1
            return tf.reduce_sum(x)
        results = {}
        def work(size):
            results[size] = step(tf.ones([size])).numpy()
        threads = [threading.Thread(target=work, args=(size,)) for size in (2, 3, 4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(sorted(results.items()), counts)
        """,
    "iterators and pipelines": """
        import itertools
        numbers = itertools.count()
        def rows():
            for n in range(5):
                yield n * next(numbers)
        data = tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec([], tf.int32))
        data = data.map(lambda x: x * 2).shuffle(4, seed=1).batch(2)
        for _ in range(2):
            print([batch.numpy().tolist() for batch in data])
        @tf.function
        def step(x):
            return x + next(numbers)
        print(step(tf.constant(1)).numpy(), step(tf.constant(1)).numpy(), next(numbers))
        """,
}  # fmt: skip


def output(ran: Ran) -> str:
    return ran.output.replace(str(ran.folder), "")


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_same_output(program: str, tensorflow: TensorFlowServer) -> None:
    text = "import tensorflow as tf\n" + inspect.cleandoc(program) + "\n"
    alone, observed = tensorflow.run(text, observe=False), tensorflow.run(text)
    assert output(alone) == output(observed)
    assert (alone.error, observed.error) == (None, None)
    assert observed.recording.problems == ()
