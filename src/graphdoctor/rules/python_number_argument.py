"""GD101."""

import ast
from collections.abc import Callable, Iterator

from graphdoctor.model import Change, Finding, Fix, Safety, Severity
from graphdoctor.recording import Argument
from graphdoctor.rules.evidence import Retracing, retracings
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Call, Function, Kind, Module, TracedFunction
from graphdoctor.source.dtypes import dtype_of
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.loops import changing_loop, iterations
from graphdoctor.source.names import module_alias
from graphdoctor.source.scopes import Scope
from graphdoctor.source.uses import number_use

FEW_VALUES = 4
KIND_NAMES = {"int": "number", "float": "number", "complex": "number", "str": "string"}


class PythonNumberArgument(Rule):
    """A Python value that changes from call to call makes TensorFlow trace again for each new value.

    What it finds
    A call of a traced function that passes a Python number (in a run: any Python value) which is
    different at each call: a step counter, a learning rate, a temperature. A run says nothing of a
    few values that were met early and then served many calls.

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

    def check_source(self, module: Module) -> Iterator[Finding]:
        for call, traced in module.calls_of_traced:
            if traced.has("input_signature"):
                continue
            for parameter, expression in call.arguments.items():
                if _many_numbers(expression, call):
                    yield self.finding(
                        module.span(expression),
                        f"each new value of the Python number "
                        f"`{module.source_of(expression)}` makes `{call.function.ref.name}` trace again",
                        call.function.ref,
                        argument=parameter,
                        fix=_fix_call(module, expression, parameter, call, traced),
                    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for retracing in retracings(facts, Change.PYTHON_VALUE):
            value = retracing.value
            if retracing.argument is None or value is None or not _too_many(value, retracing):
                continue
            kind = KIND_NAMES.get(value.type, value.type)
            yield self.finding(
                retracing.span(facts),
                retracing.told(f"`{retracing.argument}` is a Python {kind}"),
                retracing.history.function,
                event=retracing.event,
                argument=retracing.argument,
                observed=retracing.observed,
                fix=_fix_observed(retracing, value, facts),
            )


def _many_numbers(expression: ast.expr, call: Call) -> bool:
    loop = changing_loop(expression, call.loops, call.scope)
    if loop is None or kind_of(expression, call.scope) is not Kind.NUMBER:
        return False
    count = iterations(loop, call.scope)
    return count is None or count > FEW_VALUES


def _too_many(value: Argument, retracing: Retracing) -> bool:
    """Two traces of a flag are a choice; a trace for each of many numbers is an accident."""
    return retracing.count >= (2 if value.type in ("int", "float", "complex") else FEW_VALUES - 1)


def _fix_call(
    module: Module, expression: ast.expr, parameter: str, call: Call, traced: TracedFunction
) -> Fix:
    def dtype_of_parameter(name: str) -> str | None:
        return dtype_of(call.arguments.get(name), call.scope)

    return _fix(module, expression, call.scope, traced.function, parameter, dtype_of_parameter)


def _fix_observed(retracing: Retracing, value: Argument, facts: Facts) -> Fix | None:
    last, called = retracing.event, retracing.history.function
    function = facts.sources.function(called)
    if last.place is None or function is None or value.type not in ("int", "float"):
        return None
    found = facts.sources.argument(last.place.path, last.place.line, called, value.path)
    if found is None:
        return None
    module, expression, placed = found
    dtypes = {a.path: a.dtype for a in last.arguments if a.kind == "tensor"}
    return _fix(module, expression, placed.scope, function, value.path, dtypes.get)


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
        dtype_of_parameter(partner.id) if isinstance(partner, ast.Name) else dtype_of(partner, function.scope)
        for partner in use.partners
    }
    dtypes |= use.dtypes
    if tensorflow is None or not use.tensor_would_do or len(dtypes) > 1 or None in dtypes:
        return Fix(title="Pass a tensor instead", safety=Safety.MANUAL)
    dtype = f", {tensorflow}.{dtypes.pop()}" if dtypes else ""
    text = f"{tensorflow}.constant({module.source_of(expression)}{dtype})"
    return Fix(
        title=f"Pass `{text}`",
        safety=Safety.UNSAFE,
        edits=(module.replace(expression, text),),
    )
