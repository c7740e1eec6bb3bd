"""Functions from which no graph can be reached are not run, and nothing is lost by it."""

import ast
import pathlib
from textwrap import dedent

import pytest
from tests.ratcheting import all_examples

from graphdoctor.config import Config
from graphdoctor.dryrun.core import entry_points
from graphdoctor.dryrun.core.relevance import relevant_functions
from graphdoctor.judging import check_paths, check_text
from graphdoctor.source.survey import Survey

PROGRAMS = sorted((pathlib.Path(__file__).parents[1] / "programs/check").glob("*/*.py"))
TEXTS = [text for _, _, example in all_examples() for text in (example.bad, example.good)]


def names(text: str) -> list[str]:
    """The functions of a text that are worth running."""
    tree = ast.parse(dedent(text))
    return sorted(node.name for node in relevant_functions(Survey(tree)))


def everything(survey: Survey, *_: object) -> frozenset[ast.AST]:
    """All functions of a module."""
    return frozenset(survey.mentions)


def found(text: str) -> list[tuple[str, int, int]]:
    """Rule and place of what `check` finds."""
    report = check_text("program.py", text, Config(keras=3))
    return [(finding.rule, finding.line, finding.column) for finding in report.findings]


def test_pruned_is_unpruned(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*TEXTS, *(path.read_text() for path in PROGRAMS)]
    pruned = [found(text) for text in texts]
    monkeypatch.setattr(entry_points, "relevant_functions", everything)
    assert [found(text) for text in texts] == pruned


def test_a_program_runs_only_where_it_or_what_it_imports_can_use_tensorflow(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.py").write_text("import json\nimport helper\ndef f():\n    import os\nf()\n")
    (tmp_path / "helper.py").write_text("def g():\n    return 1\n")
    assert check_paths(["plain.py"], Config()).coverage.eager == 0
    (tmp_path / "helper.py").write_text("import tensorflow as tf\ndef g():\n    return 1\n")
    assert check_paths(["plain.py"], Config()).coverage.eager == 1
    (tmp_path / "helper.py").write_text("def g():\n    from other import h\n    return h\n")
    assert check_paths(["plain.py"], Config()).coverage.eager == 1


def test_what_leads_to_a_word_counts() -> None:
    text = """
        def fit_it(model):
            model.fit(1)
        def outer(model):
            fit_it(model)
        def other(x):
            return sum(x)
    """
    assert names(text) == ["fit_it", "outer"]


def test_another_function_of_the_same_name_does_not_count() -> None:
    text = """
        class A:
            def build(self):
                self.step = tf.function(self.f)
        class B:
            def build(self):
                self.x = 1
    """
    assert names(text) == ["build"]


def test_constructors_count_for_themselves() -> None:
    text = """
        class A:
            def __init__(self):
                self.step = tf.function(self.f)
        class B(A):
            def __init__(self):
                super().__init__()
    """
    assert names(text) == ["__init__"]


def test_builtins_are_no_words_unless_they_are_something_else() -> None:
    assert names("def f(x):\n    return list(map(str, x))\n") == []
    assert names("def f(x):\n    return x.map(str)\n") == ["f"]
    assert names("from pipeline import map\ndef f(x):\n    return map(x)\n") == ["f"]


def test_a_decorator_counts_unless_it_leaves_the_function_as_it_is() -> None:
    tree = ast.parse("@export('a')\ndef f(x):\n    return x\n")
    assert relevant_functions(Survey(tree)) == {tree.body[0]}
    assert relevant_functions(Survey(tree), {tree.body[0]}) == frozenset()
