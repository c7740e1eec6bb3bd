"""Values on another way: what calls are given, and the numbers and texts of the program."""

import ast
import copy

from tests.variants import holders
from tests.variants.holders import Holder
from tests.variants.syntax import (
    Definition,
    after_imports,
    bound,
    expression,
    fresh,
    is_import,
    names_in,
    split,
)
from tests.variants.variants import variant

FIELDS = ("first", "second", "third", "fourth", "fifth")


def _given(tree: ast.Module, line: ast.stmt) -> list[tuple[ast.Call, int]]:
    """What a simple statement gives to the program's own functions and objects, outermost calls first."""
    own = bound(split(tree)[1])
    found = []

    def visit(node: ast.AST) -> None:
        if isinstance(
            node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.IfExp
        ):
            return
        if isinstance(node, ast.Call):
            called = node.func.value if isinstance(node.func, ast.Attribute) else node.func
            if isinstance(called, ast.Name) and called.id in own:
                found.extend(
                    (node, place) for place, one in enumerate(node.args) if not isinstance(one, ast.Starred)
                )
                return
        for child in ast.iter_child_nodes(node):
            visit(child)

    if isinstance(line, ast.Expr | ast.Assign | ast.AugAssign):
        visit(line)
    return found[: len(FIELDS)]


def _arguments_held(tree: ast.Module, holder: Holder) -> ast.Module | None:
    """What the script gives to calls goes through a holder, just before the call."""
    name = fresh(tree, "held")
    top: dict[str, ast.stmt] = {}

    def through(body: list[ast.stmt]) -> list[ast.stmt]:
        new: list[ast.stmt] = []
        for line in body:
            given = [] if isinstance(line, Definition) or is_import(line) else _given(tree, line)
            if given:
                values = [call.args[place] for call, place in given]
                made = holder(name, list(FIELDS[: len(given)]), values)
                for (call, place), read in zip(given, made.reads, strict=True):
                    call.args[place] = read
                top.update((ast.unparse(part), part) for part in made.definitions)
                new += made.lines
            elif not isinstance(line, Definition):
                for field in ("body", "orelse", "finalbody"):
                    if isinstance(getattr(line, field, None), list):
                        setattr(line, field, through(getattr(line, field)))
            new.append(line)
        return new

    before = ast.unparse(tree)
    tree.body = through(tree.body)
    return after_imports(tree, top.values()) if ast.unparse(tree) != before else None


class _Literals(ast.NodeTransformer):
    """Replaces the numbers and texts of statements by what `read` gives for them."""

    def __init__(self) -> None:
        self.fields: dict[tuple[type, object], str] = {}
        self.reads: dict[str, ast.expr] = {}

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if type(node.value) not in (int, float, str):
            return node
        kind = "text" if isinstance(node.value, str) else "number"
        key = (type(node.value), node.value)
        field = self.fields.setdefault(key, f"{kind}_{len(self.fields) + 1}")
        return ast.copy_location(copy.deepcopy(self.reads[field]), node) if self.reads else node

    def _body(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.body = [self.visit(line) for line in node.body]  # not its decorators and defaults
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _body

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.body = [self.visit(line) if isinstance(line, Definition) else line for line in node.body]
        return node

    def _as_it_is(self, node: ast.AST) -> ast.AST:
        return node

    visit_JoinedStr = visit_match_case = visit_Import = visit_ImportFrom = _as_it_is


def _literals_held(tree: ast.Module, holder: Holder) -> ast.Module | None:
    """The program's numbers and texts stand in one place at its top."""
    imports, rest = split(tree)
    literals = _Literals()
    for line in rest:
        literals.visit(line)
    if not literals.fields:
        return None
    fields = list(literals.fields.values())
    values: list[ast.expr] = [ast.Constant(value) for _, value in literals.fields]
    made = holder(fresh(tree, "settings"), fields, values)
    literals.reads = dict(zip(fields, made.reads, strict=True))
    new = ast.Module(imports + [literals.visit(line) for line in rest], [])
    return after_imports(new, made.definitions, made.lines)


@variant
def argument_in_a_variable(tree: ast.Module) -> ast.Module | None:
    """What a call is given has a name first."""
    return _arguments_held(tree, holders.variables)


@variant
def argument_from_an_attribute(tree: ast.Module) -> ast.Module | None:
    """What a call is given is an object's attribute."""
    return _arguments_held(tree, holders.attributes)


@variant
def argument_from_a_dict(tree: ast.Module) -> ast.Module | None:
    """What a call is given comes from a dict."""
    return _arguments_held(tree, holders.dictionary)


@variant
def argument_from_a_tuple(tree: ast.Module) -> ast.Module | None:
    """What a call is given comes from a tuple."""
    return _arguments_held(tree, holders.pair)


@variant
def argument_from_a_dataclass(tree: ast.Module) -> ast.Module | None:
    """What a call is given comes from a dataclass."""
    return _arguments_held(tree, holders.dataclass)


@variant
def argument_from_a_namedtuple(tree: ast.Module) -> ast.Module | None:
    """What a call is given comes from a `collections.namedtuple`."""
    return _arguments_held(tree, holders.named_tuple)


@variant
def argument_from_a_typed_tuple(tree: ast.Module) -> ast.Module | None:
    """What a call is given comes from a `typing.NamedTuple`."""
    return _arguments_held(tree, holders.typed_tuple)


@variant
def argument_from_a_config_object(tree: ast.Module) -> ast.Module | None:
    """What a call is given comes from an object whose `__init__` fills its `__dict__`."""
    return _arguments_held(tree, holders.config_object)


@variant
def argument_from_a_property(tree: ast.Module) -> ast.Module | None:
    """What a call is given is a property."""
    return _arguments_held(tree, holders.properties)


@variant
def argument_from_a_namespace(tree: ast.Module) -> ast.Module | None:
    """What a call is given comes from a `types.SimpleNamespace`."""
    return _arguments_held(tree, holders.namespace)


@variant
def literals_in_variables(tree: ast.Module) -> ast.Module | None:
    """Numbers and texts are constants with names."""
    return _literals_held(tree, holders.variables)


@variant
def literals_in_a_dict(tree: ast.Module) -> ast.Module | None:
    """Numbers and texts come from a dict."""
    return _literals_held(tree, holders.dictionary)


@variant
def literals_in_a_tuple(tree: ast.Module) -> ast.Module | None:
    """Numbers and texts come from a tuple."""
    return _literals_held(tree, holders.pair)


@variant
def literals_in_a_dataclass(tree: ast.Module) -> ast.Module | None:
    """Numbers and texts come from a dataclass."""
    return _literals_held(tree, holders.dataclass)


@variant
def literals_in_a_namedtuple(tree: ast.Module) -> ast.Module | None:
    """Numbers and texts come from a named tuple."""
    return _literals_held(tree, holders.named_tuple)


@variant
def literals_in_a_constructor(tree: ast.Module) -> ast.Module | None:
    """Numbers and texts are attributes that `__init__` sets."""
    return _literals_held(tree, holders.constructor)


@variant
def literals_in_a_class(tree: ast.Module) -> ast.Module | None:
    """Numbers and texts are a class's attributes."""
    return _literals_held(tree, holders.class_attributes)


@variant
def literals_in_properties(tree: ast.Module) -> ast.Module | None:
    """Numbers and texts are properties."""
    return _literals_held(tree, holders.properties)


@variant
def literals_in_argparse(tree: ast.Module) -> ast.Module | None:
    """Numbers and texts are the defaults of options of the command line."""
    return _literals_held(tree, holders.command_line)


@variant
def literals_computed(tree: ast.Module) -> ast.Module | None:
    """Numbers and texts are computed from others."""

    class Compute(_Literals):
        def visit_Constant(self, node: ast.Constant) -> ast.expr:
            value = node.value
            if type(value) is int:
                return expression(f"{value + 1} - 1")
            if type(value) is float:
                return expression(f"{value * 2!r} / 2")
            if type(value) is str and len(value) > 1:
                return expression(f"{value[:1]!r} + {value[1:]!r}")
            return node

    imports, rest = split(tree)
    before = ast.unparse(tree)
    new = ast.Module(imports + [Compute().visit(line) for line in rest], [])
    return new if ast.unparse(new) != before else None


@variant
def renamed(tree: ast.Module) -> ast.Module | None:
    """Every variable, parameter and function has another name."""
    _, rest = split(tree)
    given = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    own = {
        node.id
        for node in ast.walk(ast.Module(rest, []))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id != "_"
    }
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg) and node.arg != "self"}
    own |= {node.name for node in tree.body if isinstance(node, Definition)}
    new = {name: f"{name}_renamed" for name in sorted(own - given)}
    assert not set(new.values()) & names_in(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = new.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = new.get(node.arg, node.arg)
        elif isinstance(node, Definition) and node in tree.body:
            node.name = new.get(node.name, node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [new.get(name, name) for name in node.names]
    return tree if new else None
