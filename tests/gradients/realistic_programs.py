"""Programs as people write them; `# HERE` marks the line that the report must name."""

GAN = """
import tensorflow as tf

generator = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(3)], name="generator")
discriminator = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)], name="discriminator")
generator_optimizer, discriminator_optimizer = tf.keras.optimizers.SGD(), tf.keras.optimizers.SGD()


@tf.function
def train_step(noise, real):
    with tf.GradientTape() as generator_tape, tf.GradientTape() as discriminator_tape:
        fake = generator(noise, training=True)
        judged = discriminator(tf.stop_gradient(fake), training=True)  # HERE
        discriminator_loss = tf.reduce_mean(judged) - tf.reduce_mean(discriminator(real, training=True))
        generator_loss = -tf.reduce_mean(judged)
    ours = generator_tape.gradient(generator_loss, generator.trainable_variables)
    theirs = discriminator_tape.gradient(discriminator_loss, discriminator.trainable_variables)
    discriminator_optimizer.apply_gradients(zip(theirs, discriminator.trainable_variables))
    generator_optimizer.apply_gradients(zip(ours, generator.trainable_variables))


train_step(tf.ones([4, 2]), tf.ones([4, 3]))
"""

GRAD_CAM = """
import tensorflow as tf
from tensorflow.keras import layers

backbone = tf.keras.Sequential(
    [tf.keras.Input([8, 8, 1]), layers.Conv2D(2, 3, name="last"), layers.ReLU()], name="backbone"
)
image = tf.keras.Input([8, 8, 1])
scores = layers.Dense(2)(layers.GlobalAveragePooling2D()(backbone(image)))
classifier = tf.keras.Model(image, scores)
features_of = tf.keras.Model(backbone.inputs, backbone.get_layer("last").output)


def grad_cam(picture):
    with tf.GradientTape() as tape:
        features = features_of(picture)  # HERE
        tape.watch(features)
        score = classifier(picture)[:, 0]
    return tape.gradient(score, features)


print(grad_cam(tf.ones([1, 8, 8, 1])))
"""

TRAIN_STEP = """
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Trainer(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(4)
        self.out = keras.layers.Dense(1)

    def call(self, x):
        return self.out(self.hidden(x))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            prediction = self(x, training=True)
        loss = tf.reduce_mean(tf.square(prediction - y))  # HERE
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


trainer = Trainer()
trainer.compile("sgd")
trainer.fit(np.ones([8, 3], "float32"), np.ones([8, 1], "float32"), verbose=0)
"""

PHYSICS = """
import tensorflow as tf

network = tf.keras.Sequential(
    [tf.keras.Input([1]), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1)]
)


def residual(x):
    with tf.GradientTape() as first:
        first.watch(x)
        u = network(x)
    u_x = first.gradient(u, x)  # HERE
    with tf.GradientTape() as second:
        second.watch(x)
        flux = u_x * 1.0
    u_xx = second.gradient(flux, x)
    return u_xx


residual(tf.reshape(tf.linspace(0.0, 1.0, 5), [5, 1]))
"""

REINFORCE = """
import tensorflow as tf

policy = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)], name="policy")
optimizer = tf.keras.optimizers.SGD()
rewards = tf.constant([0.0, 1.0])


@tf.function
def train_step(states):
    with tf.GradientTape() as tape:
        logits = policy(states)
        actions = tf.random.categorical(logits, 1)  # HERE
        reward = tf.gather(rewards, actions[:, 0])
        loss = -tf.reduce_mean(reward)
    gradients = tape.gradient(loss, policy.trainable_variables)
    optimizer.apply_gradients(zip(gradients, policy.trainable_variables))


train_step(tf.ones([4, 3]))
"""

CLIPPING = """
import keras
import tensorflow as tf

model = keras.Sequential([keras.Input([3]), keras.layers.Dense(4), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam()


def clipped(gradient):
    tf.clip_by_value(gradient, -1.0, 1.0)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients = [clipped(gradient) for gradient in gradients]
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # HERE


train_step(tf.ones([2, 3]), tf.ones([2, 1]))
"""

# name: program, reason, rule, operation, the error that TensorFlow or Keras raises
BROKEN = {
    "GAN with two tapes": (GAN, "stopped", "GD504", "StopGradient", "ValueError"),
    "Grad-CAM on a nested model": (GRAD_CAM, "late", "GD513", "BiasAdd", None),
    "custom train_step": (TRAIN_STEP, "outside", "GD502", "Mean", "ValueError"),
    "second derivatives": (PHYSICS, "outside", "GD502", "MatMul", None),
    "sampled actions": (REINFORCE, "operation", "GD504", "Multinomial", "ValueError"),
}

# What makes an eager program of a traced one, and the reverse.
OTHER_MODE = {
    "GAN with two tapes": ("@tf.function\n", ""),
    "Grad-CAM on a nested model": ("def grad_cam", "@tf.function\ndef grad_cam"),
    "custom train_step": ('compile("sgd")', 'compile("sgd", run_eagerly=True)'),
    "second derivatives": ("def residual", "@tf.function\ndef residual"),
    "sampled actions": ("@tf.function\n", ""),
}

CORRECT = {
    "clipping": CLIPPING.replace("    tf.clip", "    return tf.clip"),
    "GAN": GAN.replace(
        "judged = discriminator(tf.stop_gradient(fake), training=True)",
        "judged = discriminator(fake, training=True)",
    ),
    "Grad-CAM": GRAD_CAM.replace(
        'features_of = tf.keras.Model(backbone.inputs, backbone.get_layer("last").output)', ""
    )
    .replace("backbone(image)", "layers.ReLU()(layers.Conv2D(2, 3, name='own')(image))")
    .replace(
        "features = features_of(picture)  # HERE",
        "features = classifier.get_layer('own')(picture)",
    )
    .replace(
        "score = classifier(picture)[:, 0]",
        "score = classifier.layers[-1](classifier.layers[-2](classifier.layers[-3](features)))[:, 0]",
    ),
    "custom train_step": TRAIN_STEP.replace(
        "        loss = tf.reduce_mean", "            loss = tf.reduce_mean"
    ),
    "second derivatives": """
import tensorflow as tf

network = tf.keras.Sequential(
    [tf.keras.Input([1]), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1)]
)


@tf.function
def train_step(x):
    with tf.GradientTape() as training:
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                u = network(x)
            u_x = first.gradient(u, x)
        u_xx = second.gradient(u_x, x)
        loss = tf.reduce_mean(tf.square(u_xx + u))
    return training.gradient(loss, network.trainable_variables[:3])


train_step(tf.reshape(tf.linspace(0.0, 1.0, 5), [5, 1]))
""",
    "sampled actions": REINFORCE.replace(
        "        reward = tf.gather(rewards, actions[:, 0])\n        loss = -tf.reduce_mean(reward)",
        "        reward = tf.gather(rewards, actions[:, 0])\n"
        "        chosen = tf.gather(tf.nn.log_softmax(logits), actions[:, 0], batch_dims=1)\n"
        "        loss = -tf.reduce_mean(reward * chosen)",
    ),
    "fit, eager loop and persistent tape": """
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

model = tf.keras.Sequential(
    [tf.keras.Input([5, 3]), layers.LSTM(4), layers.BatchNormalization(), layers.Dropout(0.5)]
)
model.compile("adam", "mse")
x, y = np.ones([8, 5, 3], "float32"), np.ones([8, 4], "float32")
model.fit(x, y, verbose=0)
optimizer = tf.keras.optimizers.Adam()
for step in range(5):
    with tf.GradientTape(persistent=True) as tape:
        prediction = model(tf.constant(x), training=True)
        loss = tf.reduce_mean(tf.square(prediction - y))
        penalty = tf.add_n([tf.nn.l2_loss(w) for w in model.trainable_variables])
    gradients = tape.gradient(loss, model.trainable_variables)
    tape.gradient(penalty, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(float(loss))
    del tape
""",
}

UNUSED_HEAD = """
import numpy as np
from tensorflow import keras


class TwoHeads(keras.Model):
    def __init__(self):
        super().__init__()
        self.used = keras.layers.Dense(2, name="used")
        self.pooler = keras.layers.Dense(2, name="pooler")

    def call(self, x):
        self.pooler(x)
        return self.used(x)


model = TwoHeads()
model.compile("sgd", "mse")
model.fit(np.ones([8, 3], "float32"), np.ones([8, 2], "float32"), verbose=0)  # HERE
"""

BROKEN_LOSS = """
import numpy as np
import tensorflow as tf
from tensorflow import keras


def accuracy_loss(truth, prediction):
    hit = tf.cast(tf.argmax(prediction, -1), tf.float32)  # HERE
    return tf.reduce_mean(tf.square(hit - truth))


model = keras.Sequential([keras.Input([3]), keras.layers.Dense(2)])
model.compile("sgd", accuracy_loss)
model.fit(np.ones([8, 3], "float32"), np.ones([8], "float32"), verbose=0)
"""
