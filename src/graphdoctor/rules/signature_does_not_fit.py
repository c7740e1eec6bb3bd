"""GD104."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Function, Module
from graphdoctor.source.functions import TracedFunction
from graphdoctor.source.names import dotted_name


class SignatureDoesNotFit(Rule):
    """An `input_signature` must be a list with one entry for each parameter.

    What it finds
    An `input_signature` that is a bare `tf.TensorSpec`, that has more entries than the function has
    parameters, or fewer than it has parameters without a default.

    Why it matters
    TensorFlow raises TypeError when the function is made or first called.

    How to fix it
    Put the spec into a list; add or remove entries.

    When to leave it
    Never: it raises.
    """

    id = "GD104"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Can not cast (TensorSpec\(.*?\)) to (TensorSpec\(.*?\))`",
            meaning="the function was called with `{0}`, but its input_signature asks for `{1}`",
            order="Widen the signature",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(input_signature=tf.TensorSpec([None], tf.float32))
                def double(x):
                    return x * 2.0


                print(double(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
                def double(x):
                    return x * 2.0


                print(double(tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
                def add(x, y):
                    return x + y


                print(add(tf.ones([2]), tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)] * 2)
                def add(x, y):
                    return x + y


                print(add(tf.ones([2]), tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for traced in module.traced.values():
            signature = traced.options.get("input_signature")
            if signature is None or traced.decorator is None:
                continue
            message = _complaint(traced, signature)
            if message is not None:
                yield self.finding(
                    module.span(signature),
                    f"`{traced.function.ref.name}` {message}",
                    traced.function.ref,
                    fix=_fix(module, signature) if isinstance(signature, ast.Call) else None,
                )


def _complaint(traced: TracedFunction, signature: ast.expr) -> str | None:
    scope = traced.function.placed.scope
    if isinstance(signature, ast.Call) and dotted_name(signature.func, scope) == "tensorflow.TensorSpec":
        return "has a bare `TensorSpec` as its signature, which must be a list"
    if not isinstance(signature, ast.List | ast.Tuple):
        return None
    if any(isinstance(element, ast.Starred) for element in signature.elts):
        return None
    least, most = _parameters(traced.function)
    count = len(signature.elts)
    if most is not None and count > most:
        return f"takes {most} arguments, and its signature has {count}"
    if count < least:
        return f"needs {least} arguments, and its signature has {count}"
    return None


def _parameters(function: Function) -> tuple[int, int | None]:
    """How many positional parameters a function needs, and how many it takes; None for `*args`."""
    arguments = function.node.args
    names = [*arguments.posonlyargs, *arguments.args]
    bound = function.owner is not None and not function.is_static
    most = len(names) - bound
    return most - len(arguments.defaults), None if arguments.vararg else most + len(arguments.kwonlyargs)


def _fix(module: Module, signature: ast.expr) -> Fix:
    edit = module.replace(signature, f"[{module.source_of(signature)}]")
    return Fix(title="Put it into a list", safety=Safety.UNSAFE, edits=(edit,))
