"""`dataclass` for the nouns of a recording: the standard library's, without its cost at each start."""

import dataclasses
import operator
from typing import Any


def dataclass(*, frozen: bool, slots: bool, kw_only: bool) -> Any:
    """What `dataclasses.dataclass` gives where all three are set; type checkers take it for that."""
    if not (frozen and slots and kw_only):
        raise TypeError("a noun is frozen, has slots and takes its fields by name")
    return _noun


def _noun(cls: Any) -> Any:
    """A frozen dataclass with slots, whose methods are not compiled one by one when the module is imported.

    The usual way takes 25 ms for the nouns of the format, at each start of `check` and in each observed
    program. The constructor is compiled when it is first called; the rest is the same few functions for all.
    """
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=True)(cls)
    names = tuple(field.name for field in dataclasses.fields(made))
    read = operator.attrgetter(*names) if len(names) > 1 else lambda noun: (getattr(noun, names[0]),)
    setters = [getattr(made, name).__set__ for name in names]

    def construct(self: Any, **given: Any) -> None:
        made.__init__ = _constructor(made, setters)
        made.__init__(self, **given)

    def equals(self: Any, other: object) -> Any:
        return read(self) == read(other) if other.__class__ is self.__class__ else NotImplemented

    def restore(self: Any, state: tuple[object, ...]) -> None:
        for put, value in zip(setters, state, strict=True):
            put(self, value)

    made.__init__, made.__eq__, made.__setstate__ = construct, equals, restore
    made.__hash__ = lambda self: hash(read(self))
    made.__getstate__ = lambda self: read(self)
    made.__repr__, made.__setattr__, made.__delattr__ = _shown, _frozen, _frozen
    return made


def _constructor(noun: Any, setters: list[Any]) -> Any:
    """What takes each field by its name, and stores it."""
    names: dict[str, Any] = {}
    parameters, stores = ["self"], []
    for number, (field, put) in enumerate(zip(dataclasses.fields(noun), setters, strict=True)):
        name, factory = field.name, field.default_factory
        names[f"_put{number}"] = put
        names[f"_default{number}"] = field.default if factory is dataclasses.MISSING else factory
        optional = not (field.default is dataclasses.MISSING and factory is dataclasses.MISSING)
        parameters.append(f"{name}=_default{number}" if optional else name)
        made = (
            name if factory is dataclasses.MISSING else f"{name}() if {name} is _default{number} else {name}"
        )
        stores.append(f" _put{number}(self, {made})")
    parameters.insert(1, "*")
    text = f"def __init__({', '.join(parameters)}):\n" + "\n".join(stores)
    exec(compile(text, __file__, "exec"), names)  # as code of ours, for whoever looks at what runs
    return names["__init__"]


def _shown(noun: Any) -> str:
    parts = (f"{field.name}={getattr(noun, field.name)!r}" for field in dataclasses.fields(noun))
    return f"{type(noun).__qualname__}({', '.join(parts)})"


def _frozen(noun: object, name: str, value: object = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")
