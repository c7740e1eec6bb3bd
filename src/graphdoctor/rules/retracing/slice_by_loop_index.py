"""GD124."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import SLICING, Argument, LibraryCall, Place
from graphdoctor.refactoring.calls.items import item_texts
from graphdoctor.refactoring.tensor_arrays.row_reads import to_rows
from graphdoctor.rules.event_places import at, function_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import FEWER_TRACES
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import node_at

Row = tuple[Place, str, int]  # the loop that takes it, the text of the tensor, the axis


class SliceByLoopIndex(Rule):
    """Slicing a tensor by the loop index makes the gradient of a TensorFlow loop quadratic in its length.

    What it finds
    `x[t]` or `x[:, t]` in a TensorFlow loop over `t`, where `x` is a tensor from outside the loop, a gradient
    tape records the loop, and `x` is watched or depends on a variable.

    Why it matters
    The gradient of a slice is a tensor of zeros as large as `x`, with one row filled in. Each iteration of
    the backward loop creates one and adds it up: a sequence of twice the length takes four times as long.
    Measured with 300 steps: 25 times slower than the fixed version.

    How to fix it
    `tf.TensorArray(…).unstack(x)` before the loop and `.read(t)` in it: the gradient of a read touches one
    row. Or avoid the loop. The fix is marked unsafe: a NumPy array has no rows to unstack.

    When to leave it
    When the loop is short.
    """

    id = "GD124"
    severity = Severity.SLOW
    repair = FEWER_TRACES
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def gradient(x):
                    with tf.GradientTape() as tape:
                        tape.watch(x)
                        state = tf.zeros([2])
                        for t in tf.range(tf.shape(x)[0]):
                            state = tf.tanh(state + x[t])
                        loss = tf.reduce_sum(state)
                    return tape.gradient(loss, x)


                graph = gradient.get_concrete_function(tf.TensorSpec([None, 2])).graph
                print("zeros as large as x:", "StridedSliceGrad" in str(graph.as_graph_def()))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def gradient(x):
                    with tf.GradientTape() as tape:
                        tape.watch(x)
                        state = tf.zeros([2])
                        x_rows = tf.TensorArray(x.dtype, tf.shape(x)[0], clear_after_read=False).unstack(x)
                        for t in tf.range(tf.shape(x)[0]):
                            state = tf.tanh(state + x_rows.read(t))
                        loss = tf.reduce_sum(state)
                    return tape.gradient(loss, x)


                graph = gradient.get_concrete_function(tf.TensorSpec([None, 2])).graph
                print("zeros as large as x:", "StridedSliceGrad" in str(graph.as_graph_def()))
                """,
            output=(
                "zeros as large as x: True",
                "zeros as large as x: False",
            ),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        rows: dict[Row, list[LibraryCall]] = {}
        for event in facts.of(LibraryCall):
            row = _row(event, facts) if event.name == SLICING and event.recorded else None
            if row is not None:
                rows.setdefault(row, []).append(event)
        for (loop, name, axis), events in rows.items():
            first = events[0]
            taken, whole = (f"`{facts.text(at(first))}`", f"`{name}`") if name else ("a row", "the tensor")
            yield self.finding(
                facts.span(at(first)),
                f"each iteration of this TensorFlow loop creates a gradient of {taken} as large as {whole}",
                function_at(first),
                event=first,
                fix=_fix(facts, loop, events, axis),
            )


def _row(event: LibraryCall, facts: Facts) -> Row | None:
    """The row of an outer tensor that each iteration takes; None where it is not a whole row."""
    tensor, index, *parts = event.arguments
    indices = parts if index.kind == "tuple" else [index]
    by = [axis for axis, part in enumerate(indices) if _differs(part, tensor)]
    if len(by) != 1 or not all(_is_whole(part) for axis, part in enumerate(indices) if axis not in by):
        return None
    loop = _differs(indices[by[0]], tensor)
    if loop is None:
        return None
    found = node_at(facts, at(event))
    texts = item_texts(*found) if found is not None else None
    return loop, texts[0] if texts else "", by[0]


def _differs(index: Argument, tensor: Argument) -> Place | None:
    """The loop in whose iterations an index differs while the tensor that it indexes does not."""
    known = {variation.loop for variation in tensor.varies}
    loops = [variation.loop for variation in index.varies if variation.loop not in known]
    number = index.kind == "tensor" and index.shape in ((), None) and index.dtype != "bool"
    return loops[0] if loops and number else None


def _is_whole(part: Argument) -> bool:
    return (part.type, part.text) in (("slice", ":"), ("ellipsis", "Ellipsis"))


def _fix(facts: Facts, loop: Place, events: list[LibraryCall], axis: int) -> Fix:
    found = node_at(facts, loop)
    nodes = [node for node in (node_at(facts, at(event)) for event in events) if node is not None]
    here = found is not None and all(home is found[0] for home, _ in nodes)
    edits = to_rows(*found, [node for _, node in nodes], axis) if found is not None and here else None
    return offer("Unstack it into a `tf.TensorArray`", edits)
