"""`tf.cond`, `tf.while_loop` and what cannot take a tensor: each was run on TensorFlow 2.21."""

import pytest
from tests.checking import check
from tests.dryrun.events import events_of

from graphdoctor.recording.format import Gradient, Staging, Use

HEAD = "import os\nimport cv2\nimport numpy as np\nimport tensorflow as tf\n"
LOOP = "tf.while_loop(lambda i, s: i < n, lambda i, s: {iteration}, [tf.constant(0), s]{more})"


@pytest.mark.parametrize(
    ("form", "refused"),
    [
        (LOOP.format(iteration="(i + 1, tf.concat([s, s], 0))", more=""), ["shape"]),
        (LOOP.format(iteration="(i + 1, tf.cast(s, tf.int32))", more=""), ["dtype"]),
        (LOOP.format(iteration="(i + 1, s * 2.0)", more=""), []),
        (
            LOOP.format(
                iteration="(i + 1, tf.concat([s, s], 0))",
                more=", shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])]",
            ),
            [],
        ),
        ("tf.cond(n > 0, lambda: s, lambda: tf.cast(s, tf.int32))", ["dtype"]),
        ("tf.cond(n > 0, lambda: (s, s), lambda: s)", ["structure"]),
        ("tf.cond(n > 0, lambda: s, lambda: s[:1])", []),
        ("tf.switch_case(n, [lambda: s, lambda: tf.cast(s, tf.int32)])", ["dtype"]),
        ("tf.switch_case(n, [lambda: s, lambda: s * 2.0])", []),
    ],
)
def test_functional_forms_in_a_graph(form: str, refused: list[str]) -> None:
    program = HEAD + f"@tf.function\ndef f(n, s):\n    return {form}\nf(tf.constant(1), tf.ones([2]))"
    assert [e.reason for e in events_of(program, Staging) if e.outcome == "refused"] == refused


def test_an_eager_loop_keeps_no_shapes() -> None:
    iteration = "(i + 1, tf.concat([s, s], 0))"
    program = HEAD + f"n, s = 3, tf.ones([2])\n{LOOP.format(iteration=iteration, more='')}\n"
    assert events_of(program, Staging) == []


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("return np.load(path)", ["numpy.load"]),
        ("return cv2.imread(path)", ["cv2.imread"]),
        ("return open(os.path.join('data', path))", ["os.path.join"]),
        ("return tf.io.read_file(tf.strings.join(['data/', path]))", []),
        ("return tf.numpy_function(np.load, [path], tf.float32)", []),
        ("return np.load(os.path.join('data', 'weights.npy')) * tf.strings.to_number(path)", []),
    ],
)
def test_files_and_pictures_need_values(body: str, called: list[str]) -> None:
    program = HEAD + f"def load(path):\n    {body}\ntf.data.Dataset.list_files('data/*').map(load)"
    assert [event.name for event in events_of(program, Use)] == called


@pytest.mark.parametrize(("given", "reasons"), [("tf.range(5)", ["dtype"]), ("tf.range(5.0)", [])])
def test_numbers_of_a_range_have_the_dtype_of_its_limit(given: str, reasons: list[str]) -> None:
    program = (
        HEAD + f"x = {given}\nwith tf.GradientTape() as tape:\n"
        "    tape.watch(x)\n    y = x ** 2\ntape.gradient(y, x)"
    )
    assert [event.reason for event in events_of(program, Gradient) if event.reason] == reasons


KEEPING = """
import tensorflow as tf

class Memory(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(4)
        self.past = [None]

    def call(self, x):
        h = self.dense(x)
        {read}
        self.past[0] = h
        return h

model = Memory()
model.compile("sgd", "mse")
model.fit(tf.ones([16, 4]), tf.ones([16, 4]), verbose=0)
"""


@pytest.mark.parametrize(
    ("read", "found"),
    [("if self.past[0] is not None:\n            h = h + self.past[0]", ["GD202"]), ("pass", [])],
)
def test_a_list_that_carries_a_tensor_from_trace_to_trace(read: str, found: list[str]) -> None:
    assert [finding.rule for finding in check(KEEPING.format(read=read), "GD202")] == found


@pytest.mark.parametrize(("gives", "uses"), [("v, v * 2.0", []), ("elsewhere(v)", []), ("v", ["unpack"])])
def test_a_function_with_a_gradient_of_its_own_gives_what_it_returns(gives: str, uses: list[str]) -> None:
    program = f"""
import tensorflow as tf
from other import elsewhere

@tf.custom_gradient
def run(v):
    return ({gives}), lambda *d: d[0]

@tf.function
def step(x):
    one, two = run(x)
    return one + two

step(tf.ones([3]))
"""
    assert [event.how for event in events_of(program, Use)] == uses
