"""Where a program's code stands: in `main`, in closures, in classes; what makes a graph function."""

import ast

from tests.variants.syntax import (
    Definition,
    Function,
    after_imports,
    bound,
    declares_global,
    definitions,
    expression,
    fresh,
    graph_functions,
    graph_methods,
    is_graph_function,
    keywords_text,
    loaded,
    made_with,
    module,
    objects_are_named,
    only_called,
    options,
    replace_names,
    script,
    split,
    statement,
    statements,
)
from tests.variants.variants import variant


def _function(name: str, body: list[ast.stmt]) -> ast.FunctionDef:
    function = statement(f"def {name}():\n    pass")
    assert isinstance(function, ast.FunctionDef)
    function.body = body
    return function


def _rebinding_outwards(body: list[ast.stmt], names: set[str]) -> None:
    """`global x` becomes `nonlocal x`, for names that are now a function's own."""
    for node in (part for line in body for part in ast.walk(line)):
        for field in ("body", "orelse", "finalbody"):
            lines = getattr(node, field, None)
            if isinstance(lines, list):
                lines[:] = [
                    ast.Nonlocal(line.names)
                    if isinstance(line, ast.Global) and names >= set(line.names)
                    else line
                    for line in lines
                ]


@variant
def in_main(tree: ast.Module) -> ast.Module | None:
    """All of it inside `main()`."""
    imports, rest = split(tree)
    name = fresh(tree, "main")
    _rebinding_outwards(rest, bound(rest))
    if not rest or declares_global(tree):
        return None
    guard = statements(f"if __name__ == '__main__':\n    {name}()")
    return module(imports, [_function(name, rest)], guard)


@variant
def script_in_main(tree: ast.Module) -> ast.Module | None:
    """What it does is inside `main()`; functions, classes and the names that they read stay outside."""
    imports, _ = split(tree)
    defined, doing = definitions(tree), script(tree)
    own = bound(doing)
    if not defined or not doing or own & set().union(*map(made_with, defined)):
        return None
    shared = sorted(own & loaded(defined))
    body = [*([ast.Global(shared)] if shared else []), *doing]
    name = fresh(tree, "main")
    guard = statements(f"if __name__ == '__main__':\n    {name}()")
    return module(imports, defined, [_function(name, body)], guard)


@variant
def in_closures(tree: ast.Module) -> ast.Module | None:
    """A function makes everything and returns the function that does it."""
    imports, rest = split(tree)
    defined = [number for number, node in enumerate(rest) if isinstance(node, Definition)]
    _rebinding_outwards(rest, bound(rest))
    if not defined or defined[-1] == len(rest) - 1 or declares_global(tree):
        return None
    first, doing = rest[: defined[-1] + 1], rest[defined[-1] + 1 :]
    build, run = fresh(tree, "build"), fresh(tree, "run")
    shared = sorted(bound(first) & bound(doing))
    body = [*([ast.Nonlocal(shared)] if shared else []), *doing]
    made = _function(build, [*first, _function(run, body), *statements(f"return {run}")])
    return module(imports, [made], statements(f"{build}()()"))


def _in_class(tree: ast.Module, text: str, *, bound_to_object: bool) -> ast.Module | None:
    """The graph functions as methods of one class, where the first of them stood; `text` makes its object."""
    functions = graph_functions(tree)
    if not functions:
        return None
    owner, instance = fresh(tree, "Steps"), fresh(tree, "steps")
    place = tree.body.index(functions[0])
    methods = statement(f"class {owner}:\n    pass")
    assert isinstance(methods, ast.ClassDef)
    methods.body = list(functions)
    tree.body = [node for node in tree.body if node not in functions]
    tree.body[place:place] = [methods, *statements(text.format(instance=instance, owner=owner))]
    uses = {function.name: expression(f"{instance}.{function.name}") for function in functions}
    replace_names(tree, uses)
    for function in functions:
        if bound_to_object:
            function.args.args.insert(0, ast.arg("self"))
        else:
            function.decorator_list.insert(0, expression("staticmethod"))
    return tree


@variant
def method(tree: ast.Module) -> ast.Module | None:
    """Graph functions are methods of a class."""
    return _in_class(tree, "{instance} = {owner}()", bound_to_object=True)


@variant
def static_method(tree: ast.Module) -> ast.Module | None:
    """Graph functions are static methods."""
    return _in_class(tree, "{instance} = {owner}", bound_to_object=False)


@variant
def callable_object(tree: ast.Module) -> ast.Module | None:
    """Each graph function is the `__call__` of an object."""
    functions = graph_functions(tree)
    if not functions or not all(only_called(tree, function.name) for function in functions):
        return None
    for function in functions:
        owner = fresh(tree, function.name.title().replace("_", ""))
        name, function.name = function.name, "__call__"
        function.args.args.insert(0, ast.arg("self"))
        made = statement(f"class {owner}:\n    pass")
        assert isinstance(made, ast.ClassDef)
        made.body = [function]
        place = tree.body.index(function)
        tree.body[place : place + 1] = [made, statement(f"{name} = {owner}()")]
    return tree


@variant
def base_class(tree: ast.Module) -> ast.Module | None:
    """The methods stand in a base class, the objects are of a class derived from it."""
    tree = method(tree) or tree  # type: ignore[assignment]
    owners = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.decorator_list]
    for owner in owners:
        derived = owner.name
        owner.name = fresh(tree, f"{derived}Base")
        place = tree.body.index(owner) + 1
        tree.body.insert(place, statement(f"class {derived}({owner.name}):\n    pass"))
    return tree if owners else None


@variant
def overriding_method(tree: ast.Module) -> ast.Module | None:
    """The graph function calls a method that a derived class gives; the base class has an empty one."""
    functions = [function for function in graph_functions(tree) if isinstance(function, ast.FunctionDef)]
    if not functions:
        return None
    uses = {}
    for function in functions:
        name, inner = function.name, fresh(tree, f"{function.name}_body")
        base, derived = fresh(tree, f"Base_{name}"), fresh(tree, f"Derived_{name}")
        instance = fresh(tree, f"object_{name}")
        parameters = [parameter.arg for parameter in function.args.args]
        listed = "".join(f", {parameter}" for parameter in parameters)
        decorator = ast.unparse(function.decorator_list.pop())
        lines = statements(
            f"class {base}:\n"
            f"    @{decorator}\n"
            f"    def {name}(self{listed}):\n"
            f"        return self.{inner}({', '.join(parameters)})\n"
            f"    def {inner}(self{listed}):\n"
            f"        raise NotImplementedError\n"
            f"class {derived}({base}):\n"
            f"    pass\n"
            f"{instance} = {derived}()\n"
        )
        owner = lines[1]
        assert isinstance(owner, ast.ClassDef)
        owner.body = [function]
        function.name = inner
        function.args.args.insert(0, ast.arg("self"))
        place = tree.body.index(function)
        tree.body[place : place + 1] = lines
        uses[name] = expression(f"{instance}.{name}")
    replace_names(tree, uses)
    return tree


def _all_graph_functions(tree: ast.Module) -> list[tuple[list[ast.stmt], Function]]:
    """Every graph function in it, with the statements among which it stands."""
    found = []
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list):
                found += [
                    (body, line) for line in body if isinstance(line, Function) and is_graph_function(line)
                ]
    return found


@variant
def wrapping_call(tree: ast.Module) -> ast.Module | None:
    """`step = tf.function(step)` behind the function, in the place of the decorator."""
    functions = _all_graph_functions(tree)
    for body, function in functions:
        name = function.name
        line = statement(f"{name} = tf.function({name}{keywords_text(options(function))})")
        body.insert(body.index(function) + 1, line)
        function.decorator_list = []
    return tree if functions else None


@variant
def wrapped_under_another_name(tree: ast.Module) -> ast.Module | None:
    """`step_graph = tf.function(step)`, and calls of `step_graph`."""
    functions = graph_functions(tree)
    for function in functions:
        name, graph = function.name, fresh(tree, f"{function.name}_graph")
        replace_names(tree, {name: expression(graph)})
        line = statement(f"{graph} = tf.function({name}{keywords_text(options(function))})")
        tree.body.insert(tree.body.index(function) + 1, line)
        function.decorator_list = []
    return tree if functions else None


def _wrapped_in_constructor(tree: ast.Module, owner: ast.ClassDef, methods: list[Function]) -> None:
    constructor = next(
        (node for node in owner.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"), None
    )
    if constructor is None:
        made = statement("def __init__(self):\n    super().__init__()")
        assert isinstance(made, ast.FunctionDef)
        constructor = made
        owner.body.insert(0, constructor)
    for function in methods:
        inner = fresh(tree, f"_{function.name}")
        given = keywords_text(options(function))
        constructor.body.append(statement(f"self.{function.name} = tf.function(self.{inner}{given})"))
        function.name = inner
        function.decorator_list = []


@variant
def wrapped_in_constructor(tree: ast.Module) -> ast.Module | None:
    """`self.step = tf.function(self._step)` in `__init__`."""
    tree = method(tree) or tree  # type: ignore[assignment]
    owned: dict[str, tuple[ast.ClassDef, list[Function]]] = {}
    for owner, function in graph_methods(tree):
        # A temporary object would live on in the graph function that it holds.
        if not function.name.startswith("__") and objects_are_named(tree, owner.name):
            owned.setdefault(owner.name, (owner, []))[1].append(function)
    for owner, methods in owned.values():
        _wrapped_in_constructor(tree, owner, methods)
    return tree if owned else None


def _decorated(tree: ast.Module, name: str, lines: str, *, arguments: bool) -> ast.Module | None:
    """Graph functions with a decorator of the program's own, whose wrapper is an ordinary function."""
    functions = [function for function in graph_functions(tree) if only_called(tree, function.name)]
    functions += [function for owner, function in graph_methods(tree) if objects_are_named(tree, owner.name)]
    if not arguments:
        functions = [function for function in functions if not options(function)]
    for function in functions:
        call = f"{name}({keywords_text(options(function)).lstrip(', ')})"
        function.decorator_list = [expression(call if arguments else name)]
    return after_imports(tree, statements(lines.replace("NAME", name))) if functions else None


WITH_WRAPS = """\
import functools
def NAME(function):
    graph = tf.function(function)
    @functools.wraps(function)
    def call(*arguments, **keywords):
        return graph(*arguments, **keywords)
    return call
"""
WITH_ARGUMENTS = """\
import functools
def NAME(**options):
    def decorate(function):
        graph = tf.function(function, **options)
        @functools.wraps(function)
        def call(*arguments, **keywords):
            return graph(*arguments, **keywords)
        return call
    return decorate
"""


@variant
def own_decorator(tree: ast.Module) -> ast.Module | None:
    """A decorator of the program's own makes the graph function, and uses `functools.wraps`."""
    return _decorated(tree, fresh(tree, "traced"), WITH_WRAPS, arguments=False)


@variant
def own_decorator_without_wraps(tree: ast.Module) -> ast.Module | None:
    """The same without `functools.wraps`."""
    lines = WITH_WRAPS.replace("    @functools.wraps(function)\n", "").replace("import functools\n", "")
    return _decorated(tree, fresh(tree, "traced"), lines, arguments=False)


@variant
def own_decorator_with_arguments(tree: ast.Module) -> ast.Module | None:
    """`@traced(jit_compile=True)`, a decorator of the program's own that takes the options."""
    return _decorated(tree, fresh(tree, "traced"), WITH_ARGUMENTS, arguments=True)


@variant
def decorator_returns_the_graph_function(tree: ast.Module) -> ast.Module | None:
    """A decorator of the program's own that gives back `tf.function(function, …)` itself."""
    functions = _all_graph_functions(tree)
    name = fresh(tree, "traced")
    for _, function in functions:
        function.decorator_list = [expression(f"{name}({keywords_text(options(function)).lstrip(', ')})")]
    lines = f"def {name}(**options):\n    return lambda function: tf.function(function, **options)"
    return after_imports(tree, statements(lines)) if functions else None


PASSING_ON = """\
import functools
def NAME(function):
    @functools.wraps(function)
    def call(*arguments, **keywords):
        return function(*arguments, **keywords)
    return call
"""


@variant
def decorator_over_it(tree: ast.Module) -> ast.Module | None:
    """Another decorator stands over `@tf.function`, and passes its calls on."""
    functions = [function for function in graph_functions(tree) if only_called(tree, function.name)]
    name = fresh(tree, "passing_on")
    for function in functions:
        function.decorator_list.insert(0, expression(name))
    return after_imports(tree, statements(PASSING_ON.replace("NAME", name))) if functions else None


@variant
def decorator_under_it(tree: ast.Module) -> ast.Module | None:
    """Another decorator stands under `@tf.function`: the graph function is that one's wrapper."""
    functions = [node for node in graph_functions(tree) if isinstance(node, ast.FunctionDef)]
    name = fresh(tree, "passing_on")
    for function in functions:
        function.decorator_list.append(expression(name))
    return after_imports(tree, statements(PASSING_ON.replace("NAME", name))) if functions else None


@variant
def partial_as_decorator(tree: ast.Module) -> ast.Module | None:
    """`graph = functools.partial(tf.function, …)`, and `@graph`."""
    functions = _all_graph_functions(tree)
    lines = "import functools\n"
    names: dict[str, str] = {}
    for _, function in functions:
        given = keywords_text(options(function))
        if given not in names:
            names[given] = fresh(tree, f"graph{len(names) or ''}")
            lines += f"{names[given]} = functools.partial(tf.function{given})\n"
        function.decorator_list = [expression(names[given])]
    return after_imports(tree, statements(lines)) if functions else None
