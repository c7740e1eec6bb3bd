import tensorflow as tf

loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def make_train_step(model, optimizer):
    optimizer.build(model.trainable_variables)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return train_step


def accuracy(model, x, y):
    right = tf.equal(model(x, training=False) > 0.0, y > 0.5)
    return float(tf.reduce_mean(tf.cast(right, tf.float32)))
