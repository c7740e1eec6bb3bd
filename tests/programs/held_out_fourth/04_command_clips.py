"""Input pipeline for spoken commands (synthetic clips)."""
import numpy as np
import tensorflow as tf
import keras

COMMANDS = ("up", "down", "left", "right")


class CommandData:
    def __init__(self, n=96, length=400, seed=0):
        rng = np.random.default_rng(seed)
        self.index = {name: i for i, name in enumerate(COMMANDS)}
        self.names = rng.choice(COMMANDS, n)
        t = np.linspace(0, 1, length)
        freqs = [5.0 * (1 + self.index[str(name)]) for name in self.names]
        self.clips = np.stack([np.sin(2 * np.pi * f * t) for f in freqs]).astype("float32")
        self.clips += 0.1 * rng.normal(size=self.clips.shape).astype("float32")

    def spectrogram(self, clip):
        return tf.abs(tf.signal.stft(clip, frame_length=64, frame_step=32))

    def encode(self, clip, name):
        return self.spectrogram(clip), self.index[name]

    def dataset(self, batch=16):
        ds = tf.data.Dataset.from_tensor_slices((self.clips, self.names.astype("S")))
        ds = ds.shuffle(len(self.names), seed=1)
        ds = ds.map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch).prefetch(1)


def build_model(n_classes):
    return keras.Sequential([
        keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(n_classes),
    ])


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    data = CommandData()
    model = build_model(len(COMMANDS))
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(data.dataset(), epochs=3, verbose=2)
