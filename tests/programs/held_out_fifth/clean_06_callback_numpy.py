"""fit() with callbacks that read values eagerly, change attributes and keep lists."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class WeightWatcher(keras.callbacks.Callback):
    def __init__(self, probe):
        super().__init__()
        self.probe = probe
        self.norms = []
        self.step = 0

    def on_train_batch_end(self, batch, logs=None):
        self.step += 1

    def on_epoch_end(self, epoch, logs=None):
        out = self.model(self.probe, training=False).numpy()
        kernel = self.model.layers[0].kernel.numpy()
        self.norms.append(float(np.linalg.norm(kernel)))
        if np.mean(out) > 100.0:
            self.model.stop_training = True
        print(f"epoch {epoch}: loss={logs['loss']:.4f} |k|={self.norms[-1]:.3f} steps={self.step}")


class Halve(keras.callbacks.Callback):
    def __init__(self, every=2):
        super().__init__()
        self.every = every

    def on_epoch_begin(self, epoch, logs=None):
        if epoch and epoch % self.every == 0:
            old = float(self.model.optimizer.learning_rate.numpy())
            self.model.optimizer.learning_rate.assign(0.5 * old)


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(128, 5)).astype("float32")
    y = x.sum(1, keepdims=True)
    model = keras.Sequential([layers.Input((5,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
    model.compile(keras.optimizers.Adam(0.02), "mse")
    watcher = WeightWatcher(tf.constant(x[:4]))
    model.fit(x, y, epochs=4, batch_size=32, verbose=0, callbacks=[watcher, Halve()])
    print("lr", float(model.optimizer.learning_rate.numpy()), "norms", len(watcher.norms))


if __name__ == "__main__":
    main()
