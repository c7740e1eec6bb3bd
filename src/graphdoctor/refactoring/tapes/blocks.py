"""Gradient tapes: where each is opened, what is computed in it, and what is asked of it."""

import ast
import dataclasses
from collections.abc import Iterator
from typing import cast

from graphdoctor.source.module import Module
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Loop, Placed, Scope

TAPE = "tensorflow.GradientTape"
ASKING = ("gradient", "jacobian", "batch_jacobian")


@dataclasses.dataclass(eq=False, slots=True)
class Question:
    """One call of `tape.gradient` or its like; `handed`: by a helper that was given the tape."""

    node: ast.Call
    statement: ast.stmt
    scope: Scope
    loops: tuple[Loop, ...]
    target: ast.expr | None
    sources: ast.expr | None
    handed: bool = False

    def is_on(self, line: int) -> bool:
        """Whether it stands on a line."""
        return self.node.lineno <= line <= (self.node.end_lineno or 0)

    @property
    def source_list(self) -> list[ast.expr]:
        """The single sources, where they are written out."""
        if isinstance(self.sources, ast.List | ast.Tuple):
            return list(self.sources.elts)
        return [self.sources] if self.sources is not None else []

    @property
    def name_of_all(self) -> str:
        """The one name that stands for all sources; empty where they are written out."""
        return self.sources.id if isinstance(self.sources, ast.Name) else ""

    @property
    def plain_sources(self) -> list[ast.expr]:
        """The single sources, where each of them is written out: none behind a `*`."""
        found = self.source_list
        return [] if any(isinstance(source, ast.Starred) for source in found) else found


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

    def holds(self, node: ast.AST) -> bool:
        """Whether a node stands in the body of the `with`."""
        line = getattr(node, "lineno", 0)
        return self.node.body[0].lineno <= line <= (self.node.end_lineno or 0)

    def bindings(self, name: str) -> list[ast.AST]:
        """The places that give a name its value, as seen from where the tape is."""
        found = self.scope.lookup(name)
        return [binding.node for binding in found[1]] if found else []

    def has_when_opened(self, name: str) -> bool:
        """Whether a name may have a value when the tape is opened: not one that gets it further down."""
        found = self.scope.lookup(name)
        own = found[1] if found and found[0] is self.scope else []
        return not own or any(getattr(each.node, "lineno", 0) <= self.node.lineno for each in own)


def find_tapes(module: Module) -> list[Tape]:
    """The tapes of a module, each with the calls that belong to it; several rules ask for them."""
    if "GradientTape" not in module.text:
        return []
    if Tape not in module.attached:
        module.attached[Tape] = _find_tapes(module)
    return cast("list[Tape]", module.attached[Tape])


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
            tape.questions.append(question_of(placed))


def _tape_of(name: str, call: ast.Call, scope: Scope, tapes: list[Tape]) -> Tape | None:
    """The tape that a name holds at a call: of those opened above it in the same scope, the last."""
    found = scope.lookup(name)
    above = [
        tape
        for tape in tapes
        if found and tape.scope is found[0] and tape.name == name and tape.node.lineno <= call.lineno
    ]
    return max(above, key=lambda tape: tape.node.lineno, default=None)


def question_of(placed: Placed) -> Question:
    """What a call of `gradient` or its like asks."""
    call = placed.node
    assert isinstance(call, ast.Call)
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    target = call.args[0] if call.args else given.get("target")
    sources = call.args[1] if len(call.args) > 1 else given.get("sources", given.get("source"))
    return Question(call, placed.statement, placed.scope, placed.loops, target, sources)
