"""GD120."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Severity, Span
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording.format import OWN_WEIGHTS, SEEN, Staging, Trace
from graphdoctor.recording.grouping import Origin
from graphdoctor.recording.places import span_of
from graphdoctor.refactoring.control_flow.loops import count_in_graph
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at

MANY_OPERATIONS = 500
MANY_ITERATIONS = 50
# Of a run, where the loop made so much of the graph, gradients left out: they are made elsewhere.
SEEN_ITERATIONS = 16
MUCH_OF_THEM = 0.4
GRAPH_LOOP = "Loop over `tf.range`"
CALL = "call"  # no loop in the source: `functools.reduce`, `map`, recursion, a layer that unrolls
KERAS_METHODS = ("call", "train_step", "test_step", "predict_step")  # Keras 3 calls them as they are


class UnrolledLoop(Rule):
    """A Python loop in a traced function is unrolled into the graph.

    What it finds
    A Python loop of fifty iterations or more that adds five hundred operations or more to the graph; from a
    run, a loop of sixteen iterations or more that made much of a graph of that size, in its body or in what
    it calls; also a line that runs a function fifty times or more without a loop in the source
    (`functools.reduce`, `map`, a recursive function, a layer with `unroll=True`). A loop over layers that
    have their own weights, or over their gradients, is not reported.

    Why it matters
    AutoGraph leaves a loop over Python's `range` to Python: each iteration adds its operations to the graph.
    The first call then takes seconds or minutes, and the graph takes memory.

    How to fix it
    Loop over `tf.range`, or use `tf.scan` or `tf.while_loop`; better still, one operation on the whole
    tensor.

    When to leave it
    When the loop is short: a TensorFlow loop has its own cost at each iteration.
    """

    id = "GD120"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def power(x):
                    for step in range(300):
                        x = x * 0.99 + 0.01
                    return x


                power(tf.ones([3]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def power(x):
                    for step in tf.range(300):
                        x = x * 0.99 + 0.01
                    return x


                power(tf.ones([3]))
                """,
            operations=(1202, 18),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for loop in unrolled_loops(facts):
            function = facts.function_of(loop)
            yield self.finding(
                _head(facts, loop),
                _message(facts, loop, function.name if function else loop.chain[-1].function),
                function,
                event=loop,
                observed=_figures(facts, loop),
                fix=_fix(facts, loop),
            )


def _head(facts: Facts, loop: Staging) -> Span:
    place = loop.chain[-1].place
    if loop.construct == CALL:
        return whole_line(place.path, place.line)
    return facts.sources.loop_head(span_of(place))


def _fix(facts: Facts, loop: Staging) -> Fix:
    """`range` → `tf.range`, where the body can take the index as a tensor."""
    order, found = _order(facts, loop), body_at(facts, loop.chain[-1].place)
    return offer(order, count_in_graph(*found) if found is not None and order == GRAPH_LOOP else None)


def _order(facts: Facts, loop: Staging) -> str:
    """What helps; Keras 3 runs its code without AutoGraph, where a loop over `tf.range` raises."""
    history = facts.history_of(loop)
    in_keras = history is not None and history.origin is Origin.KERAS
    through_keras = any(frame.function.rpartition(".")[2] in KERAS_METHODS for frame in loop.chain)
    if loop.construct == CALL and in_keras and len(loop.chain) == 1:
        return "Use a layer that loops in the graph"
    unconverted = in_keras or through_keras or loop.construct == CALL
    return "Use `tf.scan` or one operation" if unconverted else GRAPH_LOOP


def unrolled_loops(facts: Facts) -> Iterator[Staging]:
    """The Python loops that write much into a graph, each once; of loops in each other the innermost."""
    found: dict[object, Staging] = {}
    for loop in facts.of(Staging):
        if loop.outcome == "python" and loop.place is not None and _is_long(facts, loop):
            known = found.get(loop.place)
            if known is None or known.operations < loop.operations:
                found[loop.place] = loop
    for loop in found.values():
        if loop.reached != SEEN or not any(_is_inside(other, loop) for other in found.values()):
            yield loop


def _is_long(facts: Facts, loop: Staging) -> bool:
    """Whether a loop is over steps or rows: a loop over a model's layers has few iterations."""
    iterations, operations = loop.turns or 0, loop.operations
    if loop.reason == OWN_WEIGHTS:
        return False
    if loop.reached != SEEN:
        return iterations >= MANY_ITERATIONS and operations >= MANY_OPERATIONS
    trace = _trace(facts, loop)
    if trace is not None and trace.failed and loop.construct == CALL:
        return False  # for example an endless recursion, which the exception explains
    whole = trace.operations - loop.gradient_operations if trace is not None else 0
    much = trace is not None and operations >= MUCH_OF_THEM * whole
    fewest = MANY_ITERATIONS if loop.construct == CALL else SEEN_ITERATIONS
    return much and iterations >= fewest and operations >= MANY_OPERATIONS


def _is_inside(loop: Staging, other: Staging) -> bool:
    """Whether one loop is inside another, here or in what that one calls."""
    if loop is other or loop.trace != other.trace:
        return False
    around = other.chain[-1].place
    ways = [frame.place for frame in loop.chain]
    return any(
        place != around
        and place.path == around.path
        and around.line <= place.line
        and (place.end_line or place.line) <= around.end_line
        for place in ways
    )


def _trace(facts: Facts, loop: Staging) -> Trace | None:
    history = facts.history_of(loop)
    traces = history.traces if history else ()
    return next((trace for trace in traces if trace.number == loop.trace), None)


def _message(facts: Facts, loop: Staging, function: str) -> str:
    trace = _trace(facts, loop)
    if loop.reached != SEEN or trace is None:
        return (
            f"Python loop unrolled into the graph of `{function}`: {loop.turns:,} iterations, "
            f"about {loop.operations:,} operations"
        )
    gradients = f", and {loop.gradient_operations:,} from gradients" if loop.gradient_operations else ""
    what = "this unrolled Python loop"
    if loop.construct == CALL:
        what = "what this line runs repeatedly while tracing"
    return (
        f"{loop.operations:,} of the {trace.operations:,} operations of `{function}` come from {what}"
        f"{gradients} ({duration(_seconds(facts, loop))} to trace)"
    )


def _seconds(facts: Facts, loop: Staging) -> float:
    history = facts.history_of(loop)
    return sum(trace.own_seconds for trace in history.traces) if history else 0.0


def _figures(facts: Facts, loop: Staging) -> Observed | None:
    if loop.reached != SEEN:
        return None
    history = facts.history_of(loop)
    numbers = tuple(trace.number for trace in history.traces) if history else ()
    return Observed(traces=0, seconds=round(_seconds(facts, loop), 6), numbers=numbers)
