"""One program for each reason why a gradient is None; `# HERE` marks the line that the report must name."""

import dataclasses
import inspect
import textwrap

PREAMBLE = """
import numpy as np
import tensorflow as tf

x = tf.constant([1.0, 2.0])
v = tf.Variable([1.0, 2.0], name="v")
u = tf.Variable(3.0, name="u")
i = tf.Variable(3, name="i")
frozen = tf.Variable(1.0, trainable=False, name="frozen")
steps = tf.constant(2)
"""
EAGER, GRAPH = "eager", "graph"


@dataclasses.dataclass(frozen=True)
class Case:
    """The lines of a program, run as they are or in a traced function, and what is to be said of them."""

    name: str
    reason: str
    rule: str
    body: str
    modes: tuple[str, ...] = (EAGER, GRAPH)
    detail: str | None = None
    operation: str | None = None

    def text(self, mode: str) -> str:
        """The program."""
        body = inspect.cleandoc(self.body)
        if mode == GRAPH:
            body = f"\n@tf.function\ndef step():\n{textwrap.indent(body, '    ')}\n    return 0\n\n\nstep()"
        return f"{PREAMBLE}{body}\n"

    def line(self, mode: str) -> int:
        """The line that the report must name."""
        lines = self.text(mode).split("\n")
        return next(number for number, line in enumerate(lines, start=1) if "# HERE" in line)


CASES = (
    Case(
        "tensor not watched",
        "not-watched",
        "GD501",
        """
        with tf.GradientTape() as tape:
            y = x * v
        tape.gradient(y, x)  # HERE
        """,
    ),
    Case(
        "variable not watched",
        "not-watched",
        "GD501",
        """
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(u)
            y = u * v
        tape.gradient(y, [u, v])  # HERE
        """,
        detail="manual",
    ),
    Case(
        "target after the tape",
        "outside",
        "GD502",
        """
        with tf.GradientTape() as tape:
            y = x * v
        loss = tf.reduce_sum(y)  # HERE
        tape.gradient(loss, v)
        """,
        detail="after",
    ),
    Case(
        "target index outside a persistent tape",
        "outside",
        "GD502",
        """
        with tf.GradientTape(persistent=True) as tape:
            y = x * v
        tape.gradient(y, v)
        tape.gradient(y[0], v)  # HERE
        """,
        detail="after",
    ),
    Case(
        "computed before the tape",
        "outside",
        "GD502",
        """
        y = x * v  # HERE
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(y)
        tape.gradient(loss, v)
        """,
        detail="before",
    ),
    Case(
        "computed while the tape was paused",
        "outside",
        "GD502",
        """
        with tf.GradientTape() as tape:
            y = x * v
            with tape.stop_recording():
                y = y * 2.0  # HERE
            loss = tf.reduce_sum(y)
        tape.gradient(loss, v)
        """,
        detail="paused",
    ),
    Case(
        "numpy method",
        "left",
        "GD503",
        """
        with tf.GradientTape() as tape:
            y = v * 2.0
            z = tf.constant(y.numpy() * 3.0)  # HERE
            loss = tf.reduce_sum(z)
        tape.gradient(loss, v)
        """,
        modes=(EAGER,),
        detail=".numpy()",
    ),
    Case(
        "numpy function",
        "left",
        "GD503",
        """
        with tf.GradientTape() as tape:
            y = v * 2.0
            mean = np.mean(y)  # HERE
            loss = tf.constant(mean) * 3.0
        tape.gradient(loss, v)
        """,
        modes=(EAGER,),
        detail="np.mean",
    ),
    Case(
        "numpy function in a loss function",
        "left",
        "GD503",
        """
        def loss_of(prediction):
            error = np.square(prediction)  # HERE
            return tf.reduce_sum(error)


        with tf.GradientTape() as tape:
            loss = loss_of(v * 2.0)
        tape.gradient(loss, v)
        """,
        modes=(EAGER,),
        detail="np.square",
    ),
    Case(
        "numpy function in a helper that gives an array back",
        "left",
        "GD503",
        """
        def centred(values, shift):
            return np.array(values) - shift  # HERE


        with tf.GradientTape() as tape:
            y = v * 2.0
            around = centred(y, 1.0)
            loss = tf.reduce_sum(around)
        tape.gradient(loss, v)
        """,
        modes=(EAGER,),
        detail="np.array",
    ),
    Case(
        "floats in a list",
        "left",
        "GD503",
        """
        with tf.GradientTape() as tape:
            found = []
            for each in (1.0, 2.0):
                found.append(float(tf.reduce_sum(v * each)))  # HERE
            loss = tf.add_n([tf.constant(value) for value in sorted(found)])
        tape.gradient(loss, v)
        """,
        modes=(EAGER,),
        detail="float()",
    ),
    Case(
        "float",
        "left",
        "GD503",
        """
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v)
            value = float(y)  # HERE
            loss = tf.constant(value) * 2.0
        tape.gradient(loss, v)
        """,
        modes=(EAGER,),
        detail="float()",
    ),
    Case(
        "model.predict",
        "left",
        "GD503",
        """
        model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
        image = tf.ones([1, 2])
        with tf.GradientTape() as tape:
            tape.watch(image)
            score = tf.constant(model.predict(image, verbose=0))  # HERE
        tape.gradient(score, image)
        """,
        modes=(EAGER,),
        detail="model.predict",
    ),
    Case(
        "numpy_function",
        "left",
        "GD503",
        """
        with tf.GradientTape() as tape:
            y = tf.numpy_function(lambda a: a * 2, [v], tf.float32)  # HERE
            loss = y * 3.0
        tape.gradient(loss, v)
        """,
        detail="tf.numpy_function",
    ),
    Case(
        "rounding",
        "operation",
        "GD504",
        """
        with tf.GradientTape() as tape:
            y = v * 2.0
            z = tf.round(y)  # HERE
            loss = tf.reduce_sum(z) + 1.0
        tape.gradient(loss, v)
        """,
        operation="Round",
    ),
    Case(
        "argmax behind one_hot",
        "operation",
        "GD504",
        """
        with tf.GradientTape() as tape:
            chosen = tf.argmax(v)  # HERE
            loss = tf.reduce_sum(tf.one_hot(chosen, 2) * x)
        tape.gradient(loss, v)
        """,
        operation="ArgMax",
    ),
    Case(
        "comparison",
        "operation",
        "GD504",
        """
        with tf.GradientTape() as tape:
            hit = v > 1.5  # HERE
            loss = tf.reduce_sum(tf.cast(hit, tf.float32))
        tape.gradient(loss, v)
        """,
        operation="Greater",
    ),
    Case(
        "cast to integers",
        "operation",
        "GD504",
        """
        with tf.GradientTape() as tape:
            whole = tf.cast(v, tf.int32)  # HERE
            loss = tf.reduce_sum(tf.cast(whole, tf.float32))
        tape.gradient(loss, v)
        """,
        operation="Cast",
    ),
    Case(
        "integer target",
        "operation",
        "GD504",
        """
        with tf.GradientTape() as tape:
            y = tf.argmax(v)  # HERE
        tape.gradient(y, v)
        """,
        operation="ArgMax",
    ),
    Case(
        "inside a traced function that is called",
        "operation",
        "GD504",
        """
        @tf.function
        def inner(a):
            b = tf.floor(a)  # HERE
            return b * 2.0


        with tf.GradientTape() as tape:
            loss = inner(v * 3.0) + 1.0
        tape.gradient(loss, v)
        """,
        operation="Floor",
    ),
    Case(
        "jacobian",
        "operation",
        "GD504",
        """
        with tf.GradientTape() as tape:
            y = tf.math.ceil(v)  # HERE
        tape.jacobian(y, v)
        """,
        operation="Ceil",
    ),
    Case(
        "stop_gradient",
        "stopped",
        "GD504",
        """
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(v * 2.0)  # HERE
            loss = tf.reduce_sum(y)
        tape.gradient(loss, v)
        """,
    ),
    Case(
        "custom gradient of None",
        "custom",
        "GD504",
        """
        @tf.custom_gradient
        def doubled(a):
            return a * 2.0, lambda upstream: None


        with tf.GradientTape() as tape:
            y = doubled(v)  # HERE
            loss = tf.reduce_sum(y)
        tape.gradient(loss, v)
        """,
    ),
    Case(
        "integer source",
        "dtype",
        "GD505",
        """
        with tf.GradientTape() as tape:
            y = tf.cast(i, tf.float32) * u
        tape.gradient(y, [i, u])  # HERE
        """,
        detail="int32",
    ),
    Case(
        "variable rebound",
        "rebound",
        "GD506",
        """
        w = u
        w = w + 1.0  # HERE
        with tf.GradientTape() as tape:
            y = w * 2.0
        tape.gradient(y, w)
        """,
    ),
    Case(
        "variable rebound in the second step",
        "rebound",
        "GD506",
        """
        w = u
        for step in range(2):
            with tf.GradientTape() as tape:
                y = w * w
            tape.gradient(y, w)
            w = w - 0.1  # HERE
        """,
        modes=(EAGER,),
    ),
    Case(
        "variables that are not trainable",
        "not-trainable",
        "GD508",
        """
        with tf.GradientTape() as tape:
            y = u * frozen
        tape.gradient(y, [u, frozen])  # HERE
        """,
    ),
    Case(
        "no variables at all",
        "no-sources",
        "GD509",
        """
        with tf.GradientTape() as tape:
            y = v * 2.0
        tape.gradient(y, [])  # HERE
        """,
    ),
    Case(
        "no sources, in groups",
        "no-sources",
        "GD509",
        """
        with tf.GradientTape() as tape:
            y = v * v
        tape.gradient(y, [[], {"bias": []}])  # HERE
        """,
    ),
    Case(
        "one of nested sources",
        "unused",
        "GD515",
        """
        with tf.GradientTape() as tape:
            y = v * v
        tape.gradient(y, [[v], [u]])  # HERE
        """,
    ),
    Case(
        "a variable that the loss was added up in",
        "state",
        "GD512",
        """
        with tf.GradientTape() as tape:
            u.assign_add(tf.reduce_sum(v))  # HERE
        tape.gradient(u, v)
        """,
        modes=(EAGER,),
    ),
    Case(
        "assigned state",
        "state",
        "GD512",
        """
        with tf.GradientTape() as tape:
            y = u * 2.0
            v.assign_add([y, y])  # HERE
            loss = tf.reduce_sum(v * 3.0)
        tape.gradient(loss, u)
        """,
    ),
    Case(
        "watched too late",
        "late",
        "GD513",
        """
        with tf.GradientTape() as tape:
            y = x * 2.0
            tape.watch(x)  # HERE
        tape.gradient(y, x)
        """,
    ),
    Case(
        "a copy is watched",
        "late",
        "GD513",
        """
        with tf.GradientTape() as tape:
            copy = tf.identity(x)
            tape.watch(copy)  # HERE
            y = x * 2.0
        tape.gradient(y, x)
        """,
        detail="copy",
    ),
    Case(
        "None put in by the program",
        "given",
        "GD517",
        """
        optimizer = tf.keras.optimizers.SGD()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * 2.0) * u
        gradients = tape.gradient(loss, [v, u])
        gradients[1] = None
        optimizer.apply_gradients(zip(gradients, [v, u]))  # HERE
        """,
        modes=(EAGER,),
    ),
    Case(
        "tf.gradients through rounding",
        "operation",
        "GD504",
        """
        loss = tf.reduce_sum(tf.round(v * 2.0))  # HERE
        tf.gradients(loss, v)
        """,
        modes=(GRAPH,),
        operation="Round",
    ),
    Case(
        "tf.gradients for what is not used",
        "unused",
        "GD515",
        """
        loss = tf.reduce_sum(v * 2.0)
        tf.gradients(loss, [v, u])  # HERE
        """,
        modes=(GRAPH,),
    ),
    Case(
        "unused variable",
        "unused",
        "GD515",
        """
        with tf.GradientTape() as tape:
            u * 2.0
            loss = tf.reduce_sum(v * x)
        tape.gradient(loss, [v, u])  # HERE
        """,
    ),
    Case(
        "a value that is only shown",
        "unused",
        "GD515",
        """
        with tf.GradientTape() as tape:
            print(float(u * 2.0))
            loss = tf.reduce_sum(v * 3.0)
        tape.gradient(loss, [v, u])  # HERE
        """,
        modes=(EAGER,),
    ),
    Case(
        "only its shape is used",
        "unused",
        "GD515",
        """
        with tf.GradientTape() as tape:
            loss = u * tf.reduce_sum(tf.ones(tf.shape(v)))
        tape.gradient(loss, [u, v])  # HERE
        """,
    ),
)
