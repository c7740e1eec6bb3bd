import tensorflow as tf


@tf.function
def penalty(critic, real, fake):
    mix = tf.random.uniform([tf.shape(real)[0], 1, 1, 1])
    between = real + mix * (fake - real)
    with tf.GradientTape() as tape:
        tape.watch(between)
        scores = critic(between, training=True)
    slope = tape.gradient(scores, between)
    length = tf.sqrt(tf.reduce_sum(tf.square(slope), axis=[1, 2, 3]) + 1e-12)
    return tf.reduce_mean((length - 1.0) ** 2)


@tf.function
def second_order(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x ** 3
        first = inner.gradient(y, x)
    return outer.gradient(first, x)


def saliency(model, image, label):
    image = tf.convert_to_tensor(image)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(image)
        output = model(image[None])[0]
        wanted = output[label]
        other = tf.reduce_sum(output) - wanted
    result = tape.gradient(wanted, image) - tape.gradient(other, image)
    del tape
    return tf.reduce_max(tf.abs(result), axis=-1).numpy()
