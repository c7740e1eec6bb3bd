"""Physics informed network for u' = -u, u(0) = 1."""
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Field(tf.keras.Model):
    def __init__(self, width=16, depth=2):
        super().__init__()
        self.hidden = [tf.keras.layers.Dense(width, activation="tanh") for _ in range(depth)]
        self.head = tf.keras.layers.Dense(1)

    def call(self, t):
        for layer in self.hidden:
            t = layer(t)
        return self.head(t)


def collocation(n, low=0.0, high=2.0):
    points = np.linspace(low, high, n, dtype="float32")[:, None]
    return tf.constant(points)


class Solver:
    def __init__(self, model, n=32, weight=5.0):
        self.model = model
        self.points = collocation(n)
        self.start = tf.zeros([1, 1])
        self.weight = weight
        self.optimizer = tf.keras.optimizers.Adam(1e-2)
        self.model(self.start)

    def derivative(self, points):
        with tf.GradientTape() as tape:
            tape.watch(points)
            u = self.model(points)
        return u, tape.gradient(u, points)

    def residual(self):
        u, du = self.derivative(self.points)
        return tf.reduce_mean(tf.square(du + u))

    def boundary(self):
        return tf.reduce_mean(tf.square(self.model(self.start) - 1.0))

    @tf.function
    def step(self):
        with tf.GradientTape() as outer:
            loss = self.residual() + self.weight * self.boundary()
        grads = outer.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def fit(self, iterations, report=50):
        for i in range(iterations):
            loss = self.step()
            if i % report == 0:
                print("%4d  loss %.5f" % (i, float(loss)))
        return float(loss)


def error(model, n=21):
    t = np.linspace(0, 2, n, dtype="float32")[:, None]
    return float(np.max(np.abs(model(t).numpy() - np.exp(-t))))


if __name__ == "__main__":
    solver = Solver(Field())
    solver.fit(200)
    print("largest error %.4f" % error(solver.model))
