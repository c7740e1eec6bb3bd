"""GD212."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body, related
from graphdoctor.source.classes import class_of_instance


class TensorLeaked(Rule):
    """A tensor kept in an attribute by a traced function cannot be used outside its graph.

    What it finds
    `self.hidden = tensor` in a traced method, when code that is not traced reads `hidden` again in
    the same file.

    Why it matters
    The attribute gets the symbolic tensor of the graph, once, while tracing. Using it afterwards
    raises TypeError: "is out of scope and cannot be used here".

    How to fix it
    Return the value, or keep it in a `tf.Variable` and `assign` to it.

    When to leave it
    When the attribute is read only while the same graph is traced.
    """

    id = "GD212"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                class Cell:
                    @tf.function
                    def step(self, x):
                        self.hidden = x + 1.0
                        return x * 2.0


                cell = Cell()
                cell.step(tf.ones([2]))
                print(tf.reduce_sum(cell.hidden).numpy())
                """,
            good="""
                import tensorflow as tf


                class Cell:
                    @tf.function
                    def step(self, x):
                        return x * 2.0, x + 1.0


                cell = Cell()
                _, hidden = cell.step(tf.ones([2]))
                print(tf.reduce_sum(hidden).numpy())
                """,
            raises="TypeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            if body.home is not module or body.function.owner is None:
                continue
            for store in module.walk.stores:
                if store.scope.function is not body.scope or store.node not in body.parents:
                    continue
                kind = body.kind(store.value) if store.index is None else Kind.UNKNOWN
                reader = _eager_reader(module, body, store.target)
                if kind is Kind.TENSOR and isinstance(store.node, ast.Assign) and reader is not None:
                    name = store.target.attr
                    yield self.finding_in(
                        body,
                        store.target,
                        f"`{name}` gets a symbolic tensor of `{body.name}`, and is read outside its graph",
                        related=(related(module.span(reader), f"`{name}` is read here"),),
                        fix=Fix(title="Return it instead", safety=Safety.MANUAL),
                    )


def _eager_reader(module: Module, body: Body, target: ast.Attribute) -> ast.Attribute | None:
    """A place at the top of the module, or in a plain function, that reads the attribute eagerly."""
    owner = class_of_instance(target.value, body.scope)
    for node in ast.walk(module.tree) if owner is not None else ():
        if not (
            isinstance(node, ast.Attribute) and node.attr == target.attr and isinstance(node.ctx, ast.Load)
        ):
            continue
        scope = module.scope_at(node)
        around = scope.function
        if around is not None and (
            around.node in module.context.bodies
            or (around.parent is not None and isinstance(around.parent.node, ast.ClassDef))
        ):
            continue
        reader = class_of_instance(node.value, scope)
        if reader is not None and owner is not None and reader.node is owner.node:
            return node
    return None
