"""Programs whose fix reaches into a layer, a helper or a base class, each with its files.

By name: the files, the first of which is run.
"""

TWO_STEPS_WITHOUT_A_GRADIENT = """import numpy as np
import keras
import tensorflow as tf
from keras import ops


class Gate(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.score = keras.layers.Dense(units)

    def call(self, x):
        open_ = tf.cast(tf.greater(self.score(x), 0.0), tf.float32)
        return x * open_


class Steps(keras.layers.Layer):
    def call(self, x):
        return ops.ceil(x * 4.0) / 4.0


inputs = keras.Input((3,))
outputs = keras.layers.Dense(1)(Gate(3)(Steps()(keras.layers.Dense(3)(inputs))))
model = keras.Model(inputs, outputs)
keras.utils.set_random_seed(1)
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(32, 3)).astype("float32")
h = model.fit(x, x.sum(1), epochs=3, verbose=0)
print([round(l, 3) for l in h.history["loss"]])
"""

TENSORFLOW_IN_A_FUNCTIONAL_MODEL = """import keras
import numpy as np
import tensorflow as tf


class Head:
    def __init__(self, scale=2.0):
        self.scale = scale

    def normalised(self, x):
        return tf.math.l2_normalize(x, axis=-1) * self.scale

    def __call__(self, a, b):
        pair = tf.concat([self.normalised(a), b], axis=-1)
        for power in (1.0, 2.0):
            pair = tf.math.cumsum(tf.scalar_mul(power, pair), axis=1)
        return tf.einsum("bi,bj->bij", pair, a)


ids = keras.Input((4,), dtype="int32")
x = keras.Input((3,))
hot = tf.reduce_sum(tf.one_hot(ids, depth=5), axis=1)
flat = tf.reshape(hot, [tf.shape(hot)[0], -1])
out = Head()(x, flat)
out = tf.nn.l2_normalize(keras.layers.Flatten()(out), 1)
model = keras.Model([ids, x], out)
print(np.round(model.predict([np.ones((2, 4), "int32"), np.ones((2, 3), "float32")], verbose=0).sum(), 3))
"""

OPTIMIZER_OF_A_BASE_CLASS = {
    "main.py": """import keras
import numpy as np
import tensorflow as tf
from base import Base


class ActorCritic(Base):
    def __init__(self):
        super().__init__(rate=0.01)
        self.actor = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
        self.critic = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])

    @tf.function
    def train(self, x, y):
        with tf.GradientTape(persistent=True) as tape:
            value_loss = tf.reduce_mean((self.critic(x) - y) ** 2)
            policy_loss = tf.reduce_mean(tf.nn.softplus(self.actor(x)))
        variables = self.critic.trainable_variables
        self._opt.apply_gradients(zip(tape.gradient(value_loss, variables), variables))
        grads = tape.gradient(policy_loss, self.actor.trainable_variables)
        self._opt.apply_gradients(zip(grads, self.actor.trainable_variables))
        return value_loss + policy_loss


keras.utils.set_random_seed(2)
agent = ActorCritic()
x = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")
for _ in range(4):
    loss = agent.train(x, x[:, :1])
print("%.4f" % float(loss))
""",
    "base.py": """import keras


class Base:
    def __init__(self, rate):
        self._opt = keras.optimizers.Adam(
            keras.optimizers.schedules.ExponentialDecay(rate, 10, 0.9),
            beta_1=0.5,
        )
""",
}

OPTIMIZER_THAT_A_HELPER_APPLIES = """import keras
import numpy as np
import tensorflow as tf

SETTINGS = {"optimizer": "RMSprop", "rate": 0.01}
keras.utils.set_random_seed(2)
teacher = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
student = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
optimizer = getattr(keras.optimizers, SETTINGS["optimizer"])(SETTINGS["rate"])


def descend(net, loss, tape):
    grads = tape.gradient(loss, net.trainable_weights)
    optimizer.apply(grads, net.trainable_weights)


@tf.function
def distil(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((teacher(x) - y) ** 2)
    descend(teacher, loss, tape)
    with tf.GradientTape() as tape:
        gap = tf.reduce_mean((student(x) - tf.stop_gradient(teacher(x))) ** 2)
    descend(student, gap, tape=tape)
    return loss, gap


x = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")
for _ in range(4):
    loss, gap = distil(x, x[:, :2])
print("%.4f %.4f" % (float(loss), float(gap)))
"""

METRICS_OF_ANOTHER_FILE = {
    "main.py": """import numpy as np
import tensorflow as tf
from scoring import scorers


@tf.function
def score(y, pred):
    found = scorers()
    for metric in found:
        metric.update_state(y, pred)
    return [metric.result() for metric in found]


rng = np.random.default_rng(1)
for size in (8, 8, 12):
    y = rng.normal(size=(size, 1)).astype("float32")
    print([round(float(each), 4) for each in score(y, y * 0.5)])
""",
    "scoring.py": """from keras import metrics


def scorers():
    #What a regression is scored by.
    return [metrics.MeanSquaredError(), metrics.MeanAbsoluteError(name="mae")]
""",
}

UNSEEN: dict[str, dict[str, str]] = {
    "two steps without a gradient": {"main.py": TWO_STEPS_WITHOUT_A_GRADIENT},
    "TensorFlow in a functional model": {"main.py": TENSORFLOW_IN_A_FUNCTIONAL_MODEL},
    "optimizer of a base class": OPTIMIZER_OF_A_BASE_CLASS,
    "optimizer that a helper applies": {"main.py": OPTIMIZER_THAT_A_HELPER_APPLIES},
    "metrics of another file": METRICS_OF_ANOTHER_FILE,
}
