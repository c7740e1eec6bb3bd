"""GD202."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.side_effects import confirmed
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.classes import class_of_instance
from graphdoctor.source.eager_reads import eager_reader, read_by_its_caller
from graphdoctor.source.kinds import kind_of

CHANGERS = {"append", "extend", "insert", "add", "update", "setdefault"}


class OuterListMutated(Rule):
    """A list or dict outside a traced function is filled once per trace, with symbolic tensors.

    What it finds
    `log.append(x)`, `cache[key] = x` and the like in a traced function, where `log` is a list or dict
    made outside it: at the top of the module, in a function around it that is not traced, or in
    `__init__` for an attribute that code outside the graph reads.

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
                outer = (
                    _is_outer_container(body, owner)
                    if isinstance(owner, ast.Name)
                    else _is_container_of_instance(module, body, owner)
                )
                if outer and _holds_tensor(body, value):
                    yield self.finding_in(
                        body,
                        node,
                        f"`{body.home.source_of(owner)}` is changed only while `{body.name}` is traced, "
                        "and gets a symbolic tensor",
                        fix=Fix(title="Return the value instead", safety=Safety.MANUAL),
                    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from confirmed(self, facts, "the change")


def _changes(body: Body) -> Iterator[tuple[ast.AST, ast.Name | ast.Attribute, ast.expr]]:
    """Statements that change a container, with what they put into it."""
    for call in body.of(ast.Call):
        target = call.func
        if (
            isinstance(target, ast.Attribute)
            and target.attr in CHANGERS
            and isinstance(target.value, ast.Name | ast.Attribute)
        ):
            for argument in call.args[-1:]:
                yield call, target.value, argument
    for assign in body.of(ast.Assign):
        for place in assign.targets:
            if isinstance(place, ast.Subscript) and isinstance(place.value, ast.Name | ast.Attribute):
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


def _is_container_of_instance(module: Module, body: Body, owner: ast.Attribute) -> bool:
    """Whether only code that is not traced makes the list, and such code reads it after the calls."""
    instance = class_of_instance(owner.value, body.scope)
    stores = instance.stores(owner.attr) if instance is not None and body.home is module else []
    made = bool(stores) and all(
        store.index is None
        and kind_of(store.value, store.scope) in (Kind.LIST, Kind.DICT)
        and (store.scope.function is None or store.scope.function.node not in module.context.bodies)
        for store in stores
    )
    if not made or _is_used_while_tracing(module, owner.attr):
        return False
    read = eager_reader(module, body, owner) or read_by_its_caller(module, body, owner)
    return read is not None


def _is_used_while_tracing(module: Module, attribute: str) -> bool:
    """Whether traced code reads or empties it: then it may be filled anew in each trace."""
    return any(
        node.attr == attribute and isinstance(node.ctx, ast.Load) and not _is_filled(body, node)
        for body in module.bodies
        for node in body.of(ast.Attribute)
    )


def _is_filled(body: Body, owner: ast.Attribute) -> bool:
    parent = body.parents.get(owner)
    if isinstance(parent, ast.Subscript):
        return isinstance(parent.ctx, ast.Store)
    return isinstance(parent, ast.Attribute) and parent.attr in CHANGERS


def _holds_tensor(body: Body, value: ast.expr) -> bool:
    return body.kind(value) in (Kind.TENSOR, Kind.TENSORS)
