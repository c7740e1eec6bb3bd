"""GD309."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Module
from graphdoctor.source.accumulators import (
    Accumulator,
    find_accumulators,
    find_rebuilt_lists,
    to_tensor_array,
)


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
    The fix takes float32 for the elements where the source does not say what they are.

    When to leave it
    Never: it raises as soon as the list is used. A loop over Python's `range` may keep its list.
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

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            if not body.converted:
                continue
            for accumulator in find_accumulators(body.function):
                for append in accumulator.appends_in_graph_loops:
                    yield self.finding_in(
                        body,
                        append,
                        f"`{accumulator.name}` gets one symbolic tensor of the loop's own graph, "
                        "which nothing outside the loop can use",
                        fix=_fix(body.home, accumulator),
                    )
            for name, growth in find_rebuilt_lists(body.function):
                yield self.finding_in(
                    body,
                    growth,
                    f"`{name}` gets longer at each turn of a TensorFlow loop, which can only carry a list "
                    "of fixed length",
                    fix=Fix(title="Use a `tf.TensorArray`", safety=Safety.MANUAL),
                )


def _fix(module: Module, accumulator: Accumulator) -> Fix:
    edits = to_tensor_array(module, accumulator)
    if edits is None:
        return Fix(title="Use a `tf.TensorArray`", safety=Safety.MANUAL)
    return Fix(title="Use a `tf.TensorArray`", safety=Safety.UNSAFE, edits=edits)
