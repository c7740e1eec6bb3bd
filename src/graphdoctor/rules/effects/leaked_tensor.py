"""GD212."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity, Span
from graphdoctor.recording.format import SEEN, Escape
from graphdoctor.recording.places import related_to
from graphdoctor.rules.effects.kept import kept_tensor, sent_outside
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source.reads import reads_outside

LOST = "each iteration of the loop starts with the value from before the loop"


class LeakedTensor(Rule):
    """A symbolic tensor is stored on `self`, in a global or in a list, and outlives its graph.

    What it finds
    From the source: `self.hidden = tensor` in a traced method, when code that is not traced reads `hidden`
    again in the same file; and `self.m = 0.9 * self.m + g` in a method that a TensorFlow loop calls. In a
    run, after each trace: a tensor of the finished graph that an attribute, a global, a closure variable, a
    list or a dictionary outside the function still holds; and that is used again, because the traced code
    reads the place before it stores to it (a state, a cache), because a list grows with each trace, or
    because code that is not traced reads it.

    Why it matters
    While tracing, a tensor is symbolic: it belongs to one graph and has no value. Using it outside that graph
    raises "out of scope" or InaccessibleTensorError, often far from the line that stored it; until then the
    state never changes. A TensorFlow loop carries only what its own body assigns: a method that it calls is
    traced once, and each iteration starts with the value from before the loop.

    How to fix it
    Return the tensor. To carry a state from call to call, keep it in a `tf.Variable` and `assign` to it.

    When to leave it
    When the attribute only passes a tensor to other code of the same trace; this is not reported as long as
    nothing else reads it, or each reader sets it first. Nor is an attribute that only `get_config` reads.
    """

    id = "GD212"
    severity = Severity.WRONG  # what the next trace does not find raises nothing
    usual = Severity.ERROR
    settled_by = (Escape,)
    failures = (
        FailureText(
            pattern=r"(?!.*defined in FuncGraph\(name=while_)"
            r"(?:cannot be accessed from|is out of scope and cannot be used here)",
            meaning="a symbolic tensor of a finished graph was stored and is used here, outside its graph",
            order="Return it from the function",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                class Cell:
                    @tf.function
                    def step(self, x):
                        self.hidden = x + 1.0
                        return x * 2.0


                cell = Cell()
                cell.step(tf.ones([2]))
                print(tf.reduce_sum(cell.hidden).numpy())
                """,
            good="""
                import tensorflow as tf


                class Cell:
                    @tf.function
                    def step(self, x):
                        return x * 2.0, x + 1.0


                cell = Cell()
                _, hidden = cell.step(tf.ones([2]))
                print(tf.reduce_sum(hidden).numpy())
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(Escape):
            frame, harmful = event.frame, event.again or event.used or _read_elsewhere(event, facts)
            if frame is None or not harmful:
                continue
            if event.reached != SEEN:
                yield from self._predicted(facts, event)
                continue
            span = facts.sources.statement(frame.place.path, frame.place.line)
            yield self.finding(
                span,
                f"the symbolic tensor `{event.tensor.text}` of `{frame.function}` is still in "
                f"{event.state.holder} after its trace",
                facts.function_of(event),
                event=event,
                worse=Severity.ERROR,
                argument=event.state.name,
                observed=Observed(traces=0, seconds=0.0),
                fix=Fix(title="Return it from the function", safety=Safety.MANUAL),
                alternatives=_edits(facts, event, span),
            )

    def _predicted(self, facts: Facts, event: Escape) -> Iterator[Finding]:
        """What the dry run shows; another rule reports lists and dicts."""
        function, name = facts.function_of(event), event.state.name.rpartition(".")[2]
        if event.state.kind in ("list", "dict") or event.place is None or (event.graph and not event.again):
            return
        whose = function.name if function else event.chain[-1].function
        cached = event.state.kind == "memory"
        keeper = event.state.holder if cached else f"`{name}`"
        used = event.used if not event.graph else None
        use = "is read outside its graph" if used else "is read by the next trace"
        read = (related_to(used, f"`{name}` is read here"),) if used else ()
        span = facts.span(event.place)
        yield self.finding(
            span,
            f"{keeper} gets a symbolic tensor of `{whose}`, and {LOST if event.graph else use}",
            function,
            event=event,
            worse=None if event.graph else Severity.ERROR,
            related=read,
            argument=name,
            fix=Fix(title="Cache arrays" if cached else "Return it instead", safety=Safety.MANUAL),
            alternatives=() if cached else _edits(facts, event, span),
        )


def _edits(facts: Facts, event: Escape, span: Span) -> tuple[Fix, ...]:
    """A Variable has one shape, a value sent from the graph has that of each call: that is tried first."""
    return (*sent_outside(facts, event, span), *kept_tensor(facts, span, event.tensor))


def _read_elsewhere(event: Escape, facts: Facts) -> bool:
    """Whether code outside the functions of the trace reads a name or attribute of this name."""
    if event.reached != SEEN:
        return False
    history = facts.history_of(event)
    calls = {trace.place.path for trace in (history.traces if history else ()) if trace.place}
    for path in {event.chain[-1].place.path, *calls}:
        module = facts.sources.module(path)
        ran = {definition.line for definition in event.ran if definition.path == path}
        if module is not None and reads_outside(module, event.state.name, ran):
            return True
    return False
