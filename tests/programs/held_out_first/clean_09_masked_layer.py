"""Custom layer, loss and metric under Keras 3 without tensor control flow in Python."""
import keras
import numpy as np
from keras import ops


class GatedStack(keras.layers.Layer):
    def __init__(self, units, depth, gate=None, **kwargs):
        super().__init__(**kwargs)
        self.blocks = [keras.layers.Dense(units, activation="tanh") for _ in range(depth)]
        self.gate = gate
        self.drop = keras.layers.Dropout(0.1)

    def build(self, shape):
        for block in self.blocks:
            block.build(shape)
            shape = block.compute_output_shape(shape)

    def call(self, x, mask=None, training=False):
        outputs = []
        for block in self.blocks:
            x = block(x)
            outputs.append(x)
        total = sum(outputs)
        if self.gate is not None:
            total = ops.cond(ops.mean(total) > self.gate, lambda: total * 0.5, lambda: total)
        if mask is not None:
            total = total * ops.cast(mask[..., None], total.dtype)
        if training:
            total = self.drop(total, training=True)
        return total


def balanced_loss(y_true, y_pred):
    weight = ops.where(y_true > 0.5, 2.0, 1.0)
    return ops.mean(weight * ops.square(y_true - y_pred), axis=-1)


class LargeErrors(keras.metrics.Metric):
    def __init__(self, limit, name="large_errors", **kwargs):
        super().__init__(name=name, **kwargs)
        self.limit = limit
        self.total = self.add_weight(name="total", initializer="zeros")
        self.count = self.add_weight(name="count", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        wrong = ops.cast(ops.abs(y_true - y_pred) > self.limit, "float32")
        if sample_weight is not None:
            wrong = wrong * ops.cast(sample_weight, "float32")
        self.total.assign_add(ops.sum(wrong))
        self.count.assign_add(ops.cast(ops.size(wrong), "float32"))

    def result(self):
        return self.total / ops.maximum(self.count, 1.0)


if __name__ == "__main__":
    keras.utils.set_random_seed(9)
    rng = np.random.default_rng(9)
    x = rng.normal(size=(96, 5)).astype("float32")
    y = (x[:, :1] > 0).astype("float32")
    model = keras.Sequential([keras.Input((5,)), GatedStack(6, 3, gate=0.2), keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", loss=balanced_loss, metrics=[LargeErrors(0.5)])
    history = model.fit(x, y, batch_size=32, epochs=3, verbose=0)
    print({k: [round(float(v), 3) for v in vs] for k, vs in history.history.items()})
