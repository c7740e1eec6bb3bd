import tensorflow as tf

from losses import REGISTRY


class Engine:
    def __init__(self, model, cfg):
        self.model = model
        self.objective = REGISTRY[cfg.loss]
        self.optimizer = tf.keras.optimizers.Adam(cfg.rate)
        self.optimizer.build(model.trainable_variables)

    @tf.function
    def train_batch(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.objective(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss
