"""Functions that other functions make and return."""

import keras
import tensorflow as tf


def make_parser(size):
    def parse(line):
        number = tf.strings.to_number(line)
        return min(number.numpy(), size)  # <- GD801

    return parse


def make_step(model):
    @tf.function
    def step(batch, number):
        return tf.reduce_mean(model(batch)) / (1.0 + number)

    return step


def weighted(weight):
    def loss(y_true, y_pred):
        error = tf.reduce_mean(tf.abs(y_true - y_pred))
        return error * weight if error > 1.0 else error  # <- GD701

    return loss


def main(model, lines, batches):
    data = tf.data.Dataset.from_tensor_slices(lines).map(make_parser(3))
    step = make_step(model)
    for number, batch in enumerate(batches):
        step(batch, number)  # <- GD101
    model.compile(loss=weighted(2.0), optimizer=keras.optimizers.SGD())
    return data
