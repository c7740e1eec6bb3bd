"""Round-robin local training of the shared network plus one bias row per phone."""
import keras
import numpy as np
import tensorflow as tf

from .data import batches
from .model import shared_network


class FederatedTrainer:
    def __init__(self, cfg, names):
        self.cfg = cfg
        self.rows = {name: i for i, name in enumerate(names)}
        self.net = shared_network(cfg)
        self.personal = tf.Variable(tf.zeros([len(names), cfg.n_chars]), name="personal_bias")
        self.loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def logits(self, phone, context, training=False):
        return self.net(context, training=training) + self.personal[self.rows[phone]]

    @tf.function
    def local_update(self, phone, context, target):
        weights = [v.value for v in self.net.trainable_variables] + [self.personal]
        with tf.GradientTape() as tape:
            loss = self.loss_fn(target, self.logits(phone, context, training=True))
        for w, g in zip(weights, tape.gradient(loss, weights)):
            w.assign_sub(self.cfg.lr * tf.convert_to_tensor(g))
        return loss

    def run_client(self, phone):
        return [float(self.local_update(phone, x, y)) for x, y in batches(self.cfg, phone)]

    def run_round(self, rng):
        chosen = rng.choice(list(self.rows), self.cfg.clients_per_round, replace=False)
        return float(np.mean([np.mean(self.run_client(str(p))) for p in chosen]))
