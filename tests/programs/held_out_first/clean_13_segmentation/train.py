import time

import tensorflow as tf

from config import Config
from data import train_set
from losses import dice
from model import build


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = build(cfg)
        self.optimizer = tf.keras.optimizers.Adam(cfg.rate)
        self.mean = tf.keras.metrics.Mean()
        self.epochs_done = 0

    @tf.function
    def step(self, image, mask):
        with tf.GradientTape() as tape:
            loss = dice(mask, self.model(image, training=True))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.mean.update_state(loss)
        return loss

    def fit(self):
        dataset = train_set(self.cfg)
        for _ in range(self.cfg.epochs):
            begin = time.time()
            self.mean.reset_state()
            for image, mask in dataset:
                self.step(image, mask)
            self.epochs_done += 1
            print("epoch %d loss %.3f (%s)" % (self.epochs_done, float(self.mean.result()), "fast" if time.time() - begin < 60 else "slow"))


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(13)
    Trainer(Config()).fit()
