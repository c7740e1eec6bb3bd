import tensorflow as tf

loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def accuracy(model, x, y):
    right = tf.equal(model(x, training=False) > 0.0, y > 0.5)
    return float(tf.reduce_mean(tf.cast(right, tf.float32)))
