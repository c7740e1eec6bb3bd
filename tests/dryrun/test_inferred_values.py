"""What an expression gives, as TensorFlow 2.21, Keras 3 and NumPy 2 give it: once inferred wrongly."""

import pytest
from tests.dryrun.test_interpreter import value_after

HEAD = """
import math
import numpy as np
import tensorflow as tf
import keras
from keras import layers
rng = np.random.default_rng(0)
placeholder = keras.Input((4,))
hidden = layers.Dense(3)(placeholder)
x = tf.ones([2, 4])
"""
INFERRED = {
    # what models give
    "keras.Model(placeholder, [hidden])(x)": "Tensor(float32, None)",
    "keras.Model(placeholder, (hidden, placeholder))(x)": "tuple({0}, {0})".format("Tensor(float32, None)"),
    "keras.Model(placeholder, [hidden, hidden]).predict(x)": "list({0}, {0})".format("Array(float32, None)"),
    "keras.Model(placeholder, {'a': hidden, 'b': placeholder}).predict(x)['b']": "Array(float32, None)",
    "keras.Model(placeholder, hidden).predict(x)": "Array(float32, None)",
    # the dtypes of layers
    "layers.Flatten()(keras.Input((2, 3), dtype='int32'))": "KerasTensor(int32, (None, 6))",
    "layers.Reshape((3, 2))(tf.ones([1, 2, 3], tf.uint8))": "Tensor(uint8, (1, 3, 2))",
    "layers.Dropout(0.5)(tf.ones([2, 3], tf.int32))": "Tensor(None, (2, 3))",
    "layers.Embedding(9, 2)(tf.ones([2, 3], tf.int32))": "Tensor(float32, (2, 3, 2))",
    "layers.Rescaling(0.5)(tf.ones([2, 3], tf.uint8))": "Tensor(float32, (2, 3))",
    "layers.Hashing(9)(keras.Input((3,), dtype='string'))": "KerasTensor(int64, None)",
    "layers.Concatenate()(layers.GRU(2, return_state=True)(keras.Input((3, 2)))[:2])": "Unknown",
    # structures that are given back as they were given
    "tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [tf.constant(0)])": "list(Tensor(int32, ()),)",
    "tf.data.Dataset.range(3).reduce(np.int64(0), lambda s, e: s + e)": "Tensor(int64, ())",
    "[s for s in (tf.data.Dataset.range(3).reduce((0, 0.0), lambda s, e: s),)][0][0]": "Tensor(int32, ())",
    # options with which other things come back
    "tf.linalg.svd(tf.ones([3, 3]), compute_uv=False)": "Unknown",
    "np.unique(np.arange(3), return_counts=True)": "Unknown",
    "tf.random.poisson([3], [1.0, 2.0])": "Tensor(float32, None)",
    "np.where(np.ones(3))": "Unknown",
    "keras.ops.where(tf.ones([3]))": "Unknown",
    "np.where(np.ones(3) > 0, 1.0, 0.0)": "Array(float64, (3,))",
    "np.gradient(np.ones(3))": "Unknown",
    "keras.ops.dot(tf.ones([2, 3]), tf.ones([3]))": "Tensor(float32, None)",
    # the elements of an array of tensors, one after the other, and some of them
    "len(tf.TensorArray(tf.float32, 2).unstack(tf.ones([2, 3, 4])).concat().shape)": "Constant(2)",
    "tf.TensorArray(tf.float32, 2).unstack(tf.ones([2, 3])).gather([1, 0, 1])": "Tensor(float32, (3, 3))",
    # what says its shape or dtype itself
    "tf.Variable(tf.ones([3, 2]), shape=[None, 2]).shape[0]": "AbstractNumber(int)",
    "tf.random.Generator.from_seed(1).uniform([2], 0, 9, tf.int32)": "Tensor(int32, (2,))",
    "np.flatnonzero(np.ones(9)).size": "AbstractNumber(int)",
    "tf.stop_gradient(np.ones(3, np.float32))": "Tensor(float32, (3,))",
    "keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(0.1, 9)).learning_rate": "Unknown",
    "math.isfinite(rng.normal())": "AbstractNumber(bool)",
    # NumPy
    "np.clip(np.zeros((2, 3), np.float32), 0, 1)": "Array(float32, (2, 3))",
    "np.clip(np.zeros(3, np.uint8), 0, 255)": "Array(uint8, (3,))",
    "np.clip(np.zeros(3, np.int32), 0.0, 1.0)": "Array(float64, (3,))",
    "np.clip(0, 1, np.zeros((2, 3), np.float32)).shape[1]": "Constant(3)",
    # what would raise: no dtype is inferred
    "tf.matmul(tf.ones([2, 2], tf.int32), tf.ones([2, 2]))": "Tensor(None, (2, 2))",
    "tf.math.multiply(tf.ones([2, 4], tf.int32), x)": "Tensor(None, (2, 4))",
    "rng.integers(3)": "Array(int64, ())",
    "np.random.randint(3)": "AbstractNumber(int)",
    "rng.choice(3)": "AbstractNumber(int)",
    "rng.choice(['a', 'b'])": "Array(None, ())",
    "np.random.randn(*open('sizes'))": "Array(None, None)",
    "(np.ones(3) > 0) * 2": "Array(int64, (3,))",
    "(np.ones(3) > 0) * 2.0": "Array(float64, (3,))",
    "np.ones((2, 1), np.float32) @ [[1.0]]": "Array(None, (2, 1))",
    "np.ones(3) * 1j": "Array(None, (3,))",
    "np.ones((3, 4)) @ np.ones((5, 4, 2))": "Array(float64, (5, 3, 2))",
    "np.convolve(np.ones(9, np.float32), np.ones(3, np.float32)).dtype": "DType(float32)",
    # how many
    "len(['a', 'b', 'c'] * 50)": "Constant(150)",
    "len(set('the rain fell on the town and the town slept'))": "Constant(15)",
    "len({word for word in 90 * ['a']})": "AbstractNumber(int)",
    "len(set(90 * ['a']))": "AbstractNumber(int)",
    "sum(each > 0 for each in rng.normal(size=9).tolist())": "AbstractNumber(int, varies)",
    "{key: 1 for key in ('a', 'b') if rng.choice(2)}.get('a')": "Union(Constant(1), Constant(None))",
    # what a tape answers
    "tf.GradientTape().watched_variables()": "Unknown",
}


@pytest.mark.parametrize("expression", INFERRED)
def test_inferred_value(expression):
    assert value_after(f"{HEAD}result = {expression}\n") == INFERRED[expression]


def test_dtypes_under_a_policy():
    program = """
    import keras
    keras.mixed_precision.set_global_policy("mixed_float16")
    placeholder = keras.Input((4,))
    hidden = keras.layers.Dense(3)(placeholder)
    model = keras.Model(placeholder, keras.layers.Activation("softmax", dtype="float32")(hidden))
    result = hidden, model(keras.ops.ones((2, 4)))
    """
    assert value_after(program) == "tuple(KerasTensor(float16, (None, 3)), Tensor(float32, (2, 3)))"


def test_the_state_of_a_scan_is_of_tensors():
    program = """
    import tensorflow as tf
    def body(state, x):
        global result
        result = state
        return state
    tf.scan(body, tf.ones([3]), initializer=(0, 0.0))
    """
    assert value_after(program) == "tuple(Tensor(int32, ()), Tensor(float32, ()))"


GROWING = (
    """
    for _ in tf.range(n):
        options(shape_invariants=[(x, tf.TensorShape([None]))])
        x = tf.concat([x, x], 0)
    """,
    """
    _, x = tf.while_loop(
        lambda i, x: i < n,
        lambda i, x: (i + 1, tf.concat([x, x], 0)),
        (0, x),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
    )
    """,
)


@pytest.mark.parametrize("loop", GROWING)
def test_what_grows_in_a_loop_has_the_shape_that_is_said(loop):
    program = f"""
import tensorflow as tf
options = tf.autograph.experimental.set_loop_options
@tf.function
def f(x, n):
    global result
    {loop}
    result = x
f(tf.ones([1]), tf.constant(3))
"""
    assert value_after(program) == "Tensor(float32, (AbstractNumber(int),))"


# how Keras is set to train, and what a step is given
STEPS = {
    "fit(np.ones((64, 2)), np.ones(64, 'int64'))": "tuple(Tensor(float32, (32, 2)), Tensor(int64, (32,)))",
    "fit(np.ones((50, 2)), np.ones(50))": "tuple(Tensor(float32, (None, 2)), Tensor(float32, (None,)))",
    "fit(np.ones((50, 2)), np.ones(50), 25)": "tuple(Tensor(float32, (25, 2)), Tensor(float32, (25,)))",
    "fit(np.ones((64, 2)), validation_split=0.1)": "Tensor(float32, (AbstractNumber(int), 2))",
    "fit(np.frombuffer(b'').reshape(-1, 2))": "Tensor(float32, (AbstractNumber(int), 2))",
    "fit(tf.data.Dataset.from_tensor_slices(np.ones((64, 2), 'float32')).batch(32))": (
        "Tensor(float32, (None, 2))"
    ),
    "fit(tf.data.Dataset.from_tensor_slices(np.ones((64, 2), 'float32')).batch(32, drop_remainder=True))": (
        "Tensor(float32, (32, 2))"
    ),
    "train_on_batch(np.ones((8, 2)), np.ones(8))": "tuple(Tensor(float64, (8, 2)), Tensor(float64, (8,)))",
    "predict(np.ones((7, 2)))": "Tensor(float32, (7, 2))",
    "predict(np.ones((64, 2)))": "Tensor(float32, (32, 2))",
    "predict(np.ones((50, 2)))": "Tensor(float32, (None, 2))",
}


@pytest.mark.parametrize("call", STEPS)
def test_what_a_step_is_given(call):
    program = f"""
    import numpy as np
    import tensorflow as tf
    import keras
    class Model(keras.Model):
        def train_step(self, data):
            global result
            result = data
            return {{}}
        predict_step = train_step
    model = Model()
    model.compile()
    model.{call}
    """
    assert value_after(program) == STEPS[call]


# what a layer of the project is called with, and what its `call` gets
CALLS = {
    "(np.ones((3, 2)))": "tuple(Tensor(float32, (3, 2)), Constant(None))",
    "(tf.ones([3], tf.float64))": "tuple(Tensor(float32, (3,)), Constant(None))",
    "(np.ones(3, 'int64'))": "tuple(Tensor(int64, (3,)), Constant(None))",
    "([np.ones(3), tf.ones([3])])": (
        "tuple(list(Tensor(float32, (3,)), Tensor(float32, (3,))), Constant(None))"
    ),
    "(tf.ones([3]), other=np.ones(3))": "tuple(Tensor(float32, (3,)), Tensor(float32, (3,)))",
}


@pytest.mark.parametrize("call", CALLS)
def test_what_a_layer_gets(call):
    program = f"""
    import numpy as np
    import tensorflow as tf
    import keras
    class Layer(keras.layers.Layer):
        def call(self, x, other=None):
            global result
            result = x, other
            return x
    Layer(){call}
    """
    assert value_after(program) == CALLS[call]


def test_the_gradients_of_a_module_are_a_tuple():
    program = """
    import tensorflow as tf
    class Module(tf.Module):
        def __init__(self):
            self.scale = tf.Variable(2.0)
    module = Module()
    with tf.GradientTape() as tape:
        loss = module.scale ** 2
    result = tape.gradient(loss, module.trainable_variables)
    """
    assert value_after(program) == "tuple(…Tensor(None, None))"


# batches of one size, of which TensorFlow does not know that while it traces
WHOLE = {
    "next(iter(batches))": "Tensor(float32, (4, 2))",
    "[keep(each) for each in batches][0]": "Tensor(float32, (4, 2))",
    "batches.map(keep)": "Tensor(float32, (None, 2))",
    "batches.prefetch(2).map(keep)": "Tensor(float32, (None, 2))",
    "through(batches)": "Tensor(float32, (None, 2))",
}


@pytest.mark.parametrize("use", WHOLE)
def test_the_size_of_a_batch(use):
    program = f"""
    import tensorflow as tf
    def keep(batch):
        global result
        result = batch
        return batch
    @tf.function
    def through(batches):
        for each in batches:
            keep(each)
    batches = tf.data.Dataset.from_tensor_slices(tf.ones([8, 2])).batch(4)
    result = {use}
    """.replace("result = batches.", "_ = batches.").replace("result = through", "through")
    assert value_after(program) == WHOLE[use]


# what a callback has counted after `fit`
COUNTED = {
    "fit(x, y, callbacks=[count])": (
        "Constant(1), Constant(0), list(Constant(0),), AbstractNumber(int, varies)"
    ),
    "fit(x, y, epochs=2, callbacks=[count])": (
        "Constant(2), Constant(1), list(Constant(0), Constant(1)), AbstractNumber(int, varies)"
    ),
    "fit(x, y, 64, callbacks=[count])": "Constant(1), Constant(0), list(Constant(0),), Constant(1)",
    "fit(x, y, epochs=5, initial_epoch=3, callbacks=[count])": (
        "Constant(2), Constant(4), list(Constant(3), Constant(4)), AbstractNumber(int, varies)"
    ),
    "fit(x, y, epochs=9, callbacks=[count])": (
        "AbstractNumber(int, varies), AbstractNumber(int, varies), "
        "list(…AbstractNumber(int, varies)), AbstractNumber(int, varies)"
    ),
}


@pytest.mark.parametrize("call", COUNTED)
def test_what_callbacks_count(call):
    program = f"""
    import numpy as np
    import keras
    class Count(keras.callbacks.Callback):
        def __init__(self):
            self.epochs, self.last, self.seen, self.batches = 0, None, [], 0
        def on_epoch_end(self, epoch, logs=None):
            self.epochs += 1
            self.last = epoch
            self.seen.append(epoch)
        def on_train_batch_end(self, batch, logs=None):
            self.batches += 1
    x, y = np.ones((64, 2)), np.ones(64)
    count = Count()
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.{call}
    result = count.epochs, count.last, count.seen, count.batches
    """
    assert value_after(program) == f"tuple({COUNTED[call]})"


# whether a gradient is None
GRADIENTS = {
    "tape.gradient(loss, scale) is None": "Constant(False)",
    "tape.gradient(loss, other) is None": "AbstractNumber(bool)",
    "tape.gradient(loss, other) != None": "AbstractNumber(bool)",
    "tape.gradient(loss, [scale, other])[1] is not None": "AbstractNumber(bool)",
    "tape.gradient(loss, model.trainable_variables)[0] is None": "AbstractNumber(bool)",
    "tape.gradient(loss, other, unconnected_gradients='zero') is None": "Constant(False)",
    "isinstance(tape.gradient(loss, model.trainable_variables)[0], tf.Tensor)": "AbstractNumber(bool)",
}


@pytest.mark.parametrize("question", GRADIENTS)
def test_whether_a_gradient_is_none(question):
    program = f"""
    import tensorflow as tf
    import keras
    model = keras.Sequential([keras.layers.Dense(1)])
    scale, other = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.ones([2, 3])) * scale)
    result = {question}
    """
    assert value_after(program) == GRADIENTS[question]


def test_a_key_that_a_dict_may_lack_may_be_missing_in_a_graph():
    program = """
    import random
    import tensorflow as tf
    @tf.function
    def step(batch):
        global result
        result = "weight" in batch
    batch = {}
    if random.random() < 0.5:
        batch["weight"] = tf.ones([3])
    step(batch)
    """
    assert value_after(program) == "AbstractNumber(bool)"
