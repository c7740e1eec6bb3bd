"""Tiny CTC recogniser: batches are padded to their own longest utterance."""
import numpy as np
import tensorflow as tf

FEATURES, SYMBOLS = 8, 6


def utterances(n, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        frames = int(rng.integers(12, 40))
        labels = rng.integers(0, SYMBOLS - 1, size=int(rng.integers(2, 5)))
        yield rng.normal(size=(frames, FEATURES)).astype("float32"), labels.astype("int32")


def batches(items, size):
    items = list(items)
    for start in range(0, len(items), size):
        chunk = items[start:start + size]
        frames = max(len(f) for f, _ in chunk)
        x = np.zeros((size, frames, FEATURES), "float32")
        y = np.zeros((size, 5), "int32")
        xl, yl = np.zeros(size, "int32"), np.zeros(size, "int32")
        for i, (f, l) in enumerate(chunk):
            x[i, :len(f)], y[i, :len(l)] = f, l
            xl[i], yl[i] = len(f), len(l)
        yield {"x": x, "y": y, "x_len": xl, "y_len": yl}


class Recogniser(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = tf.keras.layers.Conv1D(16, 3, padding="same", activation="relu")
        self.rnn = tf.keras.layers.GRU(16, return_sequences=True)
        self.logits = tf.keras.layers.Dense(SYMBOLS)

    def call(self, x):
        return self.logits(self.rnn(self.conv(x)))


def make_step(model, optimizer):
    @tf.function(reduce_retracing=True)
    def step(x, y, x_len, y_len):
        with tf.GradientTape() as tape:
            logits = model(x)
            loss = tf.nn.ctc_loss(y, logits, y_len, x_len, logits_time_major=False, blank_index=SYMBOLS - 1)
            loss = tf.reduce_mean(loss)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss
    return step


def main():
    tf.keras.utils.set_random_seed(0)
    model = Recogniser()
    model(tf.zeros([1, 16, FEATURES]))
    step = make_step(model, tf.keras.optimizers.Adam(1e-3))
    losses = []
    for batch in batches(utterances(48), 4):
        tensors = {k: tf.constant(v) for k, v in batch.items()}
        losses.append(float(step(**tensors)))
    print("batches", len(losses), "mean loss %.3f" % np.mean(losses))


if __name__ == "__main__":
    main()
