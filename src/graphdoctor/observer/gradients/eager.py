"""Eager operations → a record, while somebody needs it."""

import sys
import weakref
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.operations import CUSTOM, Escape, Operation, Record
from graphdoctor.observer.gradients.places import place_of, user_frame

MOST_OPERATIONS = 50_000
PRELUDE = "prelude"  # holds while a program has not yet come to its first tapes
LONGEST_PRELUDE = 2_000
# How Python asks a tensor for its value; printing it breaks no path.
CONVERSIONS = {
    "numpy": ".numpy()",
    "__float__": "float()",
    "__int__": "int()",
    "__complex__": "complex()",
    "__index__": "int()",
    "__bool__": "bool()",
    "__array__": "numpy",
}
LEAVING = {
    "predict": "model.predict",
    "predict_on_batch": "model.predict_on_batch",
    "numpy_function": "tf.numpy_function",
}


class EagerRecorder:
    """Records the eager operations of one thread as long as it has a holder."""

    def __init__(self, problem: Callable[[str], None]) -> None:
        self.record = Record()
        self._problem = problem
        self._holders: set[object] = set()
        self._hooks: internals.EagerHooks | None = None
        self._called: Any = None
        self._latest = 0

    def hold(self, holder: object) -> None:
        """Record from now on, until this holder lets go."""
        if not self._holders:
            self._hooks = internals.EagerHooks(self._operation, self._calling, self._recorded, self._escaped)
            self._hooks.install()
        self._holders.add(holder)

    def release(self, holder: object) -> None:
        """This holder needs no more; without any, recording ends and its record is forgotten."""
        if holder not in self._holders:
            return
        self._holders.discard(holder)
        if not self._holders and self._hooks is not None:
            self._hooks.remove()
            self._hooks = None
            self.record = Record()

    def release_closed(self) -> None:
        """Let go of the tapes that were closed long ago and never asked."""
        for holder in tuple(self._holders):
            if getattr(holder, "closed", False):
                self.release(holder)

    def release_all(self) -> None:
        """End it."""
        for holder in tuple(self._holders):
            self.release(holder)

    @property
    def recording(self) -> bool:
        """Whether operations are recorded now."""
        return bool(self._holders)

    def _operation(self, kind: str, inputs: Any, outputs: Any) -> None:
        try:
            self._note(kind, inputs, outputs or ())
        except Exception as error:
            self._give_up(error)

    def _note(self, kind: str, inputs: Any, outputs: Any) -> None:
        tensors = [t for t in inputs if hasattr(t, "_id")]
        made = [t for t in outputs if hasattr(t, "_id")]
        if not tensors and not made:
            return
        caller = sys._getframe(3)
        self._find_reads(tensors, caller)
        frame, _ = user_frame(caller)
        operation = Operation(
            kind,
            tuple(t._id for t in tensors),
            tuple(t._id for t in made),
            max(t._id for t in (made or tensors)),
            place_of(frame),
        )
        self.record.add(operation, ((t._id, t.dtype.name) for t in (*tensors, *made)))
        if kind.startswith("__") and self._called is not None:
            self.record.calls.append((operation, self._called))
            self._called = None
        if self.record.count > MOST_OPERATIONS:
            self.record.complete = False
            self.release_all()
        elif self.record.count == LONGEST_PRELUDE:
            self.release(PRELUDE)

    def _find_reads(self, tensors: list[Any], caller: FrameType) -> None:
        """TensorFlow reads a variable that is given as an operation's input without telling anybody."""
        unknown = [t for t in tensors if t._id not in self.record.producers and t._id > self._latest]
        if tensors:
            self._latest = max(self._latest, *(t._id for t in tensors))
        if not unknown:
            return
        variables = list(_variables(caller))
        for tensor in unknown:
            match = next((v for v in variables if _alike(v, tensor)), None)
            if match is not None:
                variables.remove(match)
                read = Operation(
                    "ReadVariableOp", (internals.number(match),), (tensor._id,), tensor._id, None
                )
                read.place = place_of(user_frame(caller)[0])
                self.record.add(read, iter([(tensor._id, tensor.dtype.name)]))

    def _calling(self, graph: Any) -> None:
        self._called = None if graph is None else weakref.ref(graph)

    def _recorded(self, outputs: Any, inputs: Any) -> None:
        """A gradient of the user's own replaces those of the operations inside."""
        try:
            numbers = [internals.number(t) for t in outputs if internals.is_eager(t)]
            first = self.record.producers.get(numbers[0]) if numbers else None
            if first is None or first.kind.startswith("__"):
                return
            frame, _ = user_frame(sys._getframe(2))
            given = tuple(internals.number(t) for t in inputs)
            operation = Operation(CUSTOM, given, tuple(numbers), numbers[-1], place_of(frame), custom=True)
            self.record.add(operation, iter(()))
        except Exception as error:
            self._give_up(error)

    def _escaped(self, tensor: Any) -> None:
        try:
            frame: Any = sys._getframe(2)  # who called `_numpy`
            how = CONVERSIONS.get(frame.f_code.co_name)
            user, entered = user_frame(frame)
            if how is not None and user is not None:
                how = LEAVING.get(entered, how)
                self.record.escapes.append(Escape(tensor._id, internals.now(), place_of(user), how))
        except Exception as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self.release_all()
        self._problem(f"recording for gradients: {type(error).__name__}: {error}")


def _variables(frame: FrameType) -> Iterator[Any]:
    """The variables among the inputs of the function that runs an operation, in their order."""
    for value in frame.f_locals.values():
        for item in value if isinstance(value, list | tuple) else (value,):
            if hasattr(item, "handle") and hasattr(item, "dtype"):
                yield item


def _alike(variable: Any, tensor: Any) -> bool:
    return bool(
        str(variable.dtype) in (str(tensor.dtype), tensor.dtype.name) and variable.shape == tensor.shape
    )
