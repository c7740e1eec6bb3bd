import tensorflow as tf

x_train = tf.random.normal([64, 1, 8])
y_train = tf.random.normal([64, 1, 10])


def training_step(inputs, labels):
    total_loss = 0.0
    for i in range(inputs.shape[0]):  # finds GD120
        loss = tf.keras.losses.mse(labels[i], model(inputs[i]))
        total_loss += loss
    return total_loss


model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train():
    with tf.GradientTape() as tape:
        loss = training_step(x_train, y_train)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


train()
