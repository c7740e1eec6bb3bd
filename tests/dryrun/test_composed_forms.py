"""Mistakes behind ordinary Python, each with a correct counterpart: keys, identities, weights."""

from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

HEAD = "import keras\nimport numpy as np\nimport tensorflow as tf\n"
# rule, the mistake, and what is written in its place
PAIRS = {
    "a cache with a tuple for a key": (
        "GD202",
        """
        TABLES = {}
        def table(length, width):
            if (length, width) not in TABLES:
                TABLES[length, width] = tf.zeros([length, width]) + 1.0
            return TABLES[length, width]
        @tf.function
        def first(x):
            return x + table(3, x.shape[-1])
        @tf.function
        def second(x):
            return x - table(3, x.shape[-1])
        first(tf.ones([3, 4]))
        second(tf.ones([3, 4]))
        """,
        ("tf.zeros([length, width]) + 1.0", "np.ones([length, width], 'float32')"),
    ),
    "an attribute that is set past the class, read by NumPy": (
        "GD212",
        """
        class Probe:
            def keep(self, **tensors):
                for name, value in tensors.items():
                    object.__setattr__(self, f"last_{name}", value)
        probe = Probe()
        @tf.function
        def step(x):
            y = x * 2.0
            probe.keep(y=y)
            return y
        result = step(tf.ones([2]))
        print(np.asarray(probe.last_y))
        """,
        ("np.asarray(probe.last_y)", "np.asarray(result)"),
    ),
    "settings in a text decide how long a loop is": (
        "GD120",
        """
        import json
        SETUP = json.loads('{"steps": 200}')
        @tf.function
        def run(y):
            for _ in range(SETUP["steps"]):
                y = y + 0.1 * tf.sin(y) * tf.cos(y) * y - tf.exp(y) + tf.square(y)
            return y
        run(tf.ones([2]))
        """,
        ("range(", "tf.range("),
    ),
    "weights gathered by their identity": (
        "GD508",
        """
        def gathered(*models):
            seen, found = set(), []
            for model in models:
                for v in model.variables:
                    if id(v) not in seen:
                        seen.add(id(v))
                        found.append(v)
            return found
        one = keras.Sequential([keras.Input((3,)), keras.layers.Dense(3), keras.layers.BatchNormalization()])
        two = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
        weights = gathered(one, two)
        optimizer = keras.optimizers.SGD(0.1)
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(two(one(x, training=True)))
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        step(tf.ones([4, 3]))
        """,
        ("model.variables", "model.trainable_variables"),
    ),
    "an encoder before the tape, gradients for the whole model": (
        "GD502",
        """
        class Pair(keras.Model):
            def __init__(self):
                super().__init__()
                self.encoder = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
                self.decoder = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3)])
            def call(self, x):
                return self.decoder(self.encoder(x))
        pair = Pair()
        optimizer = keras.optimizers.SGD(0.1)
        @tf.function
        def step(x):
            codes = pair.encoder(x)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(pair.decoder(codes) - x))
            variables = pair.trainable_variables
            found = [(g, v) for g, v in zip(tape.gradient(loss, variables), variables) if g is not None]
            optimizer.apply_gradients(found)
            return loss
        step(tf.ones([4, 3]))
        """,
        ("variables = pair.trainable_variables", "variables = pair.decoder.trainable_variables"),
    ),
    "arg-min on the only path, with the model's own losses added": (
        "GD504",
        """
        class Coder(keras.Model):
            def __init__(self):
                super().__init__()
                self.first = keras.layers.Dense(4)
                self.last = keras.layers.Dense(3)
            def call(self, x):
                return self.last(tf.one_hot(tf.argmin(self.first(x), -1), 4))
            def train_step(self, x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(self(x) - x)) + sum(self.losses)
                grads = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
                return {"loss": loss}
        coder = Coder()
        coder.compile(optimizer="sgd")
        coder.fit(np.ones([8, 3], "float32"), epochs=1, batch_size=4, verbose=0)
        """,
        ("tf.one_hot(tf.argmin(self.first(x), -1), 4)", "tf.nn.softmax(-self.first(x))"),
    ),
    "the next iteration calls what a class method has made": (
        "GD102",
        """
        class Mover:
            def __init__(self, size):
                self.size = size
            @classmethod
            def scaled(cls, other, factor):
                return cls(other.size * factor)
            @tf.function
            def move(self, x):
                return x * self.size
        class Chain:
            def __init__(self):
                self.mover = Mover(0.9)
            def run(self, rounds):
                for _ in range(rounds):
                    self.mover.move(tf.ones([3]))
                    self.mover = Mover.scaled(self.mover, 0.5)
        Chain().run(15)
        """,
        ("self.mover = Mover.scaled(self.mover, 0.5)", "self.other = self.mover.size * 0.5"),
    ),
}
SILENT = {
    "a teacher before the tape": """
        class Both(keras.Model):
            def __init__(self):
                super().__init__()
                self.student = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
                self.teacher = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
        both = Both()
        @tf.function
        def step(x):
            wanted = both.teacher(x)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(both.student(x) - wanted))
            return tape.gradient(loss, both.trainable_variables)
        step(tf.ones([4, 3]))
        """,
    "a frozen base before the tape": """
        class Both(keras.Model):
            def __init__(self):
                super().__init__()
                self.base = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
                self.head = keras.Sequential([keras.Input((2,)), keras.layers.Dense(2)])
                self.base.trainable = False
        both = Both()
        @tf.function
        def step(x):
            features = both.base(x)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(both.head(features)))
            return tape.gradient(loss, both.trainable_variables)
        step(tf.ones([4, 3]))
        """,
    "weights chosen by their names": """
        layers = [keras.layers.Dense(3), keras.layers.BatchNormalization()]
        model = keras.Sequential([keras.Input((3,)), *layers])
        chosen = [v for v in model.variables if "moving" not in v.name]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(tf.ones([4, 3])))
        print([g.shape for g in tape.gradient(loss, chosen)])
        """,
    "arg-min beside a loss that a layer adds": """
        class Coder(keras.Model):
            def __init__(self):
                super().__init__()
                self.first = keras.layers.Dense(4)
                self.last = keras.layers.Dense(3)
            def call(self, x):
                scores = self.first(x)
                self.add_loss(tf.reduce_mean(tf.square(scores)))
                return self.last(tf.one_hot(tf.argmin(scores, -1), 4))
            def train_step(self, x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(self(x) - x)) + sum(self.losses)
                grads = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
                return {"loss": loss}
        coder = Coder()
        coder.compile(optimizer="sgd")
        coder.fit(np.ones([8, 3], "float32"), epochs=1, batch_size=4, verbose=0)
        """,
    "an object that one iteration replaces": """
        class Mover:
            def __init__(self, size):
                self.size = size
            @tf.function
            def move(self, x):
                return x * self.size
        mover = None
        for k in range(20):
            if mover is None:
                mover = Mover(0.5)
            mover.move(tf.ones([3]))
        """,
}


def rules(program: str) -> list[str]:
    """The rules that `check` shows for a program."""
    found = check_module(parse_module("program.py", HEAD + cleandoc(program) + "\n"), Config())
    return [each.rule for each in found if each.is_shown]


@pytest.mark.parametrize(("rule", "program", "change"), PAIRS.values(), ids=PAIRS)
def test_the_correct_form_is_silent(rule, program, change):
    assert change[0] in program
    assert rules(program.replace(*change)) == []


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_what_only_looks_like_it_is_silent(program):
    assert rules(program) == []


@pytest.mark.parametrize(("rule", "program", "change"), PAIRS.values(), ids=PAIRS)
def test_the_mistake_is_found(rule, program, change):
    assert rule in rules(program)
