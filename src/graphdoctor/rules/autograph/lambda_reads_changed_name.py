"""GD313."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity, Span
from graphdoctor.recording.format import EAGER, Place, Stale
from graphdoctor.recording.places import related_to
from graphdoctor.refactoring.control_flow.lambdas import bind_now, named_lambda
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import Eagerly, Repair
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at


class LambdaReadsChangedName(Rule):
    """A lambda does not see the new value that a later tensor `if` or loop assigns to a name.

    What it finds
    `show = lambda: total` in a function that AutoGraph converts, when `total` changes afterwards in an `if`
    on a tensor or in a loop variable of a TensorFlow loop, and the lambda is called after that. Also
    functions created in a Python loop that read the loop variable and are called in a later iteration or
    after the loop, as branches of `tf.switch_case`, `tf.case`, `tf.cond` and `keras.ops.switch` are.

    Why it matters
    AutoGraph stores the changed value in a new variable, and the lambda still reads the old one: the graph
    uses the old value, without a warning. Eager mode uses the new value.

    How to fix it
    Use `def`: AutoGraph converts it together with the function around it. In a loop, bind the value as a
    default: `lambda i=i: …`.

    When to leave it
    Never.
    """

    id = "GD313"
    severity = Severity.WRONG
    repair = Repair(eagerly=Eagerly.WRONG)
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def largest(n):
                    total = tf.constant(0)
                    show = lambda: total
                    if n > 1:
                        total = n
                    return show()


                print(largest(tf.constant(3)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def largest(n):
                    total = tf.constant(0)

                    def show():
                        return total

                    if n > 1:
                        total = n
                    return show()


                print(largest(tf.constant(3)).numpy())
                """,
            output=("0", "3"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(Stale):
            called = any(frame.entered.startswith(("tf.", "keras.ops.")) for frame in event.chain)
            if event.place is None or (event.traced == EAGER and not called):
                continue  # Python's own matter
            span, read = facts.span(event.place), event.state.name
            if event.state.kind == "lambda":
                name, fix = _named_lambda(facts, span)
                message = f"`{name}` reads `{read}` as it was before it changed in the graph"
                yield self.finding(span, message, facts.function_of(event), event=event, fix=fix)
            elif event.state.kind == "loop" and event.state.made is not None:
                yield self.finding(
                    span,
                    f"`{read}` is read after the loop that creates these functions: all of them read "
                    "its last value",
                    facts.function_of(event),
                    event=event,
                    related=(related_to(event.state.made, f"`{read}` changes here"),),
                    fix=_bound(facts, event.place, read),
                )


def _bound(facts: Facts, place: Place, name: str) -> Fix:
    found = body_at(facts, place)
    edit = bind_now(found[0].function, name) if found is not None else None
    return offer(f"Bind it: `{name}={name}`", edit)


def _named_lambda(facts: Facts, span: Span) -> tuple[str, Fix]:
    """The name that a lambda is assigned to, and the edit that makes it a `def`."""
    found = facts.sources.node(span)
    name, edit = (named_lambda(*found) if found else None) or ("lambda", None)
    return name, offer("Use `def`", edit, Safety.SAFE)
