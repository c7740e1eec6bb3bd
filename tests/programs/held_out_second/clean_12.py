"""Two optimizers for two networks, each built before; one persistent tape that is deleted."""
import numpy as np
import tensorflow as tf


def net(units, out):
    return tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(units, activation="tanh"),
                                tf.keras.layers.Dense(out)])


class ActorCritic:
    def __init__(self):
        self.actor, self.critic = net(8, 2), net(8, 1)
        self.opts = {"actor": tf.keras.optimizers.Adam(1e-2), "critic": tf.keras.optimizers.Adam(2e-2)}
        self.opts["actor"].build(self.actor.trainable_variables)
        self.opts["critic"].build(self.critic.trainable_variables)

    @tf.function
    def update(self, s, a, ret):
        with tf.GradientTape(persistent=True) as tape:
            value = self.critic(s)[:, 0]
            advantage = tf.stop_gradient(ret - value)
            logp = -tf.nn.sparse_softmax_cross_entropy_with_logits(a, self.actor(s))
            actor_loss = -tf.reduce_mean(logp * advantage)
            critic_loss = tf.reduce_mean(tf.square(ret - value))
        for name, loss, module in (("actor", actor_loss, self.actor), ("critic", critic_loss, self.critic)):
            grads = tape.gradient(loss, module.trainable_variables)
            self.opts[name].apply_gradients(zip(grads, module.trainable_variables))
        del tape
        return actor_loss, critic_loss


def main():
    rng = np.random.default_rng(0)
    agent = ActorCritic()
    for _ in range(20):
        s = rng.normal(size=(16, 4)).astype("float32")
        a = (s[:, 0] > 0).astype("int32")
        losses = agent.update(tf.constant(s), tf.constant(a), tf.constant(s[:, 1]))
    print(["%.3f" % float(l) for l in losses])


if __name__ == "__main__":
    main()
