"""Custom loop with a moving average of the weights, a schedule and early stopping."""
import keras
import numpy as np
import tensorflow as tf


class Warmup(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, steps):
        self.peak, self.steps = peak, steps

    def __call__(self, step):
        return self.peak * tf.minimum(1.0, (tf.cast(step, tf.float32) + 1.0) / self.steps)

    def get_config(self):
        return {"peak": self.peak, "steps": self.steps}


class Patience:
    def __init__(self, rounds):
        self.rounds, self.best, self.bad = rounds, float("inf"), 0

    def stop(self, value):
        if value < self.best - 1e-3:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.rounds


class Run:
    def __init__(self, strategy, decay=0.9):
        self.strategy = strategy
        self.decay = decay
        with strategy.scope():
            self.model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
            self.optimizer = keras.optimizers.SGD(Warmup(0.1, 5))
            self.optimizer.build(self.model.trainable_variables)
            self.shadow = [tf.Variable(w.value, trainable=False) for w in self.model.trainable_variables]

    def replica(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self.model(x, training=True)))
        self.optimizer.apply(tape.gradient(loss, self.model.trainable_variables))
        for s, w in zip(self.shadow, self.model.trainable_variables):
            s.assign(self.decay * s + (1.0 - self.decay) * w.value)
        return loss

    @tf.function
    def epoch(self, dataset):
        total, n = 0.0, 0
        for x, y in dataset:
            total += self.strategy.run(self.replica, args=(x, y))
            n += 1
        return total / tf.cast(n, tf.float32)


def main():
    keras.utils.set_random_seed(12)
    rng = np.random.default_rng(12)
    x = rng.normal(size=(128, 4)).astype("float32")
    ds = tf.data.Dataset.from_tensor_slices((x, x.sum(axis=1, keepdims=True))).batch(32, drop_remainder=True)
    run, patience, losses = Run(tf.distribute.get_strategy()), Patience(2), []
    for epoch in range(30):
        losses.append(float(run.epoch(ds)))
        if patience.stop(losses[-1]):
            print("stopped after", epoch + 1)
            break
    gap = max(float(tf.reduce_max(tf.abs(s - w))) for s, w in zip(run.shadow, run.model.trainable_variables))
    print("loss %.3f -> %.3f, gap below 0.2: %s" % (losses[0], losses[-1], gap < 0.2))


if __name__ == "__main__":
    main()
