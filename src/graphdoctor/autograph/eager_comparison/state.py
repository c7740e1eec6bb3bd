"""The Python and TensorFlow state around a function: remembered, compared, put back."""

import ast
import copy
import dis
import inspect
import types
from collections.abc import Callable
from typing import Any

from graphdoctor.autograph.statements import function_node
from graphdoctor.autograph.values import look_at

CONTAINERS = (list, dict, set, bytearray)


class PythonState:
    """Globals, closure and attributes of `self` that a function names and that Python code may change.

    `values` are what they held when we looked; containers are copied.
    """

    def __init__(self, function: Any) -> None:
        self._function = function
        self._cells = _readers(function)
        self.values = {name: copy.copy(read()) for name, (read, _) in self._cells.items()}

    def changes(self) -> dict[str, str]:
        """What differs from when we began: `seen` → `3 elements more`, `count` → `0, then 3`."""
        found = {}
        for name, (read, _) in self._cells.items():
            before, now = self.values[name], read()
            if isinstance(before, CONTAINERS) and isinstance(now, CONTAINERS):
                if len(now) != len(before):
                    found[name] = f"{len(now) - len(before):+d} elements"
            elif _plain(before) and look_at(before).text != look_at(now).text:
                found[name] = f"{look_at(before).text}, then {look_at(now).text}"
        return found

    def names_of(self, kinds: tuple[type, ...]) -> set[str]:
        """The names that held a value of these kinds."""
        return {name for name, value in self.values.items() if isinstance(value, kinds)}

    def restore(self) -> None:
        """Put everything back."""
        for name, (read, write) in self._cells.items():
            now, before = read(), self.values[name]
            if isinstance(before, CONTAINERS) and type(now) is type(before):
                now.clear()
                getattr(now, "extend" if hasattr(now, "extend") else "update")(before)
            elif now is not before:
                write(before)


Reader = tuple[Callable[[], Any], Callable[[Any], None]]


def _readers(function: Any) -> dict[str, Reader]:
    plain = inspect.unwrap(getattr(function, "__func__", function))
    found: dict[str, Reader] = {}
    for name in _global_names(plain.__code__):
        if _changeable(plain.__globals__.get(name)):
            found[name] = _of_mapping(plain.__globals__, name)
    cells = plain.__closure__ or ()
    for name, cell in zip(plain.__code__.co_freevars, cells, strict=False):
        if _changeable(_contents(cell)):
            found[name] = _of_cell(cell)
    owner = getattr(function, "__self__", None)
    for name in _attributes(plain) if owner is not None else ():
        if _changeable(getattr(owner, name, None)):
            found[f"self.{name}"] = _of_attribute(owner, name)
    return found


def _global_names(code: types.CodeType) -> list[str]:
    """The globals that a function names; `co_names` holds attributes too."""
    loaded = (
        instruction.argval
        for instruction in dis.get_instructions(code)
        if instruction.opname.endswith("_GLOBAL")
    )
    return list(dict.fromkeys(loaded))


def _of_mapping(mapping: dict[str, Any], name: str) -> Reader:
    return lambda: mapping[name], lambda value: mapping.__setitem__(name, value)


def _of_cell(cell: types.CellType) -> Reader:
    return lambda: cell.cell_contents, lambda value: setattr(cell, "cell_contents", value)


def _of_attribute(owner: Any, name: str) -> Reader:
    return lambda: getattr(owner, name), lambda value: setattr(owner, name, value)


def _contents(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return None


def _attributes(function: types.FunctionType) -> list[str]:
    """The attributes of its first argument that a method names."""
    code = function.__code__
    node = function_node(code.co_filename, code.co_firstlineno, code.co_name)
    if node is None or not node.args.args:
        return []
    me = node.args.args[0].arg
    names = [
        inner.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == me
    ]
    return list(dict.fromkeys(names))


def _changeable(value: Any) -> bool:
    if inspect.ismodule(value) or callable(value):
        return False
    return isinstance(value, CONTAINERS) or _plain(value)


def _plain(value: Any) -> bool:
    return look_at(value).kind == "python"


class Variables:
    """The Variables that a graph reads or writes, with the values they had."""

    def __init__(self, variables: tuple[Any, ...]) -> None:
        self.variables = variables
        self._values = [variable.numpy() for variable in variables]

    def restore(self) -> None:
        """Assign the remembered values."""
        for variable, value in zip(self.variables, self._values, strict=True):
            variable.assign(value)

    def values(self) -> dict[str, Any]:
        """The values now, by name."""
        return {
            f"{variable.name} #{number}": variable.numpy() for number, variable in enumerate(self.variables)
        }
