"""GD119."""

from collections import defaultdict
from collections.abc import Iterator

from graphdoctor.model import Finding, Observed, Severity
from graphdoctor.model.span import whole_line
from graphdoctor.recording import History, Trace
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule

MANY_GRAPHS = 100


class GraphsPileUp(Rule):
    """A function that is traced without end keeps every graph, and memory grows.

    What it finds
    From a run: a `tf.function` with a hundred graphs or more, with their size, how fast their number grows,
    and how many belong to freed objects and can never be used again.

    Why it matters
    TensorFlow never frees a graph while its function exists. Serving inputs of ever new lengths, or a day of
    training with a Python number as an argument, exhausts memory.

    How to fix it
    Remove the cause of the retraces: the other findings about this function name it.

    When to leave it
    Never, if the program runs for a long time.
    """

    id = "GD119"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def serve(x):
                    return x + 1.0


                for length in range(1, 121):
                    serve(tf.ones([length]))
                """,
            good="""
                import tensorflow as tf


                @tf.function(reduce_retracing=True)
                def serve(x):
                    return x + 1.0


                for length in range(1, 121):
                    serve(tf.ones([length]))
                """,
            traces=(120, 2),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for history in facts.histories:
            if (
                not history.is_seen
            ):  # the dry run tries each entry by itself: these are no graphs of one program
                continue
            kept, word = history.kept_traces, "keeps"
            if len(kept) < MANY_GRAPHS:
                kept, word = _most_of_one(history), "kept"
            if len(kept) < MANY_GRAPHS:
                continue
            size = sum(trace.graph_bytes for trace in kept)
            seconds = sum(trace.own_seconds for trace in kept[1:])
            yield self.finding(
                whole_line(history.function.path, history.function.line),
                f"`{history.function.name}` {word} {len(kept)} graphs ({_size(size)}){_growth(history)}"
                f"{_dead(history, kept)}",
                history.function,
                event=kept[-1],
                observed=Observed(traces=len(kept) - 1, seconds=round(seconds, 6)),
            )


def _most_of_one(history: History) -> list[Trace]:
    """The graphs that one Function object held while it lived: one of `main()` is gone at the end."""
    held: dict[int, list[Trace]] = defaultdict(list)
    for trace in history.traces:
        if not trace.failed:
            held[trace.object].append(trace)
    return max(held.values(), key=len, default=[])


def _growth(history: History) -> str:
    if not history.calls:
        return ""
    return f", {1000 * len(history.traces) / history.calls:.0f} more per 1000 calls"


def _dead(history: History, kept: list[Trace]) -> str:
    dead = sum(map(history.is_dead, kept))
    return f"; {dead} of them can never be used again" if dead else ""


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:.1f} MB" if size_bytes >= 1e5 else f"{size_bytes / 1e3:.0f} kB"
