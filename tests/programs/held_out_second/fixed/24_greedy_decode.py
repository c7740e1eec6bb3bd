"""Greedy decoding with a saved module: stops when every row has produced EOS."""
import tensorflow as tf

EOS, VOCAB, UNITS, LIMIT = 1, 10, 12, 15


class Translator(tf.Module):
    def __init__(self):
        super().__init__()
        n = tf.random.stateless_normal
        self.embed = tf.Variable(n([VOCAB, UNITS], [3, 1]))
        self.w = tf.Variable(n([2 * UNITS, UNITS], [3, 2]) * 0.4)
        self.out = tf.Variable(n([UNITS, VOCAB], [3, 3]))

    def encode(self, source):
        return tf.reduce_mean(tf.gather(self.embed, source), axis=1)

    def advance(self, token, state):
        state = tf.tanh(tf.concat([tf.gather(self.embed, token), state], 1) @ self.w)
        return tf.argmax(state @ self.out, axis=1, output_type=tf.int32), state


class GreedySearch(tf.Module):
    def __init__(self, translator, limit=LIMIT):
        super().__init__()
        self.translator = translator
        self.limit = limit

    def finished(self, tokens):
        return tf.reduce_all(tf.reduce_any(tokens == EOS, axis=1))

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])
    def __call__(self, source):
        state = self.translator.encode(source)
        rows = tf.shape(source)[0]
        token = tf.zeros([rows], tf.int32)
        tokens = tf.zeros([rows, self.limit], tf.int32)
        steps = self.limit
        for i in tf.range(self.limit):
            token, state = self.translator.advance(token, state)
            column = tf.one_hot(i, self.limit, dtype=tf.int32)
            tokens += token[:, None] * column[None]
            if self.finished(tokens):
                steps = i + 1
                break
        return tokens, steps


def main():
    search = GreedySearch(Translator())
    sources = [tf.constant([[2, 3, 4], [5, 6, 7]]), tf.constant([[8, 9], [2, 2]])]
    for source in sources:
        tokens, steps = search(source)
        print(tokens.shape, int(steps))


if __name__ == "__main__":
    main()
