"""GD334."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module


class ListIndexedByTensor(Rule):
    """A Python list cannot be indexed with a tensor.

    What it finds
    `items[i]` in a traced function, where `items` is a Python list or tuple made there and `i` is a
    tensor.

    Why it matters
    Python needs a number to find the element, and a symbolic tensor has none yet: TypeError. In
    eager mode the same line works.

    How to fix it
    For numbers or tensors: `tf.gather(items, i)`. For functions: `tf.switch_case(i, items)`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD334"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def rate(step):
                    rates = [0.1, 0.01, 0.001]
                    return rates[step // 100]


                print(rate(tf.constant(150)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def rate(step):
                    rates = [0.1, 0.01, 0.001]
                    return tf.gather(rates, step // 100)


                print(rate(tf.constant(150)).numpy())
                """,
            raises="TypeError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for item in body.of(ast.Subscript):
                if body.is_guarded(item) or body.kind(item.slice) is not Kind.TENSOR:
                    continue
                if body.kind(item.value) in (Kind.LIST, Kind.TUPLE):
                    yield self.finding_in(
                        body,
                        item,
                        f"`{body.home.source_of(item.value)}` is a Python list, and "
                        f"`{body.home.source_of(item.slice)}` a tensor",
                        fix=Fix(title="Use `tf.gather`", safety=Safety.MANUAL),
                    )
