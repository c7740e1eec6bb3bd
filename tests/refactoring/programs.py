"""Programs that an edit of ours fixes, each another variant than the examples of its rule.

By name: the files, the first of which is run.
"""

NUMBER_THROUGH_A_HELPER = """
import tensorflow as tf


class Cosine:
    def __init__(self, peak, total):
        self.peak = peak
        self.total = total

    def rate(self, step):
        return self.peak * 0.5 * (1.0 + 0.5 * (1.0 - step / self.total))


weights = tf.Variable([1.0, 2.0])


def descend(gradient, rate):
    weights.assign_sub(rate * gradient)


@tf.function
def train_step(batch, rate):
    descend(tf.reduce_mean(batch, 0), rate)
    return tf.reduce_sum(weights)


schedule = Cosine(0.1, 20)
for number in range(12):
    total = train_step(tf.ones([4, 2]), schedule.rate(number))
print("total %.4f" % float(total))
"""

NUMBER_OF_SEVERAL_CALLS = """
import tensorflow as tf


class Model:
    @tf.function
    def forward(self, x, dropout):
        return tf.reduce_sum(x) * (1.0 - dropout)


model = Model()
for epoch in range(6):
    rate = 0.5 / (1 + epoch)
    trained = model.forward(tf.ones([2]), rate)
    checked = model.forward(tf.ones([2]), dropout=rate / 2)
print("%.4f %.4f" % (float(trained), float(checked)))
"""

ERRORS_ONE_BEHIND_THE_OTHER = """
import numpy as np
import tensorflow as tf

first, second = tf.Variable(1.0), tf.Variable(2.0)


def apply(tape, loss, variable):
    variable.assign_sub(0.1 * tape.gradient(loss, variable))


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        one, other = tf.square(np.sqrt(x) * first), tf.square(np.mean(x) * second)
    apply(tape, one, first)
    apply(tape, other, second)
    return one + other


for _ in range(3):
    print("%.4f" % float(step(tf.constant(4.0))))
"""

NUMBER_IN_A_DICT = """
import tensorflow as tf


@tf.function
def loss(batch):
    return tf.reduce_mean(batch["x"] * batch["scale"])


def batches():
    for number in range(9):
        yield {"x": tf.ones([3]), "scale": 0.5 + number}


print([round(float(loss(batch)), 2) for batch in batches()])
"""

COUNTER_IN_ANOTHER_MODULE = {
    "main.py": """
import tensorflow as tf

import progress


@tf.function
def step(x):
    progress.seen += 1
    return x * 2.0


for _ in range(5):
    step(tf.ones([2]))
print("seen", progress.seen)
""",
    "progress.py": """
seen = 0
""",
}

WARMUP_BY_CALLBACK = """
import tensorflow as tf


class Sampler:
    def __init__(self, temperature):
        self.temperature = temperature

    def cool(self):
        self.temperature *= 0.5

    def logits(self, x):
        return x / self.temperature

    @tf.function
    def sample(self, x):
        return tf.reduce_max(self.logits(x))


sampler = Sampler(4.0)
found = []
for round_number in range(4):
    found.append(round(float(sampler.sample(tf.constant([1.0, 2.0]))), 3))
    sampler.cool()
print(found, sampler.temperature)
"""

GLOBAL_RATE_SET_BY_A_FUNCTION = """
import tensorflow as tf

noise_level = 0.0


def set_noise(level):
    global noise_level
    noise_level = level


@tf.function
def corrupt(x):
    return x + noise_level


for level in (0.1, 0.2, 0.3):
    set_noise(level)
    print(round(float(corrupt(tf.constant(1.0))), 2))
"""

STEP_MADE_IN_A_METHOD = """
import tensorflow as tf


class Evaluator:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])

    def score(self, batches, threshold):
        @tf.function
        def one(batch, limit):
            return tf.reduce_sum(tf.cast(self.model(batch) > limit, tf.float32))

        return sum(float(one(batch, threshold)) for batch in batches)


evaluator = Evaluator()
data = [tf.ones([4, 3]) for _ in range(2)]
print([evaluator.score(data, tf.constant(0.0)) >= 0.0 for _ in range(5)])
"""

PROPERTY_MAKES_A_FUNCTION = """
import tensorflow as tf


class Policy:
    def __init__(self):
        self.weights = tf.Variable([[0.5], [0.25]])

    def forward(self, observation):
        return tf.tanh(observation @ self.weights)

    @property
    def act(self):
        return tf.function(self.forward)


policy = Policy()
print([round(float(policy.act(tf.ones([1, 2]))[0, 0]), 3) for _ in range(6)])
"""

PARTIAL_FOR_EACH_CALL = """
import functools

import tensorflow as tf


def penalty(weights, strength):
    return strength * tf.reduce_sum(weights**2)


@tf.function
def objective(weights, regularizer):
    return tf.reduce_sum(weights) + regularizer(weights)


def main():
    weights = tf.ones([3])
    values = []
    for _ in range(6):
        values.append(float(objective(weights, functools.partial(penalty, strength=0.5))))
    print(values)


main()
"""

NOISE_IN_A_PIPELINE = """
import numpy as np
import tensorflow as tf


def augment(row):
    shift = np.random.uniform(-1.0, 1.0)
    return row + shift


rows = tf.data.Dataset.from_tensor_slices(tf.zeros([8, 2])).map(augment)
values = {round(float(row[0]), 6) for row in rows}
print("different shifts:", len(values) > 1)
"""

LOSSES_KEPT_IN_A_LIST = """
import tensorflow as tf


class Logbook:
    def __init__(self):
        self.losses = []


class Trainer:
    def __init__(self, logbook):
        self.logbook = logbook
        self.weight = tf.Variable(1.0)

    @tf.function
    def step(self, x):
        loss = (self.weight * x) ** 2
        self.weight.assign_sub(0.1 * loss)
        self.logbook.losses.append(loss)
        return loss


logbook = Logbook()
trainer = Trainer(logbook)
for value in (1.0, 0.5, 0.25):
    trainer.step(tf.constant(value))
print([round(float(loss), 3) for loss in logbook.losses])
"""

SIZES_THROUGH_A_WRAPPED_METHOD = """
import tensorflow as tf


class Encoder:
    def __init__(self):
        self.table = tf.Variable(tf.reshape(tf.range(40.0), [10, 4]))
        self.encode = tf.function(self._encode)

    def _encode(self, ids):
        return tf.reduce_mean(tf.gather(self.table, ids), 0)


encoder = Encoder()
for length in range(1, 9):
    print(round(float(encoder.encode(tf.range(length))[0]), 3))
"""

PIPELINE_FOR_EACH_EPOCH = """
import tensorflow as tf


def double(x):
    return x * 2


total = 0
for epoch in range(6):
    data = tf.data.Dataset.range(5).map(double).batch(2)
    for batch in data:
        total += int(tf.reduce_sum(batch))
print(total)
"""

STATE_THAT_RETRACING_HIDES = """
import collections

import tensorflow as tf

Batch = collections.namedtuple("Batch", "rewards weight")


class Critic(tf.Module):
    def __init__(self):
        super().__init__()
        self.value = tf.Variable(0.5)
        self.baseline = 0.0
        self.updates = 0

    @tf.function
    def update(self, batch):
        self.updates += 1
        error = tf.reduce_mean(batch.rewards) - self.baseline - self.value
        self.value.assign_add(batch.weight * error)
        return error


def main():
    critic = Critic()
    for epoch in range(8):
        error = critic.update(Batch(tf.constant([1.0, 2.0 + epoch]), 0.5 * 0.9 ** epoch))
        critic.baseline = 0.9 * critic.baseline + 0.1 * epoch
    print("updates", critic.updates, "error %.4f" % float(error))


main()
"""

WEIGHTS_MADE_IN_A_KERAS_LOOP = """
import keras
import tensorflow as tf


class Folded(keras.Model):
    def __init__(self):
        super().__init__()
        self.cell = keras.layers.Dense(4, kernel_initializer="ones")

    def call(self, inputs):
        state = tf.zeros([tf.shape(inputs)[0], 4])
        for x in tf.transpose(inputs, [1, 0, 2]):
            state = tf.tanh(self.cell(tf.concat([x, state], -1)))
        return state


def main():
    model = Folded()
    model.compile("sgd", "mse")
    model.fit(tf.ones([4, 3, 2]), tf.ones([4, 4]), verbose=0)
    print("sum %.4f" % float(tf.reduce_sum(model(tf.ones([4, 3, 2])))))


main()
"""


ROWS_WRITTEN_BY_A_HELPER = """
import csv

import tensorflow as tf


class StepLog:
    def __init__(self, path):
        self.path = path
        open(path, "w").close()

    def write(self, *row):
        with open(self.path, "a", newline="") as file:
            csv.writer(file).writerow(row)

    def rows(self):
        with open(self.path) as file:
            return len(file.readlines())


class Trainer:
    def __init__(self, log):
        self.log, self.weight = log, tf.Variable(1.0)

    def after(self, loss):
        self.log.write("train", loss)

    @tf.function
    def step(self, x):
        loss = tf.reduce_sum(x) * self.weight
        self.weight.assign_sub(0.1)
        self.after(loss)
        return loss


trainer = Trainer(StepLog("rows.csv"))
for _ in range(5):
    trainer.step(tf.ones([3]))
print("rows", trainer.log.rows())
"""

LINES_WRITTEN_WITH_OPEN = """
import tensorflow as tf


@tf.function
def step(x, path="losses.txt"):
    loss = tf.reduce_sum(x)
    with open(path, "a") as file:
        file.write(f"{loss.shape} {loss.dtype.name}\\n")
    return loss


for number in range(4):
    step(tf.ones([3]) * number)
print(open("losses.txt").read())
"""

PARTS_OF_A_LOSS_READ_OUTSIDE = """
import tensorflow as tf


class Fit:
    def __init__(self):
        self.slope = tf.Variable(2.0)
        self.parts = {}

    def loss(self, x):
        self.parts = {"data": tf.reduce_mean(tf.square(x * self.slope)), "size": tf.abs(self.slope)}
        return tf.add_n(list(self.parts.values()))

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = self.loss(x)
        self.slope.assign_sub(0.1 * tape.gradient(loss, self.slope))
        return loss


fit = Fit()
for number in range(3):
    fit.step(tf.ones([4]) * number)
    print({name: round(float(part), 3) for name, part in fit.parts.items()})
"""

LIST_OF_EACH_EPOCH = """
import collections

import tensorflow as tf


class Book:
    def __init__(self):
        self.pages = collections.defaultdict(list)

    def note(self, **values):
        for name, value in values.items():
            self.pages[name].append(value)

    def next_epoch(self):
        means = {name: float(sum(values)) / len(values) for name, values in self.pages.items()}
        self.pages.clear()
        return means


book = Book()


@tf.function
def step(x):
    book.note(mean=tf.reduce_mean(x), largest=tf.reduce_max(x))
    return x * 2.0


for epoch in range(3):
    for number in range(4):
        step(tf.range(4.0) + float(epoch * number))
    print(epoch, book.next_epoch())
"""

COMPILED_FOR_EACH_RATE = """
import keras
import numpy as np

keras.utils.set_random_seed(1)
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
x, y = np.ones((8, 2), "float32"), np.zeros((8, 1), "float32")


def prepare(model, rate):
    optimizer = getattr(model, "optimizer", None) or keras.optimizers.Adam()
    optimizer.learning_rate = rate
    model.compile(optimizer=optimizer, loss="mse")


for rate in (0.1, 0.05, 0.02, 0.01):
    prepare(model, rate)
    print(round(model.fit(x, y, verbose=0).history["loss"][0], 4))
"""

BRANCHES_THAT_READ_THE_LAST_VALUE = """
import tensorflow as tf


@tf.function
def scaled(which, x):
    return tf.switch_case(which, [lambda: x * factor for factor in (1.0, 10.0, 100.0)])


for number in range(3):
    print(float(scaled(tf.constant(number), tf.constant(2.0))))
"""


TEXT_THAT_IS_ONLY_A_KEY = """
import tensorflow as tf


class Shop:
    def __init__(self, names):
        self.rows = {name: row for row, name in enumerate(names)}
        self.prices = tf.Variable([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])

    def price(self, who):
        return self.prices[self.rows[who]]

    @tf.function
    def sell(self, name, count):
        return self.price(name) * count


shop = Shop("abcdef")
for name in shop.rows:
    print("%.1f" % float(shop.sell(name, tf.constant(2.0))))
"""

OBJECT_OF_EACH_REQUEST = """
import tensorflow as tf


class Scale(tf.Module):
    def __init__(self, factor, offset=1.0):
        super().__init__()
        self.factor = tf.constant(factor)
        self.offset = offset

    @tf.function
    def apply(self, x):
        return x * self.factor + self.offset


def answer(value):
    return Scale(3.0, offset=0.5).apply(tf.constant(value))


for value in range(8):
    print("%.1f" % float(answer(float(value))))
"""

TENSORS_THAT_WERE_VARIABLES = """
import tensorflow as tf


@tf.function
def slopes(parts, x):
    with tf.GradientTape() as tape:
        loss = tf.square(parts["w"] * x + parts["b"] - 1.0)
    return tape.gradient(loss, parts)


parts = {"w": tf.Variable(0.5), "b": tf.Variable(0.1)}
for _ in range(4):
    found = slopes(parts, tf.constant(2.0))
    steps = {name: 0.0 if slope is None else 0.1 * slope for name, slope in found.items()}
    parts = {name: part - steps[name] for name, part in parts.items()}
print("%.4f %.4f" % (float(parts["w"]), float(parts["b"])))
"""

DRAWN_FROM_A_TABLE = """
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
table = np.arange(12.0, dtype="float32").reshape(4, 3)
w = tf.Variable(tf.zeros([3]))


def rows(count):
    return table[rng.integers(0, 4, count)]


@tf.function
def step(rate):
    batch = rows(2)
    w.assign_add(rate * tf.reduce_mean(batch, axis=0))
    return tf.reduce_sum(w)


for _ in range(4):
    print("%.4f" % float(step(tf.constant(0.1))))
"""


def _alone(text: str) -> dict[str, str]:
    return {"main.py": text}


FIXED: dict[str, dict[str, str]] = {
    "number through a helper": _alone(NUMBER_THROUGH_A_HELPER),
    "text that is only a key": _alone(TEXT_THAT_IS_ONLY_A_KEY),
    "object of each request": _alone(OBJECT_OF_EACH_REQUEST),
    "tensors that were variables": _alone(TENSORS_THAT_WERE_VARIABLES),
    "drawn from a table": _alone(DRAWN_FROM_A_TABLE),
    "number of several calls": _alone(NUMBER_OF_SEVERAL_CALLS),
    "one error behind the other": _alone(ERRORS_ONE_BEHIND_THE_OTHER),
    "number in a dict": _alone(NUMBER_IN_A_DICT),
    "counter in another module": COUNTER_IN_ANOTHER_MODULE,
    "warm-up by a method": _alone(WARMUP_BY_CALLBACK),
    "global set by a function": _alone(GLOBAL_RATE_SET_BY_A_FUNCTION),
    "step made in a method": _alone(STEP_MADE_IN_A_METHOD),
    "property makes a function": _alone(PROPERTY_MAKES_A_FUNCTION),
    "partial for each call": _alone(PARTIAL_FOR_EACH_CALL),
    "noise in a pipeline": _alone(NOISE_IN_A_PIPELINE),
    "losses kept in a list": _alone(LOSSES_KEPT_IN_A_LIST),
    "rows written by a helper": _alone(ROWS_WRITTEN_BY_A_HELPER),
    "lines written with open": _alone(LINES_WRITTEN_WITH_OPEN),
    "sizes through a wrapped method": _alone(SIZES_THROUGH_A_WRAPPED_METHOD),
    "pipeline for each epoch": _alone(PIPELINE_FOR_EACH_EPOCH),
    "state that retracing hides": _alone(STATE_THAT_RETRACING_HIDES),
    "parts of a loss read outside": _alone(PARTS_OF_A_LOSS_READ_OUTSIDE),
    "list of each epoch": _alone(LIST_OF_EACH_EPOCH),
    "compiled for each rate": _alone(COMPILED_FOR_EACH_RATE),
    "branches that read the last value": _alone(BRANCHES_THAT_READ_THE_LAST_VALUE),
    "weights made in a Keras loop": _alone(WEIGHTS_MADE_IN_A_KERAS_LOOP),
    "stream of a method in a loop": {
        "main.py": """import numpy as np
import tensorflow as tf
from feeding import Feed

class Trainer(Feed):
    def __init__(self):
        super().__init__()
        self.weights = tf.Variable(tf.zeros([3]))

    @tf.function
    def update(self, rate=0.1):
        with tf.GradientTape() as tape:
            x, y = next(self.stream)
            loss = tf.reduce_mean((tf.linalg.matvec(x, self.weights) - y) ** 2)
        self.weights.assign_sub(rate * tape.gradient(loss, self.weights))
        return loss

trainer = Trainer()
for _ in range(20):
    loss = trainer.update()
print("loss", float(loss))
""",
        "feeding.py": """import numpy as np

def pairs():
    rng = np.random.default_rng(0)
    while True:
        x = rng.normal(size=(4, 3)).astype("float32")
        yield x, x @ np.array([1.0, 2.0, 3.0], "float32")

class Feed:
    def __init__(self):
        self.stream = pairs()
""",
    },
    "stream of a closure": {
        "main.py": """import tensorflow as tf
from feeding import pairs, following

def make_step(weights, source):
    @tf.function
    def step():
        x, y = following(source)
        weights.assign_add(tf.linalg.matvec(x, y, transpose_a=True))
        return tf.reduce_sum(weights)
    return step

step = make_step(tf.Variable(tf.zeros([3])), pairs())
for _ in range(4):
    print("sum", float(step()))
""",
        "feeding.py": """import numpy as np

def pairs():
    rng = np.random.default_rng(0)
    while True:
        x = rng.normal(size=(4, 3)).astype("float32")
        yield x, x @ np.array([1.0, 2.0, 3.0], "float32")

def following(source):
    return next(source)
""",
    },
    "whole numbers of two sizes in a loop": {
        "main.py": """import tensorflow as tf
from decode import best

class Walk:
    def __init__(self):
        self.table = tf.constant([[0.0, 2.0, 1.0], [0.5, 0.1, 0.7], [0.9, 0.1, 0.2]])

    @tf.function
    def walk(self, start, steps):
        node = start
        for _ in tf.range(steps):
            node = best(tf.gather(self.table, node))
        return node

print(Walk().walk(tf.constant([0, 1, 2]), tf.constant(3)).numpy())
""",
        "decode.py": """import tensorflow as tf

def best(scores):
    return tf.argmax(scores, axis=-1)
""",
    },
    "backbone that is thawed by a method": {
        "main.py": """import keras
import numpy as np
from trainer import Trainer

keras.utils.set_random_seed(1)
x = np.random.default_rng(0).normal(size=(32, 3)).astype("float32")
y = np.sin(x.sum(1, keepdims=True))
trainer = Trainer()
print("first", trainer.fit(x, y, 2))
trainer.unfreeze()
print("second", trainer.fit(x, y, 3))
""",
        "trainer.py": """import keras

class Trainer:
    def __init__(self):
        self.body = keras.layers.Dense(4, activation="tanh")
        self.body.trainable = False
        self.net = keras.Sequential([keras.Input((3,)), self.body, keras.layers.Dense(1)])
        self.net.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")

    def unfreeze(self):
        for layer in self.net.layers:
            layer.trainable = True

    def fit(self, x, y, epochs):
        return self.net.fit(x, y, epochs=epochs, verbose=0, shuffle=False).history["loss"][-1]
""",
    },
    "object of each epoch": {
        "main.py": """import tensorflow as tf
from phases import phase_at

class Stepper:
    @tf.function
    def __call__(self, x, phase):
        return x * phase.weight("value") + phase.weight("slope")

step = Stepper()
for epoch in range(2):
    for i in range(8):
        value = step(tf.constant(float(i)), phase_at(epoch))
    print("epoch", epoch, float(value))
""",
        "phases.py": """import settings

class Phase:
    def __init__(self, first, weights):
        self.first = first
        self.weights = dict(weights)

    def weight(self, term):
        return self.weights.get(term, 0.0)

def phase_at(epoch):
    first, weights = [each for each in settings.PHASES if each[0] <= epoch][-1]
    return Phase(first, weights)
""",
        "settings.py": "PHASES = [(0, {'value': 1.0}), (1, {'value': 2.0, 'slope': 0.5})]\n",
    },
    "predictions for each user": {
        "main.py": """import keras
import numpy as np

class Report(keras.callbacks.Callback):
    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def errors(self):
        for name, rows in self.groups.items():
            guess = self.model.predict(rows, verbose=0)
            yield name, float(np.mean(guess))

    def on_train_end(self, logs=None):
        for name, error in self.errors():
            print(name, f"{error:.3f}")

keras.utils.set_random_seed(0)
rows = np.random.default_rng(0).normal(size=(120, 4)).astype("float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
groups = {f"user {i}": rows[5 * i : 5 * i + 5] for i in range(24)}
model.fit(rows, rows[:, :1], batch_size=60, verbose=0, callbacks=[Report(groups)])
"""
    },
    "table of a cached function": {
        "main.py": """import tempfile

import tensorflow as tf
import words

class Reader(tf.Module):
    def __init__(self):
        super().__init__()
        self.gain = tf.Variable(2)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def read(self, texts):
        return self.gain * words.encode(texts)

reader = Reader()
folder = tempfile.mkdtemp()
tf.saved_model.save(reader, folder)
loaded = tf.saved_model.load(folder)
print(loaded.read(tf.constant(["stop now", "play"])).numpy())
""",
        "words.py": """import functools

import tensorflow as tf

@functools.lru_cache(maxsize=None)
def table():
    known = tf.lookup.KeyValueTensorInitializer(tf.constant(["play", "stop"]), tf.constant([1, 2]))
    return tf.lookup.StaticHashTable(known, default_value=0)

def encode(texts):
    parts = tf.strings.split(texts)
    return tf.ragged.map_flat_values(table().lookup, parts).to_tensor()
""",
    },
    "eager mode that nobody ends": {
        "main.py": """import contextlib
import tensorflow as tf

@contextlib.contextmanager
def slowly():
    tf.config.run_functions_eagerly(True)
    yield

@tf.function
def double(x):
    return x * 2.0

with slowly():
    print(double(tf.ones([2])).numpy())
for _ in range(3):
    print(double(tf.ones([2])).numpy())
"""
    },
}
