"""The names of definitions are those of the whole walk, without it."""

import ast
from inspect import cleandoc

from graphdoctor.source import parse_module

PROGRAM = """
def plain(): pass
class Outer:
    def method(self):
        def inner():
            return [lambda: 1 for _ in range(3)]
        return inner
    class Inner:
        async def method(self): pass
if True:
    try:
        def tried(): pass
    except ValueError:
        def handled(): pass
    else:
        def otherwise(): pass
    finally:
        def at_last(): pass
for _ in ():
    with open("x"):
        match _:
            case 1:
                def matched(): pass
while False:
    pass
else:
    def after(): return lambda x: (lambda y: x)
"""


def test_every_definition_has_the_name_that_its_scope_has() -> None:
    module = parse_module("program.py", cleandoc(PROGRAM) + "\n", 3)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    nodes = [node for node in ast.walk(module.tree) if isinstance(node, kinds)]
    names = {module.name_of(node) for node in nodes}
    assert "walk" not in vars(module)
    assert names == {module.walk.scopes[node].name for node in nodes}
    assert len(nodes) == 15
