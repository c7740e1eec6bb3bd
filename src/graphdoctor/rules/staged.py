"""What the rules about AutoGraph share: what it refused, and what stands at a place."""

from collections.abc import Iterator

from graphdoctor.model import Fix, FunctionRef, Safety, Span
from graphdoctor.recording.format import Conflict, Event, Place, Staging, Trace, Use, Value
from graphdoctor.recording.places import function_of
from graphdoctor.refactoring.calls.items import unstacked
from graphdoctor.refactoring.declarations.build_methods import holds_unbuilt_layers, owner_of
from graphdoctor.refactoring.initial_values.zeros import Kind
from graphdoctor.refactoring.options.function_options import decorated
from graphdoctor.refactoring.while_loops.conversion import to_while_loop
from graphdoctor.refactoring.wrappers.conditions import by_cond
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.source.sites import ExpressionSite, Node, Site
from graphdoctor.source.surroundings import Body, body_around, value_of

LOOPS, BRANCHES = ("for", "while"), ("if", "ternary")
PYTHON_DTYPES = {"int": "int32", "float": "float32", "str": "string", "bool": "bool"}
CONSTRUCTS = {"ternary": "conditional expression"}


def refusals(facts: Facts, *reasons: str) -> Iterator[Staging]:
    """What raises while tracing for one of these reasons."""
    for event in facts.of(Staging):
        if event.outcome == "refused" and event.reason in reasons and event.chain:
            yield event


def conflicts(facts: Facts, constructs: tuple[str, ...], *kinds: str) -> Iterator[tuple[Staging, Conflict]]:
    """The names that cannot go through a staged branch or loop for one of these reasons."""
    for event in refusals(facts, *kinds):
        if event.conflict is not None and event.construct in constructs:
            yield event, event.conflict


def uses(facts: Facts, *hows: str) -> Iterator[Use]:
    """Where symbolic tensors are used as Python values in one of these ways."""
    for event in facts.of(Use):
        if event.how in hows and event.chain:
            yield event


def first_decisions(facts: Facts, *reasons: str) -> Iterator[Staging]:
    """For each thing that keeps AutoGraph from converting: the first place where a tensor decides."""
    reported = set()
    for event in sorted(refusals(facts, *reasons), key=lambda event: event.chain[-1].place.line):
        if event.blocked_by not in reported:
            reported.add(event.blocked_by)
            yield event


def is_growing_list(event: Staging, conflict: Conflict) -> bool:
    """Whether a list gets longer or shorter in a TensorFlow loop, where it stands or under an `if`."""
    loops = event.chain[-1].loops
    in_loop = event.construct in LOOPS or (bool(loops) and loops[-1].graph)
    values = (conflict.before, conflict.after)
    return in_loop and all(value is not None and value.kind == "list" for value in values)


def what(event: Staging) -> str:
    """`if`, conditional expression…, as a message names it."""
    return CONSTRUCTS.get(event.construct, f"`{event.construct}`")


def blocking(event: Staging, blocker: str) -> str:
    """`:=` keeps AutoGraph from converting `f`, whose `if` on line 7 needs it."""
    frame = event.chain[-1]
    return (
        f"{blocker} keeps AutoGraph from converting `{frame.function}`, whose {what(event)} "
        f"on line {frame.place.line} needs it"
    )


def function_at(event: Event) -> FunctionRef | None:
    """The function of the user's in which an event happened."""
    definition = event.chain[-1].definition
    return function_of(definition) if definition is not None else None


def span_at(facts: Facts, event: Event, place: Place | None = None) -> Span:
    """The span of a place; of the event's own where there is none."""
    return facts.span(place or event.chain[-1].place)


def node_at(facts: Facts, place: Place | None) -> Site | None:
    """The module and the node that stands at a place, where the source is at hand."""
    return facts.sources.expression_at(facts.span(place)) if place is not None else None


def body_at(facts: Facts, place: Place | None) -> tuple[Body, Node] | None:
    """The function around a place, as the builders of fixes read it, and the node that stands there."""
    found = node_at(facts, place)
    body = body_around(*found) if found is not None else None
    return (body, found[1]) if body is not None and found is not None else None


def given_for(facts: Facts, event: Event, parameter: str) -> Site | None:
    """What the call that traced the function of an event gave for one of its parameters."""
    definition = event.chain[-1].definition
    for trace in facts.of(Trace):
        if trace.number == event.trace and trace.function == definition:
            arguments = [each for each in trace.arguments if each.path == parameter]
            return node_at(facts, arguments[0].place) if len(arguments) == 1 else None
    return None


def value_at(facts: Facts, place: Place | None) -> ExpressionSite | None:
    """What the plain assignment at a place gives to its one name, or the expression there."""
    found = node_at(facts, place)
    value = value_of(found[1]) if found is not None else None
    return (found[0], value) if found is not None and value is not None else None


def text_at(facts: Facts, place: Place | None) -> str:
    """The text of the expression at a place; empty where it is not at hand."""
    found = node_at(facts, place)
    return found[0].source_of(found[1]) if found is not None else ""


def kind_of(value: Value | None) -> Kind:
    """What the builders of edits are reported a value."""
    if value is None:
        return Kind()
    return Kind(value.type if value.kind == "value" else "", value.dtype, value.shape)


def dtypes_of(conflict: Conflict) -> tuple[str, str]:
    """The dtypes of both values; a Python number has that of the tensor it becomes."""
    return _dtype(conflict.before), _dtype(conflict.after)


def _dtype(value: Value | None) -> str:
    if value is None:
        return ""
    return value.dtype or PYTHON_DTYPES.get(value.type, value.type)


def convert_by_itself(facts: Facts, event: Event) -> Fix:
    """A function that nobody converts is converted as a graph function of its own."""
    if would_freeze(facts, event):
        return Fix(title="Write it with TensorFlow's operations", safety=Safety.MANUAL)
    found = body_at(facts, event.chain[-1].place)
    return offer("Put `@tf.function` on it", decorated(found[0].function) if found is not None else None)


def by_while_loop(facts: Facts, event: Event) -> Fix | None:
    """TensorFlow runs the `for` at an event; None where its body does what a graph cannot."""
    found = body_at(facts, event.chain[-1].place)
    edits = to_while_loop(*found) if found is not None else None
    return offer("Loop with `tf.while_loop`", edits) if edits is not None else None


def would_freeze(facts: Facts, event: Event) -> bool:
    """Whether a graph function here would be traced while Keras 3 builds a layer, with initial weights.

    It would where a class on the way has no `build()`, and holds layers: GD709.
    """
    found = [body_at(facts, frame.place) for frame in event.chain]
    owners = [owner_of(each[0].function) for each in found if each is not None]
    return any(owner is not None and holds_unbuilt_layers(owner) for owner in owners)


def choose(facts: Facts, event: Staging) -> Fix | None:
    """Both ways of an `if` are given to `keras.ops.cond`; None where they are more than a value each."""
    found = body_at(facts, event.chain[-1].place) if event.construct in BRANCHES else None
    edits = by_cond(*found) if found is not None else None
    return offer("Choose with `keras.ops.cond`", edits) if edits is not None else None


def take_apart(facts: Facts, event: Staging) -> tuple[Fix, ...]:
    """Python goes through the rows of a tensor, where their number may be known."""
    found = body_at(facts, event.chain[-1].place) if event.construct in ("for", "comprehension") else None
    edit = unstacked(found[0].home, found[1]) if found is not None else None
    return (offer("Go through `tf.unstack`", edit),) if edit is not None else ()
