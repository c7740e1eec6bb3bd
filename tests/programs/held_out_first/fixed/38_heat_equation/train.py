import tensorflow as tf

import sampling
from config import Settings
from network import Field
from physics import residual


class Solver:
    def __init__(self, settings):
        self.settings = settings
        self.field = Field(settings.units)
        self.optimizer = tf.keras.optimizers.Adam(settings.rate)

    def loss(self):
        n = self.settings.points
        x0, u0 = sampling.initial(n)
        xb, tb = sampling.boundary(n)
        fit = tf.reduce_mean(tf.square(self.field(x0, tf.zeros_like(x0)) - u0))
        edge = tf.reduce_mean(tf.square(self.field(xb, tb)))
        return fit + edge + residual(self.field, *sampling.interior(n), self.settings.diffusivity)

    @tf.function
    def step(self):
        with tf.GradientTape() as tape:
            loss = self.loss()
        weights = self.field.weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss


def main():
    tf.keras.utils.set_random_seed(38)
    settings = Settings()
    solver = Solver(settings)
    for _ in range(settings.steps):
        loss = solver.step()
    print("loss %.4f" % float(loss))


if __name__ == "__main__":
    main()
