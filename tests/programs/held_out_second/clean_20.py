"""Exponential moving average of weights and a frozen teacher; None gradients are filtered on purpose."""
import numpy as np
import tensorflow as tf


def mlp(name):
    return tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="relu"),
                                tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(3)], name=name)


class MeanTeacher:
    def __init__(self, decay=0.9):
        self.student, self.teacher = mlp("student"), mlp("teacher")
        self.teacher.set_weights(self.student.get_weights())
        self.teacher.trainable = False
        self.unused = tf.Variable(1.0, name="auxiliary")
        self.decay = decay
        self.opt = tf.keras.optimizers.Adam(1e-2)
        self.opt.build(self.student.trainable_variables)

    @tf.function
    def step(self, x):
        noisy = x + 0.1 * tf.random.normal(tf.shape(x))
        target = tf.nn.softmax(self.teacher(x, training=False))
        with tf.GradientTape() as tape:
            logits = self.student(noisy, training=True)
            loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(target, logits))
        sources = self.student.trainable_variables + [self.unused]
        pairs = [(g, v) for g, v in zip(tape.gradient(loss, sources), sources) if g is not None]
        self.opt.apply_gradients(pairs)
        for t, s in zip(self.teacher.variables, self.student.variables):
            t.assign(self.decay * t + (1.0 - self.decay) * s)
        return loss


def main():
    tf.keras.utils.set_random_seed(0)
    trainer = MeanTeacher()
    x = np.random.normal(size=(48, 4)).astype("float32")
    for batch in tf.data.Dataset.from_tensor_slices(x).batch(16).repeat(4):
        loss = trainer.step(batch)
    print("loss %.4f" % float(loss))


if __name__ == "__main__":
    main()
