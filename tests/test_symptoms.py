"""What users report, as programs that really run: the right rule, argument and line."""

import inspect

import pytest

from graphdoctor.recording.labels import SETTLED
from tests.running import Ran, TensorFlowServer

pytestmark = pytest.mark.tensorflow


def run(tensorflow: TensorFlowServer, program: str) -> Ran:
    ran = tensorflow.run(inspect.cleandoc(program) + "\n")
    assert (ran.error, ran.timed_out, ran.recording.problems) == (None, False, ()), ran.output
    return ran


def found(ran: Ran) -> list[tuple[str, str | None, int]]:
    """Rule, argument and line of what the run itself showed."""
    return [(f.rule, f.argument, f.line) for f in ran.report.findings if f.observed is not None]


def benign(ran: Ran) -> set[str]:
    return {c.label for f in ran.report.functions for c in f.causes if c.benign and c.label}


def test_a_learning_rate_that_decays_in_python(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        class Trainer(tf.Module):
            def __init__(self):
                self.w = tf.Variable(1.0)

            @tf.function
            def step(self, x, lr):
                self.w.assign_sub(lr * x)
                return self.w

            def train(self, data):
                lr = 0.1
                for x in data:
                    self.step(
                        x,
                        lr,
                    )
                    lr = lr * 0.9

        Trainer().train([tf.constant(1.0)] * 6)
        """)  # fmt: skip
    assert found(ran) == [("GD101", "lr", 17)]


def test_strings_tuples_enums_and_dicts_of_numbers(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import enum
        import tensorflow as tf

        Mode = enum.Enum("Mode", "A B C D E")

        @tf.function
        def f(x, name, size, mode, options):
            return x

        for n, mode in enumerate(Mode):
            f(tf.ones([2]), f"run{n}", (3, n), mode, {"rate": n / 2, "depth": 4})
        """)  # fmt: skip
    assert found(ran) == [("GD101", "name", 11)]
    (finding,) = ran.report.findings
    assert finding.message.partition("because ")[2] == (
        '`name` is a Python string; `size[1]`, `mode`, `options["rate"]` change with it'
    )
    assert finding.observed is not None
    reported = {difference.argument: difference.now for difference in finding.observed.differences}
    assert reported == {"name": "'run4'", "size[1]": "4", "mode": "<Mode.E: 5>", 'options["rate"]': "2.0"}
    assert finding.fix is None  # with tensors for the others, `mode` alone has it traced as often


def test_nan_does_not_retrace_on_this_tensorflow(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function
        def f(x):
            return x

        for _ in range(5):
            f(float("nan"))
        """)  # fmt: skip
    assert (ran.traces, found(ran)) == (1, [])


def test_sequence_lengths(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function
        def encode(batch):
            return tf.reduce_mean(batch["mel"], axis=1)

        def batches():
            for n in (31, 47, 52):
                yield {"mel": tf.zeros([2, n, 80]), "text": tf.zeros([2, 9])}

        for batch in batches():
            encode(batch)
        """)  # fmt: skip
    assert found(ran) == [("GD103", 'batch["mel"]', 12)]
    (finding,) = ran.report.findings
    assert finding.observed is not None
    assert [(d.axis, d.now, d.before) for d in finding.observed.differences] == [(1, "52", "47, 31")]


def test_rank_changes(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function
        def f(x):
            return tf.reduce_sum(x)

        for rank in range(4):
            f(tf.ones([2] * rank))
        """)  # fmt: skip
    assert found(ran) == [("GD103", "x", 8)]
    assert ran.report.findings[0].message.endswith(
        "because the rank of `x` changed; `tf.TensorSpec(None, tf.float32)` covers all of them"
    )


def test_the_last_batch(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function
        def step(x, y):
            return tf.reduce_sum(x) + tf.reduce_sum(y)

        data = tf.data.Dataset.from_tensor_slices((tf.ones([10, 3]), tf.ones([10]))).batch(4)
        for epoch in range(3):
            for x, y in data:
                step(x, y)
        """)  # fmt: skip
    assert found(ran) == [("GD115", "x", 10)]
    assert ran.report.findings[0].severity.value == "NOTE"
    assert benign(ran) == {"the last batch is smaller"}


def test_a_function_made_per_call_of_a_method(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        class Model:
            def predict(self, x):
                @tf.function
                def forward(x):
                    return x + 1.0
                return forward(x)

        model = Model()
        for _ in range(5):
            model.predict(tf.ones([3]))
        """)  # fmt: skip
    assert found(ran) == [("GD102", None, 5)]


def test_one_step_per_model_is_fine(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        def make_step(scale):
            @tf.function
            def step(x):
                return x * scale
            return step

        steps = [make_step(s) for s in (1.0, 2.0, 3.0, 4.0)]
        for _ in range(10):
            for step in steps:
                step(tf.ones([3]))
        """)  # fmt: skip
    assert found(ran) == []


def test_instances_of_a_class_with_a_decorated_method_are_fine(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        class Cell(tf.Module):
            @tf.function
            def __call__(self, x):
                return x + 1.0

        cells = [Cell() for _ in range(5)]
        for cell in cells:
            cell(tf.ones([3]))
        """)  # fmt: skip
    assert found(ran) == []
    assert benign(ran) == {"each instance of the class has a Function object of its own"}


def test_models_built_in_a_loop_are_not_retraced(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import numpy as np
        import tensorflow as tf

        x, y = np.ones((8, 3), "float32"), np.ones((8, 1), "float32")
        for units in (2, 3, 4):
            model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
            model.compile(optimizer="sgd", loss="mse")
            model.fit(x, y, batch_size=4, verbose=0)
        """)  # fmt: skip
    assert found(ran) == [("GD123", None, 8)]
    assert ran.report.findings[0].message.startswith("`fit` ran 3 models here and traced a step for each")


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        ("Config(n)", "`Config`"),
        ("(n for n in range(3))", "generator"),
        ("lambda: n", "function"),
        ("functools.partial(print, n)", "partial"),
        ("Frozen(n)", "`Frozen`"),
    ],
)
def test_fresh_objects(tensorflow: TensorFlowServer, made: str, kind: str) -> None:
    program = """
        import dataclasses
        import functools
        import tensorflow as tf

        class Config:
            def __init__(self, n): self.n = n

        @dataclasses.dataclass(frozen=True)
        class Frozen:
            n: int

        @tf.function
        def f(x, given):
            return x

        for n in range(4):
            f(tf.ones([2]), MADE)
        """
    ran = run(tensorflow, program.replace("MADE", made))
    assert found(ran) == [("GD109", "given", 17)]
    assert f"is a new {kind} each time; " in ran.report.findings[0].message
    assert ran.report.findings[0].message.endswith("of their graphs can never be used again")


def test_bound_methods(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        class Model:
            def step(self, x): return x

        @tf.function
        def epoch(step, x):
            return step(x)

        model = Model()
        for n in range(4):
            epoch(model.step, tf.ones([2]))
        """)  # fmt: skip
    assert found(ran) == [("GD109", "step", 12)]


@pytest.mark.parametrize(
    ("argument", "program"),
    [
        ("batch", "f({'x': x, **{f'k{i}': x for i in range(n)}})"),
        ("batch", "f([x] * (n + 1))"),
        ("batch", "f((x, (x,) * n))"),
    ],
)
def test_structure(tensorflow: TensorFlowServer, argument: str, program: str) -> None:
    ran = run(tensorflow, f"""
        import tensorflow as tf

        @tf.function
        def f(batch):
            return tf.constant(1.0)

        x = tf.ones([2])
        for n in range(4):
            {program}
        """)  # fmt: skip
    assert [(rule, path.partition("[")[0], line) for rule, path, line in found(ran) if path] == [
        ("GD114", argument, 9)
    ]


def test_none_or_tensor_is_a_choice(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function
        def f(x, mask=None):
            return x if mask is None else x * mask

        for _ in range(3):
            f(tf.ones([2]))
            f(tf.ones([2]), tf.ones([2]))
        """)  # fmt: skip
    assert found(ran) == []
    (cause,) = ran.report.functions[0].causes
    assert (cause.argument, cause.change.value, cause.before, cause.now) == (
        "mask", "STRUCTURE", "None", "float32[2]",
    )  # fmt: skip


def test_first_call_that_builds_the_model(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        optimizer = tf.keras.optimizers.Adam()

        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))

        for _ in range(3):
            train_step(tf.ones([4, 3]))
        """)  # fmt: skip
    assert found(ran) == []
    (function,) = [f for f in ran.report.functions if f.name == "train_step"]
    assert (function.calls, function.traces, function.retraces) == (3, 2, 0)


def test_context_is_named(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tempfile
        import tensorflow as tf

        class Model(tf.Module):
            @tf.function
            def f(self, x):
                return x + 1.0

        model = Model()
        model.f(tf.ones([2]))
        strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
        with strategy.scope():
            strategy.run(model.f, (tf.ones([2]),))
        """)  # fmt: skip
    assert found(ran) == []
    assert benign(ran) <= {"the context changed, not the arguments"}


def test_xla_compiles_behind_one_trace(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function(jit_compile=True, reduce_retracing=True)
        def f(x):
            return tf.reduce_sum(tf.sin(x))

        for n in (3, 4, 5, 6, 7, 3, 4, 5, 6, 7):
            f(tf.ones([n, 2]))
        """)  # fmt: skip
    assert found(ran) == [("GD118", None, 3)]
    assert "[4, 2]; [5, 2]; [6, 2]; [7, 2]" in ran.report.findings[0].message


def test_graphs_pile_up(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function
        def serve(x, config):
            return x

        class Config: pass

        for n in range(110):
            serve(tf.ones([2]), Config())
        """)  # fmt: skip
    assert {rule for rule, _, _ in found(ran)} == {"GD109", "GD119"}
    (finding,) = [f for f in ran.report.findings if f.rule == "GD119"]
    assert finding.message.startswith("`serve` keeps 110 graphs (")
    assert ", 1000 more per 1000 calls; 1" in finding.message


def test_a_pipeline_built_in_each_epoch(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        def augment(x):
            return x + 1

        def make_dataset():
            data = tf.data.Dataset.range(8)
            data = data.map(augment, num_parallel_calls=2)
            return data.batch(2)

        for epoch in range(6):
            for batch in make_dataset():
                pass
        """)  # fmt: skip
    assert found(ran) == [("GD122", None, 8)]
    assert ran.report.findings[0].message.startswith("`map` traced `augment` 6 times")


def test_train_and_validation_pipelines_are_fine(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        def make_dataset(n):
            return tf.data.Dataset.range(n).map(lambda x: x + 1).filter(lambda x: x > 2)

        train, validation, test = make_dataset(8), make_dataset(4), make_dataset(4)
        for epoch in range(6):
            for data in (train, validation, test):
                for batch in data:
                    pass
        """)  # fmt: skip
    assert found(ran) == []


def test_an_unrolled_loop_in_a_helper(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        def helper(x, steps):
            for i in range(steps):
                x = x + tf.sin(x) * 0.1
            return x

        @tf.function
        def f(x):
            return helper(x, 400)

        f(tf.ones([2]))
        """)  # fmt: skip
    assert found(ran) == [("GD120", None, 4)]


def test_a_deep_model_is_not_an_unrolled_loop(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        layers = [tf.keras.layers.Dense(2, activation="tanh") for _ in range(120)]

        @tf.function
        def f(x):
            for layer in layers:
                x = layer(x)
            return x

        f(tf.ones([1, 2]))
        """)  # fmt: skip
    assert found(ran) == []


def test_an_inner_function_is_not_blamed_for_the_outer_one(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function
        def inner(y):
            return tf.reduce_sum(y)

        @tf.function
        def outer(x):
            return inner(x * 2.0)

        for n in range(1, 5):
            outer(tf.ones([n]))
        """)  # fmt: skip
    assert found(ran) == [("GD103", "x", 12)]
    assert benign(ran) == {"the function around it was traced again"}
    outer, inner = (next(f for f in ran.report.functions if f.name == name) for name in ("outer", "inner"))
    assert outer.traces == inner.traces == 4


def test_keras_train_on_batch_is_attributed_to_the_user_s_line(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import numpy as np
        import tensorflow as tf

        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile(optimizer="sgd", loss="mse")
        for n in (1, 2, 3, 4):
            model.train_on_batch(np.ones((n, 3), "float32"), np.ones((n, 1), "float32"))
        """)  # fmt: skip
    assert found(ran) == []
    (function,) = [f for f in ran.report.functions if f.name == "train_on_batch:one_step_on_data"]
    assert (function.line, function.retraces) == (7, 1)
    assert {cause.benign for cause in function.causes} == {True}


def test_a_correct_training_run_reports_nothing(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import numpy as np
        import tensorflow as tf

        data = tf.data.Dataset.from_tensor_slices(np.ones((32, 3), "float32")).shuffle(32).batch(8)
        model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.Adam(1e-3)
        step_number = tf.Variable(0, dtype=tf.int64)

        @tf.function
        def train_step(x, training=True):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x, training=training)))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            step_number.assign_add(1)
            return loss

        for epoch in range(3):
            for batch in data:
                train_step(batch)
            train_step(batch, training=False)
        """)  # fmt: skip
    assert ran.report.findings == ()


def test_threads(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import threading
        import tensorflow as tf

        @tf.function
        def f(x, k):
            return x + k

        def work(start):
            for k in range(start, start + 3):
                f(tf.ones([2]), float(k))

        threads = [threading.Thread(target=work, args=(n,)) for n in (0, 10, 20)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        """)  # fmt: skip
    assert ("GD101", "k", 10) in found(ran)
    assert ran.traces == 9


def test_a_model_compiled_again_for_each_rate(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import numpy as np
        import tensorflow as tf

        x, y = np.ones([8, 4], "float32"), np.ones([8, 1], "float32")
        inputs = tf.keras.Input([4])
        model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
        for rate in (0.1, 0.01, 0.001):
            model.compile(tf.keras.optimizers.SGD(rate), "mse")
            model.fit(x, y, validation_data=(x, y), verbose=0)
        """)  # fmt: skip
    assert found(ran) == [("GD123", None, 9)]
    assert "traced a new step 4 more times" in ran.report.findings[0].message
    assert "because the model was compiled again" in ran.report.findings[0].message


def test_layers_of_several_sizes_in_one_function(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function
        def block(x):
            return tf.nn.relu(x)

        @tf.function
        def network(x):
            wide = block(x)
            middle = block(wide[:, :4])
            return block(middle[:, :2])

        for _ in range(4):
            network(tf.ones([2, 8]))
        """)  # fmt: skip
    assert found(ran) == []


def test_a_number_among_named_options_is_not_wrapped(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function
        def step(x, **options):
            return x * float(options['number'])

        for n in range(6):
            step(tf.ones(3), number=n)
        """)  # fmt: skip
    assert found(ran) == [("GD101", "number", 8)]
    (finding,) = ran.report.findings
    assert finding.fix is not None
    assert not finding.fix.edits


def test_a_number_that_a_named_tuple_is_made_of_is_wrapped_there(tensorflow: TensorFlowServer) -> None:
    program = """
        import collections
        import tensorflow as tf

        Batch = collections.namedtuple("Batch", "x number")

        @tf.function
        def step(batch):
            return batch.x * float(batch.number)

        for n in range(6):
            last = step(Batch(tf.ones(3), n))
        tf.debugging.assert_equal(last, tf.fill([3], 5.0))
        """
    ran = run(tensorflow, program)
    assert found(ran) == [("GD101", "batch.number", 11)]
    (finding,) = ran.report.findings
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    assert (edit.line, edit.text) == (11, "tf.constant(n)")
    fixed = run(tensorflow, program.replace(", n))", f", {edit.text}))"))
    assert (fixed.traces, found(fixed)) == (1, [])


@pytest.mark.parametrize("method", [True, False])
def test_one_function_wrapped_again_for_each_epoch(tensorflow: TensorFlowServer, method: bool) -> None:
    ran = run(tensorflow, f"""
        import tensorflow as tf

        weight = tf.Variable(1.0)

        class Trainer:
            def step(self, x):
                return weight.assign_add(tf.reduce_sum(x))

        def step(x):
            return weight.assign_add(tf.reduce_sum(x))

        trainer = Trainer()
        for epoch in range(4):
            fast = tf.function({"trainer.step" if method else "step"})
            for _ in range(5):
                fast(tf.ones(2))
        """)  # fmt: skip
    assert [rule for rule, _, _ in found(ran)] == ["GD102"]


def test_one_graph_function_for_each_model_of_a_search_is_fine(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        class Trial:
            def __init__(self, rate):
                self.weight, self.rate = tf.Variable(1.0), rate
                self.fast = tf.function(self.step)

            def step(self, x):
                return self.weight.assign_sub(self.rate * tf.reduce_sum(x))

        for rate in (0.1, 0.2, 0.3, 0.4):
            trial = Trial(rate)
            for _ in range(5):
                trial.fast(tf.ones(2))
        """)  # fmt: skip
    assert found(ran) == []


def test_buckets_are_fine_and_a_librarys_function_is_judged(tensorflow: TensorFlowServer) -> None:
    ran = run(tensorflow, """
        import tensorflow as tf

        @tf.function
        def encode(x):
            return tf.reduce_sum(x)

        norm = tf.function(tf.linalg.norm)
        for size in (32, 16, 48, *(16, 32, 48) * 4):
            encode(tf.ones([2, size]))
        for size in range(3, 7):
            norm(tf.ones([2, size]))
        """)  # fmt: skip
    assert found(ran) == [("GD103", "tensor", 11)]
    assert [(f.name, f.causes[0].label) for f in ran.report.functions if f.calls] == [("encode", SETTLED)]
