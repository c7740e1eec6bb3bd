import tensorflow as tf


@tf.function
def step(model, batch, epoch):
    rate = 0.1 / (1.0 + epoch)
    return tf.reduce_mean(model(batch)) * rate


def main(model, data):
    for epoch in range(20):
        for batch in data:
            step(model, batch, epoch)  # <- GD101
