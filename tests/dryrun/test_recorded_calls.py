"""What a tape follows and records, and what a loop of the graph makes again, as a recording reports it."""

import pytest
from tests.dryrun.events import events_of

from graphdoctor.recording.format import SLICING, Applied, LibraryCall, Staging, Trace, Variation

TAPE = """
    import tensorflow as tf

    v = tf.Variable(tf.ones([9, 2]))

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            tape.watch(x)
            {}

    step(tf.ones([9, 2]), tf.ones([9, 2]))
"""


def sliced(statement: str) -> list[LibraryCall]:
    return [event for event in events_of(TAPE.format(statement), LibraryCall) if event.name == SLICING]


@pytest.mark.parametrize(
    "statement",
    [
        "for t in tf.range(9): tf.print(y[t])",  # nobody watches it
        "for t in range(9): tf.print(x[t])",
        "tf.print(x[0])",
        "for t in tf.range(9): tf.print(tf.stop_gradient(x)[t])",
        "for t in tf.range(9): tf.print([x, y][0].shape[0])",
    ],
)
def test_what_no_tape_follows_in_a_loop_is_not_reported(statement: str) -> None:
    assert sliced(statement) == []


@pytest.mark.parametrize("tensor", ["x", "v", "(2.0 * x + y)", "tf.concat([y, x], 0)", "tf.tanh(v)"])
def test_a_slice_of_what_a_tape_follows_is_reported(tensor: str) -> None:
    (event,) = sliced(f"for t in tf.range(9): tf.print({tensor}[t])")
    assert event.recorded


def differing(statement: str) -> dict[str, list[Variation]]:
    (event,) = sliced(statement)
    return {argument.path: list(argument.varies) for argument in event.arguments}


def test_a_tensor_of_a_graph_loop_differs_at_each_iteration() -> None:
    found = differing("for t in tf.range(9): tf.print(x[:, t])")
    assert (found["tensor"], found["index"], found["index[0]"]) == ([], [], [])
    assert [(each.what, each.turns) for each in found["index[1]"]] == [("value", 9)]


def test_a_tensor_that_a_loop_makes_differs_as_its_index_does() -> None:
    found = differing("for t in tf.range(9): tf.print((x * 2.0)[t])")
    assert [each.what for each in found["tensor"]] == [each.what for each in found["index"]] == ["value"]


def test_the_value_of_a_tensor_makes_no_new_trace() -> None:
    program = """
        import tensorflow as tf

        @tf.function
        def inner(k):
            return k * 2

        @tf.function
        def outer():
            for k in tf.range(9):
                inner(k)

        outer()
    """
    assert [trace.function.name for trace in events_of(program, Trace)] == ["outer", "inner"]


def test_what_a_return_in_a_graph_loop_gives_is_reported() -> None:
    program = """
        import tensorflow as tf

        @tf.function
        def first(x):
            for row in x:
                if row > 0:
                    return tf.cast(row, tf.int64)
            return 0

        first(tf.ones([3]))
    """
    (event,) = [event for event in events_of(program, Staging) if event.reason == "return-in-loop"]
    assert event.conflict is not None
    assert event.conflict.after is not None
    assert event.conflict.after.dtype == "int64"


INSIDE = """
    import tensorflow as tf

    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        g = tape.gradient(y, x)
    {}
"""


@pytest.mark.parametrize(
    ("statement", "differentiated"),
    [
        ("print(g)", "False"),
        ("tape.gradient(y, x)", "False"),
        ("tape.gradient(g, x)", "True"),
        ("tape.gradient({'a': [g * 2.0]}, x)", "True"),
        ("tape.gradient(unknown(g), x)", "True"),
        ("unknown(tape)", "True"),
    ],
)
def test_an_answer_that_its_tape_records_may_be_differentiated(statement: str, differentiated: str) -> None:
    (event,) = [
        each for each in events_of(INSIDE.format(statement), Applied) if each.what == "gradient inside"
    ]
    assert (event.options["persistent"], event.options["differentiated"]) == ("True", differentiated)
