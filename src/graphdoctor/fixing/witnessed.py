"""The file that a witness wrote → what a program computed."""

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


class _Line(msgspec.Struct, frozen=True):
    kind: str
    name: str = ""
    number: int = 0
    leaves: tuple[Leaf, ...] = ()
    error: str | None = None
    calls: dict[str, int] = {}
    path: str = ""
    prompt: str = ""
    text: str = ""


class Call(msgspec.Struct, frozen=True):
    """What one call of a graph function gave."""

    leaves: tuple[Leaf, ...]
    error: str | None


class Witnessed(msgspec.Struct, frozen=True):
    """Calls by function name and number; variables in the order in which they were made.

    `ended` is False where the process was killed: then nobody knows how often functions were called.
    `printed` was printed while a function was traced.
    """

    calls: dict[tuple[str, int], Call] = {}
    times: Counter[str] = Counter()
    variables: tuple[tuple[str, Leaf], ...] = ()
    written: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    ended: bool = False


def read_witnessed(file: pathlib.Path) -> Witnessed:
    """What was written; a line that was cut off is left out."""
    lines = []
    for raw in file.read_bytes().splitlines() if file.exists() else ():
        try:
            lines.append(_DECODER.decode(raw))
        except msgspec.MsgspecError:
            continue
    ends = [line for line in lines if line.kind == "end"]
    return Witnessed(
        calls={(one.name, one.number): Call(one.leaves, one.error) for one in lines if one.kind == "call"},
        times=Counter(ends[-1].calls if ends else {}),
        variables=tuple((line.name, line.leaves[0]) for line in lines if line.kind == "variable"),
        written=tuple(dict.fromkeys(line.path for line in lines if line.kind == "written")),
        asked=tuple(line.prompt for line in lines if line.kind == "asked"),
        printed=tuple("".join(line.text for line in lines if line.kind == "printed").splitlines()),
        ended=bool(ends),
    )


_DECODER = msgspec.json.Decoder(_Line)
