"""GD214: real programs; must not fire, must fire."""

import inspect

import pytest
from tests.running import TensorFlowServer

from graphdoctor.model import Finding

pytestmark = pytest.mark.tensorflow

HEAD = "import tensorflow as tf\nx = tf.constant(1.0)\n"


def found(tensorflow: TensorFlowServer, program: str) -> list[Finding]:
    ran = tensorflow.run(HEAD + inspect.cleandoc(program))
    assert ran.error is None, ran.output
    assert ran.recording.problems == ()
    return [f for f in ran.report.findings if f.observed and f.rule in ("GD214", "GD215")]


SILENT = {
    "never changed": """
        scale = 2.0
        @tf.function
        def f(x): return x * scale
        for _ in range(3): f(x)
        """,
    "changed, but never called again": """
        scale = 2.0
        @tf.function
        def f(x): return x * scale
        f(x); f(x)
        scale = 3.0
        """,
    "changed to an equal value": """
        scale = 2.0
        @tf.function
        def f(x): return x * scale
        f(x)
        scale = float("2") * 1
        f(x)
        """,
    "changed before the first trace": """
        scale = 2.0
        @tf.function
        def f(x): return x * scale
        scale = 3.0
        f(x); f(x)
        """,
    "not read by the function": """
        other = 1
        @tf.function
        def f(x): return x * 2.0
        for other in range(4): f(x)
        """,
    "read only by the caller": """
        scale = 1.0
        @tf.function
        def f(x): return x * 2.0
        def loop():
            global scale
            for _ in range(3):
                scale = scale * float(f(x))
        loop()
        """,
    "an argument of the same name": """
        step = 0
        @tf.function
        def f(x, step): return x * tf.cast(step, tf.float32)
        for step in range(3): f(x, step)
        """,
    "traced again with the new value": """
        scale = 2.0
        @tf.function
        def f(x): return x * scale
        f(x)
        scale = 3.0
        f(tf.ones([2])); f(tf.ones([2]))
        """,
    "changed and changed back between calls": """
        scale = 2.0
        @tf.function
        def f(x): return x * scale
        f(x)
        scale = 3.0
        scale = 2.0
        f(x)
        """,
    "a new function object for each value": """
        @tf.function
        def f(x): return x
        def make(scale):
            @tf.function
            def scaled(x): return x * scale
            return scaled
        for scale in (1.0, 2.0):
            scaled = make(scale)
            scaled(x); scaled(x)
        """,
    "the traced code itself changes it": """
        count = 0
        @tf.function
        def f(x):
            global count
            count += 1
            return x * count
        f(x); f(x); f(tf.ones([2])); f(x)
        """,
    "a helper of the traced code changes it": """
        count = 0
        def note():
            global count
            count += 1
        @tf.function
        def f(x):
            note()
            return x * (2.0 if count > 100 else 1.0)
        f(x); f(x); f(tf.ones([2])); f(x)
        """,
    "a variable": """
        scale = tf.Variable(1.0)
        @tf.function
        def f(x): return x * scale
        f(x)
        scale.assign(3.0)
        f(x)
        """,
    "run eagerly": """
        tf.config.run_functions_eagerly(True)
        scale = 1.0
        @tf.function
        def f(x): return x * scale
        for scale in (1.0, 2.0): f(x)
        """,
    "the function is gone and made again": """
        scale = 1.0
        def build():
            @tf.function
            def f(x): return x * scale
            return f
        for scale in (1.0, 2.0, 3.0):
            f = build()
            f(x); f(x)
        """,
    "a local of the caller": """
        @tf.function
        def f(x): return x * 2.0
        def train():
            scale = 1.0
            for _ in range(3):
                scale = scale + 1.0
                f(x * scale)
        train()
        """,
    "a deleted name": """
        scale = 1.0
        @tf.function
        def f(x): return x * scale
        f(x)
        del scale
        f(x)
        """,
}

LOUD = {
    "a global in a loop": (
        """
        epoch = 0
        @tf.function
        def f(x): return x * tf.cast(epoch, tf.float32)
        for epoch in range(4): f(x)
        """,
        "`epoch` changed from 0 to 3 after `f` was traced; 3 calls still used 0",
    ),
    "a closure cell": (
        """
        def train():
            warm = True
            @tf.function
            def f(x): return x * (0.1 if warm else 1.0)
            f(x)
            warm = False
            f(x)
            f(x)
        train()
        """,
        "`warm` changed from True to False after `train.f` was traced; 2 calls still used True",
    ),
    "in a helper": (
        """
        OFFSET = 1
        def inner(x): return x + OFFSET
        def outer(x): return inner(x) * 2.0
        @tf.function
        def f(x): return outer(x)
        f(x)
        OFFSET = 5
        f(x)
        """,
        "`OFFSET` changed from 1 to 5 after `f` was traced (read in `inner`); 1 call still used 1",
    ),
    "in a lambda": (
        """
        k = 2
        @tf.function
        def f(xs): return tf.map_fn(lambda each: each * k, xs)
        f(tf.ones([3]))
        k = 3
        f(tf.ones([3]))
        """,
        "`k` changed from 2 to 3 after `f` was traced (read in `f.<lambda>`); 1 call still used 2",
    ),
    "in a graph function inside": (
        """
        mode = "train"
        @tf.function
        def inner(x): return x * 2.0 if mode == "train" else x
        @tf.function
        def f(x): return inner(x) + 1.0
        f(x)
        mode = "test"
        f(x)
        """,
        "`mode` changed from 'train' to 'test' after `f` was traced (read in `inner`); 1 call still used "
        "'train'",
    ),
    "a tuple, and None": (
        """
        shape = (1, 2)
        mask = None
        @tf.function
        def f(x): return tf.zeros(shape) * x if mask is None else x
        f(x)
        shape = (2, 2)
        f(x)
        """,
        "`shape` changed from (1, 2) to (2, 2) after `f` was traced; 1 call still used (1, 2)",
    ),
    "exec, as in a notebook": (
        """
        names = {"tf": tf, "scale": 1.0}
        exec("@tf.function(autograph=False)\\ndef f(x): return x * scale", names)
        names["f"](x)
        names["scale"] = 2.0
        names["f"](x)
        """,
        "`scale` changed from 1.0 to 2.0 after `f` was traced; 1 call still used 1.0",
    ),
    "an enum member": (
        """
        import enum
        class Mode(enum.Enum):
            TRAIN = 1
            TEST = 2
        mode = Mode.TRAIN
        @tf.function
        def f(x): return x * 2.0 if mode is Mode.TRAIN else x
        f(x)
        mode = Mode.TEST
        f(x)
        """,
        "`mode` changed from Mode.TRAIN to Mode.TEST after `f` was traced; 1 call still used Mode.TRAIN",
    ),
}


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_must_not_fire(program: str, tensorflow: TensorFlowServer) -> None:
    assert [finding.message for finding in found(tensorflow, program)] == []


@pytest.mark.parametrize(("program", "message"), LOUD.values(), ids=LOUD)
def test_must_fire(program: str, message: str, tensorflow: TensorFlowServer) -> None:
    assert [(finding.rule, finding.message) for finding in found(tensorflow, program)] == [("GD214", message)]


def test_points_at_the_name(tensorflow: TensorFlowServer) -> None:
    (finding,) = found(tensorflow, LOUD["a global in a loop"][0])
    assert (finding.line, finding.column, finding.end_column) == (5, 30, 35)
    assert finding.argument == "epoch"
    assert finding.observed is not None
    assert finding.observed.calls == 3


def test_after_a_thousand_calls_one_in_sixteen_is_looked_at(tensorflow: TensorFlowServer) -> None:
    program = """
        k = 1.0
        @tf.function
        def f(x): return x * k
        for _ in range(1201): f(x)
        k = 2.0
        for _ in range(1600): f(x)
        """
    (finding,) = found(tensorflow, program)
    assert finding.observed is not None
    assert 1600 - 16 <= finding.observed.calls <= 1600
