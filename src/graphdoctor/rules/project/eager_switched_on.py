"""GD905."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Severity
from graphdoctor.recording.format import EAGER_OPERATIONS, MAY, SOME, Applied
from graphdoctor.refactoring.deletions.eager_switches import graphs_again
from graphdoctor.rules.event_places import at, call_at, function_at, option_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import Repair
from graphdoctor.rules.rule import Example, Rule, is_uncalled
from graphdoctor.rules.training.evidence import LEAST_SECONDS, part_of

BY_KERAS = ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch")
FORGOTTEN = "it is left on by mistake"


class EagerSwitchedOn(Rule):
    """`run_functions_eagerly(True)` disables all graphs.

    What it finds
    `tf.config.run_functions_eagerly(True)` without a `False` in the same file to end it, and
    `compile(…, run_eagerly=True)`.

    Why it matters
    It is meant for debugging. Left in, every `tf.function` and every training step runs in Python,
    often several times slower.

    How to fix it
    Remove it when the bug is found. In a context manager, reset it after the `yield`.

    When to leave it
    In a test or a notebook that debugs. Where a function hands on what its caller asks for, under a condition
    such as an option of the command line, and in a function that nothing calls, the confidence is low.
    """

    id = "GD905"
    severity = Severity.SLOW
    repair = Repair(graphs=True)
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
        observed, cost = _cost(facts)
        switches = [event for event in facts.of(Applied) if event.what == "eager switch"]
        off_again = any(event.options.get("on") != "True" for event in switches)
        for event in () if off_again else switches:
            message = f"every `tf.function` of the program runs eagerly{cost}"
            yield self.finding(
                facts.span(at(event)),
                message,
                function_at(event),
                event=event,
                observed=observed,
                guesses=(FORGOTTEN,) if is_uncalled(event) or _is_asked_for(event) else (),
                fix=_fix(facts, event),
            )
        trained = any(event.what in BY_KERAS for event in facts.of(Applied))
        for event in facts.of(Applied):
            eager = event.what == "compile" and event.options.get("eagerly") == "True"
            if eager:
                used = trained or not is_uncalled(event)
                message = f"every step of this model runs in Python{cost}"
                span = option_at(facts, event, "run_eagerly")
                yield self.finding(
                    span,
                    message,
                    function_at(event),
                    event=event,
                    observed=observed,
                    guesses=() if used and not _is_asked_for(event) else (FORGOTTEN,),
                    fix=_fix(facts, event),
                )


def _cost(facts: Facts) -> tuple[Observed | None, str]:
    """What the eager operations of the training took, where a run accounted for it."""
    training = facts.training
    if training is None or training.of(EAGER_OPERATIONS) < LEAST_SECONDS:
        return None, ""
    seconds = training.of(EAGER_OPERATIONS)
    taken = part_of(training, EAGER_OPERATIONS)
    clause = f": eager operations took {taken} of the training after its first step"
    return Observed(traces=0, seconds=round(seconds, 6)), clause


def _fix(facts: Facts, event: Applied) -> Fix | None:
    """What a caller requests is not edited."""
    found = call_at(facts, event) if not event.options.get("handed") else None
    fixed = graphs_again(*found) if found is not None else None
    return offer(*fixed) if fixed is not None else None


def _is_asked_for(event: Applied) -> bool:
    """What somebody asks for, or some runs do, is no switch that somebody forgot."""
    return bool(event.options.get("handed")) or event.reached in (MAY, SOME)
