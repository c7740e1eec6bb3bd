"""GD334."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Use
from graphdoctor.refactoring.calls.items import chosen, gathered, item_texts
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at, function_at, node_at, span_at, uses


class ListIndexedByTensor(Rule):
    """A Python list cannot be indexed with a tensor.

    What it finds
    `items[i]` in a traced function, where `items` is a Python list or tuple made there and `i` is a
    tensor.

    Why it matters
    Python needs an integer index, and a symbolic tensor has no value: TypeError. In eager mode the same line
    works.

    How to fix it
    For numbers or tensors: `tf.gather(items, i)`. For functions, layers and modules, which no tensor can
    hold: `tf.switch_case(i, [lambda item=item: item(x) for item in items])`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD334"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def rate(step):
                    rates = [0.1, 0.01, 0.001]
                    return rates[step // 100]


                print(rate(tf.constant(150)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def rate(step):
                    rates = [0.1, 0.01, 0.001]
                    return tf.gather(rates, step // 100)


                print(rate(tf.constant(150)).numpy())
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "index"):
            found = node_at(facts, event.chain[-1].place)
            if event.name not in ("list", "tuple", "range"):
                continue
            texts = item_texts(*found) if found is not None else None
            holder, index = map("`{}`".format, texts) if texts else ("the container", "expression")
            yield self.finding(
                span_at(facts, event),
                f"{holder} is a Python {event.name}, and the index {index} is a tensor",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Use) -> Fix:
    found = body_at(facts, event.chain[-1].place)
    objects = event.holds is not None and event.holds.kind == "object"
    dtype = event.value.dtype if event.value is not None else ""
    taken = (chosen if objects else gathered)(*found, dtype) if found is not None else None
    title = "Use `tf.switch_case`" if objects else "Use `tf.gather`"
    return offer(*taken) if taken is not None else Fix(title=title, safety=Safety.MANUAL)
