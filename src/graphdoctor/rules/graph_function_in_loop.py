"""GD102."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Safety, Severity
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import History
from graphdoctor.recording.grouping import Origin
from graphdoctor.rules.evidence import retracings
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Call, Function, Module
from graphdoctor.source.functions import TF_FUNCTION, definition
from graphdoctor.source.hoisting import can_hoist, hoist_call, hoist_statement
from graphdoctor.source.loops import binds
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Placed

FEW_OBJECTS = 2


class GraphFunctionInLoop(Rule):
    """A `tf.function` that is made anew each time has an empty cache each time.

    What it finds
    A function decorated with `tf.function` inside a loop, `tf.function(f)` made inside a loop, and
    `tf.function(f)(x)` or a decorated inner function in a function that is itself called in a loop.
    Not: one graph function for each of several models, kept in a list or returned to the caller.

    Why it matters
    Graphs are kept in the object that `tf.function` returns. A new object knows none of them, so
    each turn of the loop traces again, and nothing is ever reused.

    How to fix it
    Make the graph function once, before the loop. What it takes from the loop becomes an argument.

    When to leave it
    When each object is called many times, as with one training step per model.
    """

    id = "GD102"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                for batch in range(5):

                    @tf.function
                    def double(x):
                        return x + x

                    double(tf.ones([3]))
                """,
            good="""
                import tensorflow as tf

                @tf.function
                def double(x):
                    return x + x

                for batch in range(5):

                    double(tf.ones([3]))
                """,
            traces=(5, 1),
        ),
        Example(
            bad="""
                import tensorflow as tf


                def double(x):
                    return x + x


                for batch in range(5):
                    tf.function(double)(tf.ones([3]))
                """,
            good="""
                import tensorflow as tf


                def double(x):
                    return x + x


                graph_double = tf.function(double)
                for batch in range(5):
                    graph_double(tf.ones([3]))
                """,
            traces=(5, 1),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for traced in module.traced.values():
            if traced.decorator is not None:
                yield from self._check_definition(module, traced.function)
        for placed in module.walk.calls:
            assert isinstance(placed.node, ast.Call)
            if dotted_name(placed.node.func, placed.scope) == TF_FUNCTION and placed.node.args:
                yield from self._check_wrapping(module, placed, placed.node)

    def _check_definition(self, module: Module, function: Function) -> Iterator[Finding]:
        placed = function.placed
        if not placed.loops and placed.scope.function is None:
            return  # made once, when the module is imported
        if _escapes(module, function) or _needs_its_turn(function.node, placed):
            return
        fix = None
        if placed.loops:
            where = "at each turn of the loop"
            if can_hoist(function.node, placed):
                fix = Fix(
                    title="Define it before the loop",
                    safety=Safety.SAFE,
                    edits=hoist_statement(module, function.node, placed),
                )
        elif _called_in_loop(module, placed) and _called_inside(module, function):
            where = f"at each call of `{placed.scope.name}`"
        else:
            return
        name = function.ref.name
        yield self.finding(
            module.place(function.ref.line, 1, function.ref.line, 1),
            f"`{name}` becomes a new graph function {where}, so that nothing traced is reused",
            function.ref,
            fix=fix or Fix(title="Define it once, outside", safety=Safety.MANUAL),
        )

    def _check_wrapping(self, module: Module, placed: Placed, call: ast.Call) -> Iterator[Finding]:
        wrapped = definition(call.args[0], placed.scope, module.functions)
        if wrapped is None or _needs_its_turn(call, placed):
            return
        kept = _kept_for_a_turn(module, call, placed)
        if kept is None and not _called_at_once(module, call):
            return
        fix = None
        if placed.loops:
            where = "at each turn of the loop"
            if kept is not None and ";" not in module.lines[kept.lineno - 1]:
                fix = Fix(
                    title="Make it before the loop",
                    safety=Safety.SAFE,
                    edits=hoist_statement(module, kept, placed),
                )
            elif can_hoist(call, placed):
                fix = Fix(
                    title="Make it before the loop",
                    safety=Safety.SAFE,
                    edits=hoist_call(module, call, placed),
                )
        elif _called_in_loop(module, placed):
            where = f"at each call of `{placed.scope.name}`"
        else:
            return
        yield self.finding(
            module.span(call),
            f"`{module.source_of(call)}` is a new graph function {where}, so that nothing traced is reused",
            wrapped.ref,
            fix=fix or Fix(title="Make it once, outside", safety=Safety.MANUAL),
        )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for retracing in retracings(facts, Change.NEW_FUNCTION_OBJECT):
            history = retracing.history
            own = history.origin is Origin.FUNCTION
            if not own or retracing.argument is not None or history.objects <= FEW_OBJECTS:
                continue
            if not _short_lived(history) and not self._in_source(history, facts):
                continue
            figures = retracing.observed
            cost = f" ({duration(figures.seconds)})" if figures else ""
            yield self.finding(
                whole_line(history.function.path, history.function.line),
                f"`{history.function.name}` was made into a graph function {history.objects} times and "
                f"traced each time{cost}",
                history.function,
                event=retracing.event,
                observed=figures,
                fix=Fix(title="Make the graph function once and keep it", safety=Safety.MANUAL),
            )

    def _in_source(self, history: History, facts: Facts) -> bool:
        """Whether the source alone shows it."""
        module = facts.sources.module(history.function.path)
        return any(f.function == history.function for f in (self.check_source(module) if module else ()))


def _short_lived(history: History) -> bool:
    """Whether the objects served about one call each, or are gone; one object per model is neither."""
    definitions = {trace.definition for trace in history.traces}
    if len(definitions) == 1 and all(definitions.pop() or (0,)):
        return True  # the very same function, made into a graph function again and again
    if history.calls is not None:
        return history.calls <= 2 * history.objects
    gone = sum(trace.object in history.dead_functions for trace in history.traces)
    return 2 * gone >= history.objects


def _called_inside(module: Module, function: Function) -> bool:
    return any(call.function is function for call in module.calls)


def _called_in_loop(module: Module, placed: Placed) -> bool:
    """Whether the function around a place is called in a loop of this module."""
    around = placed.scope.function
    if around is None:
        return False
    calls: list[Call] = [call for call in module.calls if call.function.node is around.node]
    return any(call.loops for call in calls)


def _escapes(module: Module, function: Function) -> bool:
    """Whether a function is used other than by calling it: returned, kept, or handed on."""
    name = getattr(function.node, "name", "")
    if function.owner is not None:
        return True
    called = {id(call.node.func) for call in module.calls if call.function is function}
    scope = function.placed.scope
    holder = scope.function.node if scope.function else module.tree
    return any(
        isinstance(node, ast.Name)
        and node.id == name
        and isinstance(node.ctx, ast.Load)
        and id(node) not in called
        for node in ast.walk(holder)
    )


def _needs_its_turn(node: ast.AST, placed: Placed) -> bool:
    """Whether it calls, or looks into, an object that each turn of the loop makes anew."""
    own = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    own |= {
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    used = {
        inner.id
        for part in ast.walk(node)
        if isinstance(part, ast.Call | ast.Attribute)
        for inner in [part.func if isinstance(part, ast.Call) else part.value]
        if isinstance(inner, ast.Name)
    }
    return any(binds(loop, name) for loop in placed.loops for name in used - own)


def _called_at_once(module: Module, call: ast.Call) -> bool:
    """Whether `tf.function(f)` is called where it is made."""
    return any(placed.node.func is call for placed in module.walk.calls if isinstance(placed.node, ast.Call))


def _kept_for_a_turn(module: Module, call: ast.Call, placed: Placed) -> ast.Assign | None:
    """`name = tf.function(f)` at each turn of a loop, always the same; only the loop calls `name`."""
    statement, loop = placed.statement, placed.loops[0] if placed.loops else None
    if not isinstance(statement, ast.Assign) or statement.value is not call or len(statement.targets) != 1:
        return None
    target, innermost = statement.targets[0], placed.loops[-1] if placed.loops else None
    if not isinstance(target, ast.Name) or not isinstance(loop, ast.For | ast.While):
        return None
    if statement not in getattr(innermost, "body", ()) or not can_hoist(call, placed):
        return None
    if any(isinstance(node, ast.Break) for node in ast.walk(loop)):
        return None  # perhaps there is no second turn
    holder = placed.scope.function.node if placed.scope.function else module.tree
    uses = [node for node in ast.walk(holder) if isinstance(node, ast.Name) and node.id == target.id]
    called = {id(node.func) for node in ast.walk(loop) if isinstance(node, ast.Call)}
    return statement if all(use is target or id(use) in called for use in uses) else None
