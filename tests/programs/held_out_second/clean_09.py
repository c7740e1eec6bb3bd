"""Hard attention at test time only: argmax is outside of what is trained."""
import numpy as np
import tensorflow as tf


class Pointer(tf.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = tf.Variable(tf.random.stateless_normal([dim, 1], [0, 1]))

    def weights(self, x, hard=False):
        logits = tf.squeeze(x @ self.w, -1)
        if hard:
            return tf.one_hot(tf.argmax(logits, 1), logits.shape[1])
        return tf.nn.softmax(logits)

    @tf.function
    def train(self, x, index):
        with tf.GradientTape() as tape:
            picked = tf.gather(self.weights(x), index, batch_dims=1)
            loss = -tf.reduce_mean(tf.math.log(picked + 1e-8))
        guess = tf.argmax(self.weights(x), 1, output_type=tf.int32)
        self.w.assign_sub(0.5 * tape.gradient(loss, self.w))
        return loss, tf.reduce_mean(tf.cast(guess == index, tf.float32))


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(64, 5, 3)).astype("float32")
    index = x[..., 0].argmax(1).astype("int32")
    model = Pointer(3)
    for _ in range(40):
        loss, accuracy = model.train(tf.constant(x), tf.constant(index))
    hard = model.weights(tf.constant(x), hard=True)
    print("loss %.3f accuracy %.2f" % (float(loss), float(accuracy)), hard.shape)


if __name__ == "__main__":
    main()
