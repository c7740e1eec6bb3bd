"""GD202."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording import History
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.side_effects import confirmed
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.sites import Sources

CHANGERS = {"append", "extend", "insert", "add", "update", "setdefault"}


class OuterListMutated(Rule):
    """A list or dict outside a traced function is filled once per trace, with symbolic tensors.

    What it finds
    `log.append(x)`, `cache[key] = x` and the like in a traced function, where `log` is a list or dict
    made outside it: at the top of the module, or in a function around it that is not traced.

    Why it matters
    The change is Python; it runs while tracing and never again. The list gets one entry however often
    the function is called, and the entry is a symbolic tensor, not a value.

    How to fix it
    Return the value and append it where the function is called, or write to a `tf.Variable`.

    When to leave it
    When the list is meant to be filled once per trace, with no tensor in it.
    """

    id = "GD202"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                losses = []


                @tf.function
                def step(x):
                    loss = tf.reduce_sum(x)
                    losses.append(loss)
                    return loss


                for _ in range(3):
                    step(tf.ones([2]))
                print(len(losses))
                """,
            good="""
                import tensorflow as tf

                losses = []


                @tf.function
                def step(x):
                    loss = tf.reduce_sum(x)
                    return loss


                for _ in range(3):
                    losses.append(step(tf.ones([2])))
                print(len(losses))
                """,
            output=("1", "3"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for node, owner, value in _changes(body):
                if _is_outer_container(body, owner) and _holds_tensor(body, value):
                    yield self.finding_in(
                        body,
                        node,
                        f"`{owner.id}` is changed only while `{body.name}` is traced, "
                        "and gets a symbolic tensor",
                        fix=Fix(title="Return the value instead", safety=Safety.MANUAL),
                    )

    def check_recording(self, history: History, sources: Sources) -> Iterator[Finding]:
        yield from confirmed(self, history, sources, "the change")


def _changes(body: Body) -> Iterator[tuple[ast.AST, ast.Name, ast.expr]]:
    """Statements that change a container by name, with what they put into it."""
    for call in body.of(ast.Call):
        target = call.func
        if (
            isinstance(target, ast.Attribute)
            and target.attr in CHANGERS
            and isinstance(target.value, ast.Name)
        ):
            for argument in call.args[-1:]:
                yield call, target.value, argument
    for assign in body.of(ast.Assign):
        for place in assign.targets:
            if isinstance(place, ast.Subscript) and isinstance(place.value, ast.Name):
                yield assign, place.value, assign.value


def _is_outer_container(body: Body, owner: ast.Name) -> bool:
    found = body.scope_of(owner).lookup(owner.id)
    if found is None or len(found[1]) != 1 or found[0].function is body.scope:
        return False
    outer = found[0].function
    if outer is not None and outer.node in body.home.context.bodies:
        return False  # both run in the same trace
    binding = found[1][0]
    made = kind_of(binding.value, found[0]) if binding.kind == "value" and binding.index is None else None
    return made in (Kind.LIST, Kind.DICT)


def _holds_tensor(body: Body, value: ast.expr) -> bool:
    return body.kind(value) in (Kind.TENSOR, Kind.TENSORS)
