"""Syntax trees are walked and spelled as `ast` does it."""

import ast
import inspect
import textwrap

import pytest

from graphdoctor.source.nodes import spelled, walk

WITHOUT_PARTS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
TREES = [
    pytest.param(ast.parse(inspect.getsource(module)), id=module.__name__)
    for module in (ast, inspect, textwrap)
]


@pytest.mark.parametrize("tree", TREES)
def test_all_nodes_come_in_the_order_of_ast_walk(tree: ast.Module) -> None:
    expected = [node for node in ast.walk(tree) if not isinstance(node, WITHOUT_PARTS)]
    assert len(expected) > 1_000
    assert walk(tree) == expected


@pytest.mark.parametrize("tree", TREES)
def test_expressions_are_spelled_as_ast_unparses_them(tree: ast.Module) -> None:
    found = [node for node in walk(tree) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))]
    assert {type(node) for node in found} == {ast.Name, ast.Attribute, ast.Subscript}
    assert [spelled(node) for node in found] == [ast.unparse(node) for node in found]


@pytest.mark.parametrize("text", ["(1).real", "(a + b).shape", "f(x).y.z", "a.b[0].c", "(await x).y"])
def test_attributes_of_what_is_no_name_are_spelled_too(text: str) -> None:
    node = ast.parse(text, mode="eval").body
    assert spelled(node) == ast.unparse(node)
