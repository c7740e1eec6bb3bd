"""How a statement ends, and the exceptions of the interpreter itself."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from graphdoctor.dryrun.values import Value


class Flow(enum.Enum):
    """What happens after a statement."""

    NEXT = enum.auto()
    BREAK = enum.auto()
    CONTINUE = enum.auto()
    RETURN = enum.auto()
    RAISE = enum.auto()


NEXT: Final = Flow.NEXT
BREAK: Final = Flow.BREAK
CONTINUE: Final = Flow.CONTINUE
RETURN: Final = Flow.RETURN
RAISE: Final = Flow.RAISE


class Raised(Exception):  # noqa: N818 - the program's exception, not an error of ours
    """The program surely raises here."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


class LoopLeft(Exception):  # noqa: N818
    """The loop that goes through a generator is left: the generator does not run on."""

    def __init__(self, flow: Flow) -> None:
        super().__init__()
        self.flow = flow


class OutOfBudget(Exception):  # noqa: N818
    """An entry took more steps than it may."""
