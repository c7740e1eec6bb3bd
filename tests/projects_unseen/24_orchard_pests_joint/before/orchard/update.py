import keras
import tensorflow as tf

from .losses import poisson_nll


class CommitteeTrainer:
    def __init__(self, committee, learning_rate):
        self.committee = committee
        self.optimizer = keras.optimizers.Adam(learning_rate)
        self.optimizer.build([v for member in committee for v in member.trainable_variables])

    def epoch(self, x, y, batch):
        data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x), seed=0).batch(batch)
        for counts, target in data:
            loss = self.update(counts, target)
        return float(loss)

    def update(self, x, y):
        losses = []
        for member in self.committee:
            with tf.GradientTape() as tape:
                loss = poisson_nll(y, member(x, training=True))
            grads = tape.gradient(loss, member.trainable_variables)
            self.optimizer.apply_gradients(zip(grads, member.trainable_variables))
            losses.append(loss)
        return tf.reduce_mean(losses)
