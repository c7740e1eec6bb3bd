import tensorflow as tf


class Learner:
    def __init__(self, policy, payout, monitor, rate=0.2):
        self.policy, self.monitor, self.rate = policy, monitor, rate
        self.payout = tf.constant(payout, tf.float32)

    @tf.function
    def play(self):
        arm = self.policy.draw()
        self.monitor.seen("arm", arm)
        reward = self.payout[arm] + 0.1 * tf.random.normal([])
        with tf.GradientTape() as tape:
            loss = -self.policy.log_prob(arm) * reward
        self.policy.logits.assign_sub(self.rate * tape.gradient(loss, self.policy.logits))
        return reward
