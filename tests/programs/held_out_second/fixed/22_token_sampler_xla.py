"""Language model sampling, compiled; the sampler also reports what it does."""
import argparse
import logging

import tensorflow as tf

logging.basicConfig(level=logging.INFO)
VOCAB, DIM, CONTEXT = 20, 16, 8


class TinyLM(tf.Module):
    def __init__(self):
        super().__init__()
        rnd = tf.random.stateless_normal
        self.embed = tf.Variable(rnd([VOCAB, DIM], [1, 1]))
        self.mix = tf.Variable(rnd([CONTEXT * DIM, DIM], [1, 2]) * 0.1)
        self.head = tf.Variable(rnd([DIM, VOCAB], [1, 3]) * 0.3)

    def logits(self, window):
        x = tf.reshape(tf.gather(self.embed, window), [-1, CONTEXT * DIM])
        return tf.nn.relu(x @ self.mix) @ self.head


class Sampler(tf.Module):
    def __init__(self, lm, temperature, verbose=True):
        super().__init__()
        self.lm = lm
        self.temperature = temperature
        self.verbose = verbose

    def trace(self, step, entropy):
        if self.verbose:
            tf.print("step", step, "entropy", entropy)

    def one(self, window, step):
        logits = self.lm.logits(window) / self.temperature
        log_p = tf.nn.log_softmax(logits)
        self.trace(step, -tf.reduce_mean(tf.reduce_sum(tf.exp(log_p) * log_p, -1)))
        seed = tf.stack([step, 7])
        gumbel = -tf.math.log(-tf.math.log(tf.random.stateless_uniform(tf.shape(logits), seed, 1e-6, 1.0 - 1e-6)))
        token = tf.argmax(log_p + gumbel, -1, output_type=tf.int32)
        return tf.concat([window[:, 1:], token[:, None]], 1), token

    def generate(self, prompt, length):
        compiled = tf.function(self.one, jit_compile=True)
        window, tokens = prompt, []
        for step in tf.range(length):
            window, token = compiled(window, step)
            tokens.append(token)
        return tf.stack(tokens, 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--length", type=int, default=6)
    parser.add_argument("--temperature", type=float, default=0.8)
    args = parser.parse_args()
    sampler = Sampler(TinyLM(), args.temperature, verbose=False)
    prompt = tf.constant([[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]])
    out = sampler.generate(prompt, args.length)
    logging.info("sampled %s", out.numpy().tolist())


if __name__ == "__main__":
    main()
