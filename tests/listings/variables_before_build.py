import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
var_list = model.trainable_variables  # finds GD509


def train(images, labels):
    with tf.GradientTape() as tape:
        logits = model(images)
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(labels, logits, True))
    grads = tape.gradient(loss, var_list)  # a run shows GD509
    optimizer.apply_gradients(zip(grads, var_list))


train(tf.zeros([32, 784]), tf.zeros([32], tf.int32))
