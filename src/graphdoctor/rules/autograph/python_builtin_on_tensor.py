"""GD333."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Trace, Use
from graphdoctor.refactoring.calls.python_builtins import in_tensorflow, math_in_tensorflow
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import (
    by_while_loop,
    convert_by_itself,
    function_at,
    node_at,
    span_at,
    text_at,
    uses,
)

INSTEAD = {
    "sum": "`tf.reduce_sum`",
    "max": "`tf.reduce_max` or `tf.maximum`",
    "min": "`tf.reduce_min` or `tf.minimum`",
    "any": "`tf.reduce_any`",
    "all": "`tf.reduce_all`",
    "bool": "the tensor itself",
    "set": "`tf.unique`",
    "list": "`tf.unstack`",
    "tuple": "`tf.unstack`",
    "zip": "`tf.unstack`",
    "enumerate": "`tf.range`",
    "int": "`tf.cast`",
    "float": "`tf.cast`",
    "round": "`tf.round`",
    "divmod": "`//` and `%`",
}


class PythonBuiltinOnTensor(Rule):
    """`sum`, `max`, `zip`, `math.sqrt` and other Python functions need values; a symbolic tensor has none.

    What it finds
    `sum`, `max`, `min`, `any`, `all`, `bool`, `list`, `tuple`, `set`, `zip`, `enumerate`, `round`, `divmod`
    or a function of `math` of a tensor, and `tensor in [...]`, in a traced function. Not `len`, `int`,
    `float`, `abs`, `sorted`, `range` where AutoGraph converts the code: it handles these.

    Why it matters
    They iterate over the tensor, compare its elements, or convert it to a number, in Python. A symbolic
    tensor has no values while tracing: OperatorNotAllowedInGraphError, or TypeError "must be real number, not
    SymbolicTensor".

    How to fix it
    Use the operation: `tf.reduce_sum`, `tf.maximum`, `tf.reduce_any`, `tf.unstack`, `tf.math.ceil`.
    `sum(x)` of a matrix adds its rows, which is `tf.reduce_sum(x, axis=0)`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD333"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"must be real number, not SymbolicTensor",
            meaning="a Python function needs the value of a symbolic tensor while tracing",
            order="Use the TensorFlow operation",
        ),
        FailureText(
            pattern=r"(int|float|complex)\(\) (?:first )?argument must be .*not 'SymbolicTensor'",
            meaning="`{0}` needs the value of a symbolic tensor while tracing",
            order="Use `tf.cast`",
        ),
        FailureText(
            pattern=r"unsupported operand type\(s\) for divmod\(\): .*'SymbolicTensor'",
            meaning="`divmod` does not accept a tensor",
            order="Use `//` and `%`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def limit(x):
                    return max(tf.reduce_sum(x), 1.0)


                print(limit(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def limit(x):
                    return tf.maximum(tf.reduce_sum(x), 1.0)


                print(limit(tf.ones([2])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def weighted(x):
                    total = 0.0
                    for i, value in enumerate(tf.square(x)):
                        total += i * value
                    return total


                print(weighted(tf.ones([3])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def weighted(x):
                    total = 0.0
                    for i, value in enumerate(tf.unstack(tf.square(x))):
                        total += i * value
                    return total


                print(weighted(tf.ones([3])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "iteration", "bool", "membership", "range", "int", "float", "number"):
            if event.how == "int" and event.name.startswith("__"):
                continue  # a user's method that returns a tensor where Python needs a size: GD601 reports it
            tensor = text_at(facts, event.given)
            fix, *others = _fixes(facts, event)
            yield self.finding(
                span_at(facts, event),
                f"`{event.name}` needs the values of the tensor `{tensor}` while tracing"
                if tensor
                else f"`{event.name}` needs the values of a tensor while tracing",
                function_at(event),
                event=event,
                fix=fix,
                alternatives=tuple(others),
            )


def _fixes(facts: Facts, event: Use) -> list[Fix]:
    """The ways to fix it, those with an edit first."""
    if event.how != "range":
        return [_fix(facts, event)]
    # AutoGraph makes a loop of the graph out of `range`, and did not. A list would not survive its doing so.
    ways = [by_while_loop(facts, event), convert_by_itself(facts, event)]
    return sorted((way for way in ways if way is not None), key=lambda way: not way.edits)


def _fix(facts: Facts, event: Use) -> Fix:
    found, given = node_at(facts, event.chain[-1].place), node_at(facts, event.given)
    if event.name.startswith("math."):
        is_float = event.value is not None and event.value.dtype.startswith("float")
        computed = math_in_tensorflow(*found) if found is not None and is_float else None
        return offer(*(computed or ("Use TensorFlow operations", None)))
    traces = (trace for trace in facts.of(Trace) if trace.number == event.trace)
    tensors = {each.path for trace in traces for each in trace.arguments if each.kind == "tensor"}
    tensor = given[1] if given is not None else None
    written = in_tensorflow(*found, tensor, tensors) if found is not None else None
    if written is None:
        title = f"Use {INSTEAD.get(event.name, '`tf.reduce_any`')}"
        return Fix(title=title, safety=Safety.MANUAL)
    return offer(*written)
