"""GD309."""

import dataclasses
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import SEEN, Escape, Place, Value
from graphdoctor.refactoring.initial_values.zeros import Kind
from graphdoctor.refactoring.tensor_arrays.lists import accumulator_at, known_dtype, to_tensor_array
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import (
    BRANCHES,
    LOOPS,
    PYTHON_DTYPES,
    body_at,
    conflicts,
    function_at,
    is_growing_list,
    kind_of,
    span_at,
)

SYMBOLIC = "symbolic tensor of the loop body's graph, which cannot be used outside the loop"
CONSTANT = "value while the loop is traced, not one per iteration"
TITLE = "Use a `tf.TensorArray`"
OTHERS = ("int32", "int64", "bool")


class AppendInTensorLoop(Rule):
    """A list that grows inside a TensorFlow loop holds tensors that do not exist outside it.

    What it finds
    `list.append`, or `list += [x]`, in a loop that AutoGraph turns into a TensorFlow loop (over `tf.range`, a
    tensor, a dataset, `range` of a tensor, or `while` with a tensor), when the list is created outside the
    loop.

    Why it matters
    The body of the loop is traced once, as a graph of its own. The list then holds one symbolic
    tensor of that inner graph, however often the loop runs, and using it raises
    `InaccessibleTensorError`. `list += [x]` raises `TypeError` at once: a loop cannot carry a list that
    gets longer.

    How to fix it
    Use `tf.TensorArray`: `array = array.write(index, value)` in the loop and `array.stack()` after. The fix
    assumes float32 where the source does not show the dtype; `graphdoctor fix` also tries integers.

    When to leave it
    Where nothing reads the list, the confidence is low: it raises as soon as the list is used. A loop over
    Python's `range` may keep its list.
    """

    id = "GD309"
    severity = Severity.WRONG  # a list of Python constants gets one of them, and raises nothing
    usual = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"because it was defined in FuncGraph\(name=(?:while_body|while_cond)",
            meaning="a tensor created inside a TensorFlow loop is used outside it, for example in a list",
            order="Use a `tf.TensorArray`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    results = []
                    for i in tf.range(n):
                        results.append(tf.cast(i * i, tf.float32))
                    return tf.stack(results)


                print(squares(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def squares(n):
                    results = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
                    for i in tf.range(n):
                        results = results.write(results.size(), tf.cast(i * i, tf.float32))
                    return results.stack()


                print(squares(tf.constant(4)).numpy())
                """,
            raises="InaccessibleTensorError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(Escape):
            if event.graph == "loop" and event.state.kind == "list" and event.chain:
                unread = event.used is None and event.reached != SEEN  # TensorFlow has no reason to raise
                constant = event.tensor.kind == "value"
                fix, *others = _fixes(facts, event.chain[-1].place, event.tensor)
                yield self.finding(
                    span_at(facts, event),
                    f"`{event.state.name}` gets one {CONSTANT if constant else SYMBOLIC}",
                    function_at(event),
                    event=event,
                    worse=None if constant else Severity.ERROR,
                    guesses=("the list is read",) if unread else (),
                    fix=fix,
                    alternatives=tuple(others),
                )
        for growth, conflict in conflicts(facts, (*LOOPS, *BRANCHES), "structure"):
            if is_growing_list(growth, conflict):
                fix, *others = _fixes(facts, conflict.place, None)
                yield self.finding(
                    span_at(facts, growth, conflict.place),
                    f"`{conflict.name}` grows at each iteration of a TensorFlow loop, which can only carry "
                    "a list of fixed length",
                    function_at(growth),
                    event=growth,
                    worse=Severity.ERROR,
                    fix=fix,
                    alternatives=tuple(others),
                )


def _fixes(facts: Facts, place: Place | None, value: Value | None) -> list[Fix]:
    """The TensorArray; where the dtype is unknown, also those of other possible dtypes."""
    found = body_at(facts, place)
    accumulator = accumulator_at(*found) if found is not None else None
    if accumulator is None:
        return [offer(TITLE, None)]
    kind = kind_of(value)
    kind = Kind("", kind.dtype or PYTHON_DTYPES.get(kind.type, ""), kind.shape)
    fixes = [offer(TITLE, to_tensor_array(accumulator, kind))]
    if fixes[0].edits and not known_dtype(accumulator, kind):
        fixes += [
            offer(f"{TITLE} of {dtype}", to_tensor_array(accumulator, dataclasses.replace(kind, dtype=dtype)))
            for dtype in OTHERS
        ]
    return fixes
