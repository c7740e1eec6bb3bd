"""The values that a line of code works on, as its local names tell; runs none of the program's code."""

import dis
import types
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.objects import peek
from graphdoctor.recording.format import Argument

MOST_OPERANDS = 6
LOCALS = ("LOAD_FAST", "LOAD_DEREF", "LOAD_CLASSDEREF")
# Names that AutoGraph adds to the code that it makes.
GENERATED = ("ag__", "fscope", "do_return", "retval_", "get_state", "set_state", "break_", "continue_", "itr")


def operands(frame: types.FrameType, line: int) -> tuple[Argument, ...]:
    """The local names that a line loads, each with its type: dtype and shape of tensors, small values."""
    return tuple(describe_operand(name, value) for name, value in loaded_values(frame, line).items())


def loaded_values(frame: types.FrameType, line: int) -> dict[str, Any]:
    """The local names that a line loads, with their values."""
    values = frame.f_locals
    names: dict[str, None] = {}
    current = 0
    for instruction in dis.get_instructions(frame.f_code):
        # From Python 3.13 on `starts_line` only says whether a line begins here.
        current = getattr(instruction, "line_number", instruction.starts_line) or current
        if current == line and instruction.opname.startswith(LOCALS):
            loaded = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
            names.update(dict.fromkeys(loaded))
    wanted = [name for name in names if name in values and not name.startswith(GENERATED)]
    return {name: values[name] for name in wanted[:MOST_OPERANDS]}


def describe_operand(path: str, value: Any) -> Argument:
    """One value: what is small and plain as it is, of others the kind."""
    name = type(value).__name__
    if peek.is_plain(value):
        return Argument(path=path, kind="value", type=name, text=peek.text_of(value))
    tensor = internals.tensor_fields(value)
    if tensor is not None:
        kind, dtype, shape = tensor
        return Argument(path=path, kind=kind, type=name, dtype=dtype, shape=shape)
    if isinstance(value, list | tuple | dict) and type(value) in (list, tuple, dict):
        return Argument(path=path, kind=name, type=name, length=len(value))
    return Argument(path=path, kind="object", type=name)
