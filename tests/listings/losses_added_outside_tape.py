import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input((20,)), tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.SGD(0.1)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        classification_loss = cross_entropy(labels, model(images))
        regularization_loss = tf.add_n([tf.nn.l2_loss(v) for v in model.trainable_variables])
    total_loss = classification_loss + 0.01 * regularization_loss  # finds GD502
    grads = tape.gradient(total_loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return total_loss


for _ in range(10):
    train_step(tf.random.normal([32, 20]), tf.zeros([32], tf.int32))
