"""What the transformations share: making pieces of syntax; finding and replacing functions, names, calls."""

import ast
import copy
import itertools
from collections.abc import Callable, Iterable, Iterator

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Function = ast.FunctionDef | ast.AsyncFunctionDef
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def statements(text: str) -> list[ast.stmt]:
    """The statements of a text; they have no place of their own."""
    body = ast.parse(text).body
    for node in (node for statement in body for node in ast.walk(statement)):
        if hasattr(node, "lineno"):
            node.lineno = 0
    return body


def statement(text: str) -> ast.stmt:
    """The one statement of a text."""
    (only,) = statements(text)
    return only


def expression(text: str) -> ast.expr:
    """The expression of a text."""
    only = statement(text)
    assert isinstance(only, ast.Expr)
    return only.value


def is_import(node: ast.stmt) -> bool:
    """Whether it imports."""
    return isinstance(node, ast.Import | ast.ImportFrom)


def split(tree: ast.Module) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The imports that open a program, and the rest."""
    rest = list(itertools.dropwhile(is_import, tree.body))
    return tree.body[: len(tree.body) - len(rest)], rest


def module(*parts: Iterable[ast.stmt]) -> ast.Module:
    """A program of these statements."""
    return ast.Module([statement for part in parts for statement in part], [])


def after_imports(tree: ast.Module, *parts: Iterable[ast.stmt]) -> ast.Module:
    """The program with these statements between its imports and the rest; imports among them come first."""
    imports, rest = split(tree)
    new = [statement for part in parts for statement in part]
    known = {ast.unparse(line) for line in imports}
    fresh = [line for line in new if is_import(line) and ast.unparse(line) not in known]
    return module(fresh, imports, [line for line in new if not is_import(line)], rest)


def definitions(tree: ast.Module) -> list[Definition]:
    """The functions and classes at the top of a program."""
    return [node for node in tree.body if isinstance(node, Definition)]


def script(tree: ast.Module) -> list[ast.stmt]:
    """What a program does at its top: neither imports nor definitions."""
    return [node for node in tree.body if not is_import(node) and not isinstance(node, Definition)]


def is_tf_function(node: ast.expr) -> bool:
    """Whether an expression is `tf.function`, or `tf.function(…)` as a decorator."""
    return ast.unparse(node.func if isinstance(node, ast.Call) else node) == "tf.function"


def is_graph_function(node: ast.AST) -> bool:
    """Whether it is a function with `tf.function` as its only decorator."""
    return (
        isinstance(node, Function)
        and len(node.decorator_list) == 1
        and is_tf_function(node.decorator_list[0])
    )


def graph_functions(tree: ast.Module) -> list[Function]:
    """The graph functions at the top of a program."""
    return [node for node in tree.body if isinstance(node, Function) and is_graph_function(node)]


def graph_methods(tree: ast.Module) -> Iterator[tuple[ast.ClassDef, Function]]:
    """The graph functions in the classes at the top of a program."""
    for owner in tree.body:
        if isinstance(owner, ast.ClassDef):
            for node in owner.body:
                if isinstance(node, Function) and is_graph_function(node):
                    yield owner, node


def options(function: Function) -> list[ast.keyword]:
    """What a graph function's decorator says."""
    (decorator,) = function.decorator_list
    return decorator.keywords if isinstance(decorator, ast.Call) else []


def plain_parameters(function: Function | ast.Lambda) -> list[str] | None:
    """The parameters' names, where each can be given by position and by name, and none has a default."""
    given = function.args
    if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults:
        return None
    return [parameter.arg for parameter in given.args]


def has_yield(function: Function) -> bool:
    """Whether a function's own body yields or awaits."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Await) for node in ast.walk(function))


def names_in(node: ast.AST) -> set[str]:
    """Every identifier in it."""
    found = set()
    for part in ast.walk(node):
        for field in ("id", "arg", "name", "attr", "asname", "module"):
            value = getattr(part, field, None)
            if isinstance(value, str):
                found.add(value)
    return found


def fresh(tree: ast.AST, name: str) -> str:
    """This name, or one with a number, that stands nowhere in the program."""
    taken = names_in(tree)
    candidates = itertools.chain([name], (f"{name}_{number}" for number in itertools.count(2)))
    return next(candidate for candidate in candidates if candidate not in taken)


def walk_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of one scope: not the insides of functions and classes, but those themselves."""
    for node in nodes:
        yield node
        if not isinstance(node, SCOPES):
            yield from walk_scope(ast.iter_child_nodes(node))


def bound(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that a scope binds."""
    found = set()
    for node in walk_scope(nodes):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, Definition):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found


def loaded(nodes: Iterable[ast.AST]) -> set[str]:
    """Every name that is read or changed anywhere in these nodes, however deep."""
    found = set()
    for node in (part for whole in nodes for part in ast.walk(whole)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            found.update(node.names)
    return found


def made_with(definition: Definition) -> set[str]:
    """The names that making a function or class reads at once: decorators, defaults, bases, class bodies."""
    parts: list[ast.AST] = list(definition.decorator_list)
    if isinstance(definition, ast.ClassDef):
        inner = [node for node in definition.body if not isinstance(node, Definition)]
        parts += definition.bases + inner
        nested = [node for node in definition.body if isinstance(node, Definition)]
        return loaded(parts).union(*map(made_with, nested))
    given = definition.args
    return loaded(parts + given.defaults + [default for default in given.kw_defaults if default])


def declares_global(tree: ast.AST) -> bool:
    """Whether a function rebinds a global name."""
    return any(isinstance(node, ast.Global) for node in ast.walk(tree))


def only_called(tree: ast.AST, name: str) -> bool:
    """Whether a name is used for nothing but calls."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    return all(id(use) in called for use in uses)


def objects_are_named(tree: ast.AST, owner: str) -> bool:
    """Whether every object of a class is kept in a variable from the start."""
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == owner
    ]
    kept = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Assign)}
    return all(id(call) in kept for call in calls)


class _Replace(ast.NodeTransformer):
    def __init__(self, instead: dict[str, ast.expr]) -> None:
        self.instead = instead

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.instead:
            return node
        new = copy.deepcopy(self.instead[node.id])
        if isinstance(new, ast.Name | ast.Attribute | ast.Subscript):
            new.ctx = node.ctx
        return ast.copy_location(new, node)


def replace_names(node: ast.AST, instead: dict[str, ast.expr]) -> None:
    """Put these expressions in the place of these names, within the node, however deep."""
    _Replace(instead).generic_visit(node)


class _ReplaceCalls(ast.NodeTransformer):
    def __init__(self, new: Callable[[ast.Call], ast.expr | None]) -> None:
        self.new = new
        self.count = 0

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        new = self.new(node)
        if new is None:
            return node
        self.count += 1
        return ast.copy_location(new, node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return node


def replace_calls(tree: ast.Module, new: Callable[[ast.Call], ast.expr | None]) -> bool:
    """Change the calls that the program's script makes; False where none was to change."""
    replacing = _ReplaceCalls(new)
    tree.body = [
        node if isinstance(node, Definition) or is_import(node) else replacing.visit(node)
        for node in tree.body
    ]
    return replacing.count > 0


def called_function(tree: ast.Module, call: ast.Call) -> Function | None:
    """The program's own function that a call of its script reaches by its name, or by a graph method's."""
    if isinstance(call.func, ast.Name):
        for node in tree.body:
            if isinstance(node, Function) and node.name == call.func.id:
                return node
    if isinstance(call.func, ast.Attribute):
        for _, method in graph_methods(tree):
            if method.name == call.func.attr:
                return method
    return None


def without_self(function: Function) -> list[str] | None:
    """The plain parameters that a caller gives."""
    names = plain_parameters(function)
    return names[1:] if names and names[0] == "self" else names


def insert_after(body: list[ast.stmt], node: ast.stmt, new: Iterable[ast.stmt]) -> None:
    """Put statements behind one."""
    place = body.index(node) + 1
    body[place:place] = list(new)


def keywords_text(given: list[ast.keyword]) -> str:
    """Keywords as they stand behind other arguments: `, jit_compile=True`."""
    return "".join(f", {keyword.arg}={ast.unparse(keyword.value)}" for keyword in given)
