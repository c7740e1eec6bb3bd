import tensorflow as tf


class SkipGram(tf.Module):
    def __init__(self, vocab_size, sampler, dim=12, lr=0.2):
        super().__init__()
        self.inp = tf.Variable(tf.random.stateless_uniform([vocab_size, dim], [5, 6], -0.5, 0.5))
        self.out = tf.Variable(tf.zeros([vocab_size, dim]))
        self.sampler = sampler
        self.lr = lr
        self.touched = tf.Variable(tf.zeros([vocab_size]), trainable=False)

    def loss(self, centre, context, neg):
        self.touched.scatter_add(tf.IndexedSlices(tf.ones([neg.shape[0]]), neg))
        c = tf.gather(self.inp, centre)
        pos = tf.reduce_sum(c * tf.gather(self.out, context), axis=-1)
        negs = tf.matmul(c, tf.gather(self.out, neg), transpose_b=True)
        return -tf.reduce_mean(tf.math.log_sigmoid(pos)) - tf.reduce_mean(tf.math.log_sigmoid(-negs))

    @tf.function
    def step(self, centre, context, neg):
        with tf.GradientTape() as tape:
            loss = self.loss(centre, context, neg)
        for v, g in zip([self.inp, self.out], tape.gradient(loss, [self.inp, self.out])):
            v.assign_sub(self.lr * tf.convert_to_tensor(g))
        return loss
