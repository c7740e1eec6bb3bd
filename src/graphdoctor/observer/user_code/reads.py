"""Code object → what it reads and stores outside itself: `scale`, `self.rate`, `config["x"]`."""

import bisect
import dataclasses
import dis
import functools
import types
import weakref
from collections.abc import Iterator
from typing import Any

GLOBAL, CELL, OWNER, ARGUMENT = "global", "cell", "owner", "argument"
LOADS = {"LOAD_GLOBAL": GLOBAL, "LOAD_NAME": GLOBAL, "LOAD_DEREF": CELL}
ATTRIBUTE = "attribute"
STORES = {"STORE_GLOBAL": GLOBAL, "STORE_NAME": GLOBAL, "STORE_DEREF": CELL, "STORE_ATTR": ATTRIBUTE}
ATTRIBUTES = {"LOAD_ATTR", "LOAD_METHOD"}
ITEM = "BINARY_SUBSCR"
BETWEEN_COUNT_AND_STORE = {"CACHE", "SWAP", "ROT_TWO", "EXTENDED_ARG"}
IGNORED = {"EXTENDED_ARG", "CACHE", "PUSH_NULL", "COPY", "DUP_TOP"}  # COPY: `self.n += 1`


@dataclasses.dataclass(frozen=True)
class Step:
    """One step from a value to a part of it: `.rate` or `["rate"]`."""

    key: Any
    item: bool = False

    def __str__(self) -> str:
        return f"[{self.key!r}]".replace("'", '"') if self.item else f".{self.key}"


@dataclasses.dataclass(frozen=True)
class Read:
    """A name from outside and the steps taken from it; `base` says where the name lives.

    base: global · cell (a closure's) · owner (the first parameter: `self`) · argument (an attribute of a
    parameter that is never set again). `fills`: an item of what
    was read is stored (`cache[key] = …`). `order` tells what comes first in the text.
    """

    base: str
    name: str
    steps: tuple[Step, ...]
    line: int
    order: int
    fills: bool = False


@dataclasses.dataclass(frozen=True)
class Store:
    """A name (base: global, cell) or an attribute of anything (base: attribute) that code stores to.

    `counted`: by `+=` and the like.
    """

    base: str
    name: str
    line: int
    order: int
    counted: bool = False


@dataclasses.dataclass(frozen=True)
class Outside:
    """All that a code object reads outside itself, and the first store to each name and attribute."""

    reads: tuple[Read, ...]
    stores: tuple[Store, ...]
    stores_items: bool

    @property
    def stored(self) -> frozenset[str]:
        """The names and attributes that are stored to."""
        return frozenset(store.name for store in self.stores)


_known: "weakref.WeakKeyDictionary[types.CodeType, Outside]" = weakref.WeakKeyDictionary()


def outside_of(code: types.CodeType) -> Outside:
    """What a function's code, with the lambdas and comprehensions in it, reads and stores outside."""
    known = _known.get(code)
    if known is None:
        known = _known[code] = _look(code)
    return known


def _look(code: types.CodeType) -> Outside:
    owner = code.co_varnames[0] if code.co_argcount else None
    reads: list[Read] = []
    stores: dict[tuple[str, str], Store] = {}
    stores_items = False
    for number, piece in enumerate(with_inner(code)):
        reads += _reads(piece, code, owner, number << 20)
        lines = _Lines(piece)
        counted = False
        for instruction in dis.get_instructions(piece):
            stores_items |= instruction.opname == "STORE_SUBSCR"
            base = STORES.get(instruction.opname)
            if base and _is_outside(instruction, code):
                line, order = lines.at(instruction.offset), (number << 20) + instruction.offset
                store = Store(base, instruction.argval, line, order, counted)
                stores.setdefault((base, instruction.argval), store)
            if instruction.opname not in BETWEEN_COUNT_AND_STORE:
                counted = _counts(instruction)
    return Outside(tuple(dict.fromkeys(reads)), tuple(stores.values()), stores_items)


def _counts(instruction: dis.Instruction) -> bool:
    """Whether an instruction is the operation of `+=` or the like."""
    if instruction.opname == "BINARY_OP":
        return instruction.argrepr.endswith("=")
    return instruction.opname.startswith("INPLACE_")


def with_inner(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object, and those of the functions, lambdas and comprehensions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from with_inner(constant)


def _is_outside(instruction: dis.Instruction, code: types.CodeType) -> bool:
    return instruction.opname != "STORE_DEREF" or instruction.argval in code.co_freevars


def _reads(piece: types.CodeType, code: types.CodeType, owner: str | None, shift: int) -> Iterator[Read]:
    lines = _Lines(piece)
    instructions = [i for i in dis.get_instructions(piece) if i.opname not in IGNORED]
    for index, instruction in enumerate(instructions):
        found = _base(instruction, piece, code, owner)
        if found is not None:
            steps = tuple(_steps(instructions, index + 1))
            if found[0] == ARGUMENT and not steps:
                continue
            after = index + 1 + sum(2 if step.item else 1 for step in steps)
            fills = any(later.opname == "STORE_SUBSCR" for later in instructions[after + 1 : after + 2])
            line, order = lines.at(instruction.offset), shift + instruction.offset
            yield Read(*found, steps, line, order, fills)
            asked = _asked_for(steps, instructions[after : after + 1])
            if asked is not None:
                yield Read(*found, asked, line, order)


def _base(
    instruction: dis.Instruction, piece: types.CodeType, code: types.CodeType, owner: str | None
) -> tuple[str, str] | None:
    """Where the name that an instruction loads lives; None for a local."""
    local = instruction.opname.startswith("LOAD_FAST") or instruction.opname == "STORE_FAST_LOAD_FAST"
    base = LOADS.get(instruction.opname)
    if not local and base is None:
        return None
    # Python 3.13 loads two locals by one instruction.
    name = instruction.argval[-1] if isinstance(instruction.argval, tuple) else instruction.argval
    if local and piece is code:
        return (OWNER, name) if name == owner else (ARGUMENT, name) if name in _parameters(code) else None
    if local:
        return None
    if base == CELL and name not in code.co_freevars:
        return (OWNER, name) if name == owner else None
    return (base, name) if base else None


@functools.lru_cache(maxsize=512)
def _parameters(code: types.CodeType) -> frozenset[str]:
    """The parameters that keep what was given for them."""
    stored = {i.argval for i in dis.get_instructions(code) if i.opname.startswith("STORE_FAST")}
    return frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]) - stored


def _steps(instructions: list[dis.Instruction], index: int) -> Iterator[Step]:
    while index < len(instructions):
        instruction = instructions[index]
        following = instructions[index + 1].opname if index + 1 < len(instructions) else ""
        if instruction.opname in ATTRIBUTES:
            yield Step(instruction.argval)
            index += 1
        elif instruction.opname == "LOAD_CONST" and following == ITEM and _is_key(instruction.argval):
            yield Step(instruction.argval, item=True)
            index += 2
        else:
            return


def _asked_for(steps: tuple[Step, ...], following: list[dis.Instruction]) -> tuple[Step, ...] | None:
    """The item that `options.get("rate")` or `os.getenv("MODE")` gives: what is read is called with a key."""
    if not steps or not following or following[0].opname != "LOAD_CONST" or not _is_key(following[0].argval):
        return None
    item = Step(following[0].argval, item=True)
    if steps[-1] == Step("get"):
        return (*steps[:-1], item)
    return (*steps[:-1], Step("environ"), item) if steps[-1] == Step("getenv") else None


def _is_key(value: Any) -> bool:
    return type(value) in (str, int)


class _Lines:
    """The line of each instruction."""

    def __init__(self, code: types.CodeType) -> None:
        rows = [(start, line) for start, _, line in code.co_lines() if line is not None]
        self._starts = [start for start, _ in rows]
        self._lines = [line for _, line in rows]
        self._first = code.co_firstlineno

    def at(self, offset: int) -> int:
        """The line of the instruction at an offset."""
        index = bisect.bisect_right(self._starts, offset) - 1
        return self._lines[index] if index >= 0 else self._first
