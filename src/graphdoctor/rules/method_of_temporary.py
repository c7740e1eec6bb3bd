"""GD411."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Module


class MethodOfTemporary(Rule):
    """A graph method called on an object that nobody keeps finds `self` gone.

    What it finds
    `Model().step(x)` where `step` is decorated with `tf.function` and reads something of `self`.

    Why it matters
    TensorFlow keeps only a weak reference to the object. Python frees the temporary object before the
    body runs, `self` is None, and reading an attribute raises AttributeError.

    How to fix it
    Keep the object: `model = Model()`, then `model.step(x)`. That also keeps its graphs: each new
    object traces anew.

    When to leave it
    Never: it raises when it is called.
    """

    id = "GD411"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'NoneType' object has no attribute",
            meaning="the object of this method is gone: TensorFlow holds it weakly, and nobody else held it",
            order="Keep the object in a variable",
            per_instance=True,
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                class Scaler:
                    def __init__(self, factor):
                        self.factor = factor

                    @tf.function
                    def scale(self, x):
                        return x * self.factor


                print(Scaler(2.0).scale(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                class Scaler:
                    def __init__(self, factor):
                        self.factor = factor

                    @tf.function
                    def scale(self, x):
                        return x * self.factor


                scaler = Scaler(2.0)
                print(scaler.scale(tf.ones([2])).numpy())
                """,
            raises="AttributeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for call, traced in module.calls_of_traced:
            target = call.node.func
            if traced.decorator is None or not isinstance(target, ast.Attribute):
                continue
            owner = call.function.owner
            if owner is None or owner.bases or not isinstance(target.value, ast.Call):
                continue
            if _reads_self(call.function.node):
                yield self.finding(
                    module.span(target.value),
                    f"nobody keeps this `{owner.name}`, and `{call.function.name}` finds it gone",
                    call.function.ref,
                    fix=Fix(title="Keep the object", safety=Safety.MANUAL),
                )


def _reads_self(node: ast.AST) -> bool:
    arguments = getattr(node, "args", None)
    first = arguments.args[0].arg if arguments is not None and arguments.args else None
    return any(
        isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == first
        for n in ast.walk(node)
    )
