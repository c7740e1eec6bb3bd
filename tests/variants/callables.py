"""How a function is called, and what stands between the caller and the code."""

import ast

from tests.variants.syntax import (
    Function,
    after_imports,
    called_function,
    expression,
    fresh,
    graph_functions,
    graph_methods,
    has_yield,
    keywords_text,
    options,
    plain_parameters,
    replace_calls,
    statement,
    statements,
    without_self,
)
from tests.variants.variants import variant


def _rewrapped(tree: ast.Module, wrapped: str) -> ast.Module | None:
    """Graph functions made by a call behind them; `wrapped` says of what, with NAME and PARAMETERS in it."""
    functions = [node for node in graph_functions(tree) if plain_parameters(node) is not None]
    for function in functions:
        name, given = function.name, keywords_text(options(function))
        parameters = ", ".join(plain_parameters(function) or [])
        inner = wrapped
        if "PARAMETERS" in wrapped:
            function.name = fresh(tree, f"{name}_body")
            inner = wrapped.replace("PARAMETERS", parameters)
        inner = inner.replace("NAME", function.name)
        tree.body.insert(tree.body.index(function) + 1, statement(f"{name} = tf.function({inner}{given})"))
        function.decorator_list = []
    return tree if functions else None


@variant
def partial_of_it(tree: ast.Module) -> ast.Module | None:
    """`tf.function(functools.partial(step))`."""
    new = _rewrapped(tree, "functools.partial(NAME)")
    return after_imports(new, statements("import functools")) if new else None


@variant
def lambda_around_it(tree: ast.Module) -> ast.Module | None:
    """`tf.function(lambda x: step(x))`."""
    return _rewrapped(tree, "lambda PARAMETERS: NAME(PARAMETERS)")


@variant
def lambda_itself(tree: ast.Module) -> ast.Module | None:
    """A function that only returns something is a lambda."""
    count = 0
    for function in graph_functions(tree):
        if isinstance(function, ast.FunctionDef) and len(function.body) == 1:
            (line,) = function.body
            if isinstance(line, ast.Return) and line.value:
                made = ast.Lambda(function.args, line.value)
                call = f"{function.name} = tf.function(None{keywords_text(options(function))})"
                new = statement(call)
                assert isinstance(new, ast.Assign)
                assert isinstance(new.value, ast.Call)
                new.value.args = [made]
                tree.body[tree.body.index(function)] = ast.copy_location(new, line)
                count += 1
    return tree if count else None


def _helped(tree: ast.Module, depth: int) -> ast.Module | None:
    owners: list[tuple[list[ast.stmt], Function, str]] = [
        (tree.body, function, "") for function in graph_functions(tree)
    ]
    owners += [(owner.body, function, "self.") for owner, function in graph_methods(tree)]
    changed = False
    for body, function, through in owners:
        names = plain_parameters(function)
        if names is None or has_yield(function) or isinstance(function, ast.AsyncFunctionDef):
            continue
        given = ", ".join(name for name in names if not (through and name == "self"))
        for number in range(depth):
            inner = fresh(tree, f"{function.name.strip('_')}_part{number or ''}")
            helper = statement(f"def {inner}({', '.join(names)}):\n    pass")
            assert isinstance(helper, ast.FunctionDef)
            helper.body = function.body
            function.body = statements(f"def _():\n    return {through}{inner}({given})")[0].body  # type: ignore
            body.insert(body.index(function), helper)
            changed = True
    return tree if changed else None


@variant
def body_in_a_helper(tree: ast.Module) -> ast.Module | None:
    """A graph function's body stands in a function that it calls."""
    return _helped(tree, 1)


@variant
def body_three_calls_deep(tree: ast.Module) -> ast.Module | None:
    """The same, through three functions."""
    return _helped(tree, 3)


def _own(tree: ast.Module, call: ast.Call) -> Function | None:
    """The program's own function that a call with ordinary arguments reaches."""
    starred = any(isinstance(one, ast.Starred) for one in call.args) or any(
        not one.arg for one in call.keywords
    )
    return None if starred else called_function(tree, call)


@variant
def called_through_a_function(tree: ast.Module) -> ast.Module | None:
    """A function of the same parameters calls it."""
    new: dict[str, list[ast.stmt]] = {}

    def through(call: ast.Call) -> ast.expr | None:
        function = _own(tree, call)
        if function is None or not isinstance(call.func, ast.Name) or call.keywords:
            return None
        names = plain_parameters(function)
        if names is None or len(names) != len(call.args):
            return None
        caller = fresh(tree, f"run_{function.name}")
        listed = ", ".join(names)
        new[caller] = statements(f"def {caller}({listed}):\n    return {function.name}({listed})")
        return ast.Call(expression(caller), call.args, call.keywords)

    return after_imports(tree, *new.values()) if replace_calls(tree, through) else None


@variant
def called_with_star_arguments(tree: ast.Module) -> ast.Module | None:
    """A function that takes `*arguments, **keywords` calls what it is given."""
    name = fresh(tree, "call")

    def through(call: ast.Call) -> ast.expr | None:
        return (
            ast.Call(expression(name), [call.func, *call.args], call.keywords) if _own(tree, call) else None
        )

    lines = f"def {name}(function, *arguments, **keywords):\n    return function(*arguments, **keywords)"
    return after_imports(tree, statements(lines)) if replace_calls(tree, through) else None


@variant
def partial_at_the_call(tree: ast.Module) -> ast.Module | None:
    """`functools.partial(step, x)(y)`."""

    def through(call: ast.Call) -> ast.expr | None:
        if not _own(tree, call) or not call.args:
            return None
        made = ast.Call(expression("functools.partial"), [call.func, call.args[0]], [])
        return ast.Call(made, call.args[1:], call.keywords)

    return after_imports(tree, statements("import functools")) if replace_calls(tree, through) else None


@variant
def lambda_at_the_call(tree: ast.Module) -> ast.Module | None:
    """`(lambda x, y: step(x, y))(…)`."""

    def through(call: ast.Call) -> ast.expr | None:
        function = _own(tree, call)
        names = without_self(function) if function else None
        if names is None or len(names) != len(call.args) or call.keywords:
            return None
        if not isinstance(call.func, ast.Name):
            return None
        listed = ", ".join(names)
        return ast.Call(expression(f"lambda {listed}: {call.func.id}({listed})"), call.args, [])

    return tree if replace_calls(tree, through) else None


def _named(tree: ast.Module, call: ast.Call) -> list[tuple[str, ast.expr]] | None:
    """A call's positional arguments with their names."""
    function = _own(tree, call)
    names = without_self(function) if function else None
    if not names or not call.args or len(call.args) > len(names):
        return None
    return list(zip(names, call.args, strict=False))


@variant
def keywords(tree: ast.Module) -> ast.Module | None:
    """Arguments are given by name."""

    def through(call: ast.Call) -> ast.expr | None:
        named = _named(tree, call)
        if named is None:
            return None
        return ast.Call(call.func, [], [ast.keyword(name, value) for name, value in named] + call.keywords)

    return tree if replace_calls(tree, through) else None


@variant
def unpacked_dict(tree: ast.Module) -> ast.Module | None:
    """Arguments come from a dict: `step(**{"x": x})`."""

    def through(call: ast.Call) -> ast.expr | None:
        named = _named(tree, call)
        if named is None:
            return None
        given = ast.Dict([ast.Constant(name) for name, _ in named], [value for _, value in named])
        return ast.Call(call.func, [], [ast.keyword(None, given), *call.keywords])

    return tree if replace_calls(tree, through) else None


@variant
def unpacked_list(tree: ast.Module) -> ast.Module | None:
    """Arguments come from a list: `step(*[x, y])`."""

    def through(call: ast.Call) -> ast.expr | None:
        if not _own(tree, call) or not call.args:
            return None
        return ast.Call(call.func, [ast.Starred(ast.List(call.args, ast.Load()), ast.Load())], call.keywords)

    return tree if replace_calls(tree, through) else None
