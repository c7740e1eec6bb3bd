"""Whether what is believed of a value holds of what a program gave."""

import dataclasses

from belief_probe.descriptions import (
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
from belief_probe.showing import shown

NUMBERS = ("int", "float", "bool", "complex")
# What is run through once, or seen while it changes: how many elements are left, nobody says.
PASSING = ("iterator", "view", "generator")


@dataclasses.dataclass(frozen=True)
class Difference:
    """The part of a value that is not as it was believed; `part` is how it is asked for: `[0]['loss']`."""

    part: str
    believed: AnyDescription | None
    real: AnyDescription | None

    def __str__(self) -> str:
        where = f"{self.part}: " if self.part else ""
        return f"{where}believed {shown(self.believed)}, real {shown(self.real)}"


def difference(believed: AnyDescription, real: AnyDescription, part: str = "") -> Difference | None:
    """Where what is believed does not hold; None: it does."""
    match believed, real:
        case Structure(part=typical), Numbers():
            return difference(typical, real, part)
        case Anything(), _:
            return None
        case Structure(), _:
            return None
        case Either(alternatives=alternatives), _:
            return either(alternatives, believed, real, part)
        case Pipeline(element=element, turns=turns), Pipeline():
            if turns is not None and real.turns is not None and turns != real.turns:
                return Difference(part, believed, real)
            return difference(element, real.element, f"element of {part}")
        case Elements() | Typical(), Elements():
            return of_elements(believed, real, part)
        case Entries(), Entries():
            return of_entries(believed, real, part)
    return None if is_so(believed, real) else Difference(part, believed, real)


def either(
    alternatives: tuple[AnyDescription, ...], believed: AnyDescription, real: AnyDescription, part: str
) -> Difference | None:
    """None when one of the alternatives holds."""
    held = any(difference(each, real) is None for each in alternatives)
    return None if held else Difference(part, believed, real)


def of_elements(believed: Elements | Typical, real: Elements, part: str) -> Difference | None:
    """Of a list, tuple, set, range or iterator: its kind, its length, its elements."""
    wrong = Difference(part, believed, real)
    if believed.kind not in (*PASSING, real.kind):
        return wrong
    items = real.items or ()
    if isinstance(believed, Typical):
        pairs = [(believed.element, each) for each in items]
    elif believed.kind in PASSING or believed.items is None:
        return None
    elif believed.length != real.length:
        return wrong
    else:
        pairs = list(zip(believed.items, items, strict=False))
    found = (difference(each, given, f"{part}[{place}]") for place, (each, given) in enumerate(pairs))
    return next((each for each in found if each is not None), None)


def of_entries(believed: Entries, real: Entries, part: str) -> Difference | None:
    """Of a dict: its keys, and what stands under them."""
    for key, each in believed.entries.items():
        given = real.entries.get(key)
        if given is None and real.whole and key not in believed.perhaps:
            return Difference(f"{part}[{key}]", each, None)
        found = difference(each, given, f"{part}[{key}]") if given is not None else None
        if found is not None:
            return found
    more = [key for key in real.entries if key not in believed.entries] if believed.whole else []
    return Difference(f"{part}[{more[0]}]", None, real.entries[more[0]]) if more else None


def is_so(believed: AnyDescription, real: AnyDescription) -> bool:
    """Whether a belief about something without parts holds."""
    match believed, real:
        case Constant(), Constant():
            return believed == real
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
            return believed.classes[0] in classes
        case Object(name=name), Thing(classes=classes):
            return not name or name in classes
        case Object(), Constant() | Numbers():
            return False
        case Object(), _:
            return True
        case Entries(), Thing(classes=classes):
            return any("dict" in each.lower() or "Mapping" in each for each in classes)
        case Elements() | Typical(), Thing():
            return believed.kind not in ("list", "tuple", "set") or "deque" in real.classes
    return False


def are_so(believed: tuple[Size, ...] | None, real: tuple[Size, ...] | None) -> bool:
    """Whether a shape is as it was believed, as far as it is known."""
    if believed is None:
        return True
    if real is None or len(believed) != len(real):
        return False
    return all(each == given or SOME in (each, given) for each, given in zip(believed, real, strict=True))


def size_of(description: AnyDescription) -> Size:
    """A size that is given as a number, as in a NumPy shape."""
    if isinstance(description, Constant):
        return None if description.text == "None" else int(description.text)
    return SOME
