"""Other ways to run a training: its step as a graph, its pipeline, and the options of `compile`."""

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from graphdoctor.model import Edit
from graphdoctor.refactoring.creation.step_function import own_function
from graphdoctor.refactoring.options.function_options import decorated
from graphdoctor.refactoring.syntax.graph_functions import add_option, added, decorator_of, wrapping_of
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.source.calls import called_name, method_name
from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.names import module_alias
from graphdoctor.source.scopes import Scope
from graphdoctor.tuning.training_loops import Training

STEP, PREFETCH, PARALLEL, CACHE = "graph", "prefetch", "parallel", "cache"
EXECUTION, PRECISION = "execution", "precision"
STEPS_PER_EXECUTION = 8
MOST_HOPS = 8


class Variant(NamedTuple):
    """A way to run the training: its name, the group of which one is chosen, and the edits.

    Without edits it cannot be written, for this `reason`.
    """

    name: str
    group: str
    edits: tuple[Edit, ...] = ()
    reason: str = ""


def step_variants(training: Training) -> Iterator[Variant]:
    """The step of a loop as `tf.function`, and compiled by XLA."""
    step = training.step
    names = "step as tf.function", "step as tf.function, jit_compile"
    if step is None:
        why = "the step is written in the loop, and cannot be made a function of its own"
        for name, options in zip(names, ("", "(jit_compile=True)"), strict=True):
            edits = own_function(training.module, training.loop, options)
            yield Variant(name, STEP, edits or (), reason="" if edits else why)
    elif decorator_of(step) is not None or wrapping_of(step) is not None:
        edit = add_option(step, "jit_compile=True")
        if edit is not None:
            yield Variant("step with jit_compile", STEP, (edit,))
    else:
        yield from _as_graph(step, names)


def _as_graph(step: Function, names: tuple[str, str]) -> Iterator[Variant]:
    edits = decorated(step)
    if edits is None:
        yield from (Variant(name, STEP, reason=f"`{step.name}` has other decorators") for name in names)
        return
    first, *imports = edits
    compiled = replace(first, text=first.text.replace(".function\n", ".function(jit_compile=True)\n"))
    yield Variant(names[0], STEP, edits)
    yield Variant(names[1], STEP, (compiled, *imports))


def loop_pipeline(training: Training) -> Iterator[Variant]:
    """The pipeline that a loop goes through, made otherwise."""
    if isinstance(training.loop, ast.For):
        yield from pipeline_variants(training.module, training.loop.iter)


def fit_variants(module: Module, line: int) -> Iterator[Variant]:
    """The pipeline of a `fit`, and the options of the model's `compile`."""
    call = _call_at(module, line, "fit")
    data = call.args[:1] or [each.value for each in call.keywords if each.arg == "x"] if call else []
    for expression in data:
        yield from pipeline_variants(module, expression)
    yield from _compile_variants(module)


def _compile_variants(module: Module) -> Iterator[Variant]:
    compiled = [one.node for one in module.walk.calls if method_name(one.node) == "compile"]
    name = f"steps_per_execution={STEPS_PER_EXECUTION}"
    if len(compiled) != 1:
        why = "the file has no single call of `compile`"
        yield from (Variant(one, EXECUTION, reason=why) for one in (name, "jit_compile=True"))
        return
    call = compiled[0]
    assert isinstance(call, ast.Call)
    eager = next((one for one in call.keywords if one.arg == "run_eagerly"), None)
    if eager is not None and not (isinstance(eager.value, ast.Constant) and eager.value.value is False):
        yield Variant("run_eagerly=False", STEP, (module.replace(eager.value, "False"),))
        return
    for option, group in ((name, EXECUTION), ("jit_compile=True", STEP), ("jit_compile=False", STEP)):
        edit = added(module, call, option)
        if edit is not None:
            yield Variant(option, group, (edit,))


def precision_variant(module: Module, policy: str) -> Variant | None:
    """Mixed precision, right behind the import of TensorFlow."""
    for statement in module.tree.body:
        names = statement.names if isinstance(statement, ast.Import) else []
        if any(one.name == "tensorflow" for one in names):
            name = module_alias("tensorflow", module.walk.root) or "tensorflow"
            text = f'{name}.keras.mixed_precision.set_global_policy("{policy}")\n'
            edit = module.insert_after(statement.end_lineno or statement.lineno, text)
            return Variant(policy, PRECISION, (edit,))
    return None


def pipeline_variants(module: Module, expression: ast.expr) -> Iterator[Variant]:
    """A dataset that is read ahead, mapped in parallel, or kept after its first round."""
    stages = list(_stages(module, expression))
    if not stages:
        return
    maps = [call for call in stages if method_name(call) == "map"]
    tensorflow = tensorflow_at(module, module.scope_at(stages[0]))
    if tensorflow is None or tensorflow[1]:
        return
    tune = f"{tensorflow[0]}.data.AUTOTUNE"
    if method_name(stages[0]) != "prefetch":
        yield Variant("prefetch", PREFETCH, (module.insert_behind(stages[0], f".prefetch({tune})"),))
    edits = [added(module, call, f"num_parallel_calls={tune}") for call in maps]
    if any(edits):
        yield Variant("parallel calls", PARALLEL, tuple(edit for edit in edits if edit is not None))
    if not any(method_name(call) == "cache" for call in stages):
        behind = maps[0] if maps else stages[-1]
        yield Variant("cache", CACHE, (module.insert_behind(behind, ".cache()"),))


def _stages(module: Module, expression: ast.expr) -> Iterator[ast.Call]:
    """The calls that make a dataset, the last one first: through names, and functions that return it."""
    found: list[ast.Call] = []
    current: ast.expr | None = expression
    for _ in range(MOST_HOPS * MOST_HOPS):
        if isinstance(current, ast.Call) and isinstance(current.func, ast.Attribute):
            found.append(current)
            if called_name(current, module.scope_at(current)).startswith("tensorflow.data."):
                yield from found
                return
            current = current.func.value
        elif isinstance(current, ast.Call) and isinstance(current.func, ast.Name):
            scope = module.scope_at(current)
            wrapped = called_name(current, scope) == "builtins.enumerate" and current.args
            current = current.args[0] if wrapped else _returned(module, current.func, scope)
        elif isinstance(current, ast.Name):
            current = _assigned(module, current)
        else:
            return


def _assigned(module: Module, name: ast.Name) -> ast.expr | None:
    """What a name was given last before this line, in its own scope or that of the module."""
    scopes = (module.scope_at(name), module.walk.root)
    given = [
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name.id for target in node.targets)
        and module.scope_at(node) in scopes
    ]
    before = [node for node in given if node.lineno < name.lineno] or (
        given if module.scope_at(name) is not module.walk.root else []
    )
    return max(before, key=lambda node: node.lineno).value if before else None


def _returned(module: Module, name: ast.Name, scope: Scope) -> ast.expr | None:
    """What a function of the module returns, if it has one `return`."""
    bound = scope.only(name.id)
    function = module.functions.get(bound.node) if bound is not None else None
    returns: Sequence[ast.Return] = function.returns if function is not None else ()
    return returns[0].value if len(returns) == 1 else None


def _call_at(module: Module, line: int, method: str) -> ast.Call | None:
    calls = (one.node for one in module.walk.calls if method_name(one.node) == method)
    found = (one for one in calls if isinstance(one, ast.Call))
    return next((one for one in found if one.lineno <= line <= (one.end_lineno or line)), None)
