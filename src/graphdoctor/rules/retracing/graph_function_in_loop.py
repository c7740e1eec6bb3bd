"""GD102."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Change, Edit, Finding, Fix, FunctionRef, Safety, Severity, Span
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import History, Retrace, Trace
from graphdoctor.recording.format import Loop, Made
from graphdoctor.recording.grouping import Origin
from graphdoctor.recording.history import FEW_RETRACES
from graphdoctor.recording.labels import PER_INSTANCE
from graphdoctor.recording.places import span_of
from graphdoctor.rewriting.decorators import decorator_of, wrapping_of
from graphdoctor.rewriting.hoisting import can_hoist, hoist_call, hoist_statement
from graphdoctor.rewriting.lifting import kept_wrapping, lifted, lifted_for_all, remembered, remembering
from graphdoctor.rewriting.resolving import called_function
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.retracing.evidence import Retracing, observed, retracings
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Function, Module
from graphdoctor.source.scopes import Placed, Scope

FEW_OBJECTS = 2
REMEMBER = "Remember what it made"
DEFINE_ONCE, MAKE_ONCE = "Define it once, outside", "Make it once, outside"
Fixes = tuple[Fix, tuple[Fix, ...]]


class GraphFunctionInLoop(Rule):
    """A `tf.function` that is made anew each time has an empty cache each time.

    What it finds
    A graph function that is made anew and called at each turn of a loop: decorated or wrapped inside the
    loop, or in a function, method, property or factory that the loop calls, or as the method of an object
    that is made there and holds nothing but plain values. One graph function for each of several models,
    variables or datasets is a NOTE, and nothing when an inner loop calls it often.

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
    settled_by = (Trace,)
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

    def judge(self, facts: Facts) -> Iterator[Finding]:
        told: dict[tuple[str, int, int], Finding] = {}
        for retracing in retracings(facts, Change.NEW_FUNCTION_OBJECT):
            history = retracing.history
            if history.origin is not Origin.FUNCTION or retracing.argument is not None:
                continue
            if not retracing.retraces:
                for finding in self._foretold(retracing, facts):
                    worse = told.get(_span(finding), finding).severity is Severity.NOTE
                    if worse or _span(finding) not in told:
                        told[_span(finding)] = finding
            elif history.objects > FEW_OBJECTS and (_short_lived(history) or _is_foretold(retracing)):
                yield self._seen(retracing, facts)
        yield from told.values()
        for history in facts.histories:
            retraces = [retrace for retrace in history.retraces if retrace.label == PER_INSTANCE]
            many = history.objects > FEW_RETRACES + 1 and len(retraces) > FEW_RETRACES
            if many and history.are_mostly_gone(retraces) and _short_lived(history):
                yield self._of_instances(history, retraces)

    def _seen(self, retracing: Retracing, facts: Facts) -> Finding:
        history, figures = retracing.history, retracing.observed
        function = facts.sources.function(history.function)
        fix, alternatives = _fixes(function) if function is not None else (None, ())
        cost = f" ({duration(figures.seconds)})" if figures else ""
        return self.finding(
            _where_made(retracing, facts),
            f"`{history.function.name}` was made into a graph function {history.objects} times and "
            f"traced each time{cost}",
            history.function,
            event=retracing.event,
            observed=figures,
            fix=fix or Fix(title="Make the graph function once and keep it", safety=Safety.MANUAL),
            alternatives=alternatives,
        )

    def _of_instances(self, history: History, retraces: list[Retrace]) -> Finding:
        """A method that each object of a class has for itself; objects that live on are an ensemble."""
        figures = observed(retraces, None, Change.NEW_FUNCTION_OBJECT)
        return self.finding(
            whole_line(history.function.path, history.function.line),
            f"{history.objects} objects have a graph function `{history.function.name}` of their own, each "
            f"traced for itself and called about once ({duration(figures.seconds)})",
            history.function,
            event=retraces[-1].trace,
            observed=figures,
            fix=Fix(title="Make the object once, outside", safety=Safety.MANUAL),
        )

    def _foretold(self, retracing: Retracing, facts: Facts) -> Iterator[Finding]:
        """A model of its own for each turn may have a step of its own, above all when it is called often."""
        trace, function = retracing.event, retracing.history.function
        wanted = trace.tied and (trace.per_instance or _is_called_often(trace))
        if trace.made is None or trace.anew is None or wanted:
            return
        where = _when_made(trace, trace.anew, facts)
        span, what, (fix, alternatives) = _what_is_made(trace, function, facts)
        yield self.finding(
            span,
            f"{what} {where}, so that nothing traced is reused",
            function,
            event=trace,
            severity=Severity.NOTE if trace.tied else self.severity,
            fix=fix,
            alternatives=alternatives,
        )


def _where_made(retracing: Retracing, facts: Facts) -> Span:
    """The one call of `tf.function` that makes the objects; where there is a decorator, the function."""
    ref = retracing.history.function
    here = whole_line(ref.path, ref.line)
    known = facts.sources.function(ref)
    if known is not None and getattr(known.node, "decorator_list", []):
        return here
    foretold = [retrace.trace.made for retrace in retracing.foretold if retrace.trace.made is not None]
    if foretold:
        return span_of(foretold[-1])
    made = wrapping_of(known) if known is not None else None
    return known.home.span(made) if known is not None and made is not None else here


def _span(finding: Finding) -> tuple[str, int, int]:
    return finding.path, finding.line, finding.column


def _is_called_often(trace: Trace) -> bool:
    """Whether each of the objects serves a loop inside the one that makes it."""
    loops = [loop for frame in trace.chain for loop in frame.loops]
    return trace.anew is not None and bool(loops) and loops[-1].place != trace.anew.place


def _when_made(trace: Trace, loop: Loop, facts: Facts) -> str:
    """`at each turn of the loop`, or `at each call of` the function that makes it."""
    for made in facts.of(Made):
        if made.place == trace.made and made.frame is not None and not trace.per_instance:
            directly = any(each.place == loop.place for each in made.frame.loops)
            return "at each turn of the loop" if directly else f"at each call of `{made.frame.function}`"
    return "at each turn of the loop"


def _what_is_made(trace: Trace, ref: FunctionRef, facts: Facts) -> tuple[Span, str, Fixes]:
    """Where a graph function is made again and again, what that is, and how to make it once."""
    assert trace.made is not None
    span = span_of(trace.made)
    found, function = facts.sources.node(span), facts.sources.function(ref)
    if trace.per_instance or found is None:
        fix = Fix(title="Make the object once, outside", safety=Safety.MANUAL)
        return span, f"each new object has a graph function `{ref.name}` of its own, made", (fix, ())
    module, node = found
    if function is not None and getattr(function.node, "decorator_list", []):
        first = function.ref.line
        start = function.home.place(first, 1, first, 1)
        return start, f"`{ref.name}` becomes a new graph function", _fixes(function)
    what = f"`{module.source_of(node)}` is a new graph function"
    return span, what, _fixes_of_wrapping(module, node)


def _fixes(function: Function) -> Fixes:
    """Define a decorated function before the loop, or once outside of the function that it stands in."""
    placed, module = function.placed, function.home
    if decorator_of(function) is None:
        wrapping = wrapping_of(function)
        by_hand = Fix(title=MAKE_ONCE, safety=Safety.MANUAL)
        return _fixes_of_wrapping(module, wrapping) if wrapping is not None else (by_hand, ())
    if placed.loops and can_hoist(function.node, placed):
        edits = hoist_statement(module, function.node, placed)
        return Fix(title="Define it before the loop", safety=Safety.SAFE, edits=edits), ()
    ways = (lifted(function), lifted(function, as_tensors=True))
    offered = [Fix(title=DEFINE_ONCE, safety=Safety.UNSAFE, edits=edits) for edits in ways if edits]
    if not offered and placed.scope.function is not None:
        others = (*_one_for_all(function), *_remembered(module, placed.scope.function))
        return Fix(title=DEFINE_ONCE, safety=Safety.MANUAL), others
    if offered and not placed.loops:
        return offered[0], tuple(offered[1:])
    return Fix(title=DEFINE_ONCE, safety=Safety.MANUAL), tuple(reversed(offered))


def _fixes_of_wrapping(module: Module, node: ast.AST) -> Fixes:
    placed = next((each for each in module.walk.calls if each.node is node), None)
    if placed is not None and isinstance(node, ast.Call) and placed.loops:
        kept = _kept_for_a_turn(module, node, placed)
        edits: tuple[Edit, ...] = ()
        if kept is not None and ";" not in module.lines[kept.lineno - 1]:
            edits = hoist_statement(module, kept, placed)
        elif kept is None and _called_at_once(module, node) and can_hoist(node, placed):
            edits = hoist_call(module, node, placed)
        if edits:
            return Fix(title="Make it before the loop", safety=Safety.SAFE, edits=edits), ()
    by_hand = Fix(title=MAKE_ONCE, safety=Safety.MANUAL)
    if placed is None or not isinstance(node, ast.Call) or placed.scope.function is None:
        return by_hand, ()
    wrapping, kept_by_maker = kept_wrapping(module, node, placed), remembering(module, node, placed)
    others = (offer(REMEMBER, kept_by_maker),) if kept_by_maker else ()
    if wrapping is not None:
        return Fix(title=MAKE_ONCE, safety=Safety.UNSAFE, edits=wrapping), others
    wrapped = called_function(ast.Call(node.args[0], [], []), placed.scope) if node.args else None
    inner = _one_for_all(wrapped) if wrapped is not None else ()
    return by_hand, (*inner, *others, *_remembered(module, placed.scope.function))


def _one_for_all(function: Function) -> tuple[Fix, ...]:
    """One function for all the values that it is made for."""
    edits = lifted_for_all(function)
    return (offer(DEFINE_ONCE, edits),) if edits else ()


def _remembered(module: Module, scope: Scope) -> tuple[Fix, ...]:
    """Let the function that makes it remember what it made."""
    maker = module.functions.get(scope.node)
    edits = remembered(maker) if maker is not None else None
    return (Fix(title=REMEMBER, safety=Safety.UNSAFE, edits=edits),) if edits else ()


def _short_lived(history: History) -> bool:
    """Whether the objects served about one call each, or are gone; one object per model is neither."""
    definitions = {trace.definition for trace in history.traces}
    if len(definitions) == 1 and all(definitions.pop() or (0,)):
        return True  # the very same function, made into a graph function again and again
    if history.calls is not None:
        return history.calls <= 2 * history.objects
    gone = sum(trace.object in history.dead_functions for trace in history.traces)
    return 2 * gone >= history.objects


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


def _is_foretold(retracing: Retracing) -> bool:
    """Whether the dry run, too, sees no reason for a new graph function: a model of each turn is one."""
    return any(not retrace.trace.tied for retrace in retracing.foretold)
