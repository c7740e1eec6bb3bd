"""Adam first, then SGD with momentum for the last epochs (a common recipe for generalisation)."""
import numpy as np
import tensorflow as tf

OPTIMIZERS = {
    "adam": lambda: tf.keras.optimizers.Adam(1e-2),
    "sgd": lambda: tf.keras.optimizers.SGD(1e-2, momentum=0.9),
}


def spirals(n=120, seed=0):
    rng = np.random.default_rng(seed)
    t = rng.uniform(0.5, 3, n)
    k = rng.integers(0, 2, n)
    x = np.stack([t * np.cos(3 * t + np.pi * k), t * np.sin(3 * t + np.pi * k)], 1)
    return x.astype("float32"), k.astype("float32")[:, None]


def mlp():
    return tf.keras.Sequential([
        tf.keras.Input((2,)),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(1),
    ])


@tf.function
def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


class Session:
    def __init__(self, plan):
        self.plan = plan
        self.model = mlp()

    def epochs(self):
        for name, count in self.plan:
            optimizer = OPTIMIZERS[name]()
            optimizer.build(self.model.trainable_variables)
            for _ in range(count):
                yield name, optimizer

    def run(self, ds):
        for epoch, (name, optimizer) in enumerate(self.epochs()):
            for x, y in ds:
                loss = train_step(self.model, optimizer, x, y)
            print(epoch, name, "%.4f" % float(loss))


def main():
    tf.keras.utils.set_random_seed(0)
    ds = tf.data.Dataset.from_tensor_slices(spirals()).batch(40)
    Session([("adam", 3), ("sgd", 2)]).run(ds)


if __name__ == "__main__":
    main()
