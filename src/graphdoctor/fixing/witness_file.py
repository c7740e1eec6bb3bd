"""The file that the witness wrote → what a program computed."""

import pathlib
from collections import Counter

import msgspec


class Leaf(msgspec.Struct, frozen=True):
    """One tensor or Python value: elements of it, or a text."""

    dtype: str = ""
    shape: tuple[int, ...] = ()
    values: tuple[float | str, ...] = ()  # "nan" and "inf" are no numbers of JSON
    texts: tuple[str, ...] = ()
    text: str | None = None


class Source(msgspec.Struct, frozen=True):
    """A source of a tape: which variable or watched tensor it is, its value, and its gradient, if it has one.

    `slope` is the derivative of the target along the direction in which the source is moved, `norm` the
    length of the gradient as that direction weighs it.
    """

    value: Leaf
    variable: int | None = None
    watched: int | None = None
    gradient: Leaf | None = None
    slope: float = 0.0
    norm: float = 0.0


class Gradient(msgspec.Struct, frozen=True):
    """One call of `tape.gradient` in eager code: the number of the tape, the sum of the target and of its
    absolute values, the sources, and how far they are moved. `stops`: gradients are stopped on purpose.
    `lines` were printed before it, since TensorFlow was imported."""

    tape: int
    target: float
    size: float
    sources: tuple[Source, ...]
    step: float
    stops: bool = False
    lines: int = 0


class _Line(msgspec.Struct, frozen=True):
    kind: str
    name: str = ""
    number: int = 0
    leaves: tuple[Leaf, ...] = ()
    error: str | None = None
    calls: dict[str, int] = {}
    gradient: Gradient | None = None
    path: str = ""
    prompt: str = ""
    text: str = ""


class Call(msgspec.Struct, frozen=True):
    """What one call of a graph function gave."""

    leaves: tuple[Leaf, ...]
    error: str | None


class Witnessed(msgspec.Struct, frozen=True):
    """Calls by function name and number; variables in the order in which they were made.

    `ended` is False where the process was killed: then it is unknown how often functions were called.
    `printed` was printed while a function was traced.
    """

    calls: dict[tuple[str, int], Call] = {}
    times: Counter[str] = Counter()
    variables: tuple[tuple[str, Leaf], ...] = ()
    numbered: dict[int, Leaf] = {}  # the same variables, by the number that sources of tapes have
    gradients: tuple[Gradient, ...] = ()
    written: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    ended: bool = False


def read_witnessed(file: pathlib.Path) -> Witnessed:
    """What was written; a line that was cut off is left out."""
    by_kind: dict[str, list[_Line]] = {}
    for raw in file.read_bytes().splitlines() if file.exists() else ():
        try:
            line = _DECODER.decode(raw)
        except msgspec.MsgspecError:
            continue
        by_kind.setdefault(line.kind, []).append(line)
    calls, ends, variables, written, asked, printed = (
        by_kind.get(kind, []) for kind in ("call", "end", "variable", "written", "asked", "printed")
    )
    gradients = (line.gradient for lines in by_kind.values() for line in lines)
    return Witnessed(
        calls={(one.name, one.number): Call(one.leaves, one.error) for one in calls},
        times=Counter(ends[-1].calls if ends else {}),
        variables=tuple((line.name, line.leaves[0]) for line in variables),
        numbered={line.number: line.leaves[0] for line in variables},
        gradients=tuple(gradient for gradient in gradients if gradient is not None),
        written=tuple(dict.fromkeys(line.path for line in written)),
        asked=tuple(line.prompt for line in asked),
        printed=tuple("".join(line.text for line in printed).splitlines()),
        ended=bool(ends),
    )


_DECODER = msgspec.json.Decoder(_Line)
