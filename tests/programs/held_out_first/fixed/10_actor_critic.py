"""Advantage actor-critic on a toy chain, one shared trunk."""
import tensorflow as tf
from tensorflow.keras import layers, optimizers


def mlp(out, name):
    return tf.keras.Sequential([tf.keras.Input([4]), layers.Dense(16, activation="tanh"), layers.Dense(out)], name=name)


class Head:
    """A network together with its own optimizer."""

    def __init__(self, net, rate):
        self.net = net
        self.optimizer = optimizers.Adam(rate)
        self.optimizer.build(net.trainable_variables)

    def improve(self, tape, loss):
        grads = tape.gradient(loss, self.net.trainable_variables)
        grads, norm = tf.clip_by_global_norm(grads, 1.0)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        return norm


class ActorCritic:
    def __init__(self, actions=3):
        self.heads = {"actor": Head(mlp(actions, "actor"), 1e-3), "critic": Head(mlp(1, "critic"), 3e-3)}

    def losses(self, states, actions, returns):
        value = tf.squeeze(self.heads["critic"].net(states), -1)
        logits = self.heads["actor"].net(states)
        advantage = tf.stop_gradient(returns - value)
        log_prob = -tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits)
        return {
            "actor": -tf.reduce_mean(log_prob * advantage),
            "critic": tf.reduce_mean(tf.square(returns - value)),
        }

    @tf.function
    def learn(self, states, actions, returns):
        with tf.GradientTape(persistent=True) as tape:
            losses = self.losses(states, actions, returns)
        norms = {name: head.improve(tape, losses[name]) for name, head in self.heads.items()}
        del tape
        return norms


def rollout(n=32):
    states = tf.random.normal([n, 4])
    actions = tf.random.uniform([n], maxval=3, dtype=tf.int32)
    returns = states[:, 0] + tf.cast(actions, tf.float32)
    return states, actions, returns


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(12)
    agent = ActorCritic()
    for i in range(5):
        norms = agent.learn(*rollout())
    print({k: round(float(v), 3) for k, v in norms.items()})
