"""GD507."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Applied
from graphdoctor.recording.places import related_to
from graphdoctor.refactoring.tapes.lifetime import made_persistent
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Opened, asked_in, opened_at
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import NewGradient, Repair
from graphdoctor.rules.rule import Example, FailureText, Rule


class TapeUsedTwice(Rule):
    """A non-persistent tape can compute only one gradient.

    What it finds
    Two calls of `gradient` (or `jacobian`) on one tape without `persistent=True`, one certainly after the
    other, or one call in a loop that does not open a new tape.

    Why it matters
    The first call frees what the tape has recorded; the second raises RuntimeError.

    How to fix it
    Call it once for all sources, `tape.gradient(loss, [a, b])`, or open the tape with `persistent=True` and
    delete it when done.

    When to leave it
    Never.
    """

    id = "GD507"
    severity = Severity.ERROR
    repair = Repair(gradient=NewGradient.EXACT)
    failures = (
        FailureText(
            pattern=r"non-persistent GradientTape can only be used to compute one set",
            meaning="this non-persistent tape has already computed a gradient",
            order="Add `persistent=True`",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                x = tf.Variable(3.0)
                with tf.GradientTape() as tape:
                    y = x * x
                    z = y * y
                print(tape.gradient(y, x))
                print(tape.gradient(z, x))
                """,
            good="""
                import tensorflow as tf

                x = tf.Variable(3.0)
                with tf.GradientTape(persistent=True) as tape:
                    y = x * x
                    z = y * y
                print(tape.gradient(y, x))
                print(tape.gradient(z, x))
                """,
            raises="RuntimeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        reported: set[tuple[str, str]] = set()
        for event in facts.of(Applied):
            place = event.place
            if event.what != "gradient again" or place is None:
                continue
            tape = (place.path, event.options.get("opened", ""))
            if tape not in reported:
                reported.add(tape)
                asked = asked_in(place, facts.sources)
                opened = (asked.module, asked.tape) if asked else opened_at(event.made, facts.sources)
                name = f"`{asked.tape.name}`" if asked else "this tape"
                yield self.finding(
                    facts.span(place),
                    f"{name} is not persistent and has already computed a gradient",
                    facts.function_of(event),
                    event=event,
                    related=(related_to(event.made, "the tape is opened here"),) if event.made else (),
                    fix=_fix(opened),
                )


def _fix(opened: Opened | None) -> Fix:
    edit = made_persistent(*opened) if opened is not None else None
    return offer("Add `persistent=True`", edit, Safety.SAFE)
