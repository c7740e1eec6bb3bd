"""Q-learning with a frozen target network on a chain of states."""
import numpy as np
import tensorflow as tf
import keras

N, GAMMA = 6, 0.9


def make_net():
    return keras.Sequential([keras.Input((N,)), keras.layers.Dense(24, activation="relu"),
                             keras.layers.Dense(2)])


class Learner:
    def __init__(self):
        self.online, self.target = make_net(), make_net()
        self.optimizer = keras.optimizers.Adam(1e-2)
        self.sync()

    def sync(self):
        self.target.set_weights(self.online.get_weights())

    @tf.function(reduce_retracing=True)
    def update(self, s, a, r, s2, done):
        best = tf.reduce_max(self.target(s2), axis=-1)
        goal = tf.stop_gradient(r + GAMMA * (1.0 - done) * best)
        with tf.GradientTape() as tape:
            q = tf.reduce_sum(self.online(s) * tf.one_hot(a, 2), axis=-1)
            loss = tf.reduce_mean(tf.square(goal - q))
        grads = tape.gradient(loss, self.online.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.online.trainable_variables))
        return loss


def transitions(rng, n=32):
    s = rng.integers(0, N - 1, n)
    a = rng.integers(0, 2, n)
    s2 = np.clip(s + 2 * a - 1, 0, N - 1)
    done = (s2 == N - 1).astype("float32")
    eye = np.eye(N, dtype="float32")
    return eye[s], a.astype("int32"), done.copy(), eye[s2], done


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    learner = Learner()
    for step in range(300):
        loss = learner.update(*transitions(rng))
        if step % 20 == 19:
            learner.sync()
    q = learner.online(np.eye(N, dtype="float32")).numpy()
    print("loss", round(float(loss), 4), "policy", q[:-1].argmax(-1).tolist())
    print("values", q[:-1].max(-1).round(2).tolist())
