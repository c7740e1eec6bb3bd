"""How many steps the dry run takes: what it has seen, it does not run through again and again."""

from inspect import cleandoc

import pytest

from graphdoctor.dryrun import recorder
from graphdoctor.dryrun.core.entry_points import start
from graphdoctor.dryrun.core.event_log import Log
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.core.program import Program
from graphdoctor.recording import Recording
from graphdoctor.recording.format import Effect, Looked, Staging
from graphdoctor.source import parse_module, read_source
from graphdoctor.source.project import Project


def steps_of(text: str) -> int:
    """The steps that running a program takes."""
    project = Project(read_source, lambda path, text: parse_module(path, text, 3))
    project.add(parse_module("program.py", cleandoc(text) + "\n", 3))
    machine = Machine(Program(project), Log())
    module = machine.program.begin("program.py")
    assert module is not None
    start(machine, 100_000, lambda: machine.program.run(machine, module))
    return machine.steps


def record_of(text: str) -> Recording:
    """What the dry run of a program writes down."""
    project = Project(read_source, lambda path, text: parse_module(path, text, 3))
    project.add(parse_module("program.py", cleandoc(text) + "\n", 3))
    return recorder.record(project, "program.py")


def nested(depth: int) -> str:
    lines = ["import os", "total = 0"]
    lines += [f"{'    ' * level}for name{level} in os.listdir():" for level in range(depth)]
    return "\n".join([*lines, f"{'    ' * depth}total += len(name0)"])


def test_loops_in_loops_grow_with_their_depth_and_do_not_double() -> None:
    assert steps_of(nested(8)) < 4 * steps_of(nested(4))


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            import sys
            def keys(tree, prefix):
                found = []
                for key, value in tree.items():
                    if isinstance(value, dict):
                        found += keys(value, prefix + key)
                    else:
                        found.append(prefix + key)
                return found
            keys(sys.argv[1], sys.argv[2])
            """,
            id="over what is unknown",
        ),
        pytest.param(
            """
            import sys
            class Tree:
                def __init__(self, parts):
                    self.parts = parts
                def leaves(self):
                    found = []
                    for part in self.parts:
                        for leaf in Tree(part).leaves():
                            found.append(leaf)
                    return found
            Tree(sys.argv[1]).leaves()
            """,
            id="over objects of one class",
        ),
    ],
)
def test_a_function_that_calls_itself_with_the_like_ends_soon(program: str) -> None:
    assert steps_of(program) < 300


def towers(depth: int) -> str:
    """Layers that hold a list of layers, and so on; it is unknown how many each list has."""
    lines = ["import os", "import tensorflow as tf", "many = len(os.listdir())"]
    for level in range(depth):
        inner = f"Layer{level - 1}()" if level else "tf.keras.layers.Dense(4)"
        lines += [
            f"class Layer{level}(tf.keras.layers.Layer):",
            "    def __init__(self):",
            "        super().__init__()",
            f"        self.inner = [{inner} for _ in range(many)]",
            "    def call(self, x):",
            "        for layer in self.inner:",
            "            x = layer(x)",
            "        return x",
        ]
    return "\n".join([*lines, f"Layer{depth - 1}()(tf.ones([2, 4]))"])


def test_layers_that_a_loop_makes_alike_are_called_as_one() -> None:
    assert steps_of(towers(6)) < 8 * steps_of(towers(3))


def test_where_the_budget_ends_the_functions_under_way_come_to_their_end() -> None:
    """What they call from then on is unknown; what they do themselves is reported."""
    calls = "\n".join(["    x = x + 1"] * 3_600)
    program = f"""
import tensorflow as tf
def long(x):
{calls}
    return x
@tf.function
def step(x):
    for i in range(10):
        x = long(long(long(x)))
    print("done")
    return x
step(tf.ones([3]))
"""
    recording = record_of(program)
    assert [event.name for event in recording.of(Effect)] == ["print"]
    assert [looked.skipped for looked in recording.of(Looked) if looked.skipped] == ["budget"]


def test_names_of_a_call_that_is_over_do_not_make_a_loop_iterate_again() -> None:
    program = """
        import os

        def clean(text):
            {first} = text.strip()
            {second} = {first}.lower()
            return {second}

        for name in os.listdir():
            clean(name)
        """
    again = steps_of(cleandoc(program).format(first="text", second="text"))
    assert again == steps_of(cleandoc(program).format(first="short", second="low"))


@pytest.mark.parametrize(
    ("before", "iteration"),
    [
        pytest.param("", "found = []; found.append(name)", id="a list that the iteration has made itself"),
        pytest.param("found = []", "found.append(name)", id="a list that grows from the first iteration on"),
        pytest.param(
            "import tensorflow as tf",
            "with tf.GradientTape() as tape: y = tf.ones([2])",
            id="a tape of its own",
        ),
        pytest.param(
            "import tensorflow as tf",
            "layer = tf.keras.layers.Dense(4); layer(tf.ones([2, 4]))",
            id="a layer that is built",
        ),
    ],
)
def test_state_that_a_loop_shows_in_two_iterations_does_not_make_it_iterate_again(
    before: str, iteration: str
) -> None:
    program = f"import os\n{before}\nfor name in os.listdir():\n    {{more}}\n    {iteration}\n"
    more, less = (steps_of(program.format(more=text)) for text in ("one = 1", "pass"))
    assert more - less == 2 * 1  # the constant, in two iterations


def test_state_that_a_later_iteration_finds_changed_makes_a_loop_iterate_again() -> None:
    program = (
        "import os\nclass State: pass\nstate = State()\nstate.first, state.late = True, 0\n"
        "for name in os.listdir():\n    {more}\n"
        "    if state.first: state.first = False\n    else: state.late = 1\n"
    )
    more, less = (steps_of(program.format(more=text)) for text in ("one = 1", "pass"))
    assert more - less == 3 * 1


def options(count: int) -> str:
    """Functions that call the next one whichever way an option is set."""
    lines = ["import argparse", "parser = argparse.ArgumentParser()"]
    lines += [f"parser.add_argument('--o{number}', action='store_true')" for number in range(count)]
    lines += ["args = parser.parse_args()", f"def f{count}(): return 1"]
    for number in reversed(range(count)):
        lines += [
            f"def f{number}():",
            f"    if args.o{number}: return f{number + 1}()",
            f"    return f{number + 1}()",
        ]
    return "\n".join([*lines, "f0()"])


def test_options_that_are_set_otherwise_are_not_combined_with_each_other() -> None:
    assert steps_of(options(12)) < 6 * steps_of(options(6))


def test_where_the_budget_ends_in_a_try_its_handlers_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphdoctor.dryrun.core.entry_points.MODULE_STEPS", 400)
    recording = record_of(
        """
        import tensorflow as tf

        def long(x):
            for _ in range(10):
                for _ in range(10):
                    for _ in range(10):
                        x = x + 1.0 - 2.0 * 3.0 + 4.0
            return x

        @tf.function
        def step(x):
            try:
                x = long(x)
                x = tf.linalg.cholesky(x)
            except tf.errors.InvalidArgumentError:
                x = tf.zeros([2, 2])
            return x

        step(tf.ones([2, 2]))
        """
    )
    assert [looked.skipped for looked in recording.of(Looked) if looked.skipped] == ["budget"]
    assert [staging.reason for staging in recording.of(Staging) if staging.construct == "except"] == [
        "graph-error"
    ]


HELPER = """
import os
import tensorflow as tf

def count(step, names):
    number = 0
    for name in names:
        number += 1
        step(number)

def nothing(number):
    return number * 2 + number * 3 + number * 4

@tf.function
def scale(number):
    return tf.ones([2]) * number

"""


def test_a_loop_that_had_nothing_more_to_tell_runs_one_iteration_when_it_is_met_again() -> None:
    once = steps_of(HELPER + "count(nothing, os.listdir())")
    twice = steps_of(HELPER + "count(nothing, os.listdir())\n" * 2)
    assert steps_of(HELPER + "count(nothing, os.listdir())\n" * 3) - twice == twice - once
    assert twice - once < 0.7 * (once - steps_of(HELPER))


def test_a_loop_that_has_something_to_tell_after_all_is_seen_to_iterate() -> None:
    reported = record_of(HELPER + "count(nothing, os.listdir())\ncount(scale, os.listdir())")
    [first, again] = reported.traces
    assert first.function.name == again.function.name == "scale"
    assert [(each.path, bool(each.varies)) for each in again.arguments] == [("number", True)]
