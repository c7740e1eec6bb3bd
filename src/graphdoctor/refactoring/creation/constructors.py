"""Make an object once, in `__init__` or before the function, instead of at each call."""

import ast
import dataclasses
from collections.abc import Sequence

from graphdoctor.model import Edit
from graphdoctor.refactoring.syntax.expressions import with_others
from graphdoctor.refactoring.syntax.graph_functions import decorator_of
from graphdoctor.refactoring.syntax.parameters import one_more_argument, one_more_parameter
from graphdoctor.refactoring.syntax.statements import drop_statement, insert_lines, insert_lines_after
from graphdoctor.refactoring.syntax.temporaries import name_for
from graphdoctor.source.calls import bind_arguments, called_name
from graphdoctor.source.def_use import Kind, Use, names_read, place_of
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.resolving import called_function, calls_of, def_use, has_attribute, init_of, uses_of
from graphdoctor.source.surroundings import (
    Body,
    body_around,
    first_line,
    indent_of,
    name_given,
    own_name,
    parents_of,
    statement_of,
    target_of,
    value_given,
)

VARIABLE = "tensorflow.Variable"
HOLDING = (ast.Dict, ast.DictComp, ast.List, ast.Tuple, ast.ListComp)
# What the base class of a model, layer or module may have by these names.
OF_KERAS = ("metrics", "layers", "losses", "loss", "optimizer", "variables", "weights", "name", "submodules")
CHANGES = ("assign", "assign_add", "assign_sub", "scatter_update", "scatter_add")
Edits = tuple[Edit, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class _Making:
    """A call that makes an object in a function, its statement, and the name or attribute that it gets."""

    body: Body
    call: ast.Call
    statement: ast.stmt
    target: ast.Name | ast.Attribute | None
    fresh: Sequence[str]

    @property
    def name(self) -> str:
        """What the object is called, or may be."""
        if isinstance(self.target, ast.Attribute):
            return self.target.attr
        return self.target.id if self.target is not None else name_for(self.call)

    @property
    def reads(self) -> set[str]:
        """The names of the function itself that the call reads."""
        return {name for name in names_read(self.call) if name in self.body.scope.bindings}

    def instead(self, kept: str, lines: Sequence[str]) -> Edits | None:
        """Lines where the object was made, and what it is kept as where nothing else names it."""
        home = self.body.home
        if self.target is None:
            begins = insert_lines(home, self.statement, *lines) if lines else None
            if lines and begins is None:
                return None
            return (*((begins,) if begins is not None else ()), home.replace(self.call, kept))
        text = f"\n{indent_of(home, self.statement)}".join(lines)
        edit = home.replace(self.statement, text) if lines else drop_statement(home, self.statement)
        return (edit,) if edit is not None else None


def make_once(body: Body, call: ast.AST, fresh: Sequence[str] = ()) -> Edits | None:
    """The edits that make an object where it is made once; None where its arguments are known here only.

    A Variable that is changed gets its first value again at each call, as it did; other objects are made
    fresh by these lines, with `{}` for their name.
    """
    statement = statement_of(body, call)
    if not isinstance(call, ast.Call) or statement is None or indent_of(body.home, statement) is None:
        return None
    target = target_of(statement, call)
    assigned = isinstance(statement, ast.Assign) and statement.value is call
    if assigned and not isinstance(target, ast.Name | ast.Attribute):
        return None
    named = target if isinstance(target, ast.Name | ast.Attribute) else None
    making, this = _Making(body, call, statement, named, fresh), own_name(body)
    return _in_init(making, this) if this is not None else _before_function(making)


def make_once_by_key(body: Body, call: ast.AST) -> Edit | None:
    """`if name not in self.kept:` before `self.kept[name] = …`, in what lives longer than the call."""
    statement, home = statement_of(body, call), body.home
    target = target_of(statement, call)
    if statement is None or not isinstance(target, ast.Subscript) or statement.lineno != statement.end_lineno:
        return None
    holder, key, indent = target.value, target.slice, indent_of(home, statement)
    root = holder.value if isinstance(holder, ast.Attribute) else holder
    if not isinstance(root, ast.Name) or not isinstance(key, ast.Name | ast.Constant | ast.JoinedStr):
        return None
    own = root is not holder and root.id == own_name(body)
    if indent is None or (root.id in body.scope.bindings and not own):
        return None
    asked = f"if {home.source_of(key)} not in {home.source_of(holder)}:"
    return home.replace(statement, f"{asked}\n{indent}    {home.source_of(statement)}")


def make_once_for(
    modules: Sequence[Module], body: Body, made: ast.AST, users: Sequence[Body], fresh: Sequence[str] = ()
) -> Edits | None:
    """The same for what is made on the way through `users`: what one of them asks for, or what is made there.

    None where several calls each got an object of their own.
    """
    asked = (_made_once_by_factory(body, made, user, fresh) for user in users)
    edits = next((each for each in asked if each is not None), None)
    return edits if edits is not None or _is_shared(modules, body) else make_once(body, made, fresh)


def _made_once_by_factory(factory: Body, made: ast.AST, user: Body, fresh: Sequence[str]) -> Edits | None:
    """The same for what a function makes and returns, also several in a list or dict, for another one."""
    returned = [each.value for each in factory.function.returns]
    statement = statement_of(factory, made)
    targets = statement.targets if isinstance(statement, ast.Assign) and statement.value is made else []
    names = {place_of(each) for each in targets}
    whole = [each is made or (isinstance(each, ast.Name) and each.id in names) for each in returned]
    several = returned[0] if len(returned) == 1 and not any(whole) else None
    if isinstance(several, HOLDING) and made in _held(several) and _makes_nothing_else(factory):
        whole, fresh = [True], _for_each(fresh, several)
    calls = [each for each in ast.walk(user.function.node) if _calls(each, factory, user)]
    return make_once(user, calls[0], fresh) if whole and all(whole) and len(calls) == 1 else None


def _calls(node: ast.AST, factory: Body, user: Body) -> bool:
    found = called_function(node, user.scope) if isinstance(node, ast.Call) else None
    return found is not None and found.node is factory.function.node


def _held(several: ast.expr) -> list[ast.expr]:
    """What a list or dict holds."""
    if isinstance(several, ast.Dict):
        return several.values
    if isinstance(several, ast.List | ast.Tuple):
        return several.elts
    return [several.value if isinstance(several, ast.DictComp) else several.elt]  # type: ignore[attr-defined]


def _makes_nothing_else(factory: Body) -> bool:
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


def _is_shared(modules: Sequence[Module], body: Body) -> bool:
    """Whether Python calls a function from several places; the calls of a graph function share its graph."""
    called = [
        use
        for module in modules
        for use in uses_of([module], body.function.name)
        if getattr(parents_of(module).get(use), "func", None) is use
    ]
    return len(called) > 1 and decorator_of(body.function) is None


def first_value_again(body: Body, call: ast.Call, name: str) -> str | None:
    """The line that gives a Variable its first value again, where the function changes it."""
    uses = def_use(body.home, body.function.node).of(name, Kind.READ)
    changed = any(one.use is Use.METHOD and one.method in CHANGES for one in uses)
    if called_name(call, body.scope) != VARIABLE or not changed:
        return None
    named = (keyword.value for keyword in call.keywords if keyword.arg == "initial_value")
    first = call.args[0] if call.args else next(named, None)
    return f"{name}.assign({body.home.source_of(first)})" if first is not None else None


def _in_init(making: _Making, this: str) -> Edits | None:
    body, call, owner = making.body, making.call, making.body.function.owner
    init = init_of(owner)
    if init is None or owner is None or body.function.node is init:
        return None
    target, guarded = making.target, bool(making.reads - {this})
    name = f"kept_{making.name}" if owner.bases and making.name in OF_KERAS else making.name
    if isinstance(target, ast.Attribute):
        taken = place_of(target.value) != this
    else:
        taken = has_attribute(owner, name) or (guarded and target is None)
    taken = taken or body.home.functions[init].receiver != this
    full, text = f"{this}.{name}", body.home.source_of(call)
    makes = _set_in(body.home, init, full, "None" if guarded else text) if not taken else None
    lines = [f"if {full} is None:", f"    {full} = {text}"] if guarded else []
    lines += [f"{making.name} = {full}"] if isinstance(target, ast.Name) else []
    shown = making.name if isinstance(target, ast.Name) else full
    again = first_value_again(body, call, shown)
    lines += [again] if again is not None and not guarded else []
    after = making.instead(full, [*lines, *(line.format(shown) for line in making.fresh)])
    return (makes, *after) if makes is not None and after is not None else None


def _set_in(home: Module, init: ast.FunctionDef, place: str, text: str) -> Edit | None:
    """The edit that gives an attribute this value where `__init__` gives it one, or at its end."""
    given = next((value for each in init.body if (value := value_given(each, place)) is not None), None)
    if given is not None:
        return home.replace(given, text)
    return insert_lines_after(home, init.body[-1], f"{place} = {text}")


def _before_function(making: _Making) -> Edits | None:
    body, home, name = making.body, making.body.home, making.name
    node, indent = body.function.node, indent_of(body.home, body.function.node)
    if not isinstance(node, ast.FunctionDef) or isinstance(making.target, ast.Attribute) or indent is None:
        return None
    taken = body.function.placed.scope.lookup(name) is not None
    if taken or making.reads or len(body.scope.bindings.get(name, ())) > (making.target is not None):
        return None
    gap = "\n" if indent else "\n\n"
    makes = home.insert(first_line(node), 1, f"{indent}{name} = {home.source_of(making.call)}\n{gap}")
    again = first_value_again(body, making.call, name)
    lines = [again] if again is not None else []
    after = making.instead(name, [*lines, *(line.format(name) for line in making.fresh)])
    return (makes, *after) if after is not None else None


def handed_in(modules: Sequence[Module], helper: Body, made: ast.AST) -> Edits | None:
    """The edits for `v = tf.Variable(…)` in a function that one method calls: `__init__` makes it.

    None where the function is used in any other way, or its arguments are not what `__init__` has.
    """
    statement, node, home = statement_of(helper, made), helper.function.node, helper.home
    name, call = name_given(statement, made), _only_call(modules, helper)
    caller = body_around(*call) if call is not None else None
    if statement is None or call is None or caller is None or not isinstance(made, ast.Call):
        return None
    once = len(helper.scope.bindings.get(name, ())) == 1 and statement in getattr(node, "body", ())
    owner, this = caller.function.owner, own_name(caller)
    init = init_of(owner)
    if not once or owner is None or this is None or init is None or has_attribute(owner, name):
        return None
    text = _made_outside(helper, made, caller, call[1], this, init)
    again = None if _is_changed_last(helper, name) else first_value_again(helper, made, name)
    edits = (
        insert_lines_after(caller.home, init.body[-1], f"{this}.{name} = {text}") if text else None,
        home.replace(statement, again) if again is not None else drop_statement(home, statement),
        one_more_parameter(helper.function, name),
        one_more_argument(*call, name, f"{this}.{name}"),
    )
    return tuple(edit for edit in edits if edit is not None) if all(edits) else None


def _only_call(modules: Sequence[Module], helper: Body) -> tuple[Module, ast.Call] | None:
    """The one call of a function, in no loop, where nothing else is done with it in the project."""
    uses = list(calls_of(modules, helper.function))
    module, call = uses[0] if len(uses) == 1 else (helper.home, None)
    placed = next((each for each in module.walk.calls if each.node is call), None)
    return (module, call) if call is not None and placed is not None and not placed.loops else None


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
    known = all(_is_known_in_init(each, this, init) for each in given.values())
    return ast.unparse(with_others(made, given)) if known else None


def _is_known_in_init(given: ast.expr, this: str, init: ast.FunctionDef) -> bool:
    """Whether an argument is a constant, or an attribute that `__init__` sets for certain."""
    if isinstance(given, ast.Constant):
        return True
    own = isinstance(given, ast.Attribute) and place_of(given.value) == this
    plain = [each for each in init.body if isinstance(each, ast.Assign)]
    return own and any(value_given(each, place_of(given)) is not None for each in plain)


def _is_changed_last(body: Body, name: str) -> bool:
    """Whether a Variable is changed when the call has read it: what it is changed to is for the next call."""
    uses = def_use(body.home, body.function.node)
    changing = [one.node for one in uses.of(name, Kind.READ) if one.method in CHANGES]
    changes = [
        each
        for each in getattr(body.function.node, "body", ())
        if isinstance(each, ast.Expr) and any(part in changing for part in ast.walk(each))
    ]
    inside = {part for each in changes for part in ast.walk(each)}
    return bool(changes) and all(one.node in inside for one in uses.reads_after(changes[0], name))
