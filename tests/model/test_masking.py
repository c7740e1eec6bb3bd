"""`without_literals`: no value of a program's text is left, and every name is."""

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from graphdoctor.model.masking import without_literals

PLACES = ("lineno", "end_lineno", "col_offset", "end_col_offset")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("rate = 0.125\n", "rate = 0.000\n"),
        ("n = 0x1F + 1_000 + 3j - 1e-5\n", "n = 0x00 + 0_000 + 0j - 0e-0\n"),
        ('key = "secret"\n', 'key = "******"\n'),
        ("key = b'se\\'cret'\n", "key = b'********'\n"),
        ("f(x)  # the password is 12\n", "f(x)  #" + "*" * 19 + "\n"),
        ("f(x)  # noqa: GD101\n", "f(x)  # noqa: GD101\n"),
        ("d = {'é': 1}\n", "d = {'**': 0}\n"),
        ("s = '''a\nb'''\n", "s = '''*\n*'''\n"),
        ("\f'a'\n'b'\n", "\f'*'\n'*'\n"),
        ("x1 = True if y2 is None else x1\n", "x1 = True if y2 is None else x1\n"),
    ],
)
def test_literals(text: str, masked: str) -> None:
    assert without_literals(text) == masked


@pytest.mark.parametrize("text", ['f"secret {name!r:>12} secret"\n', "f'{{secret}} {x}'\n"])
def test_f_strings(text: str) -> None:
    masked = without_literals(text)
    assert re.findall("secret|12", masked) == []
    ast.parse(masked)


@pytest.mark.parametrize("text", ["def (:\n", "'unfinished\n", "x = (\n"])
def test_what_is_not_python_is_not_shown_at_all(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        without_literals(text)


@given(some.lists(some.one_of(some.integers(min_value=0), some.text(), some.binary(), some.floats(0, 1e9))))
def test_places_and_syntax_stay(values: list[object]) -> None:
    text = "".join(f"name_{chr(97 + n % 26)} = {value!r}\n" for n, value in enumerate(values))
    masked = without_literals(text)
    before, after = (
        [(type(node), *(getattr(node, place, 0) for place in PLACES)) for node in ast.walk(tree)]
        for tree in map(ast.parse, (text, masked))
    )
    assert before == after
    for node in ast.walk(ast.parse(masked)):
        if isinstance(node, ast.Constant):
            assert not node.value or set(node.value) <= {"*", 42}
