"""Optimise the pixels of an image until its Gram matrix fits that of a texture."""
import numpy as np
import tensorflow as tf


def texture(size=16):
    y, x = np.mgrid[:size, :size]
    stripes = 0.5 + 0.5 * np.sin(x * 1.3)
    checks = 0.5 + 0.5 * np.sin(y * 0.9)
    return np.stack([stripes, checks, 0.5 * (stripes + checks)], -1)[None].astype("float32")


class Extractor(tf.keras.Model):
    def __init__(self):
        super().__init__(trainable=False)
        init = tf.keras.initializers.RandomNormal(0, 0.3, seed=5)
        self.blocks = [tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu", kernel_initializer=init)
                       for f in (6, 8)]

    def call(self, x):
        features = []
        for block in self.blocks:
            x = block(x)
            features.append(x)
        return features


def gram(f):
    n = tf.cast(tf.shape(f)[1] * tf.shape(f)[2], tf.float32)
    return tf.einsum("bijc,bijd->bcd", f, f) / n


class StyleTransfer:
    def __init__(self, style, rate=0.02):
        self.extract = Extractor()
        self.targets = [gram(f) for f in self.extract(style)]
        self.optimizer = tf.keras.optimizers.Adam(rate)

    def loss(self, image):
        return tf.add_n([tf.reduce_mean(tf.square(gram(f) - t)) for f, t in zip(self.extract(image), self.targets)])

    def paint(self, image, steps):
        values = []
        for step in range(steps):
            with tf.GradientTape() as tape:
                loss = self.loss(image)
            grad = tape.gradient(loss, image)
            if grad is not None:
                self.optimizer.apply_gradients([(grad, image)])
            image = tf.clip_by_value(image, 0.0, 1.0)
            values.append(float(loss))
        return image, values


def main():
    tf.keras.utils.set_random_seed(1)
    transfer = StyleTransfer(tf.constant(texture()))
    start = tf.Variable(tf.random.uniform([1, 16, 16, 3]))
    result, values = transfer.paint(start, 30)
    print("loss first %.5f second %.5f last %.5f" % (values[0], values[1], values[-1]))
    print("range %.3f .. %.3f" % (float(tf.reduce_min(result)), float(tf.reduce_max(result))))


if __name__ == "__main__":
    main()
