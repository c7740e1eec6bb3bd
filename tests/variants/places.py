"""Where functions and objects are made and kept: factories, registries, lists."""

import ast

from tests.variants.syntax import (
    after_imports,
    expression,
    fresh,
    graph_functions,
    replace_names,
    statement,
    statements,
)
from tests.variants.variants import variant


@variant
def factory(tree: ast.Module) -> ast.Module | None:
    """A function makes the graph function and returns it."""
    functions = graph_functions(tree)
    for function in functions:
        make = fresh(tree, f"make_{function.name}")
        made = statement(f"def {make}():\n    pass")
        assert isinstance(made, ast.FunctionDef)
        made.body = [function, statements(f"def _():\n    return {function.name}")[0].body[0]]  # type: ignore
        place = tree.body.index(function)
        tree.body[place : place + 1] = [made, statement(f"{function.name} = {make}()")]
    return tree if functions else None


@variant
def factory_wraps_the_function(tree: ast.Module) -> ast.Module | None:
    """A function takes the plain function and returns `tf.function` of it."""
    functions = [
        function
        for function in graph_functions(tree)
        if isinstance(function.decorator_list[0], ast.Attribute)
    ]
    make = fresh(tree, "compiled")
    for function in functions:
        function.decorator_list = []
        line = statement(f"{function.name} = {make}({function.name})")
        tree.body.insert(tree.body.index(function) + 1, line)
    lines = f"def {make}(function):\n    return tf.function(function)"
    return after_imports(tree, statements(lines)) if functions else None


@variant
def object_factory(tree: ast.Module) -> ast.Module | None:
    """A function makes the objects of the program's classes."""
    owners = {
        node.name: fresh(tree, f"make_{node.name.lower()}")
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }
    used = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) in owners
    ]
    for call in used:
        call.func = expression(owners[ast.unparse(call.func)])
    for name, make in owners.items():
        lines = f"def {make}(*arguments, **keywords):\n    return {name}(*arguments, **keywords)"
        place = next(
            n for n, node in enumerate(tree.body) if isinstance(node, ast.ClassDef) and node.name == name
        )
        tree.body[place + 1 : place + 1] = statements(lines)
    return tree if used else None


@variant
def registry(tree: ast.Module) -> ast.Module | None:
    """A decorator puts graph functions into a dict, and the dict is where they are called from."""
    functions = graph_functions(tree)
    kept, register = fresh(tree, "REGISTRY"), fresh(tree, "register")
    replace_names(tree, {one.name: expression(f"{kept}[{one.name!r}]") for one in functions})
    for function in functions:
        function.decorator_list.insert(0, expression(f"{register}({function.name!r})"))
    lines = f"""\
{kept} = {{}}
def {register}(name):
    def keep(function):
        {kept}[name] = function
        return function
    return keep
"""
    return after_imports(tree, statements(lines)) if functions else None


@variant
def list_of_functions(tree: ast.Module) -> ast.Module | None:
    """Graph functions are called from a list."""
    functions = graph_functions(tree)
    kept = fresh(tree, "functions")
    replace_names(tree, {one.name: expression(f"{kept}[{place}]") for place, one in enumerate(functions)})
    for function in functions:
        line = statement(f"{kept}.append({function.name})")
        tree.body.insert(tree.body.index(function) + 1, line)
    return after_imports(tree, statements(f"{kept} = []")) if functions else None


@variant
def attribute_of_an_object(tree: ast.Module) -> ast.Module | None:
    """Graph functions are called from an object's attributes."""
    functions = graph_functions(tree)
    kept, kind = fresh(tree, "kept"), fresh(tree, "Kept")
    replace_names(tree, {one.name: expression(f"{kept}.{one.name}") for one in functions})
    for function in functions:
        line = statement(f"{kept}.{function.name} = {function.name}")
        tree.body.insert(tree.body.index(function) + 1, line)
    lines = f"class {kind}:\n    pass\n{kept} = {kind}()"
    return after_imports(tree, statements(lines)) if functions else None
