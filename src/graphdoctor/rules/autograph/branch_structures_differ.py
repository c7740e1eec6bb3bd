"""GD305."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Related, Safety, Severity
from graphdoctor.recording.format import Conflict, Staging, Value
from graphdoctor.recording.places import related_to
from graphdoctor.refactoring.initial_values.branch_structures import as_python, deciding_name, fill_up
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import (
    BRANCHES,
    LOOPS,
    body_at,
    conflicts,
    function_at,
    given_for,
    is_growing_list,
    node_at,
    span_at,
)
from graphdoctor.source.sites import Site
from graphdoctor.source.surroundings import value_given


class BranchStructuresDiffer(Rule):
    """The two branches of a tensor `if` must give a name the same structure.

    What it finds
    A name that gets tuples or lists of different lengths, or dicts with different keys, in the two
    branches of an `if` on a tensor, and is read after it.

    Why it matters
    Both branches are traced into one operation with one structure of results. TensorFlow raises
    TypeError: "does not have the same nested structure".

    How to fix it
    Give both branches the same length or keys; fill what is missing with zeros.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD305"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' .*(?:same nested structure|nested structures)",
            meaning="`{0}` has a different structure in the other branch, or after an iteration of the loop",
            order="Keep one structure",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def states(x):
                    if tf.reduce_sum(x) > 0.0:
                        result = {"mean": x, "scale": x}
                    else:
                        result = {"mean": x}
                    return result


                print(len(states(tf.ones([2]))))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def states(x):
                    if tf.reduce_sum(x) > 0.0:
                        result = {"mean": x, "scale": x}
                    else:
                        result = {"mean": x, "scale": tf.zeros_like(x)}
                    return result


                print(len(states(tf.ones([2]))))
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, conflict in conflicts(facts, BRANCHES, "object"):
            yield self.finding(
                span_at(facts, event, conflict.place or conflict.before_place),
                f"`{conflict.name}` is a Python object, which an `if` on a tensor cannot select in a graph",
                function_at(event),
                event=event,
            )
        for event, conflict in conflicts(facts, (*BRANCHES, *LOOPS), "structure"):
            if is_growing_list(event, conflict):
                continue  # GD309 reports it
            name = {"return": "what is returned", "": "the conditional expression"}.get(
                conflict.name, f"`{conflict.name}`"
            )
            yield self.finding(
                span_at(facts, event, conflict.place or conflict.before_place),
                f"{name} has {_structure(conflict.before)} {_where(event)[0]}, "
                f"and {_structure(conflict.after)} {_where(event)[1]}",
                function_at(event),
                event=event,
                related=_other(event, conflict),
                fix=_fix(facts, event, conflict),
            )


def _other(event: Staging, conflict: Conflict) -> tuple[Related, ...]:
    """The place that gives the other structure."""
    if conflict.place is None or conflict.before_place is None or conflict.place == conflict.before_place:
        return ()
    where, structure = _where(event)[0], _structure(conflict.before)
    return (related_to(conflict.before_place, f"{structure} {where}"),)


def _fix(facts: Facts, event: Staging, conflict: Conflict) -> Fix:
    given = _flag_given(facts, event)
    flag = as_python(*given) if given is not None else None
    if flag is not None:
        return offer("Pass a Python flag", flag, Safety.SAFE)
    found = body_at(facts, event.chain[-1].place)
    statements = [node_at(facts, place) for place in (conflict.before_place, conflict.place)]
    values = [value_given(each[1] if each else None, conflict.name) for each in statements]
    edit = fill_up(found[0], *values) if found is not None else None
    if edit is not None:
        return offer("Add the missing parts", edit)
    return Fix(title="Keep one structure", safety=Safety.MANUAL)


def _flag_given(facts: Facts, event: Staging) -> Site | None:
    """What the call gave for the parameter that decides an `if`."""
    found = node_at(facts, event.chain[-1].place)
    name = deciding_name(found[1]) if found is not None else None
    return given_for(facts, event, name) if name is not None else None


def _where(event: Staging) -> tuple[str, str]:
    if event.construct in LOOPS:
        return "before a TensorFlow loop", "after one iteration"
    return "in one branch of an `if` on a tensor", "in the other"


def _structure(value: Value | None) -> str:
    """A structure in words."""
    if value is None or value.kind not in ("list", "tuple", "dict", "record"):
        return "no structure"
    if value.kind == "dict":
        return f"the keys {', '.join(sorted(value.keys))}"
    return f"{value.length} element{'' if value.length == 1 else 's'}"
