"""Why a tape answers None, from the source: the same programs that TensorFlow answers in tests/gradients.

Where a run reports a reason that the dry run leaves to it, the dry run is silent, and never says another.
"""

import pytest
from tests.checking import check
from tests.dryrun.events import events_of
from tests.gradients.loop_programs import BRANCHES, CORRECT_LOOPS, LOOPS
from tests.gradients.realistic_programs import BROKEN, CORRECT, OTHER_MODE
from tests.gradients.reason_programs import CASES, Case
from tests.gradients.unseen_programs import UNSEEN

from graphdoctor.recording.format import Gradient

# Reasons that only a run reports: on purpose, benign, or from what TensorFlow's own gradient functions do.
LEFT_TO_A_RUN = ("stopped", "custom", "unused")
SILENT = ("tf.gradients through rounding", "used by the condition alone", "stop_gradient in tf.while_loop")
RUNS = [(case, mode) for case in (*CASES, *BRANCHES, *LOOPS) for mode in case.modes]


def reported(text: str) -> list[tuple[str, int]]:
    """The reasons, each with the line that it names."""
    return [
        (event.reason, place.line)
        for event in events_of(text, Gradient)
        if (place := event.broken or event.place) is not None
    ]


def marked_line(text: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), start=1) if "# HERE" in line)


@pytest.mark.parametrize(("case", "mode"), RUNS, ids=[f"{case.name} ({mode})" for case, mode in RUNS])
def test_a_reason_is_that_of_the_run(case: Case, mode: str) -> None:
    text = case.text(mode).lstrip("\n")
    silent = case.reason in LEFT_TO_A_RUN or case.name in SILENT
    assert reported(text) == ([] if silent else [(case.reason, marked_line(text))])


@pytest.mark.parametrize(
    "name", [name for name in BROKEN if BROKEN[name][1] in ("outside", "left", "operation")]
)
@pytest.mark.parametrize("other_mode", [False, True], ids=["as written", "in the other mode"])
def test_a_broken_program_is_explained(name: str, other_mode: bool) -> None:
    text, reason, *_ = BROKEN[name]
    text = (text.replace(*OTHER_MODE[name]) if other_mode else text).lstrip("\n")
    assert reported(text) == [(reason, marked_line(text))]


HELD_BACK = "recurrent features held back"  # by `tf.stop_gradient`


@pytest.mark.parametrize("name", [name for name in UNSEEN if name != HELD_BACK])
def test_whatever_way_it_is_written(name: str) -> None:
    text = UNSEEN[name][0].lstrip("\n")
    (found,) = reported(text)
    assert found[1] == marked_line(text)


@pytest.mark.parametrize("text", [*CORRECT.values(), CORRECT_LOOPS], ids=[*CORRECT, "loops"])
def test_a_correct_program_is_left_alone(text: str) -> None:
    assert reported(text) == []


HEAD = """
import numpy as np
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
x = tf.constant([1.0, 2.0])
net = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
"""
RIGHT = {
    "a helper that is unknown may watch": """
        import elsewhere
        with tf.GradientTape() as tape:
            elsewhere.prepare(tape, x)
            y = x * x
        tape.gradient(y, x)
        """,
    "a helper watches": """
        def prepare(tape, value):
            tape.watch(value)
        with tf.GradientTape() as tape:
            prepare(tape, x)
            y = x * x
        tape.gradient(y, x)
        """,
    "a value that is unknown beside a broken way": """
        import elsewhere
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.round(w)) + elsewhere.loss(w)
        tape.gradient(loss, w)
        """,
    "a graph function called in one tape after the other": """
        @tf.function
        def loss():
            return tf.reduce_sum(w * w)
        for step in range(3):
            with tf.GradientTape() as tape:
                value = loss()
            tape.gradient(value, w)
        """,
    "a graph function called before the tape and in it": """
        @tf.function
        def loss(value):
            return tf.reduce_sum(net(value))
        loss(tf.ones([1, 2]))
        with tf.GradientTape() as tape:
            value = loss(tf.ones([1, 2]))
        tape.gradient(value, net.trainable_variables)
        """,
    "straight through": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w + tf.stop_gradient(tf.round(w) - w))
        tape.gradient(loss, w)
        """,
    "an unconnected gradient is asked for as zero": """
        with tf.GradientTape() as tape:
            y = tf.round(w)
        tape.gradient(y, w, unconnected_gradients="zero")
        """,
    "a Python function that TensorFlow differentiates": """
        with tf.GradientTape() as tape:
            loss = tf.py_function(lambda value: tf.reduce_sum(value * value), [w], tf.float32)
        tape.gradient(loss, w)
        """,
    "the second derivative of two tapes": """
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * x * x
            slope = inner.gradient(y, x)
        outer.gradient(slope, x)
        """,
    "the penalty of a gradient": """
        mixed = 0.5 * x + 0.5 * tf.ones([2])
        with tf.GradientTape() as tape:
            with tf.GradientTape() as inner:
                inner.watch(mixed)
                score = net(mixed[None])
            slope = inner.gradient(score, mixed)
            loss = tf.reduce_mean((tf.norm(slope) - 1.0) ** 2)
        tape.gradient(loss, net.trainable_variables)
        """,
    "a target network whose values are computed before the tape": """
        goal = net(tf.ones([1, 2])) * 0.9
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((goal - net(tf.ones([1, 2]))) ** 2)
        tape.gradient(loss, net.trainable_variables)
        """,
    "a moving average beside the loss": """
        average = tf.Variable(0.0, trainable=False)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
            average.assign(0.9 * average + 0.1 * loss)
        tape.gradient(loss, w)
        """,
    "watched by name, where the tape watches nothing by itself": """
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(net.trainable_variables)
            loss = tf.reduce_sum(net(x[None]))
        tape.gradient(loss, net.trainable_variables)
        """,
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_or_unknown_is_left_alone(name: str) -> None:
    assert reported(HEAD.strip() + "\n" + _body(RIGHT[name])) == []


WRONG = {
    "an unknown loss, multiplied after the tape": (
        "outside",
        """
        def step(model, loss, batch):
            with tf.GradientTape() as tape:
                value = loss(model(batch))
            total = value * 2.0  # HERE
            return tape.gradient(total, model.trainable_variables)
        """,
    ),
    "one class of an unknown model, taken after the tape": (
        "outside",
        """
        def saliency(model, image):
            with tf.GradientTape() as tape:
                tape.watch(image)
                scores = model(image)
            return tape.gradient(scores[:, 7], image)  # HERE
        """,
    ),
    "losses kept in a list and added after the tape": (
        "outside",
        """
        losses = []
        with tf.GradientTape() as tape:
            for weight in (1.0, 2.0):
                losses.append(tf.reduce_sum(w) * weight)
        tape.gradient(tf.add_n(losses), w)  # HERE
        """,
    ),
    "a forward pass before the tape, in a helper": (
        "outside",
        """
        def forward(value):
            return net(value)  # HERE
        class Trainer:
            def step(self, batch):
                logits = forward(batch)
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(logits)
                return tape.gradient(loss, net.trainable_variables)
        Trainer().step(tf.ones([1, 2]))
        """,
    ),
    "a list of variables becomes a list of tensors": (
        "rebound",
        """
        weights = [tf.Variable(1.0), tf.Variable(2.0)]
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = tf.add_n([each * each for each in weights])
            slopes = tape.gradient(loss, weights)
            weights = [each - 0.1 * slope for each, slope in zip(weights, slopes)]  # HERE
        """,
    ),
    "a loss of Keras' fit that rounds": (
        "operation",
        """
        def hits(expected, predicted):
            return tf.reduce_mean(tf.abs(expected - tf.round(predicted)))  # HERE
        net.compile("adam", hits)
        net.fit(np.ones([4, 2]), np.ones([4, 1]))
        """,
    ),
    "NumPy inside a Python function": (
        "left",
        """
        def sign(value):
            return tf.constant(np.sign(value.numpy()))  # HERE
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.py_function(sign, [w], tf.float32))
        tape.gradient(loss, w)
        """,
    ),
    "only the encoder's part is broken": (
        "operation",
        """
        encoder, decoder = tf.keras.layers.Dense(3), tf.keras.layers.Dense(2)
        class Model(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.encoder, self.decoder = encoder, decoder
            def call(self, value):
                return self.decoder(tf.round(self.encoder(value)))  # HERE
        model = Model()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x[None]))
        tape.gradient(loss, model.trainable_variables)
        """,
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_other_variants(name: str) -> None:
    reason, body = WRONG[name]
    text = HEAD.strip() + "\n" + _body(body)
    assert reported(text) == [(reason, marked_line(text))]


def _body(text: str) -> str:
    import inspect

    return inspect.cleandoc(text) + "\n"


@pytest.mark.parametrize(
    ("asked", "ends"),
    [
        ("tape.gradient(loss, model.variables)", "their gradients are None"),
        (
            "optimizer.minimize(lambda: tf.reduce_sum(model(x)), model.variables)",
            "`minimize` watches them too, and changes those that the loss depends on",
        ),
    ],
)
def test_variables_that_are_not_trainable(asked: str, ends: str) -> None:
    program = f"""
import tensorflow as tf
from tf_keras import Sequential, layers, optimizers
model = Sequential([layers.Dense(3, input_shape=[4]), layers.BatchNormalization()])
optimizer, x = optimizers.Adam(), tf.ones([2, 4])
with tf.GradientTape() as tape: loss = tf.reduce_sum(model(x))
print({asked})
"""
    (finding,) = check(program, "GD508")
    assert finding.message == (
        "`model.variables` holds variables that are not trainable (moving statistics, counters, seeds): "
        + ends
    )


def test_a_dtype_that_has_no_gradient_is_named() -> None:
    program = """
        import tensorflow as tf
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = tf.cast(tf.cast(w * 3.0, tf.int32), tf.float32)
        print(tape.gradient(loss, w))
        """
    (finding,) = check(program, "GD504")
    assert finding.message == (
        "the gradient for `w` is None: `Cast` at line 4 gives int32, which has no gradient; usual "
        "replacement: "
        "staying in floating point"
    )
