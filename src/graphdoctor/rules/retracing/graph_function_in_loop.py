"""GD102."""

from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, FunctionRef, Safety, Severity, Span
from graphdoctor.model.span import whole_line
from graphdoctor.model.words import duration
from graphdoctor.recording import History, Retrace, Trace
from graphdoctor.recording.format import MUST, Loop, Made
from graphdoctor.recording.grouping import Origin
from graphdoctor.recording.history import FEW_RETRACES
from graphdoctor.recording.labels import PER_INSTANCE
from graphdoctor.recording.places import function_of, span_of
from graphdoctor.refactoring.creation.graph_functions import Fixes, made_once, made_once_where, wrapped_once
from graphdoctor.refactoring.creation.shared_instances import object_made_once
from graphdoctor.refactoring.syntax.graph_functions import wrapping_of
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import FEWER_TRACES
from graphdoctor.rules.retracing.evidence import Retracing, observed, retracings
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source.parts import is_test_file

FEW_OBJECTS = 2
MADE_ONCE = ("__init__", "__new__", "__post_init__", "build", "main", "setUp", "setup")


class GraphFunctionInLoop(Rule):
    """A `tf.function` that is created again in a loop starts with an empty trace cache each time.

    What it finds
    A `tf.function` that is created and called at each iteration of a loop: decorated or wrapped inside the
    loop, or in a function, method, property or factory that the loop calls, or as the method of an object
    that is made there and holds nothing but plain values. One graph function for each of several models,
    variables or datasets has low confidence, and is left alone when an inner loop calls it often. Low is also
    the confidence of one that a function of a library makes and calls itself, once: who calls that function
    again traces again.

    Why it matters
    Traces are cached in the object that `tf.function` returns. A new object has an empty cache, so each
    iteration traces again and no graph is reused.

    How to fix it
    Create the `tf.function` once, before the loop. Pass what it reads from the loop as arguments.

    When to leave it
    When each of them is called many times, for example one training step per model.
    """

    id = "GD102"
    severity = Severity.SLOW
    repair = FEWER_TRACES
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
        reported: dict[tuple[str, int, int], Finding] = {}
        for retracing in retracings(facts, Change.NEW_FUNCTION_OBJECT):
            history = retracing.history
            if history.origin is not Origin.FUNCTION or retracing.argument is not None:
                continue
            if not retracing.retraces:
                for finding in self._predicted(retracing, facts):
                    both = (reported.get(_span(finding), finding), finding)
                    reported[_span(finding)] = min(both, key=lambda each: each.confidence.level.rank)
            elif history.objects > FEW_OBJECTS and (_short_lived(history) or _is_predicted(retracing)):
                yield self._seen(retracing, facts)
        for trace in facts.of(Trace):
            if _is_made_at_each_call(trace, facts):
                finding = self._at_each_call(trace, facts)
                reported.setdefault(_span(finding), finding)
        yield from reported.values()
        for history in facts.histories:
            retraces = [retrace for retrace in history.retraces if retrace.label == PER_INSTANCE]
            many = history.objects > FEW_RETRACES + 1 and len(retraces) > FEW_RETRACES
            if many and history.are_mostly_gone(retraces) and _short_lived(history):
                yield self._of_instances(history, retraces, facts)

    def _seen(self, retracing: Retracing, facts: Facts) -> Finding:
        history, figures = retracing.history, retracing.observed
        function = facts.sources.function(history.function)
        fix, alternatives = made_once(function) if function is not None else (None, ())
        cost = f" ({duration(figures.seconds)})" if figures else ""
        return self.finding(
            _where_made(retracing, facts),
            f"`{history.function.name}` was wrapped in `tf.function` {history.objects} times and "
            f"traced each time{cost}",
            history.function,
            event=retracing.event,
            observed=figures,
            fix=fix or Fix(title="Create the `tf.function` once", safety=Safety.MANUAL),
            alternatives=alternatives,
        )

    def _of_instances(self, history: History, retraces: list[Retrace], facts: Facts) -> Finding:
        """A method that each object of a class has for itself; objects that live on are an ensemble."""
        figures = observed(retraces, None, Change.NEW_FUNCTION_OBJECT)
        return self.finding(
            whole_line(history.function.path, history.function.line),
            f"{history.objects} objects each have their own `tf.function` `{history.function.name}`, "
            f"traced separately and called about once ({duration(figures.seconds)})",
            history.function,
            event=retraces[-1].trace,
            observed=figures,
            fix=_one_object(history.function, facts),
        )

    def _predicted(self, retracing: Retracing, facts: Facts) -> Iterator[Finding]:
        """A model created at each iteration may have its own step, above all when it is called often."""
        trace, function = retracing.event, retracing.history.function
        wanted = trace.tied and (trace.per_instance or _is_called_often(trace))
        if trace.made is None or trace.anew is None or wanted:
            return
        where = _when_made(trace, trace.anew, facts)
        span, what, (fix, alternatives) = _what_is_made(trace, function, facts)
        yield self.finding(
            span,
            f"{what} {where}, so no trace is reused",
            function,
            event=trace,
            guesses=("the iterations could share one",) if trace.tied else (),
            fix=fix,
            alternatives=alternatives,
        )

    def _at_each_call(self, trace: Trace, facts: Facts) -> Finding:
        """A function without a known caller creates a `tf.function` and calls it once."""
        function = function_of(trace.function)
        span, what, (fix, alternatives) = _what_is_made(trace, function, facts)
        return self.finding(
            span,
            f"{what} at each call of `{trace.chain[0].function}`, which calls it only once: no trace "
            "is reused",
            function,
            event=trace,
            guesses=(f"`{trace.chain[0].function}` is called more than once",),
            fix=fix,
            alternatives=alternatives,
        )


def _is_made_at_each_call(trace: Trace, facts: Facts) -> bool:
    """Whether one function of a library, of which nothing is known but its text, makes and calls it."""
    if trace.origin != "function" or trace.anew is not None or trace.reached != MUST or len(trace.chain) != 1:
        return False
    frame = trace.chain[0]
    name = frame.function.rpartition(".")[2]
    if frame.definition is None or frame.loops or name in MADE_ONCE or is_test_file(frame.place.path):
        return False
    if "get_concrete_function" in facts.text(frame.place):  # made to be kept, or exported
        return False
    return any(
        made.place == trace.made and made.chain[-1].definition == frame.definition
        for made in facts.of(Made)
        if made.what == "function" and made.reached == MUST and not made.chain[-1].loops
    )


def _where_made(retracing: Retracing, facts: Facts) -> Span:
    """The one call of `tf.function` that makes the objects; where there is a decorator, the function."""
    ref = retracing.history.function
    here = whole_line(ref.path, ref.line)
    known = facts.sources.function(ref)
    if known is not None and known.decorators:
        return here
    predicted = [retrace.trace.made for retrace in retracing.predicted if retrace.trace.made is not None]
    if predicted:
        return span_of(predicted[-1])
    made = wrapping_of(known) if known is not None else None
    return known.home.span(made) if known is not None and made is not None else here


def _span(finding: Finding) -> tuple[str, int, int]:
    return finding.path, finding.line, finding.column


def _is_called_often(trace: Trace) -> bool:
    """Whether each of the objects serves a loop inside the one that makes it."""
    loops = [loop for frame in trace.chain for loop in frame.loops]
    return trace.anew is not None and bool(loops) and loops[-1].place != trace.anew.place


def _when_made(trace: Trace, loop: Loop, facts: Facts) -> str:
    """`at each iteration`, or `at each call of` the function that creates it."""
    for made in facts.of(Made):
        if made.place == trace.made and made.frame is not None and not trace.per_instance:
            directly = any(each.place == loop.place for each in made.frame.loops)
            return "at each iteration" if directly else f"at each call of `{made.frame.function}`"
    return "at each iteration"


def _what_is_made(trace: Trace, ref: FunctionRef, facts: Facts) -> tuple[Span, str, Fixes]:
    """Where a `tf.function` is created repeatedly, what it is, and how to create it once."""
    assert trace.made is not None
    span = span_of(trace.made)
    found, function = facts.sources.node(span), facts.sources.function(ref)
    if trace.per_instance or found is None:
        what = f"each new object has its own `tf.function` `{ref.name}`, created"
        return span, what, (_one_object(ref, facts), ())
    module, node = found
    if function is not None and function.decorators:
        first = function.ref.line
        start = function.home.place(first, 1, first, 1)
        return start, f"`{ref.name}` becomes a new `tf.function`", made_once_where(function, module, node)
    what = f"`{module.source_of(node)}` creates a new `tf.function`"
    return span, what, wrapped_once(module, node)


def _one_object(ref: FunctionRef, facts: Facts) -> Fix:
    """Create the object of a method once, where all of them are alike."""
    method = facts.sources.function(ref)
    edits = object_made_once(facts.sources.modules, method) if method is not None else None
    return offer("Create the object once, outside", edits)


def _short_lived(history: History) -> bool:
    """Whether the objects served about one call each, or are gone; one object per model is neither."""
    definitions = {trace.definition for trace in history.traces}
    if len(definitions) == 1 and all(definitions.pop() or (0,)):
        return True  # the very same function, made into a graph function again and again
    if history.calls is not None:
        return history.calls <= 2 * history.objects
    gone = sum(trace.object in history.dead_functions for trace in history.traces)
    return 2 * gone >= history.objects


def _is_predicted(retracing: Retracing) -> bool:
    """Whether the dry run, too, sees no reason for a new `tf.function`, such as a new model."""
    return any(not retrace.trace.tied for retrace in retracing.predicted)
