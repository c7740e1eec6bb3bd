"""GD101."""

import ast
from collections.abc import Callable, Iterator

from graphdoctor.model import Change, Finding, Fix, Safety, Severity
from graphdoctor.recording import Argument
from graphdoctor.rewriting.uses import number_use
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.retracing.evidence import Retracing, retracings
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Function, Module
from graphdoctor.source.names import module_alias
from graphdoctor.source.scopes import Scope

FEW_NUMBERS, FEW_VALUES = 3, 4
KIND_NAMES = {"int": "number", "float": "number", "complex": "number", "str": "string"}
NUMBERS = ("int", "float", "number")
PASS_TENSOR = "Pass a tensor instead"


class PythonNumberArgument(Rule):
    """A Python value that changes from call to call makes TensorFlow trace again for each new value.

    What it finds
    A call of a traced function that passes a Python number or text which is different at each
    call: a step counter, a learning rate, a temperature; and a second call with another number,
    where the graph is the same for both. A run says nothing of a few values that were met early
    and then served many calls.

    Why it matters
    Python values are part of the key under which TensorFlow keeps its graphs. Each new value is a
    new key: the function is traced again, which costs hundreds of times what a call costs, and the
    old graph stays in memory.

    How to fix it
    Pass a tensor: `tf.constant(step)`. If the function reckons with other tensors, give it their
    dtype: `tf.constant(step, tf.float32)`. Or keep the counter in a `tf.Variable`.

    When to leave it
    When there are few values and the function needs them in Python, as a number of layers or a
    `training` flag: one graph for each value is then what you want.
    """

    id = "GD101"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def decay(weights, step):
                    return weights / (1.0 + tf.cast(step, tf.float32))


                for step in range(5):
                    decay(tf.ones([3]), step)
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def decay(weights, step):
                    return weights / (1.0 + tf.cast(step, tf.float32))


                for step in range(5):
                    decay(tf.ones([3]), tf.constant(step))
                """,
            traces=(5, 1),
        ),
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def scale(x, factor):
                    return x * factor


                factor = 1.0
                while factor < 2.0:
                    scale(tf.ones([3]), factor)
                    factor += 0.25
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def scale(x, factor):
                    return x * factor


                factor = 1.0
                while factor < 2.0:
                    scale(tf.ones([3]), tf.constant(factor, tf.float32))
                    factor += 0.25
                """,
            traces=(4, 1),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for retracing in retracings(facts, Change.PYTHON_VALUE):
            value = retracing.value
            if retracing.argument is None or value is None or not _too_many(value, retracing):
                continue
            yield self.finding(
                retracing.span(facts),
                _message(retracing, value, facts),
                retracing.history.function,
                event=retracing.event,
                argument=retracing.argument,
                observed=retracing.observed,
                fix=_fix_call(retracing, value, facts) or _by_hand(value),
            )


def _by_hand(value: Argument) -> Fix | None:
    number = value.type in ("int", "float", "complex")
    return Fix(title="Pass a tensor instead", safety=Safety.MANUAL) if number else None


def _message(retracing: Retracing, value: Argument, facts: Facts) -> str:
    kind = KIND_NAMES.get(value.type, value.type) or value.kind
    if retracing.retraces:
        return retracing.told(f"`{retracing.argument}` is a Python {kind}")
    return (
        f"each new value of the Python {kind} `{retracing.text(facts)}` makes "
        f"`{retracing.history.function.name}` trace again"
    )


def _too_many(value: Argument, retracing: Retracing) -> bool:
    """Two values of a flag are a choice; a trace for each of many numbers is an accident.

    Values count, not traces: several Function objects may each need one for the same two values.
    """
    least = FEW_NUMBERS if value.type in ("int", "float", "complex") else FEW_VALUES
    return not retracing.retraces or len(retracing.values) >= least


def _fix_call(retracing: Retracing, value: Argument, facts: Facts) -> Fix | None:
    function = facts.sources.function(retracing.history.function)
    found = _expression(retracing, value, facts)
    if value.type not in NUMBERS or found is None or function is None:
        return None if retracing.retraces else Fix(title=PASS_TENSOR, safety=Safety.MANUAL)
    module, expression = found
    dtypes = {a.path: a.dtype for a in retracing.event.arguments if a.kind in ("tensor", "array")}
    scope = module.scope_at(expression)
    return _fix(module, expression, scope, function, value.path, lambda name: dtypes.get(name) or None)


def _expression(retracing: Retracing, value: Argument, facts: Facts) -> tuple[Module, ast.expr] | None:
    """The expression that gives the whole argument."""
    if retracing.given is not None:
        found = facts.sources.node(retracing.span(facts))
        if found is None or not value.path.isidentifier():
            return None
        module, node = found
        return (module, node) if isinstance(node, ast.expr) and not isinstance(node, ast.Starred) else None
    place = retracing.event.place
    if place is None:
        return None
    seen = facts.sources.argument(place.path, place.line, retracing.history.function, value.path)
    return seen[:2] if seen is not None else None


def _fix(
    module: Module,
    expression: ast.expr,
    scope: Scope,
    function: Function,
    parameter: str,
    dtype_of_parameter: Callable[[str], str | None],
) -> Fix:
    """Wrap the argument in `tf.constant`, with the dtype of what the function reckons it with."""
    tensorflow = module_alias("tensorflow", scope)
    use = number_use(function, parameter)
    dtypes = {
        dtype_of_parameter(partner.id) if isinstance(partner, ast.Name) else None for partner in use.partners
    }
    dtypes |= use.dtypes
    if tensorflow is None or not use.tensor_would_do or len(dtypes) > 1 or None in dtypes:
        return Fix(title=PASS_TENSOR, safety=Safety.MANUAL)
    dtype = f", {tensorflow}.{dtypes.pop()}" if dtypes else ""
    text = f"{tensorflow}.constant({module.source_of(expression)}{dtype})"
    return Fix(
        title=f"Pass `{text}`",
        safety=Safety.UNSAFE,
        edits=(module.replace(expression, text),),
    )
