"""GD403."""

from collections.abc import Iterable, Iterator

from graphdoctor.model import Finding, Fix, Severity, Since, Span
from graphdoctor.recording.format import Applied, Made, Place, Trace
from graphdoctor.recording.gradients import at
from graphdoctor.refactoring.creation.optimizers import build_first, one_for_each
from graphdoctor.refactoring.creation.second_optimizers import second_beside
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import body_at, node_at
from graphdoctor.rules.variables.variable_in_graph import made_again
from graphdoctor.source.sites import CallSite


class SeveralOptimizers(Rule):
    """A `tf.function` that was traced with one optimizer fails with a second one.

    What it finds
    A `tf.function` that applies gradients with two optimizers that were not built before; and one optimizer
    that gets the variables of two models.

    Why it matters
    An optimizer creates its variables when it is first used. A `tf.function` may create variables only on its
    first call: ValueError "tf.function only supports singleton tf.Variables". And an optimizer keeps
    variables only for the model it was first used with.

    How to fix it
    `optimizer.build(model.trainable_variables)` before the first step, or one `tf.function` for each
    optimizer.

    When to leave it
    Never: the first step with the second optimizer raises.
    """

    id = "GD403"
    severity = Severity.ERROR
    since = Since.TENSORFLOW_2_11
    failures = (
        FailureText(
            pattern=r"only supports singleton tf\.Variables|Creating variables on a non-first call",
            meaning="a second optimizer creates its variables here; a `tf.function` may create "
            "variables only on its first call",
            order="Build the optimizer first",
            through="optimizers/",
        ),
        FailureText(
            pattern=r"can only be called for the variables it was originally built with",
            meaning="this optimizer was built for another model and rejects the variables of this one",
            order="Create an optimizer for each model",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                weight = tf.Variable(1.0)


                @tf.function
                def step(optimizer):
                    with tf.GradientTape() as tape:
                        loss = weight * weight
                    optimizer.apply_gradients(zip(tape.gradient(loss, [weight]), [weight]))


                slow = tf.keras.optimizers.SGD(0.01, momentum=0.9)
                fast = tf.keras.optimizers.SGD(0.1, momentum=0.9)
                step(slow)
                step(fast)
                print(weight.numpy() < 1.0)
                """,
            good="""
                import tensorflow as tf

                weight = tf.Variable(1.0)


                @tf.function
                def step(optimizer):
                    with tf.GradientTape() as tape:
                        loss = weight * weight
                    optimizer.apply_gradients(zip(tape.gradient(loss, [weight]), [weight]))


                slow = tf.keras.optimizers.SGD(0.01, momentum=0.9)
                fast = tf.keras.optimizers.SGD(0.1, momentum=0.9)
                fast.build([weight])
                step(slow)
                step(fast)
                print(weight.numpy() < 1.0)
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, place in made_again(facts):
            if event.what == "optimizer" and event.outer:
                function = facts.function_of(event)
                yield self.finding(
                    _argument(facts, event, place),
                    f"`{function.name if function else 'the function'}` was traced before and cannot create "
                    "the variables of this optimizer",
                    function,
                    event=event,
                    fix=_built(facts, event),
                )
        reported: set[Place] = set()
        for use in facts.of(Applied):
            made = use.made or use.place
            if use.what == "other variables" and made is not None and made not in reported:
                reported.add(made)
                yield self.finding(
                    facts.span(made),
                    "this optimizer is used for two models: it was built for the first and does not accept "
                    f"the variables of the second{at(use.place)}",
                    facts.function_of(use),
                    event=use,
                    fix=_each(facts, made),
                )


def _built(facts: Facts, event: Made) -> Fix:
    made, history = node_at(facts, event.made), facts.history_of(event)
    step = facts.sources.function(history.function) if history is not None else None
    edit = build_first(*made, step) if made is not None and step is not None else None
    return offer("Build the optimizers first", edit)


def _each(facts: Facts, made: Place) -> Fix:
    found, body = node_at(facts, made), body_at(facts, made)
    edits = one_for_each(body[0] if body is not None else None, *found) if found is not None else None
    if edits is None and found is not None:
        sites, calls = _of_the_second(facts, made)
        edits = second_beside(facts.sources.modules, found[1], sites, calls)
    return offer("Create an optimizer for each model", edits)


def _of_the_second(facts: Facts, made: Place) -> tuple[list[CallSite], list[CallSite]]:
    """Where the gradients of the second model alone are applied; else what leads to it for that model."""
    used = [use for use in facts.of(Applied) if use.made == made and use.place is not None]
    refused = [use for use in used if use.what == "other variables"]
    ways = {_way(use) for use in refused}
    first = [use for use in used if use.what == "gradients" and _way(use) not in ways]
    sites = {use.place for use in refused} - {use.place for use in first}
    calls = {_way(use)[-2] for use in refused if len(use.chain) > 1}
    calls -= {_way(use)[-2] for use in first if len(use.chain) > 1}
    if not first:  # one call trains them all, as in a loop over models
        return [], []
    if sites and len(sites) == len({use.place for use in refused}):
        return _calls_at(facts, sites), []
    return [], _calls_at(facts, calls) if not sites else []


def _way(use: Applied) -> tuple[Place, ...]:
    return tuple(frame.place for frame in use.chain)


def _calls_at(facts: Facts, places: Iterable[Place | None]) -> list[CallSite]:
    """The calls that stand at places, none where one of them is no call."""
    found = [facts.sources.call_at(facts.span(place)) for place in places if place is not None]
    known = [site for site in found if site is not None]
    return known if len(known) == len(found) else []


def _argument(facts: Facts, event: Made, used: Place) -> Span:
    """The argument by which the function got the optimizer; else where that is used."""
    traces = (trace for trace in facts.of(Trace) if trace.number == event.trace)
    given = (argument for trace in traces for argument in trace.arguments if argument.made == event.made)
    return facts.span(next((argument.place for argument in given if argument.place is not None), used))
