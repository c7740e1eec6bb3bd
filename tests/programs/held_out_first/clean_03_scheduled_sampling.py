"""Decoder with scheduled sampling, written for graph mode."""
import tensorflow as tf
from tensorflow.keras import layers


class Decoder:
    def __init__(self, vocab, units, depth=2):
        self.vocab, self.units = vocab, units
        self.embed = layers.Embedding(vocab, units)
        self.cells = [layers.GRUCell(units) for _ in range(depth)]
        self.out = layers.Dense(vocab)

    def parts(self):
        return [self.embed, *self.cells, self.out]

    @property
    def trainable_variables(self):
        return [v for part in self.parts() for v in part.trainable_variables]

    def step(self, token, states):
        h, new_states = self.embed(token), []
        for cell, state in zip(self.cells, states):
            h, (state,) = cell(h, [state])
            new_states.append(state)
        return self.out(h), tuple(new_states)

    def unroll(self, targets, ratio):
        batch, length = tf.shape(targets)[0], tf.shape(targets)[1]
        states = tuple(tf.zeros([batch, self.units]) for _ in self.cells)
        token = tf.zeros([batch], tf.int32)
        steps = tf.TensorArray(tf.float32, size=length)
        for t in tf.range(length):
            logits, states = self.step(token, states)
            steps = steps.write(t, logits)
            if tf.random.uniform([]) < ratio:
                token = targets[:, t]
            else:
                token = tf.argmax(logits, axis=-1, output_type=tf.int32)
        return tf.transpose(steps.stack(), [1, 0, 2])


class Trainer:
    def __init__(self, decoder):
        self.decoder = decoder
        self.optimizer = tf.keras.optimizers.Adam(1e-2)
        self.ratio = tf.Variable(1.0, trainable=False)

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])
    def fit(self, targets):
        with tf.GradientTape() as tape:
            logits = self.decoder.unroll(targets, self.ratio)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits))
        variables = self.decoder.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.ratio.assign(tf.maximum(0.2, self.ratio * 0.9))
        return loss


def main():
    tf.keras.utils.set_random_seed(3)
    trainer = Trainer(Decoder(10, 12))
    for n in (4, 6, 5, 4):
        loss = trainer.fit(tf.random.uniform([8, n], maxval=10, dtype=tf.int32))
    print("loss %.3f ratio %.3f" % (float(loss), float(trainer.ratio)))


main()
