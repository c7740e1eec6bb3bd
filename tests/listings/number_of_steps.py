import tensorflow as tf


def train_one_step():
    pass


@tf.function
def train(num_steps):
    for _ in tf.range(num_steps):
        train_one_step()


train(num_steps=10)
train(num_steps=20)  # finds GD101
