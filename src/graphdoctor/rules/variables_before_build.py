"""GD509."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradient_evidence import missing
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.classes import resolve_class
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

LISTS = {"trainable_variables", "trainable_weights", "variables", "weights"}
SEQUENTIAL = {"keras.Sequential", "keras.models.Sequential"}
KNOWS_ITS_INPUT = ("keras.Input", "keras.layers.Input", "keras.layers.InputLayer")


class VariablesBeforeBuild(Rule):
    """`trainable_variables` of a model that has not been called yet is an empty list.

    What it finds
    The variables of a `keras.Sequential` without an input, or of a model class whose `__init__` only makes
    layers, read before the model is called or built.
    From a run: a gradient asked for no variables at all.

    Why it matters
    A model makes its variables when it first sees its input. The list read before stays empty: with
    `optimizer.apply` nothing is trained, and nothing is said.

    How to fix it
    Read the variables after the first call, or build the model first: `model.build([None, 784])`, or
    a `keras.Input` as its first layer.

    When to leave it
    Never.
    """

    id = "GD509"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                variables = model.trainable_variables
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(model(tf.ones([4, 2])))
                print(len(tape.gradient(loss, variables)))
                """,
            good="""
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
                variables = model.trainable_variables
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(model(tf.ones([4, 2])))
                print(len(tape.gradient(loss, variables)))
                """,
            output=("0", "2"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        scopes = [module.walk.root, *(scope for _, scope, _ in module.walk.functions)]
        for scope in scopes:
            for bindings in list(scope.bindings.values()):
                for binding in bindings:
                    read = binding.value
                    if (
                        binding.kind == "value"
                        and isinstance(read, ast.Attribute)
                        and _too_early(read, scope)
                    ):
                        traced = module.traced_around(scope)
                        yield self.finding(
                            module.span(read),
                            f"`{module.source_of(read.value)}` has no variables yet: this list is empty",
                            traced.function.ref if traced else None,
                            fix=Fix(title="Build the model first", safety=Safety.MANUAL),
                        )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"no-sources": "Build the model first"}, at_call=True)


def _too_early(read: ast.Attribute, scope: Scope) -> bool:
    """Whether the model is made above in the same scope, without an input, and not used in between."""
    if read.attr not in LISTS or not isinstance(read.value, ast.Name):
        return False
    name = read.value.id
    bindings = scope.bindings.get(name, [])
    made = bindings[0].value if len(bindings) == 1 else None
    if not isinstance(made, ast.Call) or not (_is_open(made, scope) or _is_lazy(made, scope)):
        return False
    between = range(made.lineno, read.lineno)
    return not any(
        isinstance(node, ast.Name)
        and node.id == name
        and isinstance(node.ctx, ast.Load)
        and node.lineno in between
        for node in ast.walk(scope.node)
    )


def _is_open(made: ast.Call, scope: Scope) -> bool:
    """Whether it is a `Sequential` that does not say what its input is."""
    layers = made.args[0].elts if len(made.args) == 1 and isinstance(made.args[0], ast.List) else []
    sequential = dotted_name(made.func, scope) in SEQUENTIAL
    return sequential and bool(layers) and not _knows_its_input(layers[0], scope)


def _is_lazy(made: ast.Call, scope: Scope) -> bool:
    """Whether it is a model class of the project whose `__init__` makes layers of Keras, and nothing else."""
    found = resolve_class(made.func, scope)
    if found is None or found.external_bases() != {"keras.Model"}:
        return False
    begin = found.method("__init__")
    if begin is None or len(list(found.ancestors())) != 2:
        return False
    calls = [node for node in ast.walk(begin.node) if isinstance(node, ast.Call)]
    layers = [
        call for call in calls if (dotted_name(call.func, begin.scope) or "").startswith("keras.layers.")
    ]
    return bool(layers) and all(
        not _knows_its_input(call, begin.scope) if call in layers else _makes_no_variables(call)
        for call in calls
    )


def _makes_no_variables(call: ast.Call) -> bool:
    """`super()`, and `super().__init__()` without the tensors of a functional model."""
    target = call.func
    if isinstance(target, ast.Name):
        return target.id in ("super", "range", "len")
    return (
        isinstance(target, ast.Attribute)
        and ast.unparse(target.value).startswith("super(")
        and target.attr == "__init__"
        and not call.args
    )


def _knows_its_input(layer: ast.expr, scope: Scope) -> bool:
    if not isinstance(layer, ast.Call):
        return True  # unknown is silence
    name = dotted_name(layer.func, scope) or ""
    given = {keyword.arg for keyword in layer.keywords}
    known = name.startswith("keras.layers.")
    return (
        not known
        or name in KNOWS_ITS_INPUT
        or bool(given & {"input_shape", "input_dim", "batch_input_shape"})
    )
