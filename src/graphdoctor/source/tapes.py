"""Gradient tapes: where each is opened, what is computed in it, and what is asked of it."""

import ast
import builtins
import dataclasses
import weakref
from collections.abc import Callable, Iterator

from graphdoctor.source.kinds import Kind, kind_of
from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Loop, Placed, Scope

TAPE = "tensorflow.GradientTape"
ASKING = ("gradient", "jacobian", "batch_jacobian")


@dataclasses.dataclass(eq=False, slots=True)
class Question:
    """One call of `tape.gradient` or its like."""

    node: ast.Call
    statement: ast.stmt
    scope: Scope
    loops: tuple[Loop, ...]
    target: ast.expr | None
    sources: ast.expr | None

    @property
    def source_list(self) -> list[ast.expr]:
        """The single sources, where they are written out."""
        if isinstance(self.sources, ast.List | ast.Tuple):
            return list(self.sources.elts)
        return [self.sources] if self.sources is not None else []


@dataclasses.dataclass(eq=False, slots=True)
class Tape:
    """`with tf.GradientTape(…) as tape:` and the calls on it, in the order of the text."""

    name: str
    node: ast.With
    call: ast.Call
    scope: Scope
    loops: tuple[Loop, ...]
    questions: list[Question]
    watches: list[Placed]

    def option(self, name: str, position: int) -> ast.expr | None:
        """What is given for an option of GradientTape."""
        given = {keyword.arg: keyword.value for keyword in self.call.keywords}
        return given.get(name) or (self.call.args[position] if len(self.call.args) > position else None)

    @property
    def persistent(self) -> bool:
        """Whether it may be asked more than once; True also when the source does not tell."""
        value = self.option("persistent", 0)
        return value is not None and not (isinstance(value, ast.Constant) and value.value is False)

    def holds(self, node: ast.AST) -> bool:
        """Whether a node stands in the body of the `with`."""
        line = getattr(node, "lineno", 0)
        return self.node.body[0].lineno <= line <= (self.node.end_lineno or 0)

    def bindings(self, name: str) -> list[ast.AST]:
        """The places that give a name its value, as seen from where the tape is."""
        found = self.scope.lookup(name)
        return [binding.node for binding in found[1]] if found else []


_found: "weakref.WeakKeyDictionary[Module, list[Tape]]" = weakref.WeakKeyDictionary()


def find_tapes(module: Module) -> list[Tape]:
    """The tapes of a module, each with the calls that belong to it; several rules ask for them."""
    if "GradientTape" not in module.text:
        return []
    if module not in _found:
        _found[module] = _find_tapes(module)
    return _found[module]


def _find_tapes(module: Module) -> list[Tape]:
    scopes = [module.walk.root, *(scope for _, scope, _ in module.walk.functions)]
    tapes = [tape for scope in scopes for tape in _opened_in(scope, module)]
    if tapes:
        _ask(tapes, module)
    return sorted(tapes, key=lambda tape: tape.node.lineno)


def _opened_in(scope: Scope, module: Module) -> Iterator[Tape]:
    for name, bindings in scope.bindings.items():
        for binding in bindings:
            node, call = binding.node, binding.value
            if not isinstance(node, ast.With) or not isinstance(call, ast.Call):
                continue
            if dotted_name(call.func, scope) == TAPE:
                yield Tape(name, node, call, scope, _loops_around(call, module), [], [])


def _loops_around(call: ast.Call, module: Module) -> tuple[Loop, ...]:
    return next((placed.loops for placed in module.walk.calls if placed.node is call), ())


def _ask(tapes: list[Tape], module: Module) -> None:
    for placed in module.walk.calls:
        call = placed.node
        assert isinstance(call, ast.Call)
        function = call.func
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            continue
        if function.attr not in (*ASKING, "watch"):
            continue
        tape = _tape_of(function.value.id, call, placed.scope, tapes)
        if tape is None:
            continue
        if function.attr == "watch":
            tape.watches.append(placed)
        else:
            tape.questions.append(_question(placed, call))


def _tape_of(name: str, call: ast.Call, scope: Scope, tapes: list[Tape]) -> Tape | None:
    """The tape that a name holds at a call: of those opened above it in the same scope, the last."""
    found = scope.lookup(name)
    above = [
        tape
        for tape in tapes
        if found and tape.scope is found[0] and tape.name == name and tape.node.lineno <= call.lineno
    ]
    return max(above, key=lambda tape: tape.node.lineno, default=None)


def _question(placed: Placed, call: ast.Call) -> Question:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    target = call.args[0] if call.args else given.get("target")
    sources = call.args[1] if len(call.args) > 1 else given.get("sources", given.get("source"))
    return Question(call, placed.statement, placed.scope, placed.loops, target, sources)


def assignments(tape: Tape) -> Iterator[tuple[str, ast.expr, ast.stmt]]:
    """The plain assignments to names in the body of a tape, in order."""
    for statement in tape.node.body:
        for node in ast.walk(statement):
            target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
            if isinstance(node, ast.Assign) and isinstance(target, ast.Name):
                yield target.id, node.value, node


def breaking(tape: Tape, target: ast.expr | None, breaks: Callable[[ast.expr], bool]) -> Iterator[ast.expr]:
    """The expressions through which all of a target's value comes, and of which `breaks` says so.

    Silent as soon as any part of the target may reach it by another way.
    """
    if not isinstance(target, ast.Name):
        return
    broken: dict[str, ast.expr] = {}
    for name, value, _ in assignments(tape):
        culprit = _culprit(value, broken, breaks, tape.scope)
        if culprit is not None:
            broken[name] = culprit
        else:
            broken.pop(name, None)
    if target.id in broken:
        yield broken[target.id]


def _culprit(
    value: ast.expr, broken: dict[str, ast.expr], breaks: Callable[[ast.expr], bool], scope: Scope
) -> ast.expr | None:
    """The breaking expression inside a value, if nothing else in it carries a gradient."""
    if breaks(value):
        return value
    if isinstance(value, ast.Name):
        return broken.get(value.id)
    if isinstance(value, ast.Constant) or dotted_name(value, scope) is not None:
        return None
    if isinstance(value, ast.Call) and not _known(value, scope):
        return None  # a model or function of the user's may bring variables of its own
    parts = _parts(value)
    found = [_culprit(part, broken, breaks, scope) for part in parts]
    culprit = next((item for item in found if item is not None), None)
    plain = all(
        item is not None or _carries_nothing(part, scope) for part, item in zip(parts, found, strict=True)
    )
    return culprit if plain else None


def _known(call: ast.Call, scope: Scope) -> bool:
    """Whether a call is one of TensorFlow's, NumPy's or Python's functions, or a tensor's method."""
    name = dotted_name(call.func, scope)
    if name is not None:
        return _is_library_name(name)
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("numpy", "item", "tolist", "astype")


def _is_library_name(name: str) -> bool:
    """Whether a dotted name belongs to TensorFlow, NumPy or Python; a name nobody binds may be anything."""
    root, _, rest = name.partition(".")
    return root in ("tensorflow", "numpy") or (root == "builtins" and hasattr(builtins, rest.rstrip(".")))


def _parts(value: ast.expr) -> list[ast.expr]:
    """The expressions whose values an expression is computed from."""
    if isinstance(value, ast.Call):
        method = [value.func.value] if isinstance(value.func, ast.Attribute) else []
        return [*method, *value.args, *(keyword.value for keyword in value.keywords)]
    return [node for node in ast.iter_child_nodes(value) if isinstance(node, ast.expr)]


def _carries_nothing(node: ast.expr, scope: Scope) -> bool:
    """Whether an expression is a literal, a number, or the name of a module or function."""
    if isinstance(node, ast.Constant) or kind_of(node, scope) in (Kind.NUMBER, Kind.TEXT):
        return True
    name = dotted_name(node, scope)
    if name is not None and _is_library_name(f"{name}."):
        return True
    return bool(_parts(node)) and all(_carries_nothing(part, scope) for part in _parts(node))
