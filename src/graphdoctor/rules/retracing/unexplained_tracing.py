"""GD199."""

from collections import Counter
from collections.abc import Iterator, Sequence

from graphdoctor.model import Change, Finding, Observed, Severity
from graphdoctor.model.phrases import phrase
from graphdoctor.model.words import count, duration, share
from graphdoctor.recording import History, Retrace
from graphdoctor.recording.accounting import is_warned_of, unexplained
from graphdoctor.recording.grouping import PIPELINE, Origin
from graphdoctor.recording.history import FEW_RETRACES
from graphdoctor.recording.labels import LIBRARY
from graphdoctor.recording.processes import wall_seconds
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.retracing.evidence import observed, place, times
from graphdoctor.rules.rule import Example, Rule

MUCH_OF_THE_RUN = 0.05
LEAST_SECONDS = 0.05
HEAVY_SECONDS = 2.0  # of so few traces that they may be a choice
LIBRARY_SHARE = 0.2
SHOWN_REASONS = 2


class UnexplainedTracing(Rule):
    """A function was retraced many times, and no other rule explains why.

    What it finds
    In a run: more than 5 % of the time went to traces that are no function's first, that no other finding
    explains, and that are not benign in total (few graphs, made early, then many calls); or TensorFlow
    itself warned of retracing and nothing else is said about it. It says what differed. A few heavy traces
    that may be a choice are a NOTE.

    Why it matters
    A trace costs hundreds of times as much as a call. Causes that are benign one by one (a flag here, a
    second shape there, a function that a library creates for each call) may add up to most of a run.

    How to fix it
    Look at what differs, and pass the same kinds of arguments each time. Where a library creates a
    `tf.function` at each call (`tf.vectorized_map`, `tape.jacobian` in eager code), call it from your own
    `tf.function`, which is traced once.

    When to leave it
    When each graph is intended, and a longer run will use it many times.
    """

    id = "GD199"
    severity = Severity.NOTE
    usual = Severity.SLOW
    judges_the_rest = True
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                def energies(rows):
                    return tf.vectorized_map(lambda row: tf.reduce_sum(row * row), rows)


                for batch in range(30):
                    energies(tf.ones([8, 3]))
                print("done")
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def energies(rows):
                    return tf.vectorized_map(lambda row: tf.reduce_sum(row * row), rows)


                for batch in range(30):
                    energies(tf.ones([8, 3]))
                print("done")
                """,
            output=("done", "done"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        run = wall_seconds(facts.runs) if facts.runs else 0.0
        if not any(_is_worth_it(*left, run) for left in unexplained(facts.histories, frozenset())):
            return  # whatever the other rules say
        rest = unexplained(facts.histories, facts.explained)
        for history, retraces in rest:
            if _is_worth_it(history, retraces, run):
                yield self._found(history, retraces, run, facts)

    def _found(self, history: History, retraces: Sequence[Retrace], run: float, facts: Facts) -> Finding:
        figures = _figures(retraces)
        cost = f"{duration(figures.seconds)}, {share(figures.seconds, run)} of the run"
        warned = "; TensorFlow warns of it too" if is_warned_of(history) else ""
        return self.finding(
            place(history, list(retraces), None, facts),
            f"{_what(history)} was traced {times(len(retraces))} ({cost}){_why(retraces)}{warned}",
            history.function,
            event=retraces[-1].trace,
            worse=Severity.SLOW if _is_slow(history, retraces, run) else None,
            observed=figures,
        )


def _is_worth_it(history: History, retraces: Sequence[Retrace], run: float) -> bool:
    """Whether it took much of the run; a few traces only when they are heavy."""
    seconds = sum(retrace.trace.own_seconds for retrace in retraces)
    least = LEAST_SECONDS if len(retraces) > FEW_RETRACES else HEAVY_SECONDS
    return seconds >= max(least, MUCH_OF_THE_RUN * run) or is_warned_of(history)


def _figures(retraces: Sequence[Retrace]) -> Observed:
    """The figures, with what differed most often."""
    causes = Counter((d.argument, d.change) for retrace in retraces for d in retrace.differences)
    argument, change = causes.most_common(1)[0][0] if causes else (None, Change.CONTEXT)
    return observed(list(retraces), argument, change)


def _is_slow(history: History, retraces: Sequence[Retrace], run: float) -> bool:
    """Few traces may be a choice; what a library makes for each call is slow when it takes long."""
    if is_warned_of(history):
        return True
    seconds = sum(retrace.trace.own_seconds for retrace in retraces)
    light = history.origin is Origin.LIBRARY and seconds < LIBRARY_SHARE * run
    return not light and len(retraces) > FEW_RETRACES


def _what(history: History) -> str:
    """`step`; of what a library makes: the input pipeline of `predict`."""
    name, _, inner = history.function.name.partition(":")
    if history.origin is not Origin.LIBRARY or not inner:
        return f"`{history.function.name}`"
    return f"the {inner if inner == PIPELINE else f'`{inner}`'} of `{name}`"


def _why(retraces: Sequence[Retrace]) -> str:
    """What differed: `x` has another shape (7 times), its context changed (2 times)."""
    reasons = Counter(_reason(retrace) for retrace in retraces)
    if set(reasons) == {LIBRARY}:
        return ": each call creates a new one"
    shown = [f"{reason} ({count(number, 'time')})" for reason, number in reasons.most_common(SHOWN_REASONS)]
    more = ", …" if len(reasons) > SHOWN_REASONS else ""
    return f" for no single cause: {', '.join(shown)}{more}"


def _reason(retrace: Retrace) -> str:
    if retrace.label is not None:
        return retrace.label
    phrases = dict.fromkeys(phrase(d.argument, d.change) for d in retrace.differences)
    return " and ".join(phrases) or "no argument differs"
