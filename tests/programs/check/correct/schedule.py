import math

import tensorflow as tf

WARMUP = 1000


class Cosine(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, total):
        self.peak = peak
        self.total = total

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        warm = self.peak * step / WARMUP
        cold = self.peak * 0.5 * (1.0 + tf.cos(math.pi * step / self.total))
        return tf.where(step < WARMUP, warm, cold)

    def get_config(self):
        return {"peak": self.peak, "total": self.total}


class Quantile(tf.keras.losses.Loss):
    def __init__(self, q=0.5):
        super().__init__()
        self.q = q

    def call(self, y_true, y_pred):
        error = y_true - y_pred
        return tf.reduce_mean(tf.maximum(self.q * error, (self.q - 1) * error), axis=-1)


def smooth(alpha):
    def loss(y_true, y_pred):
        if alpha > 0:
            y_true = y_true * (1 - alpha) + alpha / y_true.shape[-1]
        return tf.keras.losses.categorical_crossentropy(y_true, y_pred)
    return loss


def build(classes):
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(classes, "softmax")])
    model.compile(optimizer=tf.keras.optimizers.Adam(Cosine(1e-3, 10000)), loss=smooth(0.1))
    return model
