"""Domain adversarial classifier: features fool a domain critic."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers


class Networks:
    def __init__(self):
        self.features = Sequential([layers.Input((5,)), layers.Dense(8, activation="relu")])
        self.label = Sequential([layers.Input((8,)), layers.Dense(1)])
        self.domain = Sequential([layers.Input((8,)), layers.Dense(1)])

    def main_vars(self):
        return self.features.trainable_variables + self.label.trainable_variables


def bce(labels, logits):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels, logits))


class AdversarialTrainer:
    def __init__(self, nets, strength=0.3):
        self.nets = nets
        self.strength = strength
        self.opt_main = tf.keras.optimizers.Adam(1e-2)
        self.opt_domain = tf.keras.optimizers.Adam(1e-2)
        self.opt_main.build(nets.main_vars())
        self.opt_domain.build(nets.domain.trainable_variables)

    def losses(self, x, y, d):
        h = self.nets.features(x, training=True)
        label_loss = bce(y, self.nets.label(h))
        domain_loss = bce(d, self.nets.domain(h))
        return label_loss - self.strength * domain_loss, domain_loss

    def apply(self, tape, loss, variables, optimizer):
        gradients = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(gradients, variables))

    @tf.function
    def step(self, x, y, d):
        with tf.GradientTape() as tape:
            main_loss, domain_loss = self.losses(x, y, d)
        self.apply(tape, main_loss, self.nets.main_vars(), self.opt_main)
        self.apply(tape, domain_loss, self.nets.domain.trainable_variables, self.opt_domain)
        return main_loss, domain_loss


def dataset(n=128, seed=0):
    rng = np.random.default_rng(seed)
    d = rng.integers(0, 2, (n, 1)).astype("float32")
    x = rng.normal(size=(n, 5)).astype("float32") + d
    y = (x[:, :1] - d > 0).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, y, d)).shuffle(n, seed=1).batch(32)


def main():
    tf.keras.utils.set_random_seed(0)
    trainer = AdversarialTrainer(Networks())
    for epoch in range(5):
        for x, y, d in dataset():
            main_loss, domain_loss = trainer.step(x, y, d)
        print("epoch %d  main %.3f  domain %.3f" % (epoch, float(main_loss), float(domain_loss)))


if __name__ == "__main__":
    main()
