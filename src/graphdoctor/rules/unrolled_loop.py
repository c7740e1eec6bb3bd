"""GD120."""

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity, Span
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import History, Trace
from graphdoctor.recording.format import SEEN, Place, Staging
from graphdoctor.recording.places import span_of
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.loops import is_graph_loop
from graphdoctor.source.names import dotted_name

MANY_OPERATIONS = 500
MANY_TURNS = 50
MOST_OF_THEM = 0.6


class UnrolledLoop(Rule):
    """A Python loop in a traced function is written out turn by turn into the graph.

    What it finds
    A Python loop of fifty turns or more that writes five hundred operations or more into the graph; from
    a run, a graph of that size, most of which comes from the body of one Python loop over `range`.

    Why it matters
    AutoGraph keeps a loop over Python's `range` in Python: each turn adds its operations to the graph.
    The first call then takes seconds or minutes, and the graph takes memory.

    How to fix it
    Loop over `tf.range`, or use `tf.scan` or `tf.while_loop`; better still, one operation on the whole
    tensor.

    When to leave it
    When the loop is short: a graph loop has a cost of its own at each turn.
    """

    id = "GD120"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def power(x):
                    for turn in range(300):
                        x = x * 0.99 + 0.01
                    return x


                power(tf.ones([3]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def power(x):
                    for turn in tf.range(300):
                        x = x * 0.99 + 0.01
                    return x


                power(tf.ones([3]))
                """,
            operations=(1202, 18),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for loop in facts.of(Staging):
            if (
                loop.outcome == "python"
                and loop.reached != SEEN
                and _is_long(loop)
                and loop.place is not None
            ):
                function = facts.function_of(loop)
                yield self.finding(
                    _head(loop.place, facts),
                    f"Python unrolls this loop: its {loop.turns:,} turns make about {loop.operations:,} "
                    f"operations of `{function.name if function else loop.chain[-1].function}`",
                    function,
                    event=loop,
                    fix=Fix(title="Loop over `tf.range`", safety=Safety.MANUAL),
                )
        for history in facts.histories:
            trace = max(history.traces, key=lambda trace: trace.operations)
            for path in {line.path for line in trace.lines}:
                module = facts.sources.module(path)
                found = _unrolled(module, trace, path) if module else None
                if found is not None:
                    yield self._found(history, trace, path, *found)

    def _found(self, history: History, trace: Trace, path: str, loop: ast.For, made: int) -> Finding:
        seconds = sum(t.own_seconds for t in history.traces)
        return self.finding(
            whole_line(path, loop.lineno),
            f"{made:,} of the {trace.operations:,} operations of `{history.function.name}` come "
            f"from this loop, which Python unrolls ({duration(seconds)} to trace)",
            history.function,
            event=trace,
            observed=Observed(traces=0, seconds=round(seconds, 6)),
            fix=Fix(title="Loop over `tf.range`", safety=Safety.MANUAL),
        )


def _head(place: Place, facts: Facts) -> Span:
    """`for turn in range(300)`, without the body."""
    span = span_of(place)
    found = facts.sources.node(span)
    head = getattr(found[1], "iter", getattr(found[1], "test", None)) if found else None
    if found is None or head is None:
        return span
    end = found[0].span(head)
    return replace(span, end_line=end.end_line, end_column=end.end_column)


def _is_long(loop: Staging) -> bool:
    """Whether a loop is over steps or rows: a loop over a model's layers has few turns."""
    return (loop.turns or 0) >= MANY_TURNS and loop.operations >= MANY_OPERATIONS


def _unrolled(module: Module, trace: Trace, path: str) -> tuple[ast.For, int] | None:
    """The innermost Python loop over `range` that made most of a large graph, and how much it made."""
    found = []
    for placed in module.walk.loops:
        loop = placed.node
        if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call):
            continue
        over_range = dotted_name(loop.iter.func, placed.scope) == "builtins.range"
        if not over_range or is_graph_loop(loop, placed.scope):
            continue
        last = loop.end_lineno or loop.lineno
        made = sum(
            line.operations for line in trace.lines if line.path == path and loop.lineno <= line.line <= last
        )
        if made >= MANY_OPERATIONS and made >= MOST_OF_THEM * trace.operations:
            found.append((loop, made))
    return max(found, key=lambda pair: pair[0].lineno) if found else None
