"""GD601."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.flow import reaching_bindings
from graphdoctor.source.names import module_alias
from graphdoctor.source.unknown_sizes import unknown_sizes

MAKERS = {
    f"tensorflow.{name}"
    for name in ("zeros", "ones", "fill", "reshape", "broadcast_to", "random.normal", "random.uniform")
}
ASKING = (ast.Compare, ast.BoolOp, ast.If, ast.IfExp, ast.While, ast.UnaryOp, ast.Assert)


class UnknownSizeAsNumber(Rule):
    """`x.shape[0]` is None where the signature leaves the size open, and None is no number.

    What it finds
    `x.shape[i]` used as a number (in arithmetic, in `range`, in the shape of a new tensor) in a function
    whose `input_signature` has None for that axis.

    Why it matters
    `x.shape` is what is known while tracing. Where the signature says None, it is None, and reckoning
    with it raises TypeError or ValueError.

    How to fix it
    `tf.shape(x)[i]` is the size when the graph runs. The fix is not called safe: it is a tensor, which
    may not do where Python needs a number.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD601"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"Expected int32, but got None of type 'NoneType'",
            meaning="a size that is not known while tracing (`x.shape[i]` is None) was used as a number",
            order="Use `tf.shape(x)[i]`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
                def pad(x):
                    return tf.concat([x, tf.zeros([x.shape[0], 1])], axis=1)


                print(pad(tf.ones([2, 3])).shape)
                """,
            good="""
                import tensorflow as tf


                @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
                def pad(x):
                    return tf.concat([x, tf.zeros([tf.shape(x)[0], 1])], axis=1)


                print(pad(tf.ones([2, 3])).shape)
                """,
            raises="TypeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for node, tensor, axis in unknown_sizes(module, body):
                uses = [node, *_uses_of_its_name(body, node)]
                if any(_is_number(body, use) and not body.is_guarded(use) for use in uses):
                    yield self.finding_in(
                        body,
                        node,
                        f"`{body.home.source_of(node)}` is None: the signature leaves axis {axis} of "
                        f"`{tensor}` open",
                        argument=tensor,
                        fix=_fix(body, node, tensor),
                    )


def _uses_of_its_name(body: Body, node: ast.Subscript) -> list[ast.Name]:
    """Where `size = x.shape[0]` is read by its name; nowhere when the program asks whether it is None."""
    assign = body.parents.get(node)
    if not isinstance(assign, ast.Assign) or assign.value is not node:
        return []
    names = [target.id for target in assign.targets if isinstance(target, ast.Name)]
    uses = body.loads.get(names[0], []) if len(names) == len(assign.targets) == 1 else []
    if any(isinstance(body.parents.get(use), ASKING) for use in uses):
        return []
    return [use for use in uses if _reads(body, use, assign)]


def _reads(body: Body, use: ast.Name, assign: ast.Assign) -> bool:
    found = reaching_bindings(use, body.scope_of(use))
    return found is not None and [binding.node for binding in found[1]] == [assign]


def _is_number(body: Body, node: ast.expr) -> bool:
    parent = body.parents.get(node)
    if isinstance(parent, ast.BinOp):
        return body.kind(parent.left) is not Kind.TEXT  # `"%s" % size` shows None
    call = parent if isinstance(parent, ast.Call) else body.parents.get(parent) if parent else None
    if not isinstance(call, ast.Call):
        return False
    name = body.dotted(call.func)
    if parent is call:
        return name == "builtins.range"
    return isinstance(parent, ast.List | ast.Tuple) and name in MAKERS


def _fix(body: Body, node: ast.Subscript, tensor: str) -> Fix:
    tensorflow = module_alias("tensorflow", body.scope)
    if tensorflow is None:
        return Fix(title="Use `tf.shape`", safety=Safety.MANUAL)
    text = f"{tensorflow}.shape({tensor})[{body.home.source_of(node.slice)}]"
    return Fix(title="Use `tf.shape`", safety=Safety.UNSAFE, edits=(body.home.replace(node, text),))
