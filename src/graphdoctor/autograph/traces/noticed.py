"""What a watch notices of one trace: decisions, calls, functions that ran as they are, lines of the log."""

import dataclasses
import types
from collections.abc import Callable
from typing import Any

from graphdoctor.autograph.places import SourceLine
from graphdoctor.autograph.values import Value, look_at

STATEMENT_KINDS = {"if_stmt": "if", "for_stmt": "for", "while_stmt": "while", "if_exp": "ternary"}


@dataclasses.dataclass
class Decision:
    """What AutoGraph made of one `if`, `for`, `while` or conditional expression, each time it was met."""

    kind: str
    place: SourceLine
    staged: bool
    on: Value
    variables: tuple[str, ...] = ()
    runs: int = 0


@dataclasses.dataclass
class Call:
    """One call in converted code, and what AutoGraph did with the function."""

    function: Any
    place: SourceLine | None
    outcome: str = "built-in"
    cause: BaseException | None = None
    handed_over: tuple[Any, ...] = ()
    direct: bool = True


@dataclasses.dataclass
class AsIs:
    """A function of the user's that ran without being converted, and how it was reached."""

    code: types.CodeType
    disabled: bool
    libraries: tuple[tuple[str, str], ...]
    caller: types.CodeType | None
    call: Call | None
    place: SourceLine | None


@dataclasses.dataclass(frozen=True)
class LogEntry:
    """A line of AutoGraph's log; `about_user` when it names a function of the user's."""

    level: int
    text: str
    about_user: bool


def decide(name: str, place: SourceLine, args: Any) -> Decision:
    kind = STATEMENT_KINDS[name]
    if kind == "while":
        return Decision(kind, place, staged=False, on=Value("unknown", ""), variables=tuple(args[4]))
    on = look_at(args[0])
    variables = {"if": 5, "for": 5}.get(kind)
    names = tuple(args[variables]) if variables is not None else ()
    return Decision(kind, place, staged=on.staged, on=on, variables=names)


def counting(name: str, args: Any, decision: Decision) -> Any:
    """The arguments with the loop's body wrapped, so that its runs are counted."""
    position = {"for_stmt": 2, "while_stmt": 1}.get(name)
    if position is None:
        return args
    body = args[position]

    def counted(*inner: Any) -> Any:
        decision.runs += 1
        return body(*inner)

    arguments = list(args)
    arguments[position] = counted
    if name == "while_stmt":
        arguments[0] = _noticing(args[0], decision)
    return arguments


def _noticing(test: Callable[[], Any], decision: Decision) -> Callable[[], Any]:
    """A loop's test that tells the decision what its condition is."""

    def noticed() -> Any:
        condition = test()
        if decision.on.kind == "unknown":  # only the first test decides
            decision.on = look_at(condition)
            decision.staged = decision.on.staged
        return condition

    return noticed
