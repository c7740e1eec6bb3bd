import keras
import tensorflow as tf

from .losses import detection_loss
from .model import detector


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = detector(cfg)
        self.opt = keras.optimizers.Adam(cfg.lr)

    @tf.function
    def step(self, image, obj, box):
        with tf.GradientTape() as tape:
            outputs = self.net(image, training=True)
            loss = detection_loss(outputs, obj, box, self.cfg.box_weight)
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply(grads, self.net.trainable_variables)
        return loss

    def fit(self, stream):
        for i, batch in enumerate(stream):
            loss = self.step(*batch)
            if i % 8 == 0:
                print(f"step {i:3d} loss {float(loss):.4f}")
