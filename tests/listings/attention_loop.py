import tensorflow as tf


class HandwritingModel(tf.keras.Model):
    def __init__(self, units=64, mixtures=10):
        super().__init__()
        self.rnn = tf.keras.layers.LSTM(units, return_sequences=True)
        self.window = tf.keras.layers.Dense(3 * mixtures)
        self.out = tf.keras.layers.Dense(3)
        self.mixtures = mixtures

    def call(self, inputs):
        strokes, chars = inputs
        hidden = self.rnn(strokes)
        batch_size = tf.shape(strokes)[0]
        timesteps = tf.shape(strokes)[1]
        kappa = tf.zeros([batch_size, self.mixtures])
        windows = []
        for t in range(timesteps):  # finds GD333
            alpha, beta, delta = tf.split(tf.exp(self.window(hidden[:, t])), 3, axis=-1)
            kappa = kappa + delta
            positions = tf.range(tf.shape(chars)[1], dtype=tf.float32)
            phi = tf.reduce_sum(
                alpha[:, :, None] * tf.exp(-beta[:, :, None] * (kappa[:, :, None] - positions) ** 2), axis=1
            )
            windows.append(tf.einsum("bu,buc->bc", phi, chars))
        return self.out(tf.concat([hidden, tf.stack(windows, axis=1)], axis=-1))


model = HandwritingModel()
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(strokes, chars, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model((strokes, chars)) - targets) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


train_step(tf.zeros([8, 50, 3]), tf.zeros([8, 20, 60]), tf.zeros([8, 50, 3]))
