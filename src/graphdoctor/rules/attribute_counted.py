"""GD204."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.classes import class_of_instance
from graphdoctor.source.kinds import kind_of

HARMLESS = {"call", "calls", "name", "names", "id", "uid", "index"}  # counts of calls, numbers for names


class AttributeCounted(Rule):
    """A Python number in an attribute is counted once per trace, not once per call.

    What it finds
    `self.steps += 1` in a traced method, where the attribute holds a Python number and is read elsewhere.

    Why it matters
    The addition is Python: it happens while tracing. After a thousand calls the attribute is 1, and
    what was traced with it keeps the value it had then.

    How to fix it
    Make it a `tf.Variable` in `__init__` and use `assign_add`; or count outside the function.

    When to leave it
    When you count traces: an attribute with `trac` in its name is left alone.
    """

    id = "GD204"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                class Trainer:
                    def __init__(self):
                        self.steps = 0

                    @tf.function
                    def train(self, x):
                        self.steps += 1
                        return x * 2.0


                trainer = Trainer()
                for _ in range(3):
                    trainer.train(tf.ones([2]))
                print(trainer.steps)
                """,
            good="""
                import tensorflow as tf


                class Trainer:
                    def __init__(self):
                        self.steps = tf.Variable(0)

                    @tf.function
                    def train(self, x):
                        self.steps.assign_add(1)
                        return x * 2.0


                trainer = Trainer()
                for _ in range(3):
                    trainer.train(tf.ones([2]))
                print(trainer.steps.numpy())
                """,
            output=("1", "3"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for statement in body.of(ast.AugAssign):
                target = statement.target
                if isinstance(target, ast.Attribute) and _is_counter(body, target):
                    place = body.home.source_of(target)
                    yield self.finding_in(
                        body,
                        statement,
                        f"`{place}` is counted only while `{body.name}` is traced, not at each call",
                        fix=Fix(title="Keep it in a `tf.Variable`", safety=Safety.MANUAL),
                    )


def _is_counter(body: Body, target: ast.Attribute) -> bool:
    """Whether every assignment of the attribute gives a Python number, and somebody reads it."""
    attribute = target.attr.lower()
    if "trac" in attribute or HARMLESS & set(attribute.split("_")):
        return False
    owner = class_of_instance(target.value, body.scope)
    stores = owner.stores(target.attr) if owner is not None else []
    values = [store for store in stores if not isinstance(store.node, ast.AugAssign)]
    return (
        bool(values)
        and all(kind_of(store.value, store.scope) is Kind.NUMBER for store in values)
        and bool(body.home.attribute_reads.get(target.attr))
    )
