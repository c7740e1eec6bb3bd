"""What users report of wrong results and lost tensors, as programs that really run."""

import inspect

import pytest

from tests.running import Ran, TensorFlowServer

pytestmark = pytest.mark.tensorflow


def run(tensorflow: TensorFlowServer, program: str, **settings: object) -> Ran:
    ran = tensorflow.run(inspect.cleandoc(program) + "\n", **settings)
    assert (ran.timed_out, ran.recording.problems) == (False, ()), ran.output
    return ran


def found(ran: Ran) -> list[tuple[str, str | None, int]]:
    return [(f.rule, f.argument, f.line) for f in ran.report.findings]


def messages(ran: Ran) -> str:
    return "\n".join(finding.message for finding in ran.report.findings)


def test_one_step_for_two_optimizers(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        weights = tf.Variable([1.0, 2.0])

        @tf.function
        def train_step(optimizer, x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(weights * x)
            optimizer.apply_gradients(zip(tape.gradient(loss, [weights]), [weights]))
            return loss

        train_step(tf.keras.optimizers.SGD(0.1), tf.ones(2))
        train_step(tf.keras.optimizers.Adam(0.1), tf.ones(2))
        """)  # fmt: skip
    assert ran.error == "ValueError"
    assert "non-first call" in ran.output
    assert found(ran) == [("GD401", None, 13), ("GD403", None, 13)]


def test_helpers_of_replicas_trace_once_for_each(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        tf.config.set_logical_device_configuration(
            tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
        )
        strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

        @tf.function
        def helper(x):
            return x * 2.0

        @tf.function
        def step(x):
            return strategy.run(helper, args=(x,))

        for _ in range(3):
            step(tf.ones(4))
        """)  # fmt: skip
    assert ran.error is None
    assert found(ran) == []


def test_what_happened_once(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        class Trainer:
            def __init__(self):
                self.steps = 0
                self.losses = []

            @tf.function
            def step(self, x):
                self.steps += 1
                print("step")
                loss = tf.reduce_sum(x)
                self.losses.append(loss)
                return loss

        trainer = Trainer()
        for _ in range(5):
            trainer.step(tf.ones(3))
        """, calls=True)  # fmt: skip
    assert ran.error is None
    assert "`print` ran in 1 of 5 calls" in messages(ran)
    assert found(ran) == [("GD219", None, 11), ("GD212", "losses", 13)]


def test_noise_that_never_changes(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import random
        import time

        import numpy as np
        import tensorflow as tf

        def augment(image):
            return image + np.random.normal(size=3).astype("float32") + random.random()

        images = tf.data.Dataset.from_tensor_slices(tf.zeros([4, 3])).map(augment)

        @tf.function
        def stamped(x):
            return x, time.time()

        for image in images:
            stamped(image)
        """)  # fmt: skip
    assert ran.error is None
    assert found(ran) == [("GD208", None, 8), ("GD208", None, 8), ("GD209", None, 14)]


def test_a_flag_flipped_after_the_first_call(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        class Noise(tf.Module):
            def __init__(self):
                self.alpha = 0.1

            @tf.function
            def __call__(self, x):
                return x * self.alpha

        noise = Noise()
        noise(tf.ones(2))
        noise.alpha = 0.5
        for _ in range(4):
            noise(tf.ones(2))
        """, calls=True)  # fmt: skip
    assert ran.error is None
    assert found(ran) == [("GD215", "self.alpha", 9)]
    assert "`self.alpha` changed from 0.1 to 0.5 after " in messages(ran)
    assert "was traced; 4 calls still used 0.1" in messages(ran)


def test_a_list_filled_in_a_loop(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function
        def outputs(x):
            rows = []
            for i in tf.range(tf.shape(x)[0]):
                rows.append(x[i] * 2.0)
            return tf.stack(rows)

        outputs(tf.ones([3, 2]))
        """)  # fmt: skip
    assert ran.error is not None
    assert found(ran) == [("GD309", None, 7)]


def test_a_tensor_kept_on_self(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        class Encoder(tf.Module):
            @tf.function
            def encode(self, x):
                self.hidden = tf.tanh(x)
                return self.hidden * 2.0

            @tf.function
            def decode(self, y):
                return self.hidden + y

        encoder = Encoder()
        encoder.encode(tf.ones(2))
        encoder.decode(tf.ones(2))
        """)  # fmt: skip
    assert ran.error is not None
    assert found(ran) == [("GD212", "hidden", 6), ("GD212", None, 15)]
