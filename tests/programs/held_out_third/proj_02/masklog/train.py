import tensorflow as tf

from . import curriculum
from . import settings as S
from .model import corrupt, reconstructor


class Pretrainer:
    def __init__(self):
        self.net = reconstructor()
        self.opt = tf.keras.optimizers.Adam(S.LEARNING_RATE)
        self.loss = tf.keras.metrics.Mean()
        self.share = tf.keras.metrics.Mean()

    @tf.function
    def step(self, ids):
        noisy, hidden = corrupt(ids)
        weight = tf.cast(hidden, tf.float32)
        with tf.GradientTape() as tape:
            ce = tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=ids, logits=self.net(noisy, training=True))
            loss = tf.reduce_sum(ce * weight) / (tf.reduce_sum(weight) + 1.0)
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        self.loss.update_state(loss)
        self.share.update_state(weight)

    def fit(self, ds):
        for epoch in range(S.EPOCHS):
            curriculum.begin_epoch(epoch)
            self.loss.reset_state()
            self.share.reset_state()
            for ids in ds:
                self.step(ids)
            print(f"epoch {epoch}  loss {float(self.loss.result()):.4f}  "
                  f"hidden {float(self.share.result()):.3f}")
