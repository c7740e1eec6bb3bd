"""GD109."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Safety, Severity
from graphdoctor.rules.evidence import Retracing, retracings
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Call, Module
from graphdoctor.source.functions import PARTIAL, class_of, definition
from graphdoctor.source.loops import iterations
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope

FEW_OBJECTS = 4
STRUCTURAL_BASES = {"typing.NamedTuple", "tensorflow.experimental.ExtensionType", "enum.Enum"}
KIND_NAMES = {"method": "bound method", "function": "function", "functools.partial": "partial"}


class FreshObjectArgument(Rule):
    """A Python object made anew for each call makes TensorFlow trace again for each object.

    What it finds
    A lambda, a bound method (`model.step` is a new object each time it is read), a generator, a
    `functools.partial`, or a new instance of a class of yours, passed to a traced function in a loop.

    Why it matters
    TensorFlow recognises an object by its identity. A new object is a new key and a new trace; and
    when the old object is freed, its graph can never be used again, but stays in memory.

    How to fix it
    Make the object once, before the loop, and pass the same one: `step = model.step`. Or pass
    tensors: a `NamedTuple` of tensors is compared by what it holds.

    When to leave it
    When the function is called a few times only.
    """

    id = "GD109"
    severity = Severity.SLOW
    failures = (
        FailureText(
            pattern=r"Could not generate a generic TraceType for",
            meaning="an argument is neither hashable nor a tensor, so that TensorFlow has no key for it",
            order="Freeze the dataclass",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def apply(function, x):
                    return function(x)


                for batch in range(5):
                    apply(lambda x: x + 1.0, tf.ones([3]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def apply(function, x):
                    return function(x)


                def increment(x):
                    return x + 1.0


                for batch in range(5):
                    apply(increment, tf.ones([3]))
                """,
            traces=(5, 1),
        ),
        Example(
            bad="""
                import tensorflow as tf


                class Model:
                    def step(self, x):
                        return x + 1.0


                @tf.function
                def epoch(step, x):
                    return step(x)


                model = Model()
                for number in range(5):
                    epoch(model.step, tf.ones([3]))
                """,
            good="""
                import tensorflow as tf


                class Model:
                    def step(self, x):
                        return x + 1.0


                @tf.function
                def epoch(step, x):
                    return step(x)


                model = Model()
                step = model.step
                for number in range(5):
                    epoch(step, tf.ones([3]))
                """,
            traces=(5, 1),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for call, traced in module.calls_of_traced:
            if traced.has("input_signature") or not _runs_often(call):
                continue
            for parameter, expression in call.arguments.items():
                what = _fresh_object(module, expression, call.scope)
                if what is not None:
                    yield self.finding(
                        module.span(expression),
                        f"`{call.function.ref.name}` is traced again at each turn of the loop, because "
                        f"`{parameter}` is {what}",
                        call.function.ref,
                        argument=parameter,
                        fix=Fix(title="Make it before the loop", safety=Safety.MANUAL),
                    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for retracing in retracings(facts, Change.OBJECT_IDENTITY):
            argument = retracing.argument
            if argument is None or retracing.count < 2:
                continue
            yield self.finding(
                retracing.span(facts),
                retracing.told(f"`{argument}` is a new {_kind(retracing)} each time")
                + _already_gone(retracing),
                retracing.history.function,
                event=retracing.event,
                argument=argument,
                observed=retracing.observed,
                fix=Fix(title="Pass the same object each time", safety=Safety.MANUAL),
            )


def _runs_often(call: Call) -> bool:
    counts = [iterations(loop, call.scope) for loop in call.loops]
    return bool(counts) and all(count is None or count > FEW_OBJECTS for count in counts[-1:])


def _fresh_object(module: Module, expression: ast.expr, scope: Scope) -> str | None:
    """What an expression makes anew each time it is evaluated, in words; None for anything else."""
    if isinstance(expression, ast.Lambda):
        return "a new lambda each time"
    if isinstance(expression, ast.GeneratorExp):
        return "a new generator each time"
    if isinstance(expression, ast.Call):
        if dotted_name(expression.func, scope) == PARTIAL:
            return "a new partial each time"
        owner = class_of(expression, scope)
        return f"a new `{owner.name}` each time" if owner and _by_identity(owner, scope) else None
    if isinstance(expression, ast.Attribute) and isinstance(expression.value, ast.Name):
        method = definition(expression, scope, module.functions)
        instance = scope.lookup(expression.value.id)
        is_instance = instance is not None and instance[1][0].kind != "class"
        if method is not None and is_instance and not getattr(method.node, "decorator_list", []):
            return "a new bound method each time it is read"
    return None


def _by_identity(owner: ast.ClassDef, scope: Scope) -> bool:
    """Whether TensorFlow tells instances apart by identity: a plain class without a protocol of its own."""
    protocol = any(
        isinstance(s, ast.FunctionDef) and s.name in ("__tf_tracing_type__", "__eq__", "__tf_flatten__")
        for s in owner.body
    )
    return not owner.bases and not owner.decorator_list and not protocol


def _kind(retracing: Retracing) -> str:
    kind = retracing.value.type if retracing.value else "object"
    return KIND_NAMES.get(kind, f"`{kind.removeprefix('__main__.')}`")


def _already_gone(retracing: Retracing) -> str:
    before = [a for r in retracing.retraces for a in r.closest.arguments if a.path == retracing.argument]
    gone = len({a.identity for a in before} & retracing.history.dead_objects)
    return f"; {gone} of their graphs can never be used again" if gone else ""
