"""Whether what is inferred of a value holds of what a program gave."""

import dataclasses

from inference_probe.descriptions import (
    SOME,
    AnyDescription,
    Anything,
    Constant,
    Either,
    Elements,
    Entries,
    Numbers,
    NumberType,
    Object,
    Pipeline,
    Size,
    Sizes,
    Some,
    Structure,
    Thing,
    Typical,
    Writes,
)
from inference_probe.showing import shown

NUMBERS = ("int", "float", "bool", "complex")
# What is run through once, or seen while it changes: how many elements are left, nobody says.
PASSING = ("iterator", "view", "generator")


@dataclasses.dataclass(frozen=True)
class Difference:
    """The part of a value that is not as it was inferred; `part` is how it is asked for: `[0]['loss']`."""

    part: str
    inferred: AnyDescription | None
    real: AnyDescription | None

    def __str__(self) -> str:
        where = f"{self.part}: " if self.part else ""
        return f"{where}inferred {shown(self.inferred)}, real {shown(self.real)}"


def difference(inferred: AnyDescription, real: AnyDescription, part: str = "") -> Difference | None:
    """Where what is inferred does not hold; None: it does."""
    match inferred, real:
        case Structure(part=typical), Numbers():
            return difference(typical, real, part)
        case Anything(), _:
            return None
        case Structure(), _:
            return None
        case Either(alternatives=alternatives), _:
            return either(alternatives, inferred, real, part)
        case Pipeline(element=element, iterations=iterations), Pipeline():
            if iterations is not None and real.iterations is not None and iterations != real.iterations:
                return Difference(part, inferred, real)
            return difference(element, real.element, f"element of {part}")
        case Elements() | Typical(), Elements():
            return of_elements(inferred, real, part)
        case Entries(), Entries():
            return of_entries(inferred, real, part)
    return None if is_so(inferred, real) else Difference(part, inferred, real)


def either(
    alternatives: tuple[AnyDescription, ...], inferred: AnyDescription, real: AnyDescription, part: str
) -> Difference | None:
    """None when one of the alternatives holds."""
    held = any(difference(each, real) is None for each in alternatives)
    return None if held else Difference(part, inferred, real)


def of_elements(inferred: Elements | Typical, real: Elements, part: str) -> Difference | None:
    """Of a list, tuple, set, range or iterator: its kind, its length, its elements."""
    wrong = Difference(part, inferred, real)
    if inferred.kind not in (*PASSING, real.kind):
        return wrong
    items = real.items or ()
    if isinstance(inferred, Typical):
        pairs = [(inferred.element, each) for each in items]
    elif inferred.kind in PASSING or inferred.items is None:
        return None
    elif inferred.length != real.length:
        return wrong
    else:
        pairs = list(zip(inferred.items, items, strict=False))
    found = (difference(each, given, f"{part}[{place}]") for place, (each, given) in enumerate(pairs))
    return next((each for each in found if each is not None), None)


def of_entries(inferred: Entries, real: Entries, part: str) -> Difference | None:
    """Of a dict: its keys, and what stands under them."""
    for key, each in inferred.entries.items():
        given = real.entries.get(key)
        if given is None and real.whole and key not in inferred.perhaps:
            return Difference(f"{part}[{key}]", each, None)
        found = difference(each, given, f"{part}[{key}]") if given is not None else None
        if found is not None:
            return found
    more = [key for key in real.entries if key not in inferred.entries] if inferred.whole else []
    return Difference(f"{part}[{more[0]}]", None, real.entries[more[0]]) if more else None


def is_so(inferred: AnyDescription, real: AnyDescription) -> bool:
    """Whether an inference about something without parts holds."""
    match inferred, real:
        case Constant(), Constant():
            return inferred == real
        case Some(type=name, among=among), Constant():
            types = NUMBERS if name == "number" else (name,)
            return real.type in types and (not among or real.text in among)
        case Numbers(kind=kind, dtype=dtype, shape=shape), Numbers():
            return kind == real.kind and dtype in (None, real.dtype) and are_so(shape, real.shape)
        case Sizes(sizes=sizes), Sizes():
            return are_so(sizes, real.sizes)
        case Sizes(sizes=sizes), Elements(kind="tuple"):
            return are_so(sizes, tuple(map(size_of, real.items or ())))
        case NumberType(name=name), NumberType() | Constant():
            return name == (real.name if isinstance(real, NumberType) else real.text.strip("'"))
        case NumberType(), Thing(classes=classes):
            return "type" in classes  # `np.float32` is a class
        case Writes(dtype=dtype), Writes():
            return dtype in (None, real.dtype)
        case Thing(), Thing(classes=classes):
            return inferred.classes[0] in classes
        case Object(name=name), Thing(classes=classes):
            return not name or name in classes
        case Object(), Constant() | Numbers():
            return False
        case Object(), _:
            return True
        case Entries(), Thing(classes=classes):
            return any("dict" in each.lower() or "Mapping" in each for each in classes)
        case Elements() | Typical(), Thing():
            return inferred.kind not in ("list", "tuple", "set") or "deque" in real.classes
    return False


def are_so(inferred: tuple[Size, ...] | None, real: tuple[Size, ...] | None) -> bool:
    """Whether a shape is as it was inferred, as far as it is known."""
    if inferred is None:
        return True
    if real is None or len(inferred) != len(real):
        return False
    return all(each == given or SOME in (each, given) for each, given in zip(inferred, real, strict=True))


def size_of(description: AnyDescription) -> Size:
    """A size that is given as a number, as in a NumPy shape."""
    if isinstance(description, Constant):
        return None if description.text == "None" else int(description.text)
    return SOME
