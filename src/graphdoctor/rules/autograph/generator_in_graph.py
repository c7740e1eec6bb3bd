"""GD321."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Place
from graphdoctor.refactoring.control_flow.generators import to_list
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import blocking, body_at, first_decisions, function_at, span_at, what


class GeneratorInGraph(Rule):
    """AutoGraph does not convert a generator function.

    What it finds
    A function with `yield` that is called from a traced function and has an `if`, `while` or `for` on
    a tensor.

    Why it matters
    AutoGraph runs generators unconverted. Their tensor conditions raise OperatorNotAllowedInGraphError.

    How to fix it
    Return a list, or make it a `tf.data.Dataset`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD321"
    severity = Severity.ERROR
    reasons = ("generator",)
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                def halves(x):
                    for _ in range(2):
                        if tf.reduce_sum(x) > 1.0:
                            x = x / 2.0
                        yield x


                @tf.function
                def total(x):
                    return tf.add_n(list(halves(x)))


                print(total(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                def halves(x):
                    results = []
                    for _ in range(2):
                        if tf.reduce_sum(x) > 1.0:
                            x = x / 2.0
                        results.append(x)
                    return results


                @tf.function
                def total(x):
                    return tf.add_n(list(halves(x)))


                print(total(tf.ones([2])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in first_decisions(facts, "generator", "inner-generator"):
            if event.construct == "generator":
                message = "a generator cannot be a `tf.function`: it returns a generator object, not tensors"
                span, fix = span_at(facts, event), _fix(facts, event.chain[-1].place)
                yield self.finding(span, message, function_at(event), event=event, fix=fix)
                continue
            name = event.chain[-1].function
            inner = event.reason == "inner-generator"
            yield self.finding(
                span_at(facts, event, event.blocked_by if inner else None),
                blocking(event, "a generator inside")
                if inner
                else f"AutoGraph does not convert the generator `{name}`, so its {what(event)} needs "
                "the value of a tensor while tracing",
                function_at(event),
                event=event,
                fix=_fix(facts, event.blocked_by if inner else event.chain[-1].place),
            )


def _fix(facts: Facts, place: Place | None) -> Fix:
    found = body_at(facts, place)
    return offer("Return a list", to_list(found[0]) if found is not None else None)
