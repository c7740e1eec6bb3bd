import tensorflow as tf


class Policy(tf.Module):
    def __init__(self, cfg):
        super().__init__()
        self.w = tf.Variable(tf.zeros([cfg.state, cfg.actions]))
        self.b = tf.Variable(tf.zeros([cfg.actions]))
        self.rate = cfg.rate

    def logits(self, states):
        return tf.convert_to_tensor(states) @ self.w + self.b

    def probabilities(self, states):
        return tf.nn.softmax(self.logits(states))

    @tf.function
    def improve(self, states, actions, returns):
        advantage = returns - tf.reduce_mean(returns)
        with tf.GradientTape() as tape:
            nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=self.logits(states))
            loss = tf.reduce_mean(nll * advantage)
        for v, g in zip((self.w, self.b), tape.gradient(loss, (self.w, self.b))):
            v.assign_sub(self.rate * g)
        return loss
