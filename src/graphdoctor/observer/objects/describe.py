"""TensorFlow's trace types → what the cache key holds of each argument."""

import enum
import reprlib
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.recording.format import Argument

LONGEST_TEXT = 200
LONGEST_CONTAINER = 200
OWNERS_OF_VARIABLES = ("keras.", "tf_keras.", "tensorflow.")


def describe_arguments(parameters: dict[str, Any], identify: Callable[[Any], int]) -> tuple[Argument, ...]:
    """One entry for each leaf and each container among the arguments, by path.

    `identify` gives an object a number, without keeping the object alive.
    """
    found: list[Argument] = []
    for name, parameter in parameters.items():
        kind = parameter.type_constraint
        try:
            found += _describe(name, kind, identify)
        except Exception:  # a trace type that we do not know must not cost us the whole trace
            found.append(_other(name, kind))
    return tuple(found)


def _describe(path: str, kind: Any, identify: Callable[[Any], int]) -> Iterator[Argument]:
    name = type(kind).__name__
    if name == "Literal":
        yield _value(path, kind.placeholder_value(None))
    elif name == "Weakref":
        yield _object(path, kind._ref(), identify)
    elif name == "List":
        yield from _sequence(path, "list", kind.components_tuple.components, identify)
    elif name == "Tuple":
        yield from _sequence(path, "tuple", kind.components, identify)
    elif name == "Dict":
        yield from _mapping(path, kind, identify)
    elif name == "Attrs":
        yield from _fields(path, kind.named_attributes, identify)
    elif name == "NamedTuple":
        yield from _fields(path, kind, identify)
    elif hasattr(kind, "shape") and hasattr(kind, "dtype"):
        yield _tensor(path, kind)
    elif getattr(kind, "_element_spec", None) is not None:  # a dataset, its iterator, an Optional
        yield Argument(path=path, kind="record", type=name, keys=("element",))
        yield from _structure(f"{path}.element", kind._element_spec)
    else:
        yield _other(path, kind)


def _other(path: str, kind: Any) -> Argument:
    return Argument(path=path, kind="other", type=type(kind).__name__, text=short_repr(kind))


def _structure(path: str, structure: Any) -> Iterator[Argument]:
    """A plain nest of specs, as datasets describe their elements."""
    if isinstance(structure, dict):
        yield Argument(path=path, kind="dict", keys=tuple(map(short_repr, structure)))
        for key, part in structure.items():
            yield from _structure(f"{path}[{_quoted(key)}]", part)
    elif isinstance(structure, tuple | list):
        yield Argument(path=path, kind="tuple", length=len(structure))
        for index, part in enumerate(structure[:LONGEST_CONTAINER]):
            yield from _structure(f"{path}[{index}]", part)
    elif hasattr(structure, "shape") and hasattr(structure, "dtype"):
        yield _tensor(path, structure)
    else:
        yield _other(path, structure)


def _value(path: str, value: Any) -> Argument:
    return Argument(path=path, kind="value", type=type(value).__name__, text=short_repr(value))


def _object(path: str, value: Any, identify: Callable[[Any], int]) -> Argument:
    if isinstance(value, enum.Enum):
        return _value(path, value)
    return Argument(
        path=path,
        kind="object",
        type=_type_name(value),
        text=_object_name(value),
        identity=identify(value),
        variables=_has_variables(type(value)),
    )


def _has_variables(kind: type) -> bool:
    """Whether objects of a class are models, layers or modules: an optimizer's variables are its model's."""
    modules = [(module_of(base), base) for base in kind.__mro__]
    if any(".optimizers" in module for module, _ in modules):
        return False
    return any(
        module.startswith(OWNERS_OF_VARIABLES) and "variables" in vars(base) for module, base in modules
    )


def module_of(kind: type) -> str:
    """Where a class is defined; classes of compiled code may keep something else under that name."""
    return kind.__module__ if isinstance(kind.__module__, str) else ""


def _type_name(value: Any) -> str:
    kind = type(value)
    module = module_of(kind)
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


def _object_name(value: Any) -> str:
    """The name of a function or class; never the `repr` of an object, which may be slow or say secrets."""
    name = getattr(value, "__qualname__", None)
    return name if isinstance(name, str) else ""


def _tensor(path: str, kind: Any) -> Argument:
    shape = kind.shape
    dimensions = None if shape is None or shape.rank is None else tuple(shape)
    return Argument(
        path=path,
        kind="tensor",
        type=type(kind).__name__,
        dtype=getattr(kind.dtype, "name", str(kind.dtype)),
        shape=dimensions,
    )


def _sequence(
    path: str, kind: str, components: tuple[Any, ...], identify: Callable[[Any], int]
) -> Iterator[Argument]:
    yield Argument(path=path, kind=kind, length=len(components))
    for index, component in enumerate(components[:LONGEST_CONTAINER]):
        yield from _describe(f"{path}[{index}]", component, identify)


def _mapping(path: str, kind: Any, identify: Callable[[Any], int]) -> Iterator[Argument]:
    keys = list(kind.mapping)[:LONGEST_CONTAINER]
    yield Argument(path=path, kind="dict", keys=tuple(map(short_repr, keys)))
    for key in keys:
        yield from _describe(f"{path}[{_quoted(key)}]", kind.mapping[key], identify)


def _quoted(key: Any) -> str:
    return f'"{key}"' if isinstance(key, str) and key.isidentifier() else short_repr(key)


def _fields(path: str, kind: Any, identify: Callable[[Any], int]) -> Iterator[Argument]:
    yield Argument(path=path, kind="record", keys=tuple(kind.attribute_names))
    for name, component in zip(kind.attribute_names, kind.attributes.components, strict=True):
        yield from _describe(f"{path}.{name}", component, identify)


_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = LONGEST_TEXT
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = 20


def short_repr(value: Any) -> str:
    """`repr`, cut to a bearable length, that never raises."""
    try:
        text = _short.repr(value)
    except Exception as error:
        text = f"<{type(value).__name__}: repr raised {type(error).__name__}>"
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
