"""What is remembered of syntax goes with the project that it was read for."""

import ast
import gc
import pathlib

import pytest

from graphdoctor.config import Config
from graphdoctor.dryrun.values.terms import let_go
from graphdoctor.judging import check_text
from graphdoctor.source import remembering
from graphdoctor.source.remembering import forget_syntax, remembered

FAULTY = pathlib.Path(__file__).parents[1] / "programs/check/faulty"


def nodes() -> int:
    """How many parts of syntax trees are in memory; the terms of a run stay until the next one begins."""
    let_go()
    gc.collect()
    return sum(isinstance(each, ast.stmt) for each in gc.get_objects())


def test_an_answer_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "_caches", [])
    asked = []

    @remembered(2)
    def kind(node: ast.AST) -> str:
        asked.append(node)
        return type(node).__name__

    node = ast.parse("x")
    assert [kind(node), kind(node)] == ["Module", "Module"]
    assert asked == [node]
    forget_syntax()
    assert kind(node) == "Module"
    assert asked == [node, node]


@pytest.fixture(scope="module")
def prelude() -> None:
    """The functions of libraries that the dry run follows are parsed when first met, and stay."""
    text = (FAULTY / "given_to_keras.py").read_text(encoding="utf-8")
    check_text("given_to_keras.py", text, Config())


@pytest.mark.usefixtures("prelude")
@pytest.mark.parametrize("program", sorted(FAULTY.glob("*.py")), ids=lambda path: path.stem)
def test_the_trees_of_a_check_go_with_it(program: pathlib.Path) -> None:
    text = program.read_text(encoding="utf-8")
    assert check_text(program.name, text, Config()).findings  # the prelude is read once, and stays
    before = nodes()
    assert check_text(program.name, text, Config()).findings
    assert nodes() == before
