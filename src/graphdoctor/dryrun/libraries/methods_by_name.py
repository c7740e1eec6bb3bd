"""Methods whose names say enough, on values of which nothing else is known."""

import ast

from graphdoctor.dryrun.core.arguments import Arguments, parameter_names
from graphdoctor.dryrun.core.attributes import INFORMATIVE
from graphdoctor.dryrun.core.context import Graph
from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.items import note_given_changed
from graphdoctor.dryrun.core.machine import Machine, hand_over
from graphdoctor.dryrun.libraries.keras.optimizers import note_swapped
from graphdoctor.dryrun.libraries.registry import methods
from graphdoctor.dryrun.libraries.tensorflow.datasets import dataset_method
from graphdoctor.dryrun.tracing.operations import holder_in, left
from graphdoctor.dryrun.values import UNKNOWN, Dataset, Given, Library, Opaque, TypeOf, Unknown, Value
from graphdoctor.recording.format import ASSUMED, GIVEN_AWAY, MAY
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered

READING = ("numpy", "get_weights")
PIPELINES = ("map", "filter", "flat_map", "interleave")
OTHER_PIPELINES = (
    "datasets", "torch", "jax", "ray", "pyspark", "grain", "pandas", "polars", "dask", "apache_beam",
)  # fmt: skip
ONLY_OF_DATASETS = ("as_numpy_iterator", "prefetch", "padded_batch", "unbatch", "cardinality", "element_spec")
TRAINING = ("fit", "predict", "evaluate")


@methods(Unknown, Opaque, Given, TypeOf)
def unknown_method(
    machine: Machine, receiver: Unknown, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if isinstance(receiver, Given) and name not in INFORMATIVE:
        note_given_changed(machine, receiver, node)
        return UNKNOWN
    if name == "apply_gradients":
        shown = arguments.node(0, "grads_and_vars", node)
        note_swapped(machine, None, arguments.get(0, "grads_and_vars"), shown)
        return UNKNOWN
    if name in PIPELINES:
        if "num_parallel_calls" in arguments.keywords:
            return _as_dataset(machine, receiver, name, arguments, node)
        if _may_be_dataset(machine, arguments, node):
            with machine.assuming():
                _as_dataset(machine, receiver, name, arguments, node)
            return UNKNOWN
        for function in map(underlying, arguments):
            if function is not None:
                machine.log.stopped.setdefault(function.node, GIVEN_AWAY)
        return machine.call(UNKNOWN, arguments, node)
    if name in READING and machine.graph is not None and machine.reached != MAY and not list(arguments):
        _note_read(machine, receiver, name, machine.graph, node)
    hand_over(machine, arguments)
    paths = left(machine, [receiver], f".{name}()", node) if machine.opened else None
    return Opaque(paths) if paths else UNKNOWN


def _note_read(machine: Machine, receiver: Unknown, name: str, graph: Graph, node: ast.AST) -> None:
    """`x.numpy()` of what can hardly be anything but a tensor, `y.get_weights()` of a layer or model."""
    given = holder_in(node)
    if name == "numpy" and not _comes_from_arguments(machine, graph, given):
        return  # an eager tensor from outside has a value
    around, graph.evidence = graph.evidence, ASSUMED
    try:
        machine.log.use("read", node, receiver, name, given)
    finally:
        graph.evidence = around


def _comes_from_arguments(machine: Machine, graph: Graph, given: ast.expr | None) -> bool:
    """Whether it is an argument of the function that is traced, or what some call makes of one."""
    function = machine.activation.function
    if function is None or graph.function is None or underlying(graph.function) is not function:
        return False
    if not isinstance(given, (ast.Name, ast.Call)):
        return False
    named = {part.id for part in walk(given) if isinstance(part, ast.Name)}
    return not named.isdisjoint(parameter_names(function))


def _as_dataset(machine: Machine, receiver: Unknown, name: str, arguments: Arguments, node: ast.AST) -> Value:
    source = Dataset(UNKNOWN, machine.origin(node))
    source.origin.given = (receiver,)
    return dataset_method(machine, source, name, arguments, node)


def _may_be_dataset(machine: Machine, arguments: Arguments, node: ast.AST) -> bool:
    """Whether all that something gets is a function, where TensorFlow and nothing else has such methods.

    Where others have them too, what is done with the result decides.
    """
    if len(arguments.positional) != 1 or underlying(arguments.positional[0]) is None:
        return False
    libraries = {
        value.name.partition(".")[0]
        for value in machine.module.scope.cells.values()
        if isinstance(value, Library)
    }
    if "tensorflow" not in libraries:
        return False
    return libraries.isdisjoint(OTHER_PIPELINES) or node in _used_as_datasets(machine.module.syntax.tree)


@remembered(64)
def _used_as_datasets(tree: ast.AST) -> frozenset[ast.AST]:
    """The calls of `map` and the like that are used as only datasets are, and others on the same thing.

    `….map(f).prefetch(2)`, `model.fit(….map(f))`.
    """
    made = [node for node in walk(tree) if isinstance(node, ast.Call) and _name(node) in PIPELINES]
    used: set[ast.AST] = set()
    for node in walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ONLY_OF_DATASETS:
            used.add(node.value)
        elif isinstance(node, ast.Call) and _name(node) in TRAINING and node.args:
            used.add(node.args[0])
    sources = {_source(call) for call in made if call in used}
    return frozenset(call for call in made if _source(call) in sources)


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _source(call: ast.Call) -> str:
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
