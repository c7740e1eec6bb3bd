"""GD905."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import MAY, SOME, Applied
from graphdoctor.rewriting.switches import graphs_again
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule, is_uncalled
from graphdoctor.rules.telling import at, call_at, function_at, option_at

BY_KERAS = ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch")


class EagerSwitchedOn(Rule):
    """`run_functions_eagerly(True)` switches all graphs off.

    What it finds
    `tf.config.run_functions_eagerly(True)` without a `False` in the same file to end it, and
    `compile(…, run_eagerly=True)`.

    Why it matters
    It is meant for debugging. Left in, every `tf.function` and every training step runs in Python,
    often several times slower.

    How to fix it
    Take it out when the bug is found. In a context manager, end it after the `yield`.

    When to leave it
    In a test or a notebook that debugs. In a test, where a function hands on what its caller asks for, under
    a condition such as an option of the command line, and in a function that nothing calls, it is a note.
    """

    id = "GD905"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                tf.config.run_functions_eagerly(True)


                @tf.function
                def double(x):
                    return x * 2.0


                for _ in range(3):
                    double(tf.ones([2]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def double(x):
                    return x * 2.0


                for _ in range(3):
                    double(tf.ones([2]))
                """,
            traces=(0, 1),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        switches = [event for event in facts.of(Applied) if event.what == "eager switch"]
        off_again = any(event.options.get("on") != "True" for event in switches)
        for event in () if off_again else switches:
            message = "every graph function of the program runs in Python"
            yield self.finding(
                facts.span(at(event)),
                message,
                function_at(event),
                event=event,
                severity=Severity.NOTE if is_uncalled(event) else _severity(event),
                fix=_fix(facts, event),
            )
        trained = any(event.what in BY_KERAS for event in facts.of(Applied))
        for event in facts.of(Applied):
            if event.what == "compile" and event.options.get("eagerly") == "True":
                message = "every step of this model runs in Python"
                span = option_at(facts, event, "run_eagerly")
                yield self.finding(
                    span,
                    message,
                    function_at(event),
                    event=event,
                    severity=_severity(event) if trained or not is_uncalled(event) else Severity.NOTE,
                    fix=_fix(facts, event),
                )


def _fix(facts: Facts, event: Applied) -> Fix | None:
    """What somebody asks for is left as it is."""
    found = call_at(facts, event) if not event.options.get("handed") else None
    mended = graphs_again(*found) if found is not None else None
    return offer(*mended) if mended is not None else None


def _severity(event: Applied) -> Severity:
    """What somebody asks for, or some runs do, is no switch that somebody forgot."""
    asked = event.options.get("handed") or event.reached in (MAY, SOME)
    return Severity.NOTE if asked else EagerSwitchedOn.severity
