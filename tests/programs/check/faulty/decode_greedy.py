"""Greedy decoding of a character model."""
import tensorflow as T
from tensorflow import function as graph

START = 1


class Decoder:
    def __init__(self, cell, vocabulary, longest=50):
        self.cell = cell
        self.project = T.keras.layers.Dense(vocabulary)
        self.longest = longest

    @graph(reduce_retracing=True)
    def greedy(self, state):
        token = T.fill([T.shape(state)[0]], START)
        tokens = []
        for _ in T.range(self.longest):
            logits, state = self.cell(T.one_hot(token, 30), state)
            token = T.argmax(logits, axis=-1, output_type=T.int32)
            tokens.append(token)  # <- GD309
        return T.stack(tokens, axis=1)
