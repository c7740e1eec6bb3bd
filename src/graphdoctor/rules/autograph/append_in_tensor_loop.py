"""GD309."""

import dataclasses
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import SEEN, Escape, Place, Value
from graphdoctor.rewriting.accumulators import accumulator_at, known_dtype, to_tensor_array
from graphdoctor.rewriting.blanks import Kind
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

SYMBOLIC = "symbolic tensor of the loop's own graph, which nothing outside the loop can use"
CONSTANT = "value while the loop is traced, not one at each turn"
TITLE = "Use a `tf.TensorArray`"
OTHERS = ("int32", "int64", "bool")


class AppendInTensorLoop(Rule):
    """A list that grows inside a TensorFlow loop holds tensors that do not exist outside it.

    What it finds
    `list.append`, or `list += [x]`, in a loop that AutoGraph turns into a TensorFlow loop (over
    `tf.range`, a tensor, a dataset, `range` of a tensor, or `while` with a tensor), when the list comes
    from outside the loop.

    Why it matters
    The body of the loop is traced once, as a graph of its own. The list then holds one symbolic
    tensor of that inner graph, however often the loop runs, and using it raises
    `InaccessibleTensorError`. `list += [x]` raises `TypeError` at once: a loop cannot carry a list that
    gets longer.

    How to fix it
    Use `tf.TensorArray`: `array = array.write(index, value)` in the loop and `array.stack()` after.
    The fix takes float32 for the elements where the source does not say what they are; `graphdoctor fix`
    tries whole numbers, too.

    When to leave it
    Where nothing reads the list, which is a NOTE: it raises as soon as the list is used. A loop over Python's
    `range` may keep its list.
    """

    id = "GD309"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"because it was defined in FuncGraph\(name=(?:while_body|while_cond)",
            meaning="a tensor made inside a TensorFlow loop is used outside it; a list filled in the "
            "loop holds such",
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
                constant = event.tensor.kind == "value"
                fix, *others = _fixes(facts, event.chain[-1].place, event.tensor)
                yield self.finding(
                    span_at(facts, event),
                    f"`{event.state.name}` gets one {CONSTANT if constant else SYMBOLIC}",
                    function_at(event),
                    event=event,
                    severity=_severity(event, constant),
                    fix=fix,
                    alternatives=tuple(others),
                )
        for growth, conflict in conflicts(facts, (*LOOPS, *BRANCHES), "structure"):
            if is_growing_list(growth, conflict):
                fix, *others = _fixes(facts, conflict.place, None)
                yield self.finding(
                    span_at(facts, growth, conflict.place),
                    f"`{conflict.name}` gets longer at each turn of a TensorFlow loop, which can only carry "
                    "a list of fixed length",
                    function_at(growth),
                    event=growth,
                    fix=fix,
                    alternatives=tuple(others),
                )


def _severity(event: Escape, constant: bool) -> Severity:
    if event.used is None and event.reached != SEEN:
        return Severity.NOTE  # nothing reads the list: TensorFlow has no reason to raise
    return Severity.WRONG if constant else Severity.ERROR


def _fixes(facts: Facts, place: Place | None, value: Value | None) -> list[Fix]:
    """The TensorArray; where nobody knows what it holds, others of the dtypes that it may hold instead."""
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
