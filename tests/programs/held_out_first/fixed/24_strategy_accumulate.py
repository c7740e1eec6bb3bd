"""Distributed steps that update the weights only every few micro-batches."""
import tensorflow as tf

ACCUMULATE = 4


class ReplicaTrainer:
    def __init__(self, strategy):
        self.strategy = strategy
        with strategy.scope():
            self.w = tf.Variable(tf.zeros([3, 1]))
            self.acc = tf.Variable(tf.zeros([3, 1]), trainable=False)
            self.seen = tf.Variable(0, trainable=False)
            self.updates = tf.Variable(0, trainable=False)

    def flush(self):
        self.w.assign_sub(0.1 * self.acc / ACCUMULATE)
        self.acc.assign(tf.zeros_like(self.acc))
        self.updates.assign_add(1)

    def replica_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - x @ self.w))
        self.acc.assign_add(tape.gradient(loss, self.w))
        self.seen.assign_add(1)
        if self.seen % ACCUMULATE == 0:
            self.flush()
        return loss

    @tf.function
    def step(self, x, y):
        return self.strategy.run(self.replica_step, args=(x, y))


def stream(n, batch=16):
    weights = tf.constant([[1.0], [2.0], [-1.0]])
    for _ in range(n):
        x = tf.random.normal([batch, 3])
        yield x, x @ weights


def main():
    tf.random.set_seed(24)
    trainer = ReplicaTrainer(tf.distribute.get_strategy())
    for x, y in stream(40):
        loss = trainer.step(x, y)
    print("updates of the weights: %d in 40 steps, loss %.3f" % (int(trainer.updates), float(loss)))


main()
