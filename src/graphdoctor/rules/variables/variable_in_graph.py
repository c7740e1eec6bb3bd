"""GD401."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Made, Place
from graphdoctor.recording.places import function_of
from graphdoctor.refactoring.creation.constructors import handed_in, make_once_by_key, make_once_for
from graphdoctor.refactoring.creation.variables_before_graph import called_before
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import Repair
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import body_at, node_at


class VariableInGraph(Rule):
    """A `tf.Variable` created in a traced function is created at each trace, which TensorFlow forbids.

    What it finds
    `tf.Variable(…)` in traced code that a later trace runs again: not under an `if` such as `if self.v is
    None`, and not in `tf.init_scope`; also a layer that was created outside and creates its Variables on a
    trace that is not the function's first.

    Why it matters
    A Variable belongs to the program, not to a graph. TensorFlow raises ValueError: "tf.function only
    supports singleton tf.Variables created on the first call".

    How to fix it
    Create it once: in `__init__`, at the top of the module, or under `if self.v is None:`. For a temporary
    value use a tensor. A Keras model creates its Variables at its first call: call it before the
    `tf.function` uses it.

    When to leave it
    Never: it raises when the function is called.
    """

    id = "GD401"
    severity = Severity.ERROR
    repair = Repair(trains=True)
    failures = (
        FailureText(
            pattern=r"only supports singleton tf\.Variables|Creating variables on a non-first call",
            meaning="a variable is created here on a call that is not the first; a `tf.function` "
            "may create variables only on its first call",
            order="Create it outside, once",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def add(x):
                    offset = tf.Variable(1.0)
                    return x + offset


                print(add(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                offset = tf.Variable(1.0)


                @tf.function
                def add(x):
                    return x + offset


                print(add(tf.ones([2])).numpy())
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, place in made_again(facts):
            if event.what == "variable" or (event.outer and event.what != "optimizer"):
                yield self.finding(
                    facts.span(place),
                    _message(facts, event),
                    facts.function_of(event),
                    event=event,
                    fix=_build_first(facts, event) if event.outer else make_it_once(facts, event, place),
                )


# A metric that each call created was empty at each call.
FRESH = {"metric": ("{}.reset_state()",)}


def made_again(facts: Facts) -> Iterator[tuple[Made, Place]]:
    """What makes variables on a trace that may not, and where; one event for each place."""
    reported: set[object] = set()
    for event in facts.of(Made):
        place = event.place
        if event.anew and place is not None and (event.what, place) not in reported:
            reported.add((event.what, place))
            yield event, place


def _build_first(facts: Facts, event: Made) -> Fix:
    """The fix that lets a model make its variables before a graph function is given it."""
    history = facts.history_of(event)
    step = facts.sources.function(history.function) if history is not None else None
    frames = [frame.definition is not None and function_of(frame.definition) for frame in event.chain]
    first = frames.index(history.function) if history is not None and history.function in frames else 0
    edit = None
    if first and step is not None and _is_called_by_keras(event, first):
        caller, inner = body_at(facts, event.chain[first - 1].place), node_at(facts, event.chain[first].place)
        edit = called_before(*caller, step, inner[1]) if caller is not None and inner is not None else None
    return offer("Call it once first", edit)


def _is_called_by_keras(event: Made, first: int) -> bool:
    """Whether what a graph function calls is a layer or model: the one that makes variables, or holds it."""
    inside = event.chain[first + 1 :]
    return not inside or inside[0].function.rpartition(".")[2] == "call"


def make_it_once(facts: Facts, event: Made, place: Place) -> Fix:
    """The fix that moves what makes the object to where it is made once."""
    found = body_at(facts, place) if not event.outer else None
    edits = None
    kept = make_once_by_key(*found) if found is not None else None
    if kept is not None:
        return offer("Create it once for each key", kept)
    if found is not None:
        ways = (event.place, *(frame.place for frame in reversed(event.chain)))
        users = [user[0] for way in ways if (user := body_at(facts, way)) is not None]
        edits = make_once_for(facts.sources.modules, *found, users, FRESH.get(event.what, ()))
    if found is not None and edits is None and event.what == "variable":
        edits = handed_in(facts.sources.modules, *found)
    return offer("Create it once, outside", edits)


def _message(facts: Facts, event: Made) -> str:
    function = facts.function_of(event)
    name = f"`{function.name}`" if function else "the graph"
    if event.what == "variable":
        return f"each trace of {name} creates a new Variable, which TensorFlow forbids"
    return f"{name} was traced before and cannot create the Variables of this {event.what} now"
