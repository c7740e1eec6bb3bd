"""GD114."""

from collections.abc import Iterator

from graphdoctor.model import Change, Finding, Fix, Severity
from graphdoctor.refactoring.tensor_arguments.lists import stacked
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import FEWER_TRACES
from graphdoctor.rules.retracing.evidence import Retracing, retracings
from graphdoctor.rules.rule import Example, Rule


class StructureVaries(Rule):
    """An argument whose nested structure changes is traced again for each structure.

    What it finds
    An argument that is a list of varying length, a dictionary with varying keys, or (in a run) either None or
    a tensor, with at least two retraces; or one, where it is None at first and then what the function itself
    returned.

    Why it matters
    The structure of an argument is part of the key of the trace cache: the type of each container, its keys,
    its length. A list that grows needs a new graph at each call.

    How to fix it
    Give the argument one structure: stack a list of equal tensors (`tf.stack`), use a RaggedTensor, fill in
    missing keys, pass an empty tensor for None, start with a state of zeros.

    When to leave it
    When there are few structures: two traces for "with mask" and "without mask" are a choice.
    """

    id = "GD114"
    severity = Severity.SLOW
    repair = FEWER_TRACES
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def total(states):
                    return tf.add_n(states)


                states = []
                for step in range(4):
                    states.append(tf.ones([2]))
                    total(states)
                """,
            good="""
                import tensorflow as tf


                @tf.function(reduce_retracing=True)
                def total(states):
                    return tf.reduce_sum(states, axis=0)


                states = []
                for step in range(4):
                    states.append(tf.ones([2]))
                    total(tf.stack(states))
                """,
            traces=(4, 2),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for retracing in retracings(facts, Change.STRUCTURE):
            begun = retracing.argument in retracing.history.begun_with_none
            if retracing.argument is None or not (begun or retracing.is_many(2)):
                continue
            what = "is None at first and then its own result" if begun else "has a different structure"
            yield self.finding(
                retracing.span(facts),
                retracing.report(f"`{retracing.argument}` {what}"),
                retracing.history.function,
                event=retracing.event,
                argument=retracing.argument,
                observed=retracing.observed,
                fix=offer("Start with a tensor", None) if begun else _fix(retracing, facts),
            )


def _fix(retracing: Retracing, facts: Facts) -> Fix:
    """A list that changes its length is stacked, where the function can read it as a tensor."""
    found, function = retracing.expression(facts), facts.sources.function(retracing.history.function)
    value, argument = retracing.value, retracing.argument or ""
    is_list = value is None or value.kind in ("list", "tuple")
    edits = stacked(*found, function, argument) if found and function and is_list else None
    return offer("Keep one structure", edits)
