"""GD801."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Kind, Module

METHODS = {"numpy", "item", "tolist"}
TENSORS = (Kind.TENSOR, Kind.TENSORS, Kind.VARIABLE)


class ValueReadInGraph(Rule):
    """`.numpy()` asks a symbolic tensor for a value that it does not have yet.

    What it finds
    `.numpy()`, `.item()` or `.tolist()` on a tensor or Variable in a traced function: in a
    `tf.function`, in `Dataset.map`, in `Layer.call`.

    Why it matters
    While tracing there is only the description of a computation. `.numpy()` exists on eager tensors
    only: AttributeError (NotImplementedError for a Variable).

    How to fix it
    Go on with the tensor, return it, and read its value where the function is called; or put the
    Python into `tf.py_function`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD801"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"object has no attribute '(numpy|item|tolist)'",
            meaning="`.{0}()` asks a tensor for its value while it is traced, when it has none",
            order="Stay in TensorFlow",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def mean(x):
                    return tf.reduce_mean(x).numpy()


                print(mean(tf.ones([2])))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def mean(x):
                    return tf.reduce_mean(x)


                print(mean(tf.ones([2])).numpy())
                """,
            raises="AttributeError",
        ),
        Example(
            bad="""
                import tensorflow as tf

                dataset = tf.data.Dataset.from_tensor_slices(["a.txt", "b.txt"])
                names = dataset.map(lambda path: path.numpy().decode())
                print(len(list(names)))
                """,
            good="""
                import tensorflow as tf

                dataset = tf.data.Dataset.from_tensor_slices(["a.txt", "b.txt"])
                names = dataset.map(lambda path: path)
                print(len([name.numpy().decode() for name in names]))
                """,
            raises="AttributeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                target = call.func
                if not isinstance(target, ast.Attribute) or target.attr not in METHODS or call.args:
                    continue
                if body.kind(target.value) in TENSORS and not body.is_guarded(call):
                    yield self.finding_in(
                        body,
                        call,
                        f"`{body.home.source_of(target.value)}` has no value while `{body.name}` is traced",
                    )
