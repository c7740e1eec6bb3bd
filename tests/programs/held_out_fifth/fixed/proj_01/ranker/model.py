import tensorflow as tf


class Ranker(tf.Module):
    def __init__(self, features, hidden=16):
        super().__init__()
        self.w1 = tf.Variable(tf.random.stateless_normal([features, hidden], [1, 2]) * 0.2)
        self.w2 = tf.Variable(tf.random.stateless_normal([hidden, 1], [3, 4]) * 0.2)
        self.opt = tf.keras.optimizers.Adam(0.01)
        self.opt.build([self.w1, self.w2])

    def scores(self, docs):
        return tf.squeeze(tf.nn.relu(docs @ self.w1) @ self.w2, -1)

    @tf.function
    def step(self, docs, clicks, hp):
        n = tf.cast(tf.shape(clicks)[1], tf.float32)
        target = clicks * (1.0 - hp.label_smoothing) + hp.label_smoothing / n
        with tf.GradientTape() as tape:
            logits = self.scores(docs) / hp.temperature
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(target, logits))
            loss += hp.l2 * (tf.nn.l2_loss(self.w1) + tf.nn.l2_loss(self.w2))
        self.opt.apply_gradients(zip(tape.gradient(loss, [self.w1, self.w2]), [self.w1, self.w2]))
        return loss
