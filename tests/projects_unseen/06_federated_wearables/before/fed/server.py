import numpy as np
import tensorflow as tf

from .client import ClientTrainer
from .terms import ProximalTerm


class Server:
    def __init__(self, features, fraction, seed=0):
        self.fraction = fraction
        self.rng = np.random.default_rng(seed)
        self.client = ClientTrainer(features)
        self.values = [w.numpy() for w in self.client.weights]

    def choose(self, fleet):
        count = max(1, int(self.fraction * len(fleet)))
        return [fleet[i] for i in self.rng.permutation(len(fleet))[:count]]

    def round(self, number, fleet):
        term = ProximalTerm.for_participation(self.fraction)
        anchors = [tf.constant(v) for v in self.values]
        updates, losses = [], []
        for device in self.choose(fleet):
            self.client.load(self.values)
            update, loss = self.client.train(device, anchors, term)
            updates.append(update)
            losses.append(loss)
        self.values = [np.mean(parts, axis=0) for parts in zip(*updates)]
        return float(np.mean(losses))
