import tensorflow as tf

from extractor import build_extractor


class FeatureLoss:
    def __init__(self, pixel_weight=0.0):
        self.extractor = build_extractor()
        self.pixel_weight = pixel_weight

    def features(self, images):
        return self.extractor(images, training=False)

    def __call__(self, target, output):
        loss = tf.reduce_mean(tf.square(self.features(target) - self.features(output)))
        if self.pixel_weight:
            loss += self.pixel_weight * tf.reduce_mean(tf.abs(target - output))
        return loss
