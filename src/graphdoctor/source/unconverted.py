"""What makes AutoGraph leave a whole function as it is."""

import ast
from collections.abc import Iterator

from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import Decision, tensor_decisions


def first_decision(body: Body) -> Decision | None:
    """The first tensor decision of a body that AutoGraph is asked to convert; it raises if it does not."""
    if not body.converted:
        return None
    found = [decision for decision in tensor_decisions(body) if not body.is_guarded(decision.node)]
    return min(found, key=lambda decision: getattr(decision.node, "lineno", 0), default=None)


def mangled_names(body: Body) -> Iterator[ast.Attribute]:
    """`self.__secret`: names that Python changes inside a class, and AutoGraph does not understand."""
    if body.function.owner is not None:
        for node in body.of(ast.Attribute):
            if node.attr.startswith("__") and not node.attr.endswith("__"):
                yield node


def loops_with_else(body: Body) -> Iterator[ast.For | ast.While]:
    """`for … else` and `while … else`."""
    yield from (loop for loop in body.of(ast.For) if loop.orelse)
    yield from (loop for loop in body.of(ast.While) if loop.orelse)
