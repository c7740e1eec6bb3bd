import keras
import tensorflow as tf

from memory import NegativeQueue


class Contrastive(keras.Model):
    def __init__(self, settings, **kwargs):
        super().__init__(**kwargs)
        self.temperature = settings["temperature"]
        self.head = keras.Sequential([keras.Input((settings["width"],)), keras.layers.Dense(12, activation="relu"),
                                      keras.layers.Dense(settings["projection"])])
        self.memory = NegativeQueue(settings["queue"], settings["projection"])
        self.tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.tracker]

    def call(self, x):
        return tf.math.l2_normalize(self.head(x), axis=-1)

    def train_step(self, views):
        first, second = views
        with tf.GradientTape() as tape:
            a, b = self(first), self(second)
            positive = tf.reduce_sum(a * b, axis=1, keepdims=True)
            negative = tf.matmul(a, self.memory.items, transpose_b=True)
            logits = tf.concat([positive, negative], axis=1) / self.temperature
            labels = tf.zeros([tf.shape(a)[0]], tf.int32)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        self.optimizer.apply(tape.gradient(loss, self.head.trainable_variables), self.head.trainable_variables)
        self.memory.push(tf.stop_gradient(b))
        self.tracker.update_state(loss)
        return {m.name: m.result() for m in self.metrics}
