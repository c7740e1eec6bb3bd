"""Greedy generation that ends at any of several stop tokens."""
from dataclasses import dataclass

import tensorflow as tf


@dataclass(frozen=True)
class GenerationConfig:
    vocab: int = 16
    max_tokens: int = 12
    stop_ids: tuple = (0, 3)


class TinyLM(tf.Module):
    def __init__(self, cfg, seed=22):
        super().__init__()
        self.cfg = cfg
        self.table = tf.Variable(tf.random.stateless_normal([cfg.vocab, cfg.vocab], seed=[seed, 1]))

    def next_token(self, token):
        return tf.argmax(self.table[token], output_type=tf.int32)


class Generator:
    def __init__(self, lm, cfg):
        self.lm = lm
        self.cfg = cfg

    def is_stop(self, token):
        return tf.reduce_any(tf.equal(token, self.cfg.stop_ids))

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def __call__(self, token):
        out = tf.TensorArray(tf.int32, size=self.cfg.max_tokens, element_shape=[])
        length = 0
        for i in tf.range(self.cfg.max_tokens):
            token = self.lm.next_token(token)
            out = out.write(i, token)
            length = i + 1
            if self.is_stop(token):
                break
        return out.stack()[:length]


def main():
    cfg = GenerationConfig()
    generate = Generator(TinyLM(cfg), cfg)
    for prompt in (5, 9, 11):
        print(prompt, "->", generate(tf.constant(prompt)).numpy().tolist())


main()
