"""The import arrows of the design, and what must not be loaded."""

import ast
import pathlib
import re
import subprocess
import sys

import pytest
from docs.builder.architecture import PICTURE, arrows, draw

import graphdoctor

PACKAGE = pathlib.Path(graphdoctor.__file__).parent
BASE = {"model", "errors", "config", "version"}
ARROWS = {**arrows(), "__init__": {"autograph", "gradients", "integrations"}, "__main__": {"cli"}}


def imports_of(path: pathlib.Path) -> set[str]:
    """The parts of graphdoctor that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("graphdoctor.")}
    return found


def part_of(path: pathlib.Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_the_page_names_every_part_and_no_other() -> None:
    parts = {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if path.suffix in ("", ".py")}
    assert set(ARROWS) == parts - {"__pycache__"}


def test_the_picture_shows_the_arrows() -> None:
    assert PICTURE.read_text(encoding="utf-8") == draw(arrows())


# Beside the observer; numpy is imported only where it is used, inside functions.
ALLOWED_LIBRARIES = {
    "batching/dataset.py": {"tensorflow"},
    "batching/grid.py": {"numpy"},
    "batching/reading.py": {"numpy"},
    "diagnosis/keras_trainer.py": {"tensorflow"},  # a bare Keras model is stepped by us
}
FILES = [path for path in PACKAGE.rglob("*.py") if "patients" not in path.parts]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_follow_the_arrows(path: pathlib.Path) -> None:
    part = part_of(path)
    base = set() if part == "batching" else BASE  # usable on its own: not even our errors
    assert imports_of(path) <= ARROWS[part] | base | {part}


def modules_in(path: pathlib.Path) -> set[str]:
    """The modules of graphdoctor that a file imports, by their full names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.startswith("graphdoctor.")}


def needed_by(tree: ast.Module) -> set[str]:
    """The modules that are imported while the module itself is: not those that functions import later."""
    found: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
            isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        ):
            continue
        waiting += ast.iter_child_nodes(node)
    return found


def test_no_module_needs_one_that_needs_it() -> None:
    names = {
        path: path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".") for path in FILES
    }
    modules = {name: path for path, name in names.items() if not name.endswith(".__init__")}
    needs = {
        n: needed_by(ast.parse(p.read_text(encoding="utf-8"))) & set(modules) for n, p in modules.items()
    }
    while free := [name for name, needed in needs.items() if not needed & set(needs)]:
        for name in free:
            del needs[name]
    assert not needs


# The one way into the dry run: a module in, a recording out.
DOORS = {"graphdoctor.dryrun.recorder", "graphdoctor.dryrun.recorder.record"}


@pytest.mark.parametrize("path", [path for path in FILES if part_of(path) != "dryrun"])
def test_what_a_program_computes_is_known_by_recordings_only(path: pathlib.Path) -> None:
    """No values, tables or rules of tracing outside the dry run: who wants to know reads the recording."""
    assert {name for name in modules_in(path) if name.startswith("graphdoctor.dryrun")} <= DOORS


# Who computes must know what `a + b`, `a < b`, `a and b` and `a if c else b` give.
COMPUTING = ("BinOp", "BoolOp", "Compare", "IfExp")
EDITING = {
    "rewriting/uses.py",  # what stands beside a parameter
    "rewriting/written_dtypes.py",  # the dtype of what stands beside it
    "rewriting/formats.py",  # `"…" % x` as the parts of a text
    "rewriting/printing.py",  # whether an argument of `print` is such a text
    "rewriting/assigning.py",  # `v = v + x` as `v.assign_add(x)`
    "rewriting/text_uses.py",  # `"a" + text`, of which a tensor is made
    "rewriting/clocks.py",  # `time.time() - begin` is an interval
    "rewriting/walrus.py",  # `if (n := f(x)) > 0`
    "rewriting/items.py",  # `y[y < 0] = 0` as `tf.where`
    "rewriting/accumulators.py",  # `out = out + [x]` as a write to a TensorArray
    "rewriting/conditions.py",  # `if x > 0` as `keras.ops.cond`
    "rewriting/differentiable.py",  # `x > 0.5` as a sigmoid
    "rewriting/taken_by_caller.py",  # a `next` that an `and` or a ternary may skip is not moved
    "rewriting/temporaries.py",  # no line before what `a if b else c` may never need
    "rewriting/placeholders.py",  # `tf.f(x, 2 * n)` as a layer: numbers alone may wait for its call
    "rewriting/python_builtins.py",  # `x in (1, 2)` as `tf.reduce_any`
}
JUDGING = ("source", "rewriting", "rules", "recording", "judging", "fixing", "reports", "cli", "integrations")


@pytest.mark.parametrize("path", [path for path in FILES if part_of(path) in JUDGING])
def test_nothing_outside_the_dry_run_evaluates_python(path: pathlib.Path) -> None:
    """Expressions are taken apart in the dry run; elsewhere only where an edit writes them anew."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not named & set(COMPUTING) or path.relative_to(PACKAGE).as_posix() in EDITING


# What only those know who look into syntax, or write edits themselves.
SYNTAX = {
    "lineno", "end_lineno", "col_offset", "func", "keywords", "targets", "orelse", "tree", "walk", "lines",
    "replace_lines", "replace_columns", "replace_stretch", "insert_before", "insert_after",
}  # fmt: skip


@pytest.mark.parametrize("path", [path for path in FILES if part_of(path) == "rules"])
def test_rules_neither_look_into_syntax_nor_write_edits(path: pathlib.Path) -> None:
    """Questions about the text are answered by `source`, edits are built by `rewriting`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    calls = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert "ast" not in imported
    assert "Edit" not in calls
    assert not {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & SYNTAX


def test_rules_judge_and_do_nothing_else() -> None:
    from graphdoctor.rules import Rule, all_rules

    known = {name for name in vars(Rule) if not name.startswith("_")} | {"id", "severity"}
    own = {name for rule in all_rules() for name in vars(type(rule)) if not name.startswith("_")}
    assert own - known == {"check_comments"}  # GD002 reads comments, which no recording has


WITH_TENSORFLOW = ("observer", "autograph", "gradients", "integrations")


@pytest.mark.parametrize("path", [path for path in FILES if part_of(path) not in WITH_TENSORFLOW])
def test_tensorflow_is_imported_in_named_places_only(path: pathlib.Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    roots = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    allowed = ALLOWED_LIBRARIES.get(str(path.relative_to(PACKAGE)), set())
    assert roots & {"tensorflow", "keras", "numpy"} <= allowed


PRIVATE = re.compile(r"tensorflow[./]python|keras[./]src")
# Spellings in the user's program, which have to be known to be read.
SPELLINGS = {"source/names.py", "dryrun/names.py"}


@pytest.mark.parametrize("path", [path for path in FILES if "tensorflow_internals" not in str(path)])
def test_private_parts_of_tensorflow_are_named_in_internals_only(path: pathlib.Path) -> None:
    named = PRIVATE.search(path.read_text(encoding="utf-8"))
    assert named is None or path.relative_to(PACKAGE).as_posix() in SPELLINGS


@pytest.mark.parametrize("path", [path for path in FILES if part_of(path) == "observer"])
def test_the_observer_needs_the_standard_library_only(path: pathlib.Path) -> None:
    """It runs inside environments that have neither graphdoctor's dependencies nor graphdoctor."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    roots = {
        (node.module or "").split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
    } | {alias.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names}
    allowed = set(sys.stdlib_module_names) | {"tensorflow", "graphdoctor"}
    assert roots <= allowed
    assert imports_of(path) <= {"observer", "recording", "version", "errors"}
    assert modules_of_recording(path) <= {"graphdoctor.recording.format"}


def modules_of_recording(path: pathlib.Path) -> set[str]:
    """The modules of `recording` that a file imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {name for name in named if name.startswith("graphdoctor.recording")}


@pytest.mark.parametrize("name", ["format", "nouns", "__init__"])
def test_the_format_needs_the_standard_library_only(name: str) -> None:
    tree = ast.parse((PACKAGE / "recording" / f"{name}.py").read_text(encoding="utf-8"))
    checking = [node for node in tree.body if not isinstance(node, ast.If)]  # `if TYPE_CHECKING:`
    roots = {(node.module or "").split(".")[0] for node in checking if isinstance(node, ast.ImportFrom)} | {
        alias.name.split(".")[0] for n in checking if isinstance(n, ast.Import) for alias in n.names
    }
    assert roots <= set(sys.stdlib_module_names)


def modules_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def check_in_process(path: pathlib.Path) -> str:
    return (
        "from graphdoctor.cli.main import commands\n"
        f"commands(['check', {str(path)!r}, '--output-format', 'json'], standalone_mode=False)"
    )


CLEAN = "import tensorflow as tf\n\n\n@tf.function\ndef double(x):\n    return x + x\n"
HEAVY = {"tensorflow", "keras", "numpy", "rich", "jinja2"}


def test_check_loads_no_tensorflow_and_no_report_library(tmp_path: pathlib.Path) -> None:
    (tmp_path / "clean.py").write_text(CLEAN)
    code = f"try:\n    exec({check_in_process(tmp_path / 'clean.py')!r})\nexcept SystemExit: pass"
    assert modules_after(code) & HEAVY == set()


def test_importing_graphdoctor_loads_next_to_nothing() -> None:
    loaded = {name for name in modules_after("import graphdoctor") if name.startswith("graphdoctor")}
    assert loaded == {"graphdoctor", "graphdoctor.version"}


def test_the_tests_above_can_fail() -> None:
    assert modules_after("import rich") & HEAVY == {"rich"}


@pytest.mark.tensorflow  # the Keras callback is one of them
def test_public_names_exist() -> None:
    for name in graphdoctor.__all__:
        assert hasattr(graphdoctor, name)
