"""GD306."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.autograph.one_dtype import dtype_fixes
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import LOOPS, conflicts, dtypes_of, function_at, span_at, value_at

TITLE, KEEP = "Start with the right dtype", "Keep its dtype in the loop"
MEETS = "`{name}` starts as {start}, which becomes {dtype} in a TensorFlow loop and is combined with {other}"


class LoopDtypeChanges(Rule):
    """A name carried through a TensorFlow loop must keep its dtype.

    What it finds
    A name that starts as an integer literal before a loop over a tensor (or `tf.range`, or a dataset)
    and gets a floating-point tensor added to it in the loop: `total = 0`, then `total += loss`.

    Why it matters
    The loop becomes one operation. `0` becomes an int32 tensor, and adding a float32 tensor to it raises
    TypeError. In eager mode `0` stays a Python number that fits any dtype.

    How to fix it
    Start from a float: `total = 0.0`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD306"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' has dtype (\w+) before the loop, but dtype (\w+) after",
            meaning="`{0}` is {1} before the loop and {2} after one iteration",
            order=TITLE,
        ),
        FailureText(
            pattern=r"has type (\w+) that does not match type (\w+) of argument",
            meaning=MEETS,
            order=TITLE,
            carried=True,
        ),
        FailureText(
            pattern=r"have types \[(\w+), (\w+).*\] that don't all match",
            meaning=MEETS,
            order=TITLE,
            carried=True,
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def total(n):
                    result = 0
                    for i in tf.range(n):
                        result += tf.cast(i, tf.float32)
                    return result


                print(total(tf.constant(4)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def total(n):
                    result = 0.0
                    for i in tf.range(n):
                        result += tf.cast(i, tf.float32)
                    return result


                print(total(tf.constant(4)).numpy())
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, conflict in conflicts(facts, LOOPS, "dtype"):
            first, second = dtypes_of(conflict)
            start = value_at(facts, conflict.before_place)
            fix, *others = dtype_fixes(facts, conflict, first, (TITLE, KEEP), "Start from a float")
            begins = "an integer" if first == "int32" else first
            yield self.finding(
                start[0].span(start[1]) if start else span_at(facts, event, conflict.before_place),
                f"`{conflict.name}` starts as {begins} and becomes {second} in a TensorFlow loop",
                function_at(event),
                event=event,
                fix=fix,
                alternatives=tuple(others),
            )
