"""Why a gradient is None, in words."""

from graphdoctor.model.words import count
from graphdoctor.recording.format import PARTLY, Gradient, Place, Source

REASONS = {
    "not-watched": "not watched",
    "not-trainable": "not trainable",
    "outside": "computed outside the tape",
    "left": "the path left TensorFlow",
    "operation": "an operation without a gradient",
    "stopped": "stopped on purpose",
    "custom": "the custom gradient gives None",
    "dtype": "integer or string dtype",
    "rebound": "a variable was replaced by a tensor",
    "state": "the path goes through a variable's state",
    "late": "watched too late",
    "no-sources": "no sources were given",
    "given": "the optimizer was given None, not by a tape",
    "unused": "unused: no path at all, benign",
    "unexplained": "no reason found",
}
# What people put in the place of an operation without a gradient.
SURROGATES = {
    "ArgMax": "`tf.nn.softmax`, and a weighted sum over the classes",
    "ArgMin": "`tf.nn.softmax` of the negated values",
    "Round": "`x + tf.stop_gradient(tf.round(x) - x)` (straight through)",
    "Rint": "`x + tf.stop_gradient(tf.round(x) - x)` (straight through)",
    "Floor": "`x + tf.stop_gradient(tf.floor(x) - x)` (straight through)",
    "Ceil": "`x + tf.stop_gradient(tf.math.ceil(x) - x)` (straight through)",
    "FloorDiv": "true division `/`",
    "Cast": "staying in floating point",
    "Greater": "`tf.sigmoid(k * (x - threshold))`",
    "GreaterEqual": "`tf.sigmoid(k * (x - threshold))`",
    "Less": "`tf.sigmoid(k * (threshold - x))`",
    "LessEqual": "`tf.sigmoid(k * (threshold - x))`",
    "Equal": "a distance, such as `tf.square(a - b)`",
    "NotEqual": "a distance, such as `tf.square(a - b)`",
    "Sign": "`tf.tanh(k * x)`",
    "Multinomial": "the log-probability of the sample (policy gradient), or Gumbel-softmax",
    "StatelessMultinomial": "the log-probability of the sample (policy gradient), or Gumbel-softmax",
    "TopKV2": "the values of top_k, not its indices",
}
SHOWN_SOURCES = 3


def names_of(event: Gradient) -> str:
    """The sources in a few words: "`dense/kernel` and 3 more", "source 2"."""
    names = list(dict.fromkeys(map(_name, event.sources)))
    shown = ", ".join(names[:SHOWN_SOURCES])
    more = len(names) - SHOWN_SOURCES
    return f"{shown} and {more} more" if more > 0 else shown


def _name(source: Source) -> str:
    if source.name:
        return f"`{source.name}`"
    kind = "variable" if source.variable else "tensor"
    return f"the {kind} at position {source.index} of the sources" if source.index else f"the source {kind}"


def asking(event: Gradient) -> str:
    """What was asked for the gradient: `tape.gradient`, `tape.jacobian`, `tf.gradients`."""
    return event.method if "." in event.method else f"tape.{event.method}"


def at(place: Place | None) -> str:
    """` at line 12 of model.py`, or nothing."""
    return f" at line {place.line}" if place is not None else ""


def surrogate(event: Gradient) -> str | None:
    """What is usually put in the place of the operation that breaks the path."""
    return SURROGATES.get(event.operation)


def sentence(event: Gradient) -> str:
    """Why, in one sentence without a final stop."""
    who = names_of(event)
    make = _SENTENCES.get(event.reason)
    return make(event, who) if make else f"{_lacks(event, who)}, and no reason was found"


def _lacks(event: Gradient, who: str) -> str:
    if event.answer == PARTLY:
        return f"a term of the target has no gradient for {who}, and others have"
    return f"the gradient for {who} is {'all zeros' if event.answer == 'zeros' else 'None'}"


def _not_watched(event: Gradient, who: str) -> str:
    if event.sources[0].variable:
        return (
            f"{_lacks(event, who)}: the tape does not watch variables automatically "
            "(`watch_accessed_variables=False`), and `tape.watch` is not called"
            if event.detail == "manual"
            else f"{_lacks(event, who)}: the tape does not watch it"
        )
    return f"{_lacks(event, who)}: it is a tensor, and the tape watches only variables by itself"


def _outside(event: Gradient, who: str) -> str:
    if event.detail == "paused":
        what = f"`{event.operation}`{at(event.broken)}"
        return f"{_lacks(event, who)}: {what} ran while the tape was paused"
    if event.detail == "before":
        what = f"`{event.operation}`{at(event.broken)} ran" if event.operation else "the target was computed"
        return f"{_lacks(event, who)}: {what} before the tape was opened{at(event.opened)}"
    what = (
        f"the target is computed by `{event.operation}`{at(event.broken)}"
        if event.operation
        else "the target was computed"
    )
    return f"{_lacks(event, who)}: {what}, after the tape was closed"


def _left(event: Gradient, who: str) -> str:
    return (
        f"{_lacks(event, who)}: the path leaves TensorFlow through `{event.detail}`"
        f"{at(event.broken)}, and what comes back is a constant"
    )


def _operation(event: Gradient, who: str) -> str:
    instead = surrogate(event)
    what = f"`{event.operation}`{at(event.broken)}"
    why = f"gives {event.detail}, which has no gradient" if event.detail else "has no gradient"
    return f"{_lacks(event, who)}: {what} {why}" + (f"; usual replacement: {instead}" if instead else "")


def _stopped(event: Gradient, who: str) -> str:
    return f"{_lacks(event, who)}: `tf.stop_gradient`{at(event.broken)} stops it"


def _custom(event: Gradient, who: str) -> str:
    what = f"the custom gradient of the function called{at(event.broken)}"
    return f"{_lacks(event, who)}: {what} gives None"


def _dtype(event: Gradient, who: str) -> str:
    of_source = event.sources and event.detail == event.sources[0].dtype
    what = f"it is {event.detail}" if of_source else f"the target is {event.detail}"
    return f"{_lacks(event, who)}: {what}, and only floating point and complex numbers have gradients"


def _rebound(event: Gradient, who: str) -> str:
    return (
        f"{_lacks(event, who)}: the variable was replaced by a tensor{at(event.broken)}, "
        "and the tape does not watch tensors"
    )


def _state(event: Gradient, who: str) -> str:
    return (
        f"{_lacks(event, who)}: the path goes through the value that was assigned to a "
        f"variable{at(event.broken)}, and a tape does not see assignments"
    )


def _late(event: Gradient, who: str) -> str:
    if event.detail == "twin":
        return (
            f"{_lacks(event, who)}: it comes from one call of the layers{at(event.broken)}, and the "
            "target from another: take both from one model"
        )
    if event.detail == "copy":
        return f"{_lacks(event, who)}: `tape.watch`{at(event.broken)} watches a copy of it, not itself"
    return f"{_lacks(event, who)}: `tape.watch`{at(event.broken)} comes after the computation"


def _not_trainable(event: Gradient, who: str) -> str:
    if event.detail == "some":
        return (
            f"{who} holds variables that are not trainable (moving statistics, counters, seeds): "
            "their gradients are None"
        )
    if event.detail == "watched":
        return (
            f"{who} holds variables that are not trainable (moving statistics, counters, seeds): `minimize` "
            "watches them too, and changes those that the loss depends on"
        )
    return (
        f"no gradient for {who}: {'it is' if len(event.sources) == 1 else 'they are'} not trainable "
        "(moving statistics, counters, seeds), and the tape does not watch such variables"
    )


def _no_sources(event: Gradient, who: str) -> str:
    if event.broken is not None:
        return (
            f"the model has no variables yet: this list is empty, and `{asking(event)}`{at(event.place)} "
            "trains nothing of it"
        )
    return f"`{asking(event)}` is asked for no variables at all: nothing is trained"


def _given(event: Gradient, who: str) -> str:
    gave = (
        f"though the tape gave a gradient{at(event.broken)}" if event.broken else "which comes from no tape"
    )
    return f"`{event.method}` is given None for {who}, {gave}"


def _unused(event: Gradient, who: str) -> str:
    none = len(event.sources) == event.asked
    if not event.sources[0].variable:
        return f"{_lacks(event, who)}: the target is not computed from it"
    takes = "takes" if len(event.sources) == 1 else "take"
    text = f"{who} {takes} no part in the target: no path at all, so that None is right"
    if none:
        return text + f"; none of the {count(event.asked, 'source')} has a gradient"
    return text


_SENTENCES = {
    "not-watched": _not_watched,
    "not-trainable": _not_trainable,
    "outside": _outside,
    "left": _left,
    "operation": _operation,
    "stopped": _stopped,
    "custom": _custom,
    "dtype": _dtype,
    "rebound": _rebound,
    "state": _state,
    "late": _late,
    "no-sources": _no_sources,
    "given": _given,
    "unused": _unused,
}


def lines_of(event: Gradient) -> list[tuple[Place, str]]:
    """The path from the target backwards, one entry for each of the user's lines: `Sum ← Round`."""
    found: list[tuple[Place, list[str]]] = []
    for step in event.path:
        if step.place is None:
            continue
        if found and (found[-1][0].path, found[-1][0].line) == (step.place.path, step.place.line):
            found[-1][1].append(step.operation)
        else:
            found.append((step.place, [step.operation]))
    return [(place, " ← ".join(_shortened(kinds))) for place, kinds in found]


def _shortened(kinds: list[str]) -> list[str]:
    return kinds if len(kinds) <= 6 else [*kinds[:3], "…", *kinds[-2:]]
