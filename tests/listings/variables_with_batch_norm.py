import tensorflow as tf

model = tf.keras.Sequential(
    [
        tf.keras.layers.Input((20,)),
        tf.keras.layers.Dense(64),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.ReLU(),
        tf.keras.layers.Dense(10),
    ]
)
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        xent = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    grads = tape.gradient(xent, model.variables)  # finds GD508
    optimizer.apply_gradients(zip(grads, model.variables))
    return xent


train_step(tf.random.normal([32, 20]), tf.zeros([32], tf.int32))
