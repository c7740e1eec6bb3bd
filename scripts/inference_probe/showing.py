"""A description in few words: `tensor float32 (32, 2)`, `list[0, …]`, `{'loss': …}`."""

from inference_probe.descriptions import (
    AnyDescription,
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


def shown(description: AnyDescription | None) -> str:
    """What is said of a value, as a person reads it; None: there is none."""
    match description:
        case Constant(type=_, text=text):
            return text
        case Numbers(kind=kind, dtype=dtype, shape=shape):
            return f"{kind} {dtype or 'of some dtype'} {sizes_shown(shape)}"
        case Elements(kind=kind, items=items):
            return f"{kind}[{'…' if items is None else ', '.join(map(shown, items))}]"
        case Entries(entries=entries, whole=whole, perhaps=perhaps):
            pairs = [f"{key}{'?' * (key in perhaps)}: {shown(each)}" for key, each in entries.items()]
            return "{" + ", ".join([*pairs, *(() if whole else ("…",))]) + "}"
        case Pipeline(element=element, iterations=iterations):
            return f"dataset of {'some' if iterations is None else iterations} × {shown(element)}"
        case Sizes(sizes=sizes):
            return f"shape {sizes_shown(sizes)}"
        case NumberType(name=name) | Object(name=name):
            return name or "an object"
        case Writes(dtype=dtype):
            return f"TensorArray {dtype}"
        case Thing(classes=classes):
            return classes[0]
        case Either(alternatives=alternatives):
            return " or ".join(map(shown, alternatives))
        case Some(type=name, among=among):
            return f"some {name}" + (f" of {', '.join(sorted(among))}" if among else "")
        case Typical(kind=kind, element=element):
            return f"{kind}[{shown(element)}, …]"
        case Structure(part=part):
            return f"{shown(part)}, or a structure of such"
    return "not there" if description is None else "anything"


def sizes_shown(sizes: tuple[Size, ...] | None) -> str:
    """A shape as it is written."""
    if sizes is None:
        return "of some shape"
    return "(" + ", ".join(map(str, sizes)) + ")"
