"""A program → what the dry run inferred of its values, and which of that is false."""

import dataclasses
import functools
import linecache
import pathlib
from typing import NamedTuple

import msgspec
from tests.running import Ran, TensorFlowServer

from inference_probe.covering import Difference, difference
from inference_probe.descriptions import AnyDescription, Anything
from inference_probe.inferring import Inferred, inferred_values_of
from inference_probe.instrumenting import instrumented
from inference_probe.programs import Program

HERE = pathlib.Path(__file__).parent
STARTER = "import runpy\nrunpy.run_module({name!r}, run_name='__main__', alter_sys=True)\n"
LONGEST_TEXT = 80


class Place(NamedTuple):
    """Where an expression stands."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def read(cls, text: str) -> "Place":
        path, *numbers = text.rsplit(":", 4)
        return cls(path, *map(int, numbers))


class FalseBelief(NamedTuple):
    """An expression, and where its value is not as it was inferred."""

    place: Place
    text: str
    difference: Difference


@dataclasses.dataclass(frozen=True)
class Comparison:
    """What became of a program's values; `ended` says how it ended, if not well.

    `unknown`: nothing was inferred of them. `unreached`: the dry run did not come to the expression.
    """

    values: int = 0
    unknown: int = 0
    unreached: int = 0
    false: tuple[FalseBelief, ...] = ()
    ended: str = ""


def compare(program: Program, tensorflow: TensorFlowServer, time_limit: float) -> Comparison:
    """Run a program, and compare."""
    try:
        texts = {path: instrumented(text, path) for path, text in program.texts().items()}
    except (SyntaxError, ValueError) as error:
        return Comparison(ended=f"not read: {error}")
    own = program.path.relative_to(program.root).as_posix()
    beside = {**program.data(), **probe(), **texts}
    if "/" in own:
        name, text = "start_program.py", STARTER.format(name=program.name)
    else:
        name, text = own, beside.pop(own)
    ran = tensorflow.run_once(text, name=name, timeout=time_limit, observe=False, beside=beside)
    compared = compare_values(
        inferred_values_of(str(program.path), str(program.root)), values_of(ran), program.root
    )
    return dataclasses.replace(compared, ended=end_of(ran, time_limit))


@functools.cache
def probe() -> dict[str, str]:
    """The modules that an instrumented program imports."""
    names = ("__init__.py", "descriptions.py", "noting.py")
    return {f"inference_probe/{name}": (HERE / name).read_text(encoding="utf-8") for name in names}


def values_of(ran: Ran) -> list[tuple[str, AnyDescription]]:
    """What a program noted: places, with each value that it had there."""
    noted = ran.folder / "values.jsonl"
    lines = noted.read_bytes().splitlines() if noted.exists() else []
    return [msgspec.json.decode(line, type=tuple[str, AnyDescription]) for line in lines]


def end_of(ran: Ran, time_limit: float) -> str:
    """How a program ended, if not well."""
    if ran.timed_out:
        return f"did not end within {time_limit:.0f} s"
    if ran.error is None:
        return ""
    return f"raised {ran.error}: {' '.join(ran.printed.splitlines()[-1:])[:LONGEST_TEXT]}"


def compare_values(
    inferred_values: Inferred, values: list[tuple[str, AnyDescription]], root: pathlib.Path
) -> Comparison:
    """What holds of each value: an inferred value covers it, only Unknown does, or none."""
    compared, unknown, unreached, false = 0, 0, 0, []
    for at, real in values:
        inferred = inferred_values.get(at)
        if inferred is None:
            unreached += 1
            continue
        compared += 1
        found = [difference(each, real) for each in inferred if not isinstance(each, Anything)]
        if None in found:
            continue
        if len(found) < len(inferred):
            unknown += 1
        elif found[0] is not None:
            place = Place.read(at)
            false.append(FalseBelief(place, text_at(place, root), found[0]))
    return Comparison(compared, unknown, unreached, tuple(sorted(false, key=lambda each: each.place)))


def text_at(place: Place, root: pathlib.Path) -> str:
    """The expression as the program writes it, on one line."""
    lines = [
        linecache.getline(str(root / place.path), line).encode()
        for line in range(place.line, place.end_line + 1)
    ]
    lines[-1] = lines[-1][: place.end_column]
    lines[0] = lines[0][place.column :]
    text = " ".join(b" ".join(lines).decode().split())
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
