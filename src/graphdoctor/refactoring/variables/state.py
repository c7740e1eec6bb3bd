"""A number or tensor that Python keeps, and traced code reads → the `tf.Variable` that it could be."""

import ast
import dataclasses
from collections.abc import Callable, Iterator, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.graph_functions import has_option
from graphdoctor.refactoring.syntax.imports import tensorflow_at
from graphdoctor.refactoring.syntax.statements import insert_lines_after
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.nodes import Assignment, targets_of, walk
from graphdoctor.source.remembering import remembered
from graphdoctor.source.resolving import DEFINITIONS, class_around, init_of, is_self, method_of
from graphdoctor.source.scopes import Scope
from graphdoctor.source.surroundings import last_line, value_given

METHODS = {ast.Add: "assign_add", ast.Sub: "assign_sub"}
OPERATORS = {ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Pow: "**", ast.Mod: "%"}
# What no Variable can hold.
CONTAINERS = (ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.Tuple, ast.Lambda)
AS_DICT = ("vars", "asdict", "astuple")
State = ast.Name | ast.Attribute | ast.Subscript


@dataclasses.dataclass(eq=False, slots=True)
class Occurrence:
    """One place that names the state; `statement` is what stores there, None for a read.

    A dict literal gives an item its first value, without a statement of its own: that is its `entry`.
    """

    module: Module
    node: State
    statement: ast.stmt | None = None
    entry: ast.expr | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Kept:
    """How the state is to be kept: its dtype where one must be given, and what reads of it become.

    `start` is the first value where the program has none to give; `.numpy()` is added to what eager code
    reads when the state is a Python number (`read_as_number`), and `int` around it when that is `whole`.
    """

    dtype: str | None = None
    start: str | None = None
    read_as_number: bool = True
    whole: bool = False


def to_variable(
    modules: Sequence[Module],
    module: Module,
    node: ast.AST,
    kept: Kept,
    is_traced: Callable[[Module, ast.AST | None], bool],
) -> tuple[Edit, ...] | None:
    """The edits that keep a piece of state in a `tf.Variable`; None unless all places are understood."""
    if not isinstance(node, State):
        return None
    module, node = _in_its_module(module, node)
    found = list(_occurrences(modules, module, node))
    stores = [each for each in found if each.statement is not None or each.entry is not None]
    first = _first(stores)
    if _is_taken_as_a_whole(found):
        return None
    edits = _made(first, kept) if first is not None else _made_in_init(module, node, kept)
    for each in stores:
        if each is not first and edits is not None:
            changed = _changed(each)
            edits = [*edits, *changed] if changed is not None else None
    if edits is None:
        return None
    for each in found:
        if each not in stores and kept.read_as_number:
            around = each.module.scope_at(each.node).function
            if not is_traced(each.module, around.node if around is not None else None):
                edits.append(_read_as_number(each, kept.whole))
    return tuple(edits)


def _is_taken_as_a_whole(found: Sequence[Occurrence]) -> bool:
    """Whether an object that holds the state is made a dict: for a file of settings, where numbers stand."""
    holders = {
        (each.module, ast.unparse(each.node.value)) for each in found if isinstance(each.node, ast.Attribute)
    }
    for module in {module for module, _ in holders}:
        for part in ast.walk(module.tree):
            taken = part.value if isinstance(part, ast.Attribute) and part.attr == "__dict__" else None
            if isinstance(part, ast.Call) and part.args:
                name = getattr(part.func, "attr", getattr(part.func, "id", ""))
                taken = part.args[0] if name in AS_DICT else taken
            if taken is not None and (module, ast.unparse(taken)) in holders:
                return True
    return False


def _read_as_number(read: Occurrence, whole: bool) -> Edit:
    value = f"{read.module.source_of(read.node)}.numpy()"
    return read.module.replace(read.node, f"int({value})" if whole else value)


def _in_its_module(module: Module, node: State) -> tuple[Module, State]:
    """`settings.rate` as the name `rate` of the module that it stands for."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return module, node
    home = _module_of(module, node.value)
    made = home.walk.root.bindings.get(node.attr, []) if home is not None else []
    for binding in made:
        targets = getattr(binding.node, "targets", [])
        if home is not None and len(targets) == 1 and isinstance(targets[0], ast.Name):
            return home, targets[0]
    return module, node


def _module_of(home: Module, name: ast.Name) -> Module | None:
    """The module of the project that a name stands for."""
    bound = home.scope_at(name).lookup(name.id)
    imports = [b.target for b in bound[1] if b.kind == "import"] if bound else []
    found = home.project.find(imports[0], home) if len(imports) == 1 else None
    return found.module if found is not None and not found.rest and not found.bindings else None


def _occurrences(modules: Sequence[Module], module: Module, node: State) -> Iterator[Occurrence]:
    """Every place of the project that reads or stores the state."""
    modules = [each for each in modules if _may_name(each, node)]
    belongs = _belonging(modules, module, node)
    for each in modules:
        for statement, other in _states(each.tree):
            if belongs(each, other):
                yield Occurrence(each, other, None if isinstance(other.ctx, ast.Load) else statement)
        yield from _entries(each, node)
        if isinstance(node, ast.Attribute):
            yield from _in_class_bodies(each, node.attr)


def _may_name(module: Module, node: State) -> bool:
    """Whether a module can name the state at all, by its text."""
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    return name in module.text or not module.text.isascii()  # such a name may be written in several ways


def _states(tree: ast.Module) -> Iterator[tuple[ast.stmt, State]]:
    """Every name, attribute and item, level by level, with the statement that it stands in."""
    level: list[tuple[ast.stmt, ast.AST]] = [(each, each) for each in tree.body]
    for statement, node in level:  # it grows meanwhile
        if isinstance(node, State):
            yield statement, node
        for child in ast.iter_child_nodes(node):
            level.append((child if isinstance(child, ast.stmt) else statement, child))


def _in_class_bodies(module: Module, name: str) -> Iterator[Occurrence]:
    """`rate = 0.5` in a class, for which no `__init__` gives the attribute its first value."""
    for owner in _holders(module, name):
        init = method_of(owner, "__init__")
        own = walk(init) if init is not None else ()
        if any(isinstance(part, ast.Attribute) and part.attr == name for part in own):
            continue
        for statement in owner.body:
            target = _target(statement, name)
            if target is not None and getattr(statement, "value", None) is not None:
                yield Occurrence(module, target, statement)


def _entries(module: Module, node: State) -> Iterator[Occurrence]:
    """The entries of dict literals that give an item its first value."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        for each in walk(module.tree):
            if isinstance(each, ast.Dict):
                for key, value in zip(each.keys, each.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value == node.slice.value:
                        yield Occurrence(module, node, entry=value)


def _belonging(modules: Sequence[Module], module: Module, node: State) -> Callable[[Module, State], bool]:
    """Whether a name, attribute or item is the same piece of state, as far as the text tells."""
    if isinstance(node, ast.Name):
        scope = _owner_of(node.id, module.scope_at(node))
        return lambda home, other: _is_name(home, other, node.id, scope, module)
    if isinstance(node, ast.Attribute):
        holders = {id(owner) for each in modules for owner in _holders(each, node.attr)}
        owner = class_around(module.scope_at(node)) if is_self(node.value) else None
        alone = len(holders) <= 1
        return lambda home, other: (
            isinstance(other, ast.Attribute)
            and other.attr == node.attr
            and (alone or (is_self(other.value) and class_around(home.scope_at(other)) is owner is not None))
        )
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return lambda home, other: (
        isinstance(other, ast.Subscript)
        and isinstance(other.slice, ast.Constant)
        and key is not None
        and other.slice.value == key
    )


def _owner_of(name: str, scope: Scope) -> Scope | None:
    found = scope.lookup(name)
    return found[0] if found is not None else None


def _is_name(home: Module, other: State, name: str, scope: Scope | None, module: Module) -> bool:
    if isinstance(other, ast.Name) and home is module:
        return other.id == name and _owner_of(name, home.scope_at(other)) is scope
    if isinstance(other, ast.Attribute) and other.attr == name and isinstance(other.value, ast.Name):
        return _module_of(home, other.value) is module
    return False


def _holders(module: Module, name: str) -> Iterator[ast.ClassDef]:
    """The classes that give an attribute of this name a value."""
    for owner, stored in _own_attributes(module.tree):
        if name in stored or any(_target(statement, name) is not None for statement in owner.body):
            yield owner


@remembered(64)
def _own_attributes(tree: ast.Module) -> tuple[tuple[ast.ClassDef, frozenset[str]], ...]:
    """The classes of a module, each with the attributes of `self` that it sets."""
    classes = [node for node in walk(tree) if isinstance(node, ast.ClassDef)]
    return tuple((owner, frozenset(_set_on_self(owner))) for owner in classes)


def _set_on_self(owner: ast.ClassDef) -> Iterator[str]:
    for part in walk(owner):
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store) and is_self(part.value):
            yield part.attr


def _target(statement: ast.stmt, name: str) -> ast.Name | None:
    targets = targets_of(statement) if isinstance(statement, Assignment) else []
    return next((each for each in targets if isinstance(each, ast.Name) and each.id == name), None)


def _first(stores: list[Occurrence]) -> Occurrence | None:
    """Where the state gets its first value: in one place, before all else, and not in a loop."""
    entries = [each for each in stores if each.entry is not None]
    if entries:
        return entries[0] if len(entries) == 1 else None
    made = [each for each in stores if each.statement is not None and _is_first(each, each.statement)]
    return min(made, key=lambda each: each.module.span(each.node).place) if made else None


def _is_first(each: Occurrence, statement: ast.stmt) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None or len(targets) != 1:
        return False
    if _given(each.node, statement) is None:
        return False
    scope = each.module.scope_at(each.node)
    if isinstance(each.node, ast.Attribute):
        function = scope.function.node if scope.function is not None else None
        in_init = isinstance(function, DEFINITIONS) and function.name in ("__init__", "build", "setup")
        return in_init and is_self(each.node.value) and statement in getattr(function, "body", ())
    body = getattr(scope.node, "body", [])
    return isinstance(each.node, ast.Name) and isinstance(body, list) and statement in body


def _given(node: State, statement: ast.Assign | ast.AnnAssign) -> ast.expr | None:
    """What an assignment gives to the state: its part of `self.a, self.b = 0, 1`."""
    if isinstance(statement, ast.AnnAssign) or statement.targets[0] is node:
        return statement.value
    return value_given(statement, ast.unparse(node))


def _made(first: Occurrence, kept: Kept) -> list[Edit] | None:
    """`self.rate = 1.0` → `self.rate = tf.Variable(1.0, trainable=False)`."""
    module, statement, value = first.module, first.statement, first.entry
    owner = class_around(module.scope_at(first.node)) if isinstance(first.node, ast.Name) else None
    if owner is not None and owner.decorator_list:
        return _made_after_init(module, owner, first.node, kept)
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        value = _given(first.node, statement)
    found = tensorflow_at(module, module.scope_at(value)) if value is not None else None
    number = value.value if isinstance(value, ast.Constant) else 0
    if found is None or isinstance(value, CONTAINERS) or not isinstance(number, int | float | None):
        return None
    if value is None or (number is None and kept.start is None):
        return None
    usual = type(number) is float and kept.dtype == "float32"
    stated = kept.dtype is not None and kept.start is None and not usual
    options = f"{f', dtype={found[0]}.{kept.dtype}' if stated else ''}, trainable=False)"
    if kept.start is not None and number is None:
        start = kept.start.replace("tf.", f"{found[0]}.")
        return [module.replace(value, f"{found[0]}.Variable({start}{options}"), *found[1]]
    opening = module.insert_before(value, f"{found[0]}.Variable(")
    return [opening, module.insert_behind(value, options), *found[1]]


def _made_after_init(module: Module, owner: ast.ClassDef, node: State, kept: Kept) -> list[Edit] | None:
    """A field of a dataclass is made a Variable when the object has all of its fields."""
    found, decorator = tensorflow_at(module, module.scope_at(owner)), owner.decorator_list[0]
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    of_dataclass = dotted_name(called, module.walk.root) == "dataclasses.dataclass"
    fixed = has_option(decorator, "frozen") or has_option(decorator, "slots")
    if found is None or not of_dataclass or fixed or not isinstance(node, ast.Name):
        return None
    if method_of(owner, "__post_init__") is not None:
        return None
    dtype = f", dtype={found[0]}.{kept.dtype}" if kept.dtype else ""
    indent = " " * owner.body[0].col_offset
    lines = (
        f"\n{indent}def __post_init__(self):\n"
        f"{indent * 2}self.{node.id} = {found[0]}.Variable(self.{node.id}{dtype}, trainable=False)\n"
    )
    return [module.insert_after(last_line(owner.body[-1]), lines), *found[1]]


def _made_in_init(module: Module, node: State, kept: Kept) -> list[Edit] | None:
    """An attribute that nothing gives a first value gets one at the end of `__init__`."""
    scope = module.scope_at(node)
    init, found = init_of(class_around(scope)), tensorflow_at(module, scope)
    if not isinstance(node, ast.Attribute) or not is_self(node.value) or found is None or kept.start is None:
        return None
    text = f"{found[0]}.Variable({kept.start.replace('tf.', f'{found[0]}.')}, trainable=False)"
    line = insert_lines_after(module, init.body[-1], f"self.{node.attr} = {text}") if init else None
    return [line, *found[1]] if line is not None else None


def _changed(store: Occurrence) -> list[Edit] | None:
    """`rate = x` → `rate.assign(x)`, `rate += x` → `rate.assign_add(x)`."""
    module, statement = store.module, store.statement
    if isinstance(statement, ast.AugAssign):
        method = METHODS.get(type(statement.op))
        sign = OPERATORS.get(type(statement.op))
        if method is None and sign is None:
            return None
        name = module.source_of(store.node)
        simple = isinstance(statement.value, ast.Constant | ast.Name | ast.Attribute | ast.Call)
        opening = f".{method}(" if method is not None else f".assign({name} {sign} {'' if simple else '('}"
        return _call(module, store.node, statement, opening, ")" if method is not None or simple else "))")
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    if statement.targets[0] is not store.node:
        return None
    return _call(module, store.node, statement, ".assign(", ")")


def _call(module: Module, node: State, statement: ast.stmt, opening: str, closing: str) -> list[Edit] | None:
    """Everything between the target and the value becomes the opening of a call."""
    span = module.span(node)
    line = module.text_line(span) + span.end_line - span.line
    text = module.lines[line - 1]
    start = span.end_column - 1
    equals = text.find("=", start)
    if equals < 0 or text[start:equals].strip(" +-*/%") != "":
        return None
    end = equals + 1
    while end < len(text) and text[end] == " ":
        end += 1
    return [
        module.replace_columns(line, start + 1, end + 1, opening),
        module.insert_behind(statement, closing),
    ]


def bound_by(module: Module, statement: ast.AST) -> str:
    """The name that a statement binds; empty where it is none, or several."""
    single = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    return module.source_of(statement.targets[0]) if single and isinstance(statement, ast.Assign) else ""


def assigned(module: Module, statement: ast.AST | None) -> tuple[str, Edit] | None:
    """`x = x + 1` as `x.assign_add(1)`: the method, and the edit; None where nothing is computed."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    value, target = statement.value, statement.targets[0]
    name = module.source_of(target)
    if not isinstance(target, ast.Name | ast.Attribute) or not isinstance(value, ast.BinOp | ast.Call):
        return None
    method = METHODS.get(type(value.op)) if isinstance(value, ast.BinOp) else None
    if isinstance(value, ast.BinOp) and method and module.source_of(value.left) == name:
        return method, module.replace(statement, f"{name}.{method}({module.source_of(value.right)})")
    return "assign", module.replace(statement, f"{name}.assign({module.source_of(value)})")
