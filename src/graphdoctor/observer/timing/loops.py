"""Which loops of the user's train, and whether one of them waits for Python to make its next element."""

import opcode
import types
from collections.abc import Iterator

from graphdoctor.observer.user_code.ownership import is_library

# Unused places behind an instruction, where a frame may stand that calls another one.
CACHE = opcode.opmap.get("CACHE")
FOR_ITER = opcode.opmap["FOR_ITER"]
Code = tuple[str, int, str]


class Loops:
    """Remembers what code trains; a `for` statement in it that runs other Python to go on waits for input."""

    def __init__(self) -> None:
        self._trains: set[Code] = set()

    def train(self, frame: types.FrameType | None) -> None:
        """This stack runs a graph function, or asks for gradients."""
        self._trains.update(_code(one) for one in _users(frame))

    def draws(self, frame: types.FrameType | None) -> bool:
        """Whether a training loop on this stack waits for its next element, which no training code makes."""
        innermost = frame
        for one in _users(frame):
            if _code(one) in self._trains:
                return one is not innermost and _is_at_for(one)
        return False


def _users(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    while frame is not None:
        if not is_library(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def _code(frame: types.FrameType) -> Code:
    code = frame.f_code
    return code.co_filename, code.co_firstlineno, code.co_name


def _is_at_for(frame: types.FrameType) -> bool:
    """Whether the instruction under way asks an iterator for its next element."""
    code, at = frame.f_code.co_code, frame.f_lasti
    while at > 1 and code[at] == CACHE:
        at -= 2
    return at >= 0 and code[at] == FOR_ITER
