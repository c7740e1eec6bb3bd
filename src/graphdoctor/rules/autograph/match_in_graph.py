"""GD323."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Safety, Severity
from graphdoctor.refactoring.control_flow.match_statement import as_branches, subject_of
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import blocking, body_at, first_decisions, function_at, span_at


class MatchInGraph(Rule):
    """AutoGraph does not convert a function with `match`.

    What it finds
    A `match` statement in a function that is traced with AutoGraph and has an `if`, `while` or `for`
    on a tensor.

    Why it matters
    AutoGraph (2.21) does not support `match`. It leaves the whole function unconverted with a warning, and
    its tensor conditions raise OperatorNotAllowedInGraphError.

    How to fix it
    Use `if`/`elif`. There is an automatic fix where the cases are constants.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD323"
    severity = Severity.ERROR
    reasons = ("match",)
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def scale(x, mode):
                    match mode:
                        case "double":
                            x = x * 2.0
                        case _:
                            x = x * 1.0
                    if tf.reduce_sum(x) > 1.0:
                        x = x / 4.0
                    return x


                print(scale(tf.ones([2]), "double").numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def scale(x, mode):
                    if mode == "double":
                        x = x * 2.0
                    else:
                        x = x * 1.0
                    if tf.reduce_sum(x) > 1.0:
                        x = x / 4.0
                    return x


                print(scale(tf.ones([2]), "double").numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in first_decisions(facts, "match"):
            found = body_at(facts, event.blocked_by)
            subject = subject_of(found[1]) if found else None
            fix = (
                offer("Use `if` and `elif`", as_branches(*found), Safety.SAFE) if found and subject else None
            )
            yield self.finding(
                found[0].home.span(subject) if found and subject else span_at(facts, event),
                blocking(event, "`match`"),
                function_at(event),
                event=event,
                fix=fix,
            )
