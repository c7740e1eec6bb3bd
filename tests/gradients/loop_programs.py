"""Breaks inside TensorFlow's own loops and branches; `# HERE` marks the line that the report must name."""

from tests.gradients.reason_programs import EAGER, GRAPH, Case

# TensorFlow gives zeros, not None, for what it computes in a loop of its own.
LOOPS = (
    Case(
        "cast in a loop",
        "operation",
        "GD504",
        """
        total = tf.zeros([2])
        with tf.GradientTape() as tape:
            for _ in tf.range(steps):
                total += tf.cast(tf.cast(v * 3.0, tf.int32), tf.float32)  # HERE
            loss = tf.reduce_sum(total)
        tape.gradient(loss, v)
        """,
        modes=(GRAPH,),
        operation="Cast",
    ),
    Case(
        "rounding of what a loop carries",
        "operation",
        "GD504",
        """
        with tf.GradientTape() as tape:
            state = v * 2.0
            while tf.reduce_sum(state) < 20.0:
                state = tf.round(state * 1.5)  # HERE
            loss = tf.reduce_sum(state)
        tape.gradient(loss, v)
        """,
        modes=(GRAPH,),
        operation="Round",
    ),
    Case(
        "argmax in a branch in a loop",
        "operation",
        "GD504",
        """
        with tf.GradientTape() as tape:
            total = tf.zeros([2])
            for _ in tf.range(steps):
                if tf.reduce_sum(total) < 10.0:
                    total += tf.one_hot(tf.argmax(v), 2)  # HERE
            loss = tf.reduce_sum(total)
        tape.gradient(loss, v)
        """,
        modes=(GRAPH,),
        operation="ArgMax",
    ),
    Case(
        "stop_gradient in tf.while_loop",
        "stopped",
        "GD504",
        """
        def body(item, state):
            kept = tf.stop_gradient(state + v)  # HERE
            return item + 1, kept * 2.0


        with tf.GradientTape() as tape:
            _, state = tf.while_loop(lambda item, state: item < steps, body, [0, tf.zeros([2])])
            loss = tf.reduce_sum(state)
        tape.gradient(loss, v)
        """,
        modes=(GRAPH,),
    ),
    Case(
        "numpy_function in a loop",
        "left",
        "GD503",
        """
        with tf.GradientTape() as tape:
            state = v * 2.0
            for _ in tf.range(steps):
                state = tf.ensure_shape(tf.numpy_function(np.sin, [state], tf.float32), [2])  # HERE
            loss = tf.reduce_sum(state)
        tape.gradient(loss, v)
        """,
        modes=(GRAPH,),
        detail="tf.numpy_function",
    ),
    Case(
        "loop in a function that eager code calls",
        "operation",
        "GD504",
        """
        @tf.function
        def rolled(a):
            for _ in tf.range(steps):
                a = tf.floor(a * 2.0)  # HERE
            return a


        for _ in range(5):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(rolled(v * 1.0))
            tape.gradient(loss, v)
        """,
        modes=(EAGER,),
        operation="Floor",
    ),
    Case(
        "batch_jacobian of a tensor that is not watched",
        "not-watched",
        "GD501",
        """
        rows = x[None]
        with tf.GradientTape() as tape:
            y = tf.square(rows)
        tape.batch_jacobian(y, rows)  # HERE
        """,
    ),
)
BRANCHES = (
    Case(
        "argmax in a branch",
        "operation",
        "GD504",
        """
        with tf.GradientTape() as tape:
            if tf.reduce_sum(x) > 0.0:
                y = tf.one_hot(tf.argmax(v), 2)  # HERE
            else:
                y = tf.zeros([2])
            loss = tf.reduce_sum(y * x)
        tape.gradient(loss, v)
        """,
        operation="ArgMax",
    ),
    Case(
        "used by the condition alone",
        "operation",
        "GD504",
        """
        with tf.GradientTape() as tape:
            if tf.reduce_sum(v) > 0.0:  # HERE
                y = x * 2.0
            else:
                y = x
            loss = tf.reduce_sum(y)
        tape.gradient(loss, v)
        """,
        modes=(GRAPH,),
        operation="Greater",
    ),
    Case(
        "one of several branches",
        "operation",
        "GD504",
        """
        with tf.GradientTape() as tape:
            y = tf.switch_case(steps, [lambda: x * 2.0, lambda: x, lambda: tf.math.ceil(v)])  # HERE
            loss = tf.reduce_sum(y)
        tape.gradient(loss, v)
        """,
        operation="Ceil",
    ),
)

ZEROS_AND_NONE = """
import tensorflow as tf

rounded, unused, used = (tf.Variable(2.0, name=name) for name in ("rounded", "unused", "used"))


@tf.function
def step(steps):
    with tf.GradientTape() as tape:
        total = tf.constant(0.0)
        for _ in tf.range(steps):
            total += tf.round(rounded) * used
    tape.gradient(total, [rounded, unused, used])


step(tf.constant(2))
"""

CORRECT_LOOPS = """
import tensorflow as tf
from tensorflow.keras import layers

cell, embed, out = layers.GRUCell(4), layers.Embedding(10, 4), layers.Dense(10)
for layer, shape in ((cell, (None, 4)), (embed, (None,)), (out, (None, 4))):
    layer.build(shape)
variables = cell.trainable_variables + embed.trainable_variables + out.trainable_variables
kernel = tf.Variable(tf.ones([3, 1]))


@tf.function
def decode(tokens):
    with tf.GradientTape() as tape:
        state = tf.zeros([2, 4])
        token = tokens[:, 0]
        written = tf.TensorArray(tf.float32, tf.shape(tokens)[1])
        for step in tf.range(tf.shape(tokens)[1]):
            output, [state] = cell(embed(token), [state])
            scores = out(output)
            written = written.write(step, scores)
            token = tf.argmax(scores, -1, output_type=tf.int32)
            if tf.reduce_all(tf.equal(token, 0)):
                break
        scores = tf.transpose(written.stack(), [1, 0, 2])
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tokens, scores))
    return tape.gradient(loss, variables)


@tf.function
def learn_to_learn(x, y):
    with tf.GradientTape() as outer:
        weights = kernel * 1.0
        for _ in tf.range(3):
            with tf.GradientTape() as inner:
                inner.watch(weights)
                loss = tf.reduce_mean((x @ weights - y) ** 2)
            weights = weights - 0.1 * inner.gradient(loss, weights)
        loss = tf.reduce_mean((x @ weights - y) ** 2)
    return outer.gradient(loss, kernel)


@tf.function
def folded(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        sums = tf.scan(lambda before, now: before * 0.5 + now, x)
        loss = tf.reduce_sum(tf.map_fn(lambda row: row**2, sums))
    return tape.gradient(loss, x)


decode(tf.ones([2, 5], tf.int32))
learn_to_learn(tf.ones([4, 3]), tf.ones([4, 1]))
folded(tf.ones([4, 2]))
"""
