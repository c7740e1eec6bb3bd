import numpy as np
import tensorflow as tf

from config import get_args
from data import sentences
from decode import Greedy
from model import TinyLM
from utils import History


def make_step(model, optimizer):
    variables = list(model.trainable_variables)
    optimizer.build(variables)

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])
    def step(ids):
        mask = tf.cast(ids[:, 1:] > 0, tf.float32)
        with tf.GradientTape() as tape:
            nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ids[:, 1:], logits=model.logits(ids[:, :-1]))
            loss = tf.reduce_sum(nll * mask) / tf.maximum(tf.reduce_sum(mask), 1.0)
        grads, norm = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
        optimizer.apply_gradients(zip(grads, variables))
        return loss, norm

    return step


def main():
    args = get_args()
    rng = np.random.default_rng(14)
    model = TinyLM(args.vocab, args.dim)
    step, history = make_step(model, tf.keras.optimizers.Adam(0.05)), History()
    for _ in range(args.steps):
        loss, norm = step(sentences(args, rng))
        history.log(loss=loss, norm=norm)
    print("loss %.3f" % history.last("loss"))
    decode = Greedy(model, args.max_tokens, args.end_id)
    for first in (3, 12):
        print(first, decode(tf.constant(first)).numpy().tolist())


if __name__ == "__main__":
    main()
