"""A training that saves itself and goes on from what it saved."""

import tempfile

import tensorflow as tf


class Linear(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(5)

    def call(self, x):
        return self.dense(x)


def make_data():
    inputs = tf.range(10.0)[:, None]
    labels = inputs * 5.0 + tf.range(5.0)[None, :]
    return tf.data.Dataset.from_tensor_slices(dict(x=inputs, y=labels)).repeat().batch(2)


def make_step(net, optimizer):
    @tf.function
    def train_step(example):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(net(example["x"]) - example["y"]))
        variables = net.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    return train_step


folder = tempfile.mkdtemp()


def train(steps):
    net, opt = Linear(), tf.keras.optimizers.Adam(0.1)
    net(tf.zeros([1, 1]))
    opt.build(net.trainable_variables)
    iterator = iter(make_data())
    ckpt = tf.train.Checkpoint(step=tf.Variable(1), optimizer=opt, net=net, iterator=iterator)
    manager = tf.train.CheckpointManager(ckpt, folder, max_to_keep=3)
    ckpt.restore(manager.latest_checkpoint)
    print("restored" if manager.latest_checkpoint else "from scratch")
    train_step = make_step(net, opt)
    for _ in range(steps):
        loss = train_step(next(iterator))
        ckpt.step.assign_add(1)
        if int(ckpt.step) % 10 == 0:
            manager.save()


train(40)
train(40)
