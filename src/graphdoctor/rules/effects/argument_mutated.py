"""GD205."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, FunctionRef, Safety, Severity, Span
from graphdoctor.recording.format import Effect
from graphdoctor.refactoring.arguments.copies import copied_first, is_whole, maker_of
from graphdoctor.rules.effects.side_effects import all_effects, calls_from
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule

TITLE = "Modify a copy of it"


class ArgumentMutated(Rule):
    """A `tf.function` must not modify its list or dict arguments.

    What it finds
    `batch["mask"] = …`, `del batch["x"]`, `items.append(…)` or `batch.pop(…)` on a parameter of a
    function decorated with `tf.function`.

    Why it matters
    TensorFlow compares the arguments after tracing and raises ValueError: "should not modify its
    Python input arguments".

    How to fix it
    Modify a copy: `batch = dict(batch)` or `items = list(items)` as the first line.

    When to leave it
    When the argument is an object of your own class that allows the change.
    """

    id = "GD205"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"should not modify its Python input arguments.*modified: (\w+)",
            meaning="the function modifies its argument `{0}`, which TensorFlow forbids in a traced function",
            order="Modify a copy",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def prepare(batch):
                    batch["mask"] = batch["ids"] > 0
                    return batch


                print(prepare({"ids": tf.constant([1, 0])})["mask"].numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def prepare(batch):
                    batch = dict(batch)
                    batch["mask"] = batch["ids"] > 0
                    return batch


                print(prepare({"ids": tf.constant([1, 0])})["mask"].numpy())
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in all_effects(facts, "argument"):
            if event.place is not None:
                span = facts.span(event.place)
                yield self.finding(
                    span,
                    f"`{function.name}` modifies its argument `{event.name}`, which a `tf.function` must not",
                    function,
                    event=event,
                    argument=event.name,
                    fix=_fix(facts, span, event, function),
                )


def _fix(facts: Facts, span: Span, event: Effect, function: FunctionRef) -> Fix:
    """Copy the argument in the first line, when its type (list or dict) is known."""
    kind = event.state.kind if event.state is not None else ""
    found, changing = facts.sources.expression_at(span), facts.sources.function(function)
    maker = kind if kind in ("list", "dict") else maker_of(found[1]) if found is not None else None
    if found is None or changing is None or maker is None:
        return offer(TITLE, None)
    sites = [facts.sources.expression_at(facts.span(place)) for place in calls_from(event, function)]
    calls = [site[1] for site in sites if site is not None]
    whole = is_whole(found[1], calls, event.name)
    edit = copied_first(changing, event.name, maker if whole else None)
    return offer(TITLE, edit, Safety.SAFE if whole else Safety.UNSAFE)
