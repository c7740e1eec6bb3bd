"""A tensor that is kept in an attribute and read outside: the graph puts its value there."""

import ast

import pytest
from tests.checking import changed_lines, check, ways

from graphdoctor.refactoring.wrappers.attribute_stores import handed_out
from graphdoctor.source import parse_module

HEAD = "import tensorflow as tf\n"
RULE = "GD212"
CELL = (
    "class Cell:\n  def __init__(self): self.hidden = None\n  @tf.function\n  def step(self, x):\n{}"
    "    return x * 2.0\n{}"
    "cell = Cell()\ncell.step(tf.ones([2]))\nprint(tf.reduce_sum({}).numpy())\n"
)


def cell(body: str, more: str = "", read: str = "cell.hidden") -> str:
    """A class that keeps a tensor in its step, and code that reads it."""
    return HEAD + CELL.format(body, more, read)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            cell("    self.hidden = self.make(x)\n", "  def make(self, x): return x + 1.0\n"), id="a helper"
        ),
        pytest.param(cell("    self.hidden = tf.split(x, 2)\n", "", "cell.hidden[0]"), id="several tensors"),
        pytest.param(
            cell(
                "    self.hidden = tf.abs(x)\n    self.more()\n",
                "  def more(self): return self.hidden + 1.0\n",
            ),
            id="another traced method reads it",
        ),
        pytest.param(
            cell(
                "    self.hidden = tf.abs(x)\n    self.more(x)\n",
                "  def more(self, x): self.hidden = tf.sin(x)\n",
            ),
            id="another traced method sets it",
        ),
        pytest.param(
            cell("    self.hidden = tf.abs(x)\n    if self.hidden is not None: self.hidden = tf.sin(x)\n"),
            id="it is set twice",
        ),
        pytest.param(
            cell("    y = tf.abs(x)\n    self.hidden = y\n    y = tf.sin(x)\n"),
            id="the name gets another value",
        ),
        pytest.param(
            cell("    if self.hidden is None: x = x + 1.0\n    self.hidden = tf.abs(x)\n"),
            id="it is read before",
        ),
        pytest.param(cell("    hidden = 3\n    self.hidden = tf.abs(x)\n"), id="the name is taken"),
        pytest.param(
            cell("    self.hidden = tf.abs(x)\n").replace("@tf.function", "@tf.function(jit_compile=True)"),
            id="XLA runs no Python",
        ),
        pytest.param(
            cell("    self.hidden = tf.abs(x)\n") + "tf.saved_model.save(cell, 'there')\n", id="it is saved"
        ),
    ],
)
def test_left_alone(program: str) -> None:
    assert check(program, RULE)
    assert not any("py_function" in way for way in ways(program, RULE))


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        pytest.param(
            cell("    y = tf.abs(x)\n    self.hidden = y\n"),
            ["def record(value):", "self.hidden = value", "tf.py_function(record, [y], [])"],
            id="a name",
        ),
        pytest.param(
            cell("    self.hidden = tf.abs(x)\n    x = x + self.hidden\n"),
            [
                "hidden = tf.abs(x)",
                "def record(value):",
                "self.hidden = value",
                "tf.py_function(record, [hidden], [])",
                "x = x + hidden",
            ],
            id="an operation, and the function goes on with it",
        ),
        pytest.param(
            cell("    self.hidden = {'a': x + 1.0}\n", "", "cell.hidden['a']"),
            [
                "hidden = {'a': x + 1.0}",
                "def record(*values):",
                "self.hidden = tf.nest.pack_sequence_as(hidden, values)",
                "tf.py_function(record, tf.nest.flatten(hidden), [])",
            ],
            id="a dict",
        ),
    ],
)
def test_the_graph_puts_the_value_there(program: str, expected: list[str]) -> None:
    offered = [changed_lines(program, RULE, way) for way in range(len(ways(program, RULE)))]
    assert expected in offered
    [edited] = [way for way in ways(program, RULE) if "py_function" in way]
    assert check(edited, RULE) == []


def test_no_variable_holds_a_dict() -> None:
    program = cell("    self.hidden = {'a': x + 1.0}\n", "", "cell.hidden['a']").replace(
        "hidden = None", "hidden = {}"
    )
    assert not any("Variable" in way for way in ways(program, RULE))


@pytest.mark.parametrize(
    ("line", "is_edited"), [("x = x * 2.0", True), ("x = x * self.hidden", False), ("self.hidden = 3", False)]
)
def test_what_is_read_or_set_before_is_no_news(line: str, is_edited: bool) -> None:
    module = parse_module(
        "a.py", HEAD + f"def f(self, x):\n  {line}\n  self.hidden = tf.abs(x)\n  return x\n"
    )
    *_, statement = [part for part in ast.walk(module.tree) if isinstance(part, ast.Assign)]
    assert bool(handed_out([module], module, statement, lambda *_: False)) is is_edited
