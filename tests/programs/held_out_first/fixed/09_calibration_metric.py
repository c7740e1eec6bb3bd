"""Reports the gap between confidence and accuracy during training."""
import numpy as np
import keras
import tensorflow as tf
from keras import ops


class WeightedMixin:
    """Shared by metrics that count examples."""

    def weights_of(self, y_true, sample_weight):
        if sample_weight is None:
            return ops.ones_like(ops.cast(ops.reshape(y_true, [-1]), "float32"))
        return ops.reshape(ops.cast(sample_weight, "float32"), [-1])


class ConfidenceGap(WeightedMixin, keras.metrics.Metric):
    def __init__(self, above=0.5, name="confidence_gap", **kwargs):
        super().__init__(name=name, **kwargs)
        self.above = above
        self.gap = self.add_weight(name="gap", initializer="zeros")
        self.count = self.add_weight(name="count", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        weight = self.weights_of(y_true, sample_weight)
        confidence = ops.max(y_pred, axis=-1)
        right = ops.cast(ops.equal(ops.argmax(y_pred, axis=-1), ops.cast(ops.reshape(y_true, [-1]), "int64")), "float32")
        weight = weight * ops.cast(confidence > self.above, "float32")
        total = ops.sum(weight)
        self.gap.assign_add(ops.sum(weight * (confidence - right)))
        self.count.assign_add(total)

    def result(self):
        return ops.divide_no_nan(self.gap, self.count)


def dataset(n=200):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(n, 6)).astype("float32")
    y = np.argmax(x[:, :3] + 0.5 * rng.normal(size=(n, 3)), axis=1)
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(40)


def main():
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(16, activation="relu"),
                              keras.layers.Dense(3, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=[ConfidenceGap(above=0.4)])
    history = model.fit(dataset(), epochs=2, verbose=0)
    print({k: [round(float(x), 3) for x in v] for k, v in history.history.items()})


if __name__ == "__main__":
    main()
