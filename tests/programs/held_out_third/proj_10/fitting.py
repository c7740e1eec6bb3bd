import time

import tensorflow as tf


def build(model_cfg):
    return tf.keras.Sequential([
        tf.keras.Input((model_cfg.window, 1)),
        tf.keras.layers.Conv1D(model_cfg.units, 5, activation="relu"),
        tf.keras.layers.Conv1D(model_cfg.units, 5, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(1),
    ])


class Fitter:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.opt = tf.keras.optimizers.Adam(cfg.learning_rate)
        self.opt.build(model.trainable_variables)
        self.kernels = [w for w in model.trainable_variables if w.path.endswith("kernel")]

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            err = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
            reg = tf.add_n([tf.nn.l2_loss(k) for k in self.kernels])
            loss = err + self.cfg.l2 * reg
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        return err

    def fit(self, ds):
        for epoch in range(self.cfg.epochs):
            tic, errs = time.perf_counter(), []
            for x, y in ds:
                errs.append(self.train_step(x, y))
            mse = float(tf.reduce_mean(tf.stack(errs)))
            print(f"epoch {epoch}: mse {mse:.4f}  ({time.perf_counter() - tic:.1f}s, {len(errs)} steps)")
