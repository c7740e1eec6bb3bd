"""The import arrows of the design, and what must not be loaded.

Each test lists every file that offends.
"""

import ast
import pathlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from docs.builder.architecture import PICTURE, arrows, draw

import graphdoctor
from graphdoctor.model import Severity
from graphdoctor.model.span import whole_line
from graphdoctor.rules import Rule, all_rules
from tests.parsed_sources import PACKAGE, Source, all_sources, modules_of, parse_source

BASE = {"model", "errors", "config", "version"}
ARROWS = {**arrows(), "__init__": {"autograph", "gradients", "integrations"}, "__main__": {"cli"}}


def offenders(
    wrong: Callable[[Source], Iterable[str]], sources: Iterable[Source] | None = None
) -> dict[str, list[str]]:
    """What is wrong in each file that has something wrong."""
    found = {source.path: sorted(wrong(source)) for source in sources or all_sources()}
    return {path: names for path, names in found.items() if names}


def test_the_page_names_every_part_and_no_other() -> None:
    parts = {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if path.suffix in ("", ".py")}
    assert set(ARROWS) == parts - {"__pycache__"}


def test_the_picture_shows_the_arrows() -> None:
    assert PICTURE.read_text(encoding="utf-8") == draw(arrows())


MOST_MODULES = 30  # a family of rules may have more: one file each, and nobody reads them in order


def test_no_package_has_more_modules_than_a_reader_surveys() -> None:
    folders = Counter(path.parent for path in PACKAGE.rglob("*.py"))
    crowded = {folder.name: count for folder, count in folders.items() if count > MOST_MODULES}
    assert set(crowded) <= {folder.name for folder in (PACKAGE / "rules").iterdir()}


NAMED_FILE = re.compile(r"`([\w./]+\.py)`|^\| `([\w./]+)/?`", re.MULTILINE)


def missing_in(page: pathlib.Path) -> set[str]:
    """The files and folders that a README names and that are not beside it, in the package or the project."""
    roots = (page.parent, PACKAGE, PICTURE.parents[2])
    names = {one or other for one, other in NAMED_FILE.findall(page.read_text(encoding="utf-8"))}
    return {name for name in names if not any((root / name).exists() for root in roots)}


def test_every_readme_names_what_is_there() -> None:
    pages = {page: missing_in(page) for page in PACKAGE.rglob("README.md")}
    assert {str(page): names for page, names in pages.items() if names} == {}


def test_a_file_that_is_gone_is_seen(tmp_path: pathlib.Path) -> None:
    (tmp_path / "README.md").write_text("Read `gone.py` and `errors.py`.\n| `rules/` | |\n| `lost/` | |\n")
    assert missing_in(tmp_path / "README.md") == {"gone.py", "lost/"}


# Beside the observer; numpy is imported only where it is used, inside functions.
ALLOWED_LIBRARIES = {
    "dryrun/libraries/prelude/keras_ops.py": {"tensorflow"},  # read by the interpreter, never imported
    "batching/dataset.py": {"tensorflow"},
    "batching/grid.py": {"numpy"},
    "batching/reading.py": {"numpy"},
    "diagnosis/keras_trainer.py": {"tensorflow"},  # a bare Keras model is stepped by us
}


def beyond_the_arrows(source: Source) -> set[str]:
    base = set() if source.part == "batching" else BASE  # usable on its own: not even our errors
    return source.parts - ARROWS[source.part] - base - {source.part}


def test_imports_follow_the_arrows() -> None:
    assert offenders(beyond_the_arrows) == {}


def needed_by(tree: ast.Module) -> set[str]:
    """The modules that are imported while the module itself is: not those that functions import later."""
    found: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        found |= modules_of(node)
        later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if later or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            continue
        waiting += ast.iter_child_nodes(node)
    return found


def circle_of(sources: Iterable[Source]) -> set[str]:
    """The modules that need, to be imported, one that needs them; and those that need such a one."""
    trees = {source.name: source.tree for source in sources if not source.name.endswith(".__init__")}
    needs = {name: needed_by(tree) & set(trees) for name, tree in trees.items()}
    while free := [name for name, needed in needs.items() if not needed & set(needs)]:
        for name in free:
            del needs[name]
    return set(needs)


def test_no_module_needs_one_that_needs_it() -> None:
    assert circle_of(all_sources()) == set()


# The ways into the dry run: a module in, a recording out; and what is known of a line, for people.
DOORS = {
    "graphdoctor.dryrun.recorder",
    "graphdoctor.dryrun.recorder.record",
    "graphdoctor.dryrun.known_values",
    "graphdoctor.dryrun.known_values.KnownValue",
    "graphdoctor.dryrun.known_values.noted_on",
}


def inside_the_dry_run(source: Source) -> set[str]:
    if source.part == "dryrun":
        return set()
    return {name for name in source.modules if name.startswith("graphdoctor.dryrun")} - DOORS


def test_what_a_program_computes_is_known_by_recordings_only() -> None:
    """No values, tables or rules of tracing outside the dry run: who wants to know reads the recording."""
    assert offenders(inside_the_dry_run) == {}


# Who computes must know what `a + b`, `a < b`, `a and b` and `a if c else b` give.
COMPUTING = ("BinOp", "BoolOp", "Compare", "IfExp")
EDITING = {
    "refactoring/tensor_arguments/parameter_uses.py",  # what stands beside a parameter
    "refactoring/syntax/dtypes.py",  # the dtype of what stands beside it
    "refactoring/syntax/formats.py",  # `"…" % x` as the parts of a text
    "refactoring/calls/printing.py",  # whether an argument of `print` is such a text
    "refactoring/variables/state.py",  # `v = v + x` as `v.assign_add(x)`
    "refactoring/calls/texts.py",  # `"a" + text`, of which a tensor is made
    "refactoring/calls/clocks.py",  # `time.time() - begin` is an interval
    "refactoring/control_flow/walrus.py",  # `if (n := f(x)) > 0`
    "refactoring/calls/items.py",  # `y[y < 0] = 0` as `tf.where`
    "refactoring/tensor_arrays/lists.py",  # `out = out + [x]` as a write to a TensorArray
    "refactoring/wrappers/conditions.py",  # `if x > 0` as `keras.ops.cond`
    "refactoring/calls/smooth_functions.py",  # `x > 0.5` as a sigmoid
    "refactoring/arguments/next_elements.py",  # a `next` that an `and` or a ternary may skip is not moved
    "refactoring/syntax/temporaries.py",  # no line before what `a if b else c` may never need
    "refactoring/calls/keras_inputs.py",  # `tf.f(x, 2 * n)` as a layer: numbers alone may wait for its call
    "refactoring/calls/python_builtins.py",  # `x in (1, 2)` as `tf.reduce_any`
    "refactoring/while_loops/first_iteration.py",  # `init if t == 0 else previous` as a start value
    "refactoring/while_loops/loop_effects.py",  # which tests of a loop's body need a number
    "refactoring/initial_values/branch_values.py",  # `x is None`: whether a function asks for it
    "source/def_use.py",  # `x if c else y` gives away one of them
    "refactoring/while_loops/start_values.py",  # `total + tf.reduce_sum(x)` keeps the shape
}
JUDGING = (
    "source",
    "refactoring",
    "rules",
    "recording",
    "judging",
    "fixing",
    "reports",
    "cli",
    "integrations",
)


def evaluated(source: Source) -> set[str]:
    return source.attributes & set(COMPUTING) if source.part in JUDGING else set()


def test_nothing_outside_the_dry_run_evaluates_python() -> None:
    """Expressions are taken apart in the dry run; elsewhere only where an edit writes them again."""
    assert {path: names for path, names in offenders(evaluated).items() if path not in EDITING} == {}


# What only those know who look into syntax, or write edits themselves.
SYNTAX = {
    "lineno", "end_lineno", "col_offset", "func", "keywords", "targets", "orelse", "tree", "walk", "lines",
    "replace_lines", "replace_columns", "replace_stretch", "insert_before", "insert_after",
}  # fmt: skip


def more_than_judging(source: Source) -> set[str]:
    if source.part != "rules":
        return set()
    return source.attributes & SYNTAX | source.modules & {"ast"} | source.calls & {"Edit"}


def test_rules_neither_look_into_syntax_nor_write_edits() -> None:
    """Questions about the text are answered by `source`, edits are built by `refactoring`."""
    assert offenders(more_than_judging) == {}


def test_rules_judge_and_do_nothing_else() -> None:
    known = {name for name in vars(Rule) if not name.startswith("_")} | {"id", "severity"}
    own = {name for rule in all_rules() for name in vars(type(rule)) if not name.startswith("_")}
    assert own - known == {"check_comments"}  # GD002 reads comments, which no recording has


MOST_DECISIONS = 20
DECIDES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case,
           ast.comprehension, ast.Lambda)  # fmt: skip


def complexity(function: ast.AST) -> int:
    """The cyclomatic complexity of a function as radon computes it, those inside it included."""
    parts = list(ast.walk(function))
    conditions = sum(len(part.values) - 1 for part in parts if isinstance(part, ast.BoolOp))
    conditions += sum(len(part.ifs) for part in parts if isinstance(part, ast.comprehension))
    otherwise = sum(bool(part.orelse) for part in parts if isinstance(part, ast.For | ast.While | ast.Try))
    return 1 + conditions + otherwise + sum(isinstance(part, DECIDES) for part in parts)


def undecided(source: Source) -> set[str]:
    if source.part not in ("refactoring", "fixing"):
        return set()
    functions = (node for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef))
    return {each.name for each in functions if complexity(each) > MOST_DECISIONS}


def test_no_edit_or_proof_decides_too_much_at_once() -> None:
    assert offenders(undecided) == {}


SEVERITY_OF_A_FINDING = {
    "rules/rule.py",  # the rule's own, or a worse one
    "server/diagnostics.py",  # the editor's word for it
}


def set_severities(source: Source) -> set[str]:
    if source.path in SEVERITY_OF_A_FINDING:
        return set()
    calls = [node for node in ast.walk(source.tree) if isinstance(node, ast.Call)]
    texts = [node.value for node in ast.walk(source.tree) if isinstance(node, ast.Constant)]
    named = {each.arg or "" for call in calls for each in call.keywords}
    return {"severity"} if "severity" in named or "severity" in texts else set()


def test_nothing_lowers_the_severity_of_a_rule() -> None:
    """A finding has the severity of its rule, or a worse one where more is known; its confidence may vary."""
    assert offenders(set_severities) == {}
    for rule in all_rules():
        for asked in (None, *Severity):
            found = rule.finding(whole_line("a.py", 1), "it happens", worse=asked)
            assert found.severity.rank <= rule.severity.rank
        assert rule.family.rank <= rule.severity.rank


WITH_TENSORFLOW = ("observer", "autograph", "gradients", "integrations")


def foreign_libraries(source: Source) -> set[str]:
    if source.part in WITH_TENSORFLOW:
        return set()
    return source.libraries & {"tensorflow", "keras", "numpy"} - ALLOWED_LIBRARIES.get(source.path, set())


def test_tensorflow_is_imported_in_named_places_only() -> None:
    assert offenders(foreign_libraries) == {}


PRIVATE = re.compile(r"tensorflow[./]python|keras[./]src")
# Spellings in the user's program, which have to be known to be read.
SPELLINGS = {"source/names.py", "dryrun/libraries/canonical_names.py"}


def private_names(source: Source) -> set[str]:
    if "tensorflow_internals" in source.path or source.path in SPELLINGS:
        return set()
    return set(PRIVATE.findall(source.text))


def test_private_parts_of_tensorflow_are_named_in_internals_only() -> None:
    assert offenders(private_names) == {}


FORMAT = "graphdoctor.recording.format"


def beside_the_observer(source: Source) -> set[str]:
    if source.part != "observer":
        return set()
    libraries = source.libraries - set(sys.stdlib_module_names) - {"tensorflow", "graphdoctor"}
    recording = {name for name in source.modules if name.startswith("graphdoctor.recording")}
    words = {name for name in recording if name != FORMAT and not name.startswith(f"{FORMAT}.")}
    return libraries | source.parts - {"observer", "recording", "version", "errors"} | words


def test_the_observer_needs_the_standard_library_only() -> None:
    """It runs inside environments that have neither graphdoctor's dependencies nor graphdoctor."""
    assert offenders(beside_the_observer) == {}


def beside_the_format(source: Source) -> set[str]:
    if source.path not in ("recording/format.py", "recording/nouns.py", "recording/__init__.py"):
        return set()
    checking = [node for node in source.tree.body if not isinstance(node, ast.If)]  # `if TYPE_CHECKING:`
    modules = {name for node in checking for name in modules_of(node)}
    return {name for name in modules if name.split(".")[0] not in sys.stdlib_module_names}


def test_the_format_needs_the_standard_library_only() -> None:
    assert offenders(beside_the_format) == {}


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


WRONG = {
    "a rule that imports a report": (beyond_the_arrows, "rules/a.py", "import graphdoctor.reports.html"),
    "a table of the dry run": (inside_the_dry_run, "rules/a.py", "import graphdoctor.dryrun.values"),
    "an evaluator": (evaluated, "judging/a.py", "import ast\nast.BinOp"),
    "a rule that parses": (more_than_judging, "rules/a.py", "def f():\n    import ast"),
    "a rule that walks": (more_than_judging, "rules/a.py", "call.func"),
    "a finding that is lowered": (set_severities, "judging/a.py", "replace(finding, severity=note)"),
    "a function of many branches": (
        undecided, "refactoring/a.py", "def f(x):\n    return " + " or ".join(["x"] * (MOST_DECISIONS + 1)),
    ),
    "a severity by its name": (set_severities, "rules/a.py", "options = {'severity': 1}"),
    "a rule that edits": (more_than_judging, "rules/a.py", "Edit('a')"),
    "NumPy": (foreign_libraries, "rules/a.py", "def f():\n    import numpy.linalg"),
    "a private name": (private_names, "reports/a.py", "NAME = 'keras/src'"),
    "an observer with msgspec": (beside_the_observer, "observer/a.py", "from msgspec import json"),
    "an observer that reads": (
        beside_the_observer, "observer/a.py", "from graphdoctor.recording import read_recording",
    ),
    "a format with msgspec": (beside_the_format, "recording/format.py", "import msgspec"),
}  # fmt: skip


@pytest.mark.parametrize(("wrong", "path", "text"), WRONG.values(), ids=WRONG)
def test_an_offender_is_listed(wrong: Callable[[Source], Iterable[str]], path: str, text: str) -> None:
    assert list(offenders(wrong, [parse_source(path, text)])) == [path]
    assert offenders(wrong, [parse_source(path, "import pathlib")]) == {}


def test_a_circle_is_seen() -> None:
    there = parse_source("rules/a.py", "import graphdoctor.rules.b")
    back = parse_source("rules/b.py", "from graphdoctor.rules import a")
    later = parse_source("rules/b.py", "def f():\n    from graphdoctor.rules import a")
    assert circle_of([there, back]) == {"graphdoctor.rules.a", "graphdoctor.rules.b"}
    assert circle_of([there, later]) == set()


def test_what_is_loaded_is_seen() -> None:
    assert modules_after("import rich") & HEAVY == {"rich"}


@pytest.mark.tensorflow  # the Keras callback is one of them
def test_public_names_exist() -> None:
    for name in graphdoctor.__all__:
        assert hasattr(graphdoctor, name)
