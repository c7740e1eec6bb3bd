import tensorflow as tf
from tensorflow import keras


def critic(cfg):
    return keras.Sequential([
        keras.Input((cfg.levels,)),
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(cfg.actions),
    ])


class Agent:
    def __init__(self, cfg, replay):
        self.cfg, self.replay = cfg, replay
        self.q, self.q_slow = critic(cfg), critic(cfg)
        self.q_slow.set_weights(self.q.get_weights())
        self.opt = keras.optimizers.Adam(cfg.lr)

    def act(self, obs, rng, eps=0.3):
        if rng.random() < eps:
            return int(rng.integers(self.cfg.actions))
        return int(tf.argmax(self.q(obs[None])[0]))

    def td_loss(self, obs, act, rew, nxt):
        goal = rew + self.cfg.gamma * tf.reduce_max(self.q_slow(nxt), axis=1)
        value = tf.gather(self.q(obs, training=True), act, batch_dims=1)
        return tf.reduce_mean(tf.square(tf.stop_gradient(goal) - value))

    def soften(self):
        for slow, fast in zip(self.q_slow.variables, self.q.variables):
            slow.assign(slow + self.cfg.tau * (fast - slow))

    @tf.function
    def improve(self):
        transitions = self.replay.sample(self.cfg.batch)
        with tf.GradientTape() as tape:
            loss = self.td_loss(*transitions)
        grads = tape.gradient(loss, self.q.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.q.trainable_variables))
        self.soften()
        return loss
