"""Edits take the file's own line ends, indentation and quotes."""

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_text
from graphdoctor.model import Edit, apply_edits
from graphdoctor.model.style import Style

FILE = """import tensorflow as tf

@tf.function
def f(x):
    found = []
    for i in tf.range(3):
        if x[i] > 0:
            return x[i]
    print('a', 'b', "it's", x)
    return -x[0]

for step in range(3):
    f(tf.random.normal([3]))
"""


def in_style(text: str, line: int, column: int, new: str) -> str:
    return (
        Style(text)
        .of(Edit(path="p.py", line=line, column=column, end_line=line, end_column=column, text=new))
        .text
    )


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [
        ("x = 'a'\n", 'f("b", "it\'s", "a")\n', "f('b', \"it's\", 'a')\n"),
        ('x = "a"\n', 'f("b")\n', 'f("b")\n'),
        ("x = 'a'\ny = 'b'\nz = \"c\"\n", 'f("c")\n', 'f("c")\n'),  # as the file has it
        ("x = 'a'\n", 'f(\'say "b"\', """c""")\n', 'f(\'say "b"\', """c""")\n'),
        ("x = 'a'\n", 'broken(("b"\n', "broken(('b'\n"),
        ("x = 'a'\n", '# don\'t "b"\n', '# don\'t "b"\n'),
        ("def f():\n  x\n", "  if a:\n      b\n      c\n  d\n", "  if a:\n    b\n    c\n  d\n"),
        (
            "def f():\n\tx\n",
            "\tif a:\n\t    for b in c:\n\t        d\n\t    e\n",
            "\tif a:\n\t\tfor b in c:\n\t\t\td\n\t\te\n",
        ),
        ("def f():\n  x\n", "def g():\n    return x\n\n\n", "def g():\n  return x\n\n\n"),
        ("def f():\n  x\n", "  if a:\n    b\n", "  if a:\n    b\n"),  # taken over from the file
        ("def f():\n    x\n", "if a:\n    b\n", "if a:\n    b\n"),
        ("x = 1\r\n", "y = 2\nz = 3\n", "y = 2\r\nz = 3\r\n"),
        ("x = 1\r\n", "y = 2\r\n", "y = 2\r\n"),
    ],
)
def test_of_an_edit(text: str, new: str, expected: str) -> None:
    assert in_style(text, 1, 1, new) == expected


def test_an_edit_within_a_line_continues_its_indentation() -> None:
    assert in_style("if a:\n  b\n", 2, 3, "if c:\n      d") == "if c:\n    d"


@pytest.mark.parametrize("indent", ["  ", "   ", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_of_a_program(indent: str, newline: str) -> None:
    text = FILE.replace("    ", indent).replace("\n", newline)
    fixed, usual = text, FILE
    for rule in ("GD317", "GD219", "GD201"):
        for finding in check_text("p.py", fixed, Config(select=(rule,))).findings:
            fixed = apply_edits(fixed, finding.fix.edits if finding.fix else ())
        for finding in check_text("p.py", usual, Config(select=(rule,))).findings:
            usual = apply_edits(usual, finding.fix.edits if finding.fix else ())
    assert usual != FILE
    assert fixed == usual.replace("    ", indent).replace("\n", newline)
