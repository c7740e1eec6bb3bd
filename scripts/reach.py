"""How much of what is traced in a project `check` looks at: a census by names beside its coverage.

    python scripts/reach.py NAME=FOLDER…    the shares for each project and for all, and the rest by reason

The census reads syntax alone: functions under a decorator called `function` of TensorFlow or given to
`tf.function(…)`; methods that Keras traces in classes whose bases are called Layer, Model, Loss or Metric,
or are such classes of the project; functions and lambdas given to `map`, `filter`, `flat_map` or
`interleave` in a file that names `tf.data` (where a class of the project has such a method too: of what is
called data). Looked at is what the dry run ran in a graph; what it ran outside, because nothing in the
project traces it, is counted beside it.
"""

import ast
import collections
import os
import re
import sys
from collections.abc import Iterator

from graphdoctor.config import Config
from graphdoctor.judging.coverage import Seen, reported_once
from graphdoctor.judging.files import check_files
from graphdoctor.source import find_files, read_notebook_or_source

KERAS_BASES = ("Layer", "Model", "Loss", "Metric")
KERAS_METHODS = ("call", "train_step", "test_step", "predict_step", "compute_loss", "update_state")
DATASET_METHODS = ("map", "filter", "flat_map", "interleave")
NO_DATASETS = ("jax.", "tree.", "jnp.", "pool", "executor")  # what maps a function over other things
LOOKED_AT, EAGER = "looked at", "ran outside graphs"
KINDS = ("tf.function", "Keras methods", "dataset functions")
DATA = re.compile(r"data|\bds\b|_ds\b", re.IGNORECASE)
Places = dict[tuple[str, int], str]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def main() -> None:
    """Print the shares."""
    total: collections.Counter[tuple[str, str]] = collections.Counter()
    for name, _, folder in (argument.partition("=") for argument in sys.argv[1:]):
        here = os.getcwd()
        os.chdir(folder)
        counts, rest = compare()
        os.chdir(here)
        total += counts
        print(f"{name}: {shares(counts)}", flush=True)
        print("".join(f"  {line}\n" for line in rest), end="")
    print(f"all: {shares(total)}")
    print(f"with what nothing traces: {shares(total, (LOOKED_AT, EAGER))}")
    print(
        "the rest: "
        + ", ".join(f"{n} {kind} {why}" for (kind, why), n in total.most_common() if why != LOOKED_AT)
    )


def shares(counts: "collections.Counter[tuple[str, str]]", outcomes: tuple[str, ...] = (LOOKED_AT,)) -> str:
    """`tf.function 12 of 13, …`."""
    parts = []
    for kind in KINDS:
        every = sum(count for (each, _), count in counts.items() if each == kind)
        parts.append(f"{kind} {sum(counts[kind, fate] for fate in outcomes)} of {every}")
    return ", ".join(parts)


def compare() -> "tuple[collections.Counter[tuple[str, str]], list[str]]":
    """What became of each function of the census here, and what was not looked at."""
    paths = [path for path, _ in find_files(["."])]
    seen = reported_once(check_files([(path, False) for path in paths], Config()).seen, set(paths))
    by_place: dict[tuple[str, int], Seen] = {(one.path, one.line): one for one in seen}
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    rest = []
    for kind, places in zip(KINDS, census(paths), strict=True):
        for (path, line), name in sorted(places.items()):
            one = by_place.get((path, line))
            why = LOOKED_AT if one and one.traced else (one.skipped or EAGER) if one else "not reported"
            counts[kind, why] += 1
            if why != LOOKED_AT:
                rest.append(f"{path}:{line} {name}: {why}")
    return counts, rest


def census(paths: list[str]) -> tuple[Places, Places, Places]:
    """The functions of each kind, by the line of their first decorator."""
    trees = {path: tree for path in paths if (tree := _parse(path)) is not None}
    classes = [
        (path, node)
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    ]
    keras = _keras_classes([node for _, node in classes])
    own = {each.name for _, node in classes for each in node.body if isinstance(each, FUNCTIONS)}
    graph: Places = {}
    methods: Places = {}
    datasets: Places = {}
    for path, tree in trees.items():
        graph |= {(path, line): name for line, name in _graph_functions(tree)}
        if "tf.data" in ast.unparse(tree) or "Dataset" in ast.unparse(tree):
            datasets |= {(path, line): name for line, name in _dataset_functions(tree, own)}
    for path, node in classes:
        if node.name in keras:
            methods |= {
                (path, _line(each)): f"{node.name}.{each.name}"
                for each in node.body
                if isinstance(each, FUNCTIONS) and each.name in KERAS_METHODS
            }
    return graph, methods, datasets


def _parse(path: str) -> ast.Module | None:
    if path.endswith(".ipynb"):  # lines count in cells there
        return None
    try:
        text = read_notebook_or_source(path)
        return ast.parse(text) if "tensorflow" in text or "keras" in text else None
    except Exception:
        return None


def _line(node: ast.AST) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])  # type: ignore[attr-defined]


def _last_name(node: ast.AST) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def _keras_classes(classes: list[ast.ClassDef]) -> set[str]:
    """The names of classes that derive from one of Keras."""
    found: set[str] = set()
    while True:
        new = {
            node.name
            for node in classes
            if any(_last_name(base) in KERAS_BASES or _last_name(base) in found for base in node.bases)
        }
        if new <= found:
            return found
        found |= new


def _is_tf_function(node: ast.expr) -> bool:
    """`tf.function`, `function` or a call of it, perhaps through `functools.partial`."""
    if isinstance(node, ast.Call):
        return _is_tf_function(node.func) or any(_is_tf_function(each) for each in node.args[:1])
    return _last_name(node) == "function" and ("tf" in ast.unparse(node) or isinstance(node, ast.Name))


def _graph_functions(tree: ast.Module) -> Iterator[tuple[int, str]]:
    defined = {node.name: node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)}
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS) and any(map(_is_tf_function, node.decorator_list)):
            yield _line(node), node.name
        if isinstance(node, ast.Call) and _is_tf_function(node.func) and node.args:
            given = node.args[0]
            if isinstance(given, ast.Lambda):
                yield given.lineno, "<lambda>"
            elif _last_name(given) in defined:
                yield _line(defined[_last_name(given)]), _last_name(given)


def _dataset_functions(tree: ast.Module, own: set[str]) -> Iterator[tuple[int, str]]:
    """What is given to datasets; `own` are methods of the project: they count on what is called data."""
    defined = {node.name: node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in DATASET_METHODS
            and not ast.unparse(node.func.value).startswith(NO_DATASETS)
            and (node.func.attr not in own or DATA.search(ast.unparse(node.func.value)))
        ):
            for given in [*node.args[:1], *(each.value for each in node.keywords if each.arg == "map_func")]:
                if isinstance(given, ast.Lambda):
                    yield given.lineno, "<lambda>"
                elif _last_name(given) in defined:
                    yield _line(defined[_last_name(given)]), _last_name(given)


if __name__ == "__main__":
    main()
