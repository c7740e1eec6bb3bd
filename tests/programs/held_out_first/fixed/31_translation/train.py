import tensorflow as tf

import data
import losses
import model as models
from config import cfg
from utils import finish_epoch


class Trainer:
    def __init__(self):
        self.model = models.build()
        self.optimizer = tf.keras.optimizers.Adam(cfg.learning_rate)

    @tf.function
    def step(self, source, target):
        with tf.GradientTape() as tape:
            loss = losses.sequence_loss(target, self.model(source, training=True))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss, losses.confidence(target)

    def fit(self, dataset):
        for epoch in range(cfg.epochs):
            mean = tf.keras.metrics.Mean()
            for source, target in dataset:
                loss, confidence = self.step(source, target)
                mean.update_state(loss)
            finish_epoch(epoch, float(mean.result()), float(confidence))


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(1)
    Trainer().fit(data.train_set())
