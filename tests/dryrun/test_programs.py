"""Facts that programs as people write them need: a program and events of its dry run."""

import gc
import pathlib
import weakref
from textwrap import dedent

import pytest
from tests.checking import recorded

from graphdoctor.config import Config
from graphdoctor.dryrun.recorder import record
from graphdoctor.judging import check_paths
from graphdoctor.recording.format import Effect, Event, Gradient, Trace, Use
from graphdoctor.source import parse_module, read_source
from graphdoctor.source.project import Project

HEAD = "import tensorflow as tf\nimport numpy as np\nimport random\n"


def reported(program: str) -> list[str]:
    """Effects, uses and lost gradients, each with its line in the program and how certain it is."""
    lines = []
    for event in recorded(HEAD + dedent(program).strip() + "\n").events:
        word = _word(event)
        if word and event.place is not None:
            lines.append(f"{word} {event.place.line - HEAD.count(chr(10))} {event.reached} {event.traced}")
    return list(dict.fromkeys(lines))


def _word(event: Event) -> str:
    if isinstance(event, Effect):
        return f"effect:{event.what}"
    if isinstance(event, Use):
        return f"use:{event.how}"
    return f"gradient:{event.reason}" if isinstance(event, Gradient) else ""


PROGRAMS = {
    "a pipeline is given an object": (
        """
        class Noise:
            def __call__(self, x):
                return x + np.random.rand()
        ds = tf.data.Dataset.range(4).map(Noise())
        """,
        ["effect:random 3 must shown"],
    ),
    "lines of files are texts": (
        """
        def parse(line):
            return line.numpy()
        ds = tf.data.TextLineDataset("a.txt").map(parse)
        """,
        ["use:read 2 must shown"],
    ),
    "a strategy runs the step": (
        """
        strategy = tf.distribute.MirroredStrategy()
        def replica(x):
            return x.numpy()
        @tf.function
        def step(x):
            return strategy.reduce("sum", strategy.run(replica, args=(x,)), axis=None)
        with strategy.scope():
            step(tf.ones([2]))
        """,
        ["use:read 3 must shown"],
    ),
    "Keras hands `training` on to layers inside": (
        """
        class Drop(tf.keras.layers.Layer):
            def call(self, x, training=False):
                if training:
                    return x * random.random()
                return x
        model = tf.keras.Sequential([tf.keras.layers.Input((2,)), Drop(), tf.keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(tf.ones([4, 2]), tf.ones([4, 1]))
        """,
        ["effect:random 4 must shown"],
    ),
    "the size of a batch is open in `fit`": (
        """
        class Net(tf.keras.Model):
            def train_step(self, data):
                return {"loss": tf.reduce_sum(tf.range(data.shape[0]))}
        net = Net()
        net.compile("sgd")
        net.fit(tf.data.Dataset.from_tensor_slices(np.zeros((10, 3))).batch(4))
        """,
        ["use:size 3 must shown"],
    ),
    "a layer of a functional model is traced": (
        """
        class Split(tf.keras.layers.Layer):
            def call(self, x):
                return tf.reshape(x, [x.shape[0], 2, 4])
        inputs = tf.keras.Input((8,))
        model = tf.keras.Model(inputs, Split()(inputs))
        """,
        ["use:size 3 must shown"],
    ),
    "a functional model has the layers on the way to its outputs": (
        """
        inputs = tf.keras.Input((8,))
        hidden = tf.keras.layers.BatchNormalization()(inputs)
        model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(tf.keras.layers.ReLU()(hidden)))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(tf.ones([2, 8])))
        tape.gradient(loss, model.weights)
        """,
        ["gradient:not-trainable 6 must eager"],
    ),
    "watched in time, indexed after the tape": (
        """
        x = tf.ones([2, 3])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y[:, 1], x)
        """,
        ["gradient:outside 5 must eager"],
    ),
    "next of an iterator that is an argument": (
        """
        @tf.function
        def f(items):
            return next(items)
        items = iter([1, 2, 3])
        f(items)
        f(items)
        """,
        ["effect:next 3 must shown"],
    ),
    "rows of a table are written": (
        """
        import csv
        writer = csv.writer(open("a.csv"))
        @tf.function
        def f(x):
            writer.writerow(["a"])
            return x
        f(tf.ones([2]))
        """,
        ["effect:write 5 must shown"],
    ),
    "a size of unknown rank": (
        """
        def load(path):
            x = tf.numpy_function(len, [path], tf.float32)
            return tf.reshape(x, [x.shape[0], 8])
        ds = tf.data.TextLineDataset("a").map(load)
        """,
        ["use:size 3 must shown"],
    ),
}


@pytest.mark.parametrize(("program", "events"), PROGRAMS.values(), ids=PROGRAMS)
def test_what_is_reported(program: str, events: list[str]) -> None:
    assert reported(program) == events


def test_a_loop_that_may_be_left_early_goes_on() -> None:
    program = """
        @tf.function
        def step(x, rate):
            return x * rate
        rate = 1.0
        for _ in range(100):
            if step(tf.ones([2]), rate)[0] > 3.0:
                break
            rate = rate * 1.5
        """
    traces = [event for event in recorded(HEAD + dedent(program)).events if isinstance(event, Trace)]
    assert {trace.reached for trace in traces} == {"must"}


def test_a_list_that_grows_is_stacked_to_a_growing_tensor() -> None:
    program = """
        @tf.function
        def total(x):
            return tf.reduce_sum(x)
        rows = []
        for _ in range(100):
            rows.append(tf.ones([3]))
            total(tf.stack(rows))
        """
    traces = [event for event in recorded(HEAD + dedent(program)).events if isinstance(event, Trace)]
    assert [v.what for v in traces[-1].arguments[0].varies] == ["shape"]


def test_what_a_late_iteration_changes_is_found_changed_by_the_next() -> None:
    program = """
        rates = {"a": 0.5}
        @tf.function
        def f(x):
            return x * rates["a"]
        def lower(value):
            rates["a"] = value
        for epoch in range(10):
            f(tf.ones([2]))
            if epoch == 4:
                lower(0.0)
        """
    events = recorded(HEAD + dedent(program)).events
    assert [event.state.name for event in events if type(event).__name__ == "Stale"] == ['rates["a"]']


@pytest.mark.parametrize("start", ["if __name__ == '__main__':\n    run()\n", "run()\n"])
def test_a_program_that_names_no_tensorflow_is_run(
    start: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "steps.py").write_text(HEAD + "@tf.function\ndef step(x, n):\n    return x * n\n")
    (tmp_path / "loop.py").write_text(
        HEAD
        + "from steps import step\ndef run(values):\n    for i in values:\n        step(tf.ones([2]), i)\n"
    )
    (tmp_path / "main.py").write_text("from loop import run\n" + start.replace("run()", "run(range(100))"))
    found = check_paths(["."], Config()).findings
    assert [(finding.rule, finding.path) for finding in found] == [("GD101", "loop.py")]


@pytest.mark.parametrize(("package", "read"), [(False, ["GD101"]), (True, [])])
def test_a_scripts_neighbour_hides_a_module_of_the_standard_library(
    package: bool, read: list[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sched.py").write_text(
        HEAD + "@tf.function\ndef run(x, n):\n    return x * n\n",
    )
    (tmp_path / "main.py").write_text(
        HEAD + "from sched import run\nfor i in range(100):\n    run(tf.ones([2]), i)\n"
    )
    if package:
        (tmp_path / "__init__.py").touch()
    assert [finding.rule for finding in check_paths(["."], Config()).findings] == read


def test_a_project_that_nobody_needs_is_let_go() -> None:
    project = Project(read_source, lambda path, text: parse_module(path, text, 3))
    project.add(parse_module("program.py", HEAD + "f = tf.function(lambda x: x)\nf(tf.ones([2]))\n", 3))
    assert record(project, "program.py").traces
    gone = weakref.ref(project)
    del project
    gc.collect()
    assert gone() is None
