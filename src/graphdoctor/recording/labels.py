"""Retraces that are no fault of the program, and what they are instead."""

from graphdoctor.model import Change, Difference
from graphdoctor.recording.format import Trace
from graphdoctor.recording.grouping import Origin

VARIABLE_CREATION = "first call traces twice because it creates variables"
GENERALISED = "reduce_retracing makes the shape general"
PER_INSTANCE = "each instance of the class has a Function object of its own"
BOTH_BOOLS = "one trace for True and one for False"
LAST_BATCH = "the last batch is smaller"
CONTEXT = "the context changed, not the arguments"
ANOTHER_MODEL = "another model has a step of its own"
ANOTHER_OWNER = "another model, which was used again and again"
COMPILED_AGAIN = "the model was compiled again and has a new step"
ANOTHER_CALL = "another line of the function around it calls it"
ANOTHER_SIZE = "another line calls it with another batch size"
ANOTHER_TEST = "another test needs a graph of its own"
OUTER_TRACED_AGAIN = "the function around it was traced again"
SETTLED = "each graph was used again and again"
LIBRARY = "a library's own function"
# These are benign one by one; of many of them nobody says that they are.
IN_TOTAL = (GENERALISED, PER_INSTANCE, CONTEXT, ANOTHER_MODEL, COMPILED_AGAIN, LIBRARY)


def label(
    now: Trace,
    before: Trace,
    differences: tuple[Difference, ...],
    same_object: list[Trace],
    origin: Origin,
) -> str | None:
    """Why a retrace is benign; None when it is not."""
    changes = {difference.change for difference in differences}
    if not differences and now.passes != before.passes:
        return VARIABLE_CREATION
    if origin is Origin.LIBRARY:
        return LIBRARY
    if Change.NEW_FUNCTION_OBJECT in changes:
        if origin is Origin.KERAS:
            return _keras_label(now, before)
        return PER_INSTANCE if now.per_instance else None
    if changes == {Change.CONTEXT}:
        return CONTEXT
    if changes == {Change.SHAPE} and now.reduce_retracing:
        return GENERALISED
    if changes == {Change.SHAPE} and _is_last_batch(differences, same_object):
        if now.frame == before.frame:
            return LAST_BATCH
        if _is_another_call(now, same_object):
            return ANOTHER_SIZE
    if changes == {Change.PYTHON_VALUE} and _is_flag(differences):
        return BOTH_BOOLS
    if now.trace and now.trace == before.trace and _is_another_call(now, same_object):
        return ANOTHER_CALL
    return None


def _is_another_call(now: Trace, earlier: list[Trace]) -> bool:
    """Whether this line did not call it before: as many traces as lines, however long the program runs."""
    return now.frame is not None and all(trace.frame != now.frame for trace in reversed(earlier))


def _keras_label(now: Trace, before: Trace) -> str:
    """Whose step a new step function of Keras is."""
    if not now.model or now.model != before.model:
        return ANOTHER_MODEL
    return COMPILED_AGAIN


def _is_last_batch(differences: tuple[Difference, ...], earlier: list[Trace]) -> bool:
    """Whether only the first axis of the tensors shrank, all to one size, for the first time."""
    if any(d.axis != 0 or not (d.now.isdigit() and d.before.isdigit()) for d in differences):
        return False
    shrank = all(int(d.now) < int(d.before) for d in differences)
    one_size = len({(d.before, d.now) for d in differences}) == 1
    return shrank and one_size and _same_batch_sizes(earlier)


def _same_batch_sizes(traces: list[Trace]) -> bool:
    """Stops at the first that differs: a run may hold a hundred thousand."""
    return all(_batch_sizes(trace) == _batch_sizes(traces[0]) for trace in traces)


def _batch_sizes(trace: Trace) -> tuple[int | None, ...]:
    return tuple(a.shape[0] for a in trace.arguments if a.kind == "tensor" and a.shape)


def _is_flag(differences: tuple[Difference, ...]) -> bool:
    return all({d.before, d.now} == {"True", "False"} for d in differences)
