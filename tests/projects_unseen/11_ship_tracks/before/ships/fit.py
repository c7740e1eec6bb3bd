import tensorflow as tf

from .features import shifted, smooth


class TrackModel(tf.Module):
    def __init__(self, units, rate=0.01):
        super().__init__()
        self.w1 = tf.Variable(tf.random.stateless_normal([3, units], seed=(1, 2)) * 0.3)
        self.w2 = tf.Variable(tf.random.stateless_normal([units, 2], seed=(3, 4)) * 0.3)
        self.rate = rate
        self.learned = 0

    def learn(self, track):
        error = self._learn(tf.convert_to_tensor(track))
        self.learned += 1
        return float(error)

    @tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def _learn(self, track):
        inputs, targets = shifted(smooth(track))
        with tf.GradientTape() as tape:
            hidden = tf.tanh(inputs @ self.w1)
            error = tf.reduce_mean(tf.square(hidden @ self.w2 - targets))
        for variable, gradient in zip((self.w1, self.w2), tape.gradient(error, (self.w1, self.w2))):
            variable.assign_sub(self.rate * gradient)
        return error
