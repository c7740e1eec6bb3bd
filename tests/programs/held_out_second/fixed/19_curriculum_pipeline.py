"""Curriculum training of a denoiser, the noise grows with the epoch."""
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)


class Curriculum:
    def __init__(self, signals, epochs, batch=16):
        self.signals = signals
        self.epochs = epochs
        self.batch = batch
        self.current = tf.Variable(0.05)
        self.pipeline = self.build()

    def level(self, epoch):
        return 0.05 + 0.3 * epoch / self.epochs

    def build(self):
        def corrupt(clean):
            return clean + self.current * tf.random.normal(tf.shape(clean)), clean

        def window(noisy, clean):
            ramp = tf.signal.hann_window(32)
            return noisy * ramp, clean * ramp

        ds = tf.data.Dataset.from_tensor_slices(self.signals)
        return ds.shuffle(64).map(corrupt).map(window).batch(self.batch, drop_remainder=True)

    def __iter__(self):
        for epoch in range(self.epochs):
            self.current.assign(self.level(epoch))
            yield epoch, self.pipeline


def denoiser():
    return tf.keras.Sequential([
        tf.keras.Input((32,)),
        tf.keras.layers.Reshape((32, 1)),
        tf.keras.layers.Conv1D(8, 5, padding="same", activation="relu"),
        tf.keras.layers.Conv1D(1, 5, padding="same"),
        tf.keras.layers.Flatten(),
    ])


model = denoiser()
optimizer = tf.keras.optimizers.Adam(5e-3)
optimizer.build(model.trainable_variables)


@tf.function
def train_step(noisy, clean):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(noisy, training=True) - clean))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def main(epochs=25):
    t = np.linspace(0, 1, 32)
    freq = np.random.default_rng(0).uniform(1, 4, (64, 1))
    signals = np.sin(2 * np.pi * freq * t).astype("float32")
    for epoch, ds in Curriculum(signals, epochs):
        for noisy, clean in ds:
            loss = train_step(noisy, clean)
        if epoch % 5 == 0:
            print("epoch %2d loss %.4f" % (epoch, float(loss)))


if __name__ == "__main__":
    main()
