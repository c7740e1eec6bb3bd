"""One function for each reason for which AutoGraph leaves code as it is."""

import functools
import unittest

import keras
import tensorflow as tf
import wrapt


def for_else(x):
    for _ in tf.range(3):
        x = x + 1
    else:
        x = x * 2
    return x


def while_else(x):
    while tf.reduce_sum(x) < 3:
        x = x + 1
    else:
        x = x * 2
    return x


class Mangled:
    def __init__(self):
        self.__factor = 2.0

    def method(self, x):
        if tf.reduce_sum(x) > 0:
            x = x * self.__factor
        return x


def generator(x):
    yield x


def parts(x):
    for number in range(2):
        yield x * number


def uses_generator(x):
    total = tf.zeros([3])
    for part in parts(x):
        total += part
    return total


def walrus(x):
    if (total := tf.reduce_sum(x)) > 0:
        x = x * total
    return x


def match(x, mode):
    match mode:
        case 1:
            x = x + 1
        case _:
            x = x + 2
    if tf.reduce_sum(x) > 0:
        x = x * 2
    return x


async def coroutine(x):
    return x


one, two = (lambda x: x if tf.reduce_sum(x) > 0 else -x), (lambda x: x + 1)


def uses_lambda(x):
    return one(x)


namespace = {"tf": tf}
exec("def dynamic(x):\n    if tf.reduce_sum(x) > 0:\n        x = x * 2\n    return x\n", namespace)


def uses_exec(x):
    return namespace["dynamic"](x)


typed = {"tf": tf, "__name__": "__main__"}
exec(compile("def prompt(x):\n  return x if tf.reduce_sum(x) > 0 else -x\n", "<stdin>", "exec"), typed)


def uses_prompt(x):
    return typed["prompt"](x)


@tf.autograph.experimental.do_not_convert
def left_alone(x):
    return x + 1


def uses_do_not_convert(x):
    return left_alone(x)


@tf.function(autograph=False)
def without_autograph(x):
    return branch(x)


def branch(x):
    if tf.reduce_sum(x) > 0:
        return x
    return -x


def uses_vectorized_map(x):
    return tf.vectorized_map(branch, x[:, None])


@tf.custom_gradient
def own_gradient(x):
    def gradient(upstream):
        return upstream

    if tf.reduce_sum(x) > 0:
        return x, gradient
    return -x, gradient


def uses_custom_gradient(x):
    return own_gradient(x)


def uses_recompute(x):
    return tf.recompute_grad(branch)(x)


class Layer(keras.layers.Layer):
    def call(self, x):
        if tf.reduce_sum(x) > 0:
            return x
        return -x


layer = Layer()


def uses_layer(x):
    return layer(x)


class Net(keras.Model):
    def train_step(self, data):
        if tf.reduce_sum(data) > 0:
            return {}
        return {}


class Loss(keras.losses.Loss):
    def call(self, y_true, y_pred):
        return branch(y_pred)


loss = Loss()


def uses_loss(x):
    return loss(x, x)


lambda_layer = keras.layers.Lambda(lambda x: branch(x))


def uses_lambda_layer(x):
    return lambda_layer(x)


class Metric(keras.metrics.Metric):
    def update_state(self, x):
        if tf.reduce_sum(x) > 0:
            x = -x

    def result(self):
        return 0.0


metric = Metric()


def uses_metric(x):
    metric(x)
    return x


def uses_py_function(x):
    return tf.py_function(branch, [x], tf.float32)


def uses_numpy_function(x):
    return tf.numpy_function(lambda array: array, [x], tf.float32)


@functools.lru_cache
def cached(number):
    return number + 1


def uses_cache(x):
    return x + cached(3)


class Thing:
    def __init__(self, x):
        self.x = x + 1


def uses_constructor(x):
    return Thing(x).x


class Case(unittest.TestCase):
    def helper(self, x):
        return branch(x)


case = Case("helper")


def uses_test_case(x):
    return case.helper(x)


def uses_map(x):
    return tf.map_fn(branch, x[:, None])


def uses_closure(x):
    amount = 3

    def add(y):
        if tf.reduce_sum(y) > 0:
            return y + amount
        return y

    return add(x)


def uses_partial(x):
    return functools.partial(branch)(x)


@tf.function
def graph_function(x):
    return branch(x)


def uses_graph_function(x):
    return graph_function(x)


@wrapt.decorator
def passed_on(function, instance, arguments, options):
    return function(*arguments, **options)


@passed_on
def wrapped(x):
    return branch(x)


def uses_wrapt(x):
    return wrapped(x)


@tf.autograph.experimental.do_not_convert
def around(x):
    return branch(x)


def uses_unconverted(x):
    return around(x)


def uses_without_autograph(x):
    return without_autograph(x)


def uses_metric_directly(x):
    metric.update_state(x)
    return x
