"""Make an object once, in `__init__` or before the function, instead of at each call."""

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.bodies import Body, body_around, own_name
from graphdoctor.refactoring.syntax.function_flow import def_use, has_attribute
from graphdoctor.refactoring.syntax.graph_functions import decorator_of
from graphdoctor.refactoring.syntax.parameters import one_more_argument, one_more_parameter
from graphdoctor.refactoring.syntax.resolving import called_function, method_of, uses_of
from graphdoctor.refactoring.syntax.statements import (
    drop_statement,
    indent_of,
    insert_lines,
    insert_lines_after,
    statement_of,
    value_given,
)
from graphdoctor.refactoring.syntax.temporaries import name_for
from graphdoctor.source.calls import bind_arguments
from graphdoctor.source.def_use import Kind, Use
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import parameters

VARIABLE = "tensorflow.Variable"
HOLDING = (ast.Dict, ast.DictComp, ast.List, ast.Tuple, ast.ListComp)
# What the base class of a model, layer or module may have by these names.
OF_KERAS = ("metrics", "layers", "losses", "loss", "optimizer", "variables", "weights", "name", "submodules")
CHANGES = ("assign", "assign_add", "assign_sub", "scatter_update", "scatter_add")


def make_once(body: Body, call: ast.AST, fresh: Sequence[str] = ()) -> tuple[Edit, ...] | None:
    """The edits that make an object where it is made once; None where its arguments are known here only.

    A Variable that is changed gets its first value again at each call, as it did; other objects are made
    fresh by these lines, with `{}` for their name.
    """
    statement = statement_of(body, call)
    if not isinstance(call, ast.Call) or statement is None or indent_of(body.home, statement) is None:
        return None
    target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is call else None
    if isinstance(statement, ast.Assign) and target is not None and len(statement.targets) != 1:
        return None
    this = own_name(body)
    if this is not None:
        return _in_init(body, call, statement, target, this, fresh)
    return _before_function(body, call, statement, target, fresh)


def make_once_by_key(body: Body, call: ast.AST) -> Edit | None:
    """`if name not in self.kept:` before `self.kept[name] = …`, in what lives longer than the call."""
    statement = statement_of(body, call)
    plain = isinstance(statement, ast.Assign) and statement.value is call and len(statement.targets) == 1
    target = statement.targets[0] if plain and isinstance(statement, ast.Assign) else None
    if statement is None or not isinstance(target, ast.Subscript) or "\n" in body.home.source_of(statement):
        return None
    holder, key, indent = target.value, target.slice, indent_of(body.home, statement)
    root = holder.value if isinstance(holder, ast.Attribute) else holder
    lives = {own_name(body)} if root is not holder else set()
    if not isinstance(root, ast.Name) or not (root.id in lives or root.id not in body.scope.bindings):
        return None
    if indent is None or not isinstance(key, ast.Name | ast.Constant | ast.JoinedStr):
        return None
    asked = f"if {body.home.source_of(key)} not in {body.home.source_of(holder)}:"
    return body.home.replace(statement, f"{asked}\n{indent}    {body.home.source_of(statement)}")


def make_once_by_factory(
    factory: Body, made: ast.AST, user: Body, fresh: Sequence[str] = ()
) -> tuple[Edit, ...] | None:
    """The same for what a function makes and returns, also several in a list or dict, for another one."""
    returned = [each.value for each in factory.function.returns]
    statement = statement_of(factory, made)
    named = statement is not None and isinstance(statement, ast.Assign) and statement.value is made
    names = (
        [ast.unparse(each) for each in statement.targets]
        if named and isinstance(statement, ast.Assign)
        else []
    )
    whole = [each is made or (isinstance(each, ast.Name) and each.id in names) for each in returned]
    several = returned[0] if len(returned) == 1 and not any(whole) else None
    if isinstance(several, HOLDING) and made in _held(several) and _makes_nothing_else(factory, several):
        whole, fresh = [True], _for_each(fresh, several)
    calls = [
        each
        for each in ast.walk(user.function.node)
        if isinstance(each, ast.Call) and ast.unparse(each.func).rpartition(".")[2] == factory.function.name
    ]
    found = called_function(calls[0], user.scope) if len(calls) == 1 else None
    same = found is not None and found.node is factory.function.node
    return make_once(user, calls[0], fresh) if whole and all(whole) and same else None


def _held(several: ast.expr) -> list[ast.expr]:
    """What a list or dict holds."""
    if isinstance(several, ast.Dict):
        return several.values
    if isinstance(several, ast.List | ast.Tuple):
        return several.elts
    return [several.value if isinstance(several, ast.DictComp) else several.elt]  # type: ignore[attr-defined]


def _makes_nothing_else(factory: Body, several: ast.expr) -> bool:
    """Whether a function only looks at what it is given, and returns what it makes."""
    plain = (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr)
    block = getattr(factory.function.node, "body", [])
    before = [each for each in block if isinstance(each, ast.stmt) and not isinstance(each, ast.Return)]
    calls = any(isinstance(part, ast.Call) for each in before for part in ast.walk(each))
    return not calls and all(isinstance(each, plain) for each in block)


def _for_each(fresh: Sequence[str], several: ast.expr) -> tuple[str, ...]:
    """The lines that make each of several objects fresh."""
    by_name = isinstance(several, ast.Dict | ast.DictComp)
    loop = f"for each in {{}}{'.values()' if by_name else ''}:"
    return (loop, *(f"    {line.replace('{}', 'each')}" for line in fresh)) if fresh else ()


def make_once_for(
    modules: Sequence[Module], body: Body, made: ast.AST, users: Sequence[Body], fresh: Sequence[str] = ()
) -> tuple[Edit, ...] | None:
    """The same for what is made on the way through `users`: what one of them asks for, or what is made there.

    None where several calls each got an object of their own.
    """
    asked = (make_once_by_factory(body, made, user, fresh) for user in users)
    edits = next((each for each in asked if each is not None), None)
    return edits if edits is not None or _is_shared(modules, body) else make_once(body, made, fresh)


def _is_shared(modules: Sequence[Module], body: Body) -> bool:
    """Whether Python calls a function from several places; the calls of a graph function share its graph."""
    called = {
        id(part.func) for module in modules for part in ast.walk(module.tree) if isinstance(part, ast.Call)
    }
    calls = [part for part in uses_of(modules, body.function.name) if id(part) in called]
    return len(calls) > 1 and decorator_of(body.function) is None


def _reads(body: Body, call: ast.Call) -> set[str]:
    """The names of the function itself that a call reads."""
    names = {part.id for part in ast.walk(call) if isinstance(part, ast.Name)}
    return {name for name in names if name in body.scope.bindings}


def first_value_again(body: Body, call: ast.Call, name: str) -> str | None:
    """The line that gives a Variable its first value again, where the function changes it."""
    uses = def_use(body.home, body.function.node).of(name, Kind.READ)
    changed = any(one.use is Use.METHOD and one.method in CHANGES for one in uses)
    if dotted_name(call.func, body.scope) != VARIABLE or not changed:
        return None
    first = call.args[0] if call.args else None
    first = first or next((k.value for k in call.keywords if k.arg == "initial_value"), None)
    return f"{name}.assign({body.home.source_of(first)})" if first is not None else None


def _in_init(
    body: Body, call: ast.Call, statement: ast.stmt, target: ast.expr | None, this: str, fresh: Sequence[str]
) -> tuple[Edit, ...] | None:
    owner = body.function.owner
    methods = [each for each in owner.body if isinstance(each, ast.FunctionDef)] if owner is not None else []
    init = next((each for each in methods if each.name == "__init__"), None)
    own = next(parameters(init), None) if init is not None else None
    if init is None or own is None or own.arg != this or body.function.node is init:
        return None
    attribute = target.attr if isinstance(target, ast.Attribute) else None
    if isinstance(target, ast.Attribute) and ast.unparse(target.value) != this:
        return None
    name = attribute or (target.id if isinstance(target, ast.Name) else name_for(call))
    kept = f"kept_{name}" if owner is not None and owner.bases and name in OF_KERAS else name
    full, home = f"{this}.{kept}", body.home
    if attribute is None and has_attribute(owner or init, kept):
        return None
    text = home.source_of(call)
    guarded = bool(_reads(body, call) - {this})
    given = next((each for each in init.body if value_given(each, full) is not None), None)
    first = "None" if guarded else text
    if given is not None:
        value = value_given(given, full)
        makes = home.replace(value, first) if value is not None else None
    else:
        makes = insert_lines_after(home, init.body[-1], f"{full} = {first}")
    indent = indent_of(body.home, statement)
    if makes is None or indent is None:
        return None
    lines = []
    if guarded:
        lines += [f"if {full} is None:", f"    {full} = {text}"]
    again = first_value_again(body, call, full if attribute is not None else name)
    if attribute is None and target is not None:
        lines.append(f"{name} = {full}")
    lines += [again] if again is not None and not guarded else []
    lines += [line.format(full if target is None or attribute is not None else name) for line in fresh]
    if target is None:
        begins = insert_lines(body.home, statement, *lines) if fresh else None
        if guarded or (fresh and begins is None):
            return None
        return (makes, *((begins,) if begins is not None else ()), home.replace(call, full))
    if not lines:
        dropped = drop_statement(body.home, statement)
        return (makes, dropped) if dropped is not None else None
    return makes, home.replace(statement, f"\n{indent}".join(lines))


def _before_function(
    body: Body, call: ast.Call, statement: ast.stmt, target: ast.expr | None, fresh: Sequence[str]
) -> tuple[Edit, ...] | None:
    node, home = body.function.node, body.home
    name = target.id if isinstance(target, ast.Name) else name_for(call)
    around = body.function.placed.scope
    taken = around.lookup(name) is not None or (target is None and name in body.scope.bindings)
    if not isinstance(node, ast.FunctionDef) or _reads(body, call) or taken:
        return None
    if isinstance(target, ast.Attribute) or len(body.scope.bindings.get(name, ())) > 1:
        return None
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    indent = home.lines[first - 1][: node.col_offset]
    if indent.strip():
        return None
    gap = "\n" if indent else "\n\n"
    makes = home.insert(first, 1, f"{indent}{name} = {home.source_of(call)}\n{gap}")
    lines = [line.format(name) for line in fresh]
    if target is None:
        begins = insert_lines(body.home, statement, *lines) if lines else None
        if lines and begins is None:
            return None
        return (makes, *((begins,) if begins is not None else ()), home.replace(call, name))
    again = first_value_again(body, call, name)
    lines = [again, *lines] if again is not None else lines
    text = f"\n{indent_of(body.home, statement)}".join(lines)
    after = home.replace(statement, text) if lines else drop_statement(body.home, statement)
    return (makes, after) if after is not None else None


def handed_in(modules: Sequence[Module], helper: Body, made: ast.AST) -> tuple[Edit, ...] | None:
    """The edits for `v = tf.Variable(…)` in a function that one method calls: `__init__` makes it.

    None where the function is used in any other way, or its arguments are not what `__init__` has.
    """
    statement, node = statement_of(helper, made), helper.function.node
    name = _named(statement, made)
    alone = name is not None and len(helper.scope.bindings[name]) == 1
    if statement is None or name is None or not alone or not isinstance(node, ast.FunctionDef):
        return None
    call = _only_call(modules, helper)
    caller = body_around(*call) if call is not None and statement in node.body else None
    this = own_name(caller) if caller is not None else None
    if call is None or caller is None or this is None or not isinstance(made, ast.Call):
        return None
    owner = caller.function.owner
    init = method_of(owner, "__init__") if owner is not None else None
    if owner is None or not isinstance(init, ast.FunctionDef) or has_attribute(owner, name):
        return None
    text = _made_outside(helper, made, caller, call[1], this, init)
    makes = (
        insert_lines_after(caller.home, init.body[-1], f"{this}.{name} = {text}")
        if text is not None
        else None
    )
    again = None if _is_changed_last(node, name) else first_value_again(helper, made, name)
    after = (
        helper.home.replace(statement, again) if again is not None else drop_statement(helper.home, statement)
    )
    takes = one_more_parameter(helper.function, name)
    gives = one_more_argument(*call, name, f"{this}.{name}")
    edits = (makes, after, takes, gives)
    return tuple(edit for edit in edits if edit is not None) if all(edits) else None


def _named(statement: ast.stmt | None, made: ast.AST) -> str | None:
    """The one name that a statement gives to what is made."""
    plain = isinstance(statement, ast.Assign) and statement.value is made and len(statement.targets) == 1
    target = statement.targets[0] if plain and isinstance(statement, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else None


def _only_call(modules: Sequence[Module], helper: Body) -> tuple[Module, ast.Call] | None:
    """The one call of a function, in no loop, where nothing else is done with it in the project."""
    name = helper.function.name
    uses = [(module, node) for module in modules if name in module.text for node in _uses(module, name)]
    if len(uses) != 1:
        return None
    module, use = uses[0]
    placed = next((p for p in module.walk.calls if isinstance(p.node, ast.Call) and p.node.func is use), None)
    if placed is None or placed.loops or not isinstance(placed.node, ast.Call):
        return None
    found = called_function(placed.node, placed.scope)
    plain = not any(isinstance(each, ast.Starred) for each in placed.node.args)
    same = found is not None and found.node is helper.function.node
    return (module, placed.node) if same and plain else None


def _uses(module: Module, name: str) -> Iterator[ast.AST]:
    for node in ast.walk(module.tree):
        loaded = isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        renamed = isinstance(node, ast.alias) and node.name == name and node.asname is not None
        if loaded or renamed or (isinstance(node, ast.Attribute) and node.attr == name):
            yield node


def _made_outside(
    helper: Body, made: ast.Call, caller: Body, call: ast.Call, this: str, init: ast.FunctionDef
) -> str | None:
    """What makes the object as `__init__` writes it, at its end; None where it cannot."""
    bound, given = bind_arguments(call, helper.function), dict[str, ast.expr]()
    for part in ast.walk(made):
        if not isinstance(part, ast.Name):
            continue
        if part.id not in helper.scope.bindings:
            name = dotted_name(part, helper.scope)
            if name is None or name != dotted_name(part, caller.scope):
                return None
        elif part.id not in bound or [each.kind for each in helper.scope.bindings[part.id]] != ["parameter"]:
            return None
        else:
            given[part.id] = bound[part.id]
    if not all(_is_known_in_init(each, this, init) for each in given.values()):
        return None
    return ast.unparse(_Replaced(given).visit(copy.deepcopy(made)))


def _is_known_in_init(given: ast.expr, this: str, init: ast.FunctionDef) -> bool:
    """Whether an argument is a constant, or an attribute that `__init__` sets for certain."""
    if isinstance(given, ast.Constant):
        return True
    own = isinstance(given, ast.Attribute) and isinstance(given.value, ast.Name) and given.value.id == this
    plain = [each for each in init.body if isinstance(each, ast.Assign)]
    return own and any(value_given(each, ast.unparse(given)) is not None for each in plain)


class _Replaced(ast.NodeTransformer):
    """Puts arguments where a function writes its parameters."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._given.get(node.id, node)


def _is_changed_last(node: ast.FunctionDef, name: str) -> bool:
    """Whether a Variable is changed when the call has read it: what it is changed to is for the next call."""
    changes = [
        each
        for each in node.body
        if isinstance(each, ast.Expr) and ast.unparse(each).startswith(tuple(f"{name}.{c}(" for c in CHANGES))
    ]
    first = changes[0].lineno if changes else 0
    uses = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name]
    inside = {id(n) for each in changes for n in ast.walk(each)}
    return bool(changes) and all(use.lineno < first or id(use) in inside for use in uses)
