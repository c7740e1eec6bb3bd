"""A decoder that is sometimes fed its own guess, with a probability given per epoch."""
import keras
import numpy as np
import tensorflow as tf

VOCAB, UNITS, START = 7, 24, 0


class Decoder(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.embed = keras.layers.Embedding(VOCAB, UNITS)
        self.cell = keras.layers.GRUCell(UNITS)
        self.out = keras.layers.Dense(VOCAB)

    def build(self, input_shape):
        self.embed.build()
        self.cell.build((None, UNITS))
        self.out.build((None, UNITS))

    def call(self, tokens, own):
        batch = tf.shape(tokens)[0]
        state = tf.zeros([batch, UNITS])
        fed = tf.fill([batch], START)
        logits = []
        for t in range(tokens.shape[1]):
            state, _ = self.cell(self.embed(fed), [state])
            step = self.out(state)
            logits.append(step)
            guess = tf.argmax(step, axis=-1, output_type=tf.int32)
            fed = tf.where(tf.random.uniform([batch]) < own, guess, tokens[:, t])
        return tf.stack(logits, axis=1)


def make_step(decoder, optimizer):
    spec = [tf.TensorSpec([None, 5], tf.int32), tf.TensorSpec([], tf.float32)]

    @tf.function(input_signature=spec)
    def step(tokens, own):
        with tf.GradientTape() as tape:
            logits = decoder(tokens, own)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tokens, logits))
        grads = tape.gradient(loss, decoder.trainable_variables)
        optimizer.apply_gradients(zip(grads, decoder.trainable_variables))
        return loss

    return step


def sequences(n=96, seed=0):
    first = np.random.default_rng(seed).integers(1, VOCAB, size=(n, 1))
    return ((first + np.arange(5)) % VOCAB).astype("int32")


def main():
    keras.utils.set_random_seed(0)
    decoder = Decoder()
    decoder.build(None)
    step = make_step(decoder, keras.optimizers.Adam(0.01))
    ds = tf.data.Dataset.from_tensor_slices(sequences()).shuffle(96).batch(20)
    for epoch, own in enumerate(np.linspace(0.0, 0.25, 6)):
        losses = [step(tokens, own) for tokens in ds]
        print("epoch %d own %.2f loss %.4f" % (epoch, own, float(np.mean(losses))))


if __name__ == "__main__":
    main()
