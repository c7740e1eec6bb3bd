"""What stands around statements: generators, comprehensions, `with`, `try`, a flag."""

import ast
from collections.abc import Iterator

from tests.variants.syntax import (
    Definition,
    Function,
    after_imports,
    bound,
    definitions,
    expression,
    fresh,
    graph_functions,
    graph_methods,
    has_yield,
    loaded,
    made_with,
    module,
    script,
    split,
    statement,
    statements,
)
from tests.variants.variants import variant


def _bodies(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """A script's lists of statements, outermost first; not those of functions and classes."""
    yield body
    for line in body:
        if not isinstance(line, Definition):
            for field in ("body", "orelse", "finalbody"):
                if isinstance(getattr(line, field, None), list):
                    yield from _bodies(getattr(line, field))


def _loops(tree: ast.Module) -> list[tuple[list[ast.stmt], ast.For]]:
    """The `for` loops of the script, each with the statements among which it stands."""
    return [(body, line) for body in _bodies(tree.body) for line in body if isinstance(line, ast.For)]


@variant
def generator(tree: ast.Module) -> ast.Module | None:
    """The script's loops go over a generator."""
    loops = _loops(tree)
    name = fresh(tree, "rounds")
    for _, loop in loops:
        loop.iter = ast.Call(expression(name), [loop.iter], [])
    lines = f"def {name}(values):\n    for value in values:\n        yield value"
    return after_imports(tree, statements(lines)) if loops else None


@variant
def generator_expression(tree: ast.Module) -> ast.Module | None:
    """The script's loops go over a generator expression."""
    loops = _loops(tree)
    name = fresh(tree, "value")
    for _, loop in loops:
        loop.iter = ast.GeneratorExp(
            ast.Name(name, ast.Load()),
            [ast.comprehension(ast.Name(name, ast.Store()), loop.iter, [], 0)],
        )
    return tree if loops else None


@variant
def enumerated(tree: ast.Module) -> ast.Module | None:
    """The script's loops go over `enumerate`."""
    loops = _loops(tree)
    for _, loop in loops:
        counted = ast.Name(fresh(tree, "count"), ast.Store())
        loop.target = ast.Tuple([counted, loop.target], ast.Store())
        loop.iter = ast.Call(expression("enumerate"), [loop.iter], [])
    return tree if loops else None


@variant
def comprehension(tree: ast.Module) -> ast.Module | None:
    """A loop of the script that only calls is a list comprehension."""
    count = 0
    for body, loop in _loops(tree):
        calls = [line.value for line in loop.body if isinstance(line, ast.Expr)]
        target = bound([loop.target])
        others = loaded(node for node in tree.body if node is not loop)
        if len(calls) != len(loop.body) or loop.orelse or (target - {"_"}) & others:
            continue
        element = calls[0] if len(calls) == 1 else ast.Tuple(calls, ast.Load())
        made = ast.ListComp(element, [ast.comprehension(loop.target, loop.iter, [], 0)])
        body[body.index(loop)] = ast.copy_location(ast.Expr(made), loop)
        count += 1
    return tree if count else None


@variant
def while_over_an_iterator(tree: ast.Module) -> ast.Module | None:
    """The script's loops are `while` loops that ask an iterator until it ends."""
    loops = [(body, loop) for body, loop in _loops(tree) if not loop.orelse]
    for body, loop in loops:
        name, end = fresh(tree, "iterator"), fresh(tree, "END")
        first = statements(f"{end} = object()\n{name} = iter({ast.unparse(loop.iter)})")
        item = fresh(tree, "item")
        iteration = statement(f"while ({item} := next({name}, {end})) is not {end}:\n    pass")
        assert isinstance(iteration, ast.While)
        iteration.body = [ast.Assign([loop.target], expression(item), lineno=0), *loop.body]
        place = body.index(loop)
        body[place : place + 1] = [*first, iteration]
    return tree if loops else None


def _around_script(tree: ast.Module, top: str, line: str) -> ast.Module | None:
    """The script inside a compound statement; definitions that need what it makes stand inside, too."""
    imports, rest = split(tree)
    first: list[ast.stmt] = []
    while rest and isinstance(rest[0], Definition):
        first.append(rest.pop(0))
    if not rest:
        return None
    around = statement(line)
    around.body = rest  # type: ignore[attr-defined]
    return after_imports(module(imports, first, [around]), statements(top))


@variant
def context_manager(tree: ast.Module) -> ast.Module | None:
    """The script stands inside a `with`, whose context manager is made of a generator."""
    name = fresh(tree, "section")
    top = f"import contextlib\n@contextlib.contextmanager\ndef {name}():\n    yield"
    return _around_script(tree, top, f"with {name}():\n    pass")


@variant
def context_manager_class(tree: ast.Module) -> ast.Module | None:
    """The script stands inside a `with`, whose context manager is an object of a class."""
    name = fresh(tree, "Section")
    top = f"""\
class {name}:
    def __enter__(self):
        return self
    def __exit__(self, *error):
        return False
"""
    return _around_script(tree, top, f"with {name}():\n    pass")


@variant
def device(tree: ast.Module) -> ast.Module | None:
    """The script stands inside `with tf.device(…)`."""
    return _around_script(tree, "", "with tf.device('/CPU:0'):\n    pass")


@variant
def inside_try(tree: ast.Module) -> ast.Module | None:
    """The script stands inside a `try` that waits for Ctrl-C."""
    return _around_script(tree, "", "try:\n    pass\nexcept KeyboardInterrupt:\n    pass")


@variant
def inside_try_finally(tree: ast.Module) -> ast.Module | None:
    """The script stands inside a `try` with a `finally`."""
    return _around_script(tree, "", "try:\n    pass\nfinally:\n    pass")


@variant
def under_a_flag(tree: ast.Module) -> ast.Module | None:
    """The script stands under a condition that is true."""
    name = fresh(tree, "TRAINING")
    return _around_script(tree, f"{name} = True", f"if {name}:\n    pass")


@variant
def in_a_generator(tree: ast.Module) -> ast.Module | None:
    """The script is the body of a generator that a loop goes through."""
    imports, _ = split(tree)
    defined, doing = definitions(tree), script(tree)
    own = bound(doing)
    if own & set().union(*map(made_with, defined)) or not doing:
        return None
    shared = sorted(own & loaded(defined))
    name = fresh(tree, "steps")
    made = statement(f"def {name}():\n    pass")
    assert isinstance(made, ast.FunctionDef)
    made.body = [*([ast.Global(shared)] if shared else []), *doing, *statements("yield")]
    return module(imports, defined, [made], statements(f"for _ in {name}():\n    pass"))


def _around_bodies(tree: ast.Module, line: str) -> ast.Module | None:
    """The bodies of graph functions inside a compound statement."""
    functions: list[Function] = [*graph_functions(tree), *(method for _, method in graph_methods(tree))]
    functions = [function for function in functions if not has_yield(function)]
    for function in functions:
        around = statement(line)
        # Declarations and docstrings stay in front.
        first = [node for node in function.body if isinstance(node, ast.Global | ast.Nonlocal)]
        around.body = [node for node in function.body if node not in first]  # type: ignore[attr-defined]
        function.body = [*first, around]
    return tree if functions else None


@variant
def body_under_a_name_scope(tree: ast.Module) -> ast.Module | None:
    """The body of a graph function stands inside `with tf.name_scope(…)`."""
    return _around_bodies(tree, "with tf.name_scope('step'):\n    pass")


@variant
def body_under_a_device(tree: ast.Module) -> ast.Module | None:
    """The body of a graph function stands inside `with tf.device(…)`."""
    return _around_bodies(tree, "with tf.device('/CPU:0'):\n    pass")
