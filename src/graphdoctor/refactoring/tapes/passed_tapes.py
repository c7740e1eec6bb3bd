"""A tape that a function gives to a helper, which asks it: the question as the function would have put it."""

import ast
import dataclasses

from graphdoctor.refactoring.tapes.blocks import ASKING, Question, Tape, find_tapes, question_of
from graphdoctor.source.calls import all_given, bind_arguments, method_name
from graphdoctor.source.def_use import place_of
from graphdoctor.source.module import Module
from graphdoctor.source.scopes import Placed


def tape_at(module: Module, line: int) -> Tape | None:
    """The one tape that is opened on a line."""
    found = [tape for tape in find_tapes(module) if tape.node.lineno <= line <= tape.node.body[0].lineno - 1]
    return found[0] if len(found) == 1 else None


def question_through(module: Module, tape: Tape, line: int, helper: Module, asked_on: int) -> Question | None:
    """The question on a line of a helper that a call on a line gives the tape to; None for any other call.

    Target and sources are what the call gives for them; None where the helper has them from elsewhere.
    """
    asked = [placed for placed in helper.walk.calls if _asks(placed) and _is_on(placed, asked_on)]
    handing = [
        placed
        for placed in module.walk.calls
        if placed.scope is tape.scope and _is_on(placed, line) and _gives(placed, tape.name)
    ]
    if len(asked) != 1 or len(handing) != 1:
        return None
    question, call = question_of(asked[0]), handing[0]
    return dataclasses.replace(
        question,
        statement=call.statement,
        scope=tape.scope,
        loops=call.loops,
        target=_given(question.target, asked[0], call, helper),
        sources=_given(question.sources, asked[0], call, helper),
        handed=True,
    )


def _asks(placed: Placed) -> bool:
    return method_name(placed.node) in ASKING


def _is_on(placed: Placed, line: int) -> bool:
    first = getattr(placed.node, "lineno", 0)
    return bool(first <= line <= (getattr(placed.node, "end_lineno", None) or first))


def _gives(placed: Placed, name: str) -> bool:
    """Whether a call gives away what a name stands for."""
    values = all_given(placed.node) if isinstance(placed.node, ast.Call) else []
    return any(place_of(each) == name for each in values)


def _given(asked: ast.expr | None, question: Placed, call: Placed, helper: Module) -> ast.expr | None:
    """What a call gives for a parameter of the helper that is asked with."""
    scope = question.scope.function
    function = helper.functions.get(scope.node) if scope is not None else None
    if not isinstance(asked, ast.Name) or function is None or not isinstance(call.node, ast.Call):
        return None
    if function.name != getattr(call.node.func, "attr", getattr(call.node.func, "id", None)):
        return None
    bound = function.scope.bindings.get(asked.id, [])
    plain = len(bound) == 1 and bound[0].kind == "parameter"
    return bind_arguments(call.node, function).get(asked.id) if plain else None
