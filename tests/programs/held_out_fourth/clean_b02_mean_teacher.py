"""Mean teacher: the teacher's weights are an average of the student's."""
import keras
import numpy as np
import tensorflow as tf


def build():
    return keras.Sequential([
        keras.Input((2,)),
        keras.layers.Dense(12, activation="tanh"),
        keras.layers.BatchNormalization(),
        keras.layers.Dense(1),
    ])


student, teacher = build(), build()
teacher.set_weights(student.get_weights())
teacher.trainable = False
optimizer = keras.optimizers.Adam(0.02)


def update_teacher(decay):
    for t, s in zip(teacher.variables, student.variables):
        if "seed" in t.name:
            continue
        t.assign(decay * t + (1.0 - decay) * s)


@tf.function
def step(x, y, unlabeled, decay):
    target = tf.stop_gradient(teacher(unlabeled, training=False))
    with tf.GradientTape() as tape:
        supervised = tf.reduce_mean(tf.square(student(x, training=True) - y))
        noisy = unlabeled + 0.1 * tf.random.normal(tf.shape(unlabeled))
        consistency = tf.reduce_mean(tf.square(student(noisy, training=True) - target))
        loss = supervised + 0.5 * consistency
    grads = tape.gradient(loss, student.trainable_variables)
    optimizer.apply_gradients(zip(grads, student.trainable_variables))
    update_teacher(decay)
    return supervised, consistency


def decay_at(i):
    return min(0.99, (1 + i) / (10 + i))


def main():
    tf.random.set_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(32, 2)).astype("float32")
    y = (x[:, :1] * x[:, 1:]).astype("float32")
    pool = rng.normal(size=(64, 2)).astype("float32")
    x, y, pool = map(tf.constant, (x, y, pool))
    for i in range(60):
        sup, con = step(x, y, pool, tf.constant(decay_at(i), tf.float32))
        if i % 20 == 19:
            print("step %d supervised %.4f consistency %.4f" % (i + 1, float(sup), float(con)))


if __name__ == "__main__":
    main()
