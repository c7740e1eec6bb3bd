"""GD333."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Trace, Use
from graphdoctor.rewriting.python_builtins import in_tensorflow, math_in_tensorflow
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import convert_by_itself, function_at, node_at, span_at, text_at, uses

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
    """`sum`, `max`, `zip`, `math.sqrt` and others of Python's functions ask a tensor for values it has not.

    What it finds
    `sum`, `max`, `min`, `any`, `all`, `bool`, `list`, `tuple`, `set`, `zip`, `enumerate`, `round`,
    `divmod` or a function of `math` of a tensor, and `tensor in [...]`, in a traced function. Not
    `len`, `int`, `float`, `abs`, `sorted`, `range` where AutoGraph converts, which knows these.

    Why it matters
    They iterate over the tensor, compare its elements, or make a number of it, in Python. A symbolic
    tensor has no values while tracing: OperatorNotAllowedInGraphError, or TypeError "must be real
    number, not SymbolicTensor".

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
            meaning="a function of Python's needs the number that a tensor stands for, while it is traced",
            order="Use the TensorFlow operation",
        ),
        FailureText(
            pattern=r"(int|float|complex)\(\) (?:first )?argument must be .*not 'SymbolicTensor'",
            meaning="`{0}` needs the number that a tensor stands for, while it is traced",
            order="Use `tf.cast`",
        ),
        FailureText(
            pattern=r"unsupported operand type\(s\) for divmod\(\): .*'SymbolicTensor'",
            meaning="`divmod` takes no tensor",
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
                continue  # a method of the user's that gives a tensor where Python needs a size: GD601 tells
            tensor = text_at(facts, event.given)
            yield self.finding(
                span_at(facts, event),
                f"`{event.name}` needs the values of the tensor `{tensor}` while tracing"
                if tensor
                else f"`{event.name}` needs the values of a tensor while tracing",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Use) -> Fix:
    if event.how == "range":  # only AutoGraph makes a loop over `tf.range` out of it, and did not
        return convert_by_itself(facts, event)
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
