"""XLA-compiled scan with a fixed-size TensorArray, plus weight copies over model.variables."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers

STEPS = 12


@tf.function(jit_compile=True)
def ar_process(x0, coef, noise):
    out = tf.TensorArray(tf.float32, size=STEPS)
    x = x0
    for t in tf.range(STEPS):
        x = coef * x + noise[t]
        out = out.write(t, x)
    return out.stack()


def student():
    return keras.Sequential([layers.Input((STEPS,)), layers.Dense(8), layers.BatchNormalization(), layers.Dense(1)])


teacher, pupil = student(), student()
opt = keras.optimizers.Adam(0.01)
opt.build(pupil.trainable_variables)


@tf.function
def distil(x):
    soft = tf.stop_gradient(teacher(x, training=False))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(pupil(x, training=True) - soft))
    w = pupil.trainable_variables
    opt.apply_gradients(zip(tape.gradient(loss, w), w))
    return loss


def blend(dst, src, rate):
    for d, s in zip(dst.variables, src.variables):
        d.assign((1.0 - rate) * d.numpy() + rate * s.numpy())


def main():
    rng = np.random.default_rng(0)
    paths = ar_process(tf.zeros([32]), tf.constant(0.8), tf.constant(rng.normal(size=(STEPS, 32)), tf.float32))
    x = tf.transpose(paths)
    print("paths", paths.shape)
    for i in range(10):
        loss = distil(x)
        if i == 4:
            blend(teacher, pupil, 0.1)
    print("loss", float(loss), "layers", len(pupil.layers))


if __name__ == "__main__":
    main()
