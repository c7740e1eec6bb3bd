"""numpy filters in a tf.data pipeline, with the shapes restored."""
import keras
import numpy as np
import tensorflow as tf

N = 24


def median_filter(signal, width):
    half = int(width) // 2
    padded = np.pad(signal, half, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, int(width))
    return np.median(windows, axis=-1).astype(np.float32)


def clean(signal, label):
    width = tf.random.uniform([], 0, 2, tf.int32) * 2 + 3
    out = tf.numpy_function(median_filter, [signal, width], tf.float32)
    out.set_shape(signal.shape)
    return out[:, None], label


def describe(signal, label):
    def look(s):
        return np.float32(np.ptp(s.numpy()))
    spread = tf.py_function(look, [signal], tf.float32)
    spread.set_shape([])
    return {"signal": signal, "spread": spread[None]}, label


def signals(count, seed):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, size=count)
    t = np.linspace(0, 1, N)
    base = np.where(label[:, None] == 1, np.sin(6 * t), t * 0.5)
    spikes = (rng.random((count, N)) < 0.1) * 3.0
    return (base + spikes).astype("float32"), label.astype("float32")[:, None]


def build():
    signal = keras.Input((N, 1), name="signal")
    spread = keras.Input((1,), name="spread")
    h = keras.layers.Conv1D(4, 5, activation="relu")(signal)
    h = keras.layers.GlobalAveragePooling1D()(h)
    h = keras.layers.Concatenate()([h, spread])
    return keras.Model({"signal": signal, "spread": spread}, keras.layers.Dense(1, activation="sigmoid")(h))


def main():
    keras.utils.set_random_seed(0)
    ds = tf.data.Dataset.from_tensor_slices(signals(64, 0)).map(clean).map(describe).batch(16)
    model = build()
    model.compile(keras.optimizers.Adam(0.05), "binary_crossentropy", metrics=["accuracy"])
    hist = model.fit(ds, epochs=4, verbose=0)
    print(["%.3f" % v for v in hist.history["loss"]], "acc %.2f" % hist.history["accuracy"][-1])


if __name__ == "__main__":
    main()
