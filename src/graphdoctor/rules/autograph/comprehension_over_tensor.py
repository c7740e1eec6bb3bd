"""GD330."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.refactoring.calls.comprehensions import chosen, to_map
from graphdoctor.refactoring.calls.items import unstacked
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import body_at, function_at, refusals, span_at, text_at


class ComprehensionOverTensor(Rule):
    """A comprehension cannot iterate over a tensor: AutoGraph does not convert it.

    What it finds
    A list, set or dict comprehension or a generator expression over a tensor, in a traced function.

    Why it matters
    AutoGraph converts `for` statements, not comprehensions. Python then iterates over the symbolic tensor:
    OperatorNotAllowedInGraphError.

    How to fix it
    Work on the whole tensor, use `tf.map_fn`, or iterate over `tf.unstack(x)`, which needs a length
    that is known while tracing.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD330"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"[Ii]terating over a symbolic `?tf\.Tensor`?",
            meaning="Python itself iterates over a symbolic tensor here, which has no values while tracing",
            order="Use `tf.map_fn` or `tf.unstack`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def squares(x):
                    return tf.stack([value * value for value in tf.abs(x)])


                print(squares(tf.constant([1.0, 2.0])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def squares(x):
                    return tf.stack([value * value for value in tf.unstack(tf.abs(x))])


                print(squares(tf.constant([1.0, 2.0])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in refusals(facts, "comprehension", "comprehension-if"):
            tensor = text_at(facts, event.chain[-1].place)
            does = "iterate over" if event.reason == "comprehension" else "filter by"
            fixes = _fixes(facts, event)
            yield self.finding(
                span_at(facts, event),
                f"a comprehension cannot {does} the tensor `{tensor}`",
                function_at(event),
                event=event,
                fix=fixes[0],
                alternatives=tuple(fixes[1:]),
            )


def _fixes(facts: Facts, event: Staging) -> list[Fix]:
    """`tf.unstack` where the number of parts is known, `tf.map_fn` where it is not, and the other one."""
    found = body_at(facts, event.chain[-1].place)
    if found is None:
        return [offer("Use `tf.map_fn`", None)]
    masked = offer("Use `tf.boolean_mask`", chosen(*found))
    if masked.edits or event.reason == "comprehension-if":
        return [masked]
    shape = event.conflict.before.shape if event.conflict and event.conflict.before else None
    parts, mapped = (
        offer("Use `tf.unstack`", unstacked(found[0].home, found[1])),
        offer("Use `tf.map_fn`", to_map(*found)),
    )
    if not mapped.edits or (shape and shape[0] is not None):
        return [parts, mapped]
    return [mapped, parts]
