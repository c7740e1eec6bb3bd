"""Fine tuning with a learning rate that rises for a while and then falls."""
import numpy as np
import keras
import tensorflow as tf


class BurnIn(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, burn_in, decay):
        self.peak = peak
        self.burn_in = burn_in
        self.decay = decay

    def __call__(self, step):
        updates = tf.cast(step, tf.float32) + 1.0
        rise = updates / self.burn_in
        fall = self.decay ** tf.maximum(0.0, updates - self.burn_in)
        return self.peak * tf.minimum(rise, fall)

    def get_config(self):
        return {"peak": self.peak, "burn_in": self.burn_in, "decay": self.decay}


class RateLogger(keras.Model):
    """Functional model that also reports the rate of each update."""

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True))
        rate = self.optimizer.learning_rate
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(grads, self.trainable_variables)
        return {"loss": loss, "rate": rate}


class Collect(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.rates = []

    def on_train_batch_end(self, batch, logs=None):
        self.rates.append(round(float(logs["rate"]), 5))


def main():
    keras.utils.set_random_seed(18)
    rng = np.random.default_rng(18)
    x = rng.normal(size=(128, 6)).astype("float32")
    y = x[:, :1] * 2
    inputs = keras.Input((6,))
    model = RateLogger(inputs, keras.layers.Dense(1)(inputs))
    model.compile(keras.optimizers.SGD(BurnIn(0.1, 5, 0.8)), loss="mse")
    collect = Collect()
    model.fit(x, y, batch_size=32, epochs=3, verbose=0, callbacks=[collect])
    print("rates:", collect.rates)


if __name__ == "__main__":
    main()
