"""GD304."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.recording.format import Conflict, Staging
from graphdoctor.rules.autograph.one_dtype import dtype_fixes, is_default
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import BRANCHES, conflicts, dtypes_of, function_at, span_at, value_at

TITLE = "Give both the same dtype"


class BranchDtypesDiffer(Rule):
    """The two branches of a tensor `if` must give a name the same dtype.

    What it finds
    A name that gets different dtypes in the branches of an `if` on a tensor (or in one branch and before it),
    such as `1` and `0.5`, and is read after it.

    Why it matters
    Both branches are traced into one operation, whose result has one dtype. TensorFlow raises TypeError:
    "must have the same dtype". In eager mode there is no error.

    How to fix it
    Write the number as a float (`1.0`), or cast one of them.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD304"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"'(\w+)' has dtype (\w+) in the main branch, but dtype (\w+) in the else",
            meaning="`{0}` is {1} in one branch and {2} in the other",
            order="Give both one dtype",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def weight(x):
                    if tf.reduce_sum(x) > 0.0:
                        factor = 1
                    else:
                        factor = 0.5
                    return x * factor


                print(weight(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def weight(x):
                    if tf.reduce_sum(x) > 0.0:
                        factor = 1.0
                    else:
                        factor = 0.5
                    return x * factor


                print(weight(tf.ones([2])).numpy())
                """,
            raises="TypeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, conflict in conflicts(facts, BRANCHES, "dtype"):
            first, second = dtypes_of(conflict)
            name = {"return": "what is returned", "": "the conditional expression"}.get(
                conflict.name, f"`{conflict.name}`"
            )
            shown = value_at(facts, conflict.before_place)
            fix, *others = dtype_fixes(facts, conflict, _likely(facts, event, conflict), (TITLE, TITLE))
            yield self.finding(
                shown[0].span(shown[1]) if shown else span_at(facts, event),
                f"{name} is {first} in one branch of an `if` on a tensor and {second} in the other",
                function_at(event),
                event=event,
                fix=fix,
                alternatives=tuple(others),
            )


def _likely(facts: Facts, event: Staging, conflict: Conflict) -> str | None:
    """The dtype that the name had before the branch, or the one that is not just a function's default."""
    line = event.chain[-1].place.line
    sides = list(zip(dtypes_of(conflict), (conflict.before_place, conflict.place), strict=True))
    earlier = [dtype for dtype, place in sides if place is not None and place.line < line]
    if len(earlier) == 1:
        return earlier[0]
    said = [dtype for dtype, place in sides if not is_default(facts, conflict, place)]
    return said[0] if len(said) == 1 else None
