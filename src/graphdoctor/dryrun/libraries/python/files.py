"""Paths and files; what a file of settings says is known, when it lies in the project."""

import ast
import json
import os
from collections.abc import Callable
from typing import Any

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call, function, object_methods
from graphdoctor.dryrun.values import (
    UNKNOWN,
    AbstractNumber,
    Constant,
    Dictionary,
    LibraryObject,
    Origin,
    Sequence,
    Value,
    is_known_text,
)
from graphdoctor.dryrun.values.file_locations import PLACE, Location, joined, parent_of, place_in
from graphdoctor.dryrun.values.iteration import varying
from graphdoctor.source.yaml_text import NotPlainError, parse_yaml

ENDINGS = (".json", ".yaml", ".yml")
MOST_ENTRIES = 500
ABOVE = 4  # folders above the program in which a path that begins nowhere is looked for


class Content(AbstractNumber):
    """The text of a file of settings."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        super().__init__("str")
        self.text = text


@function("os.path.join")
def join_paths(call: Call) -> Value:
    return joined(call.arguments.positional) or AbstractNumber("str")


@function("os.path.abspath", "os.path.realpath", "os.path.normpath", "os.path.expanduser", "os.fspath")
def same_path(call: Call) -> Value:
    place = place_in(call.get(0, "path"))
    return place if isinstance(place, (Location, Constant)) else AbstractNumber("str")


@function("os.path.dirname")
def folder(call: Call) -> Value:
    return parent_of(call.get(0, "p")) or AbstractNumber("str")


@function("pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath")
def path(call: Call) -> Value:
    return path_object(call.machine, joined(call.arguments.positional), call.origin)


@object_methods("path")
def path_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name in ("write_text", "write_bytes", "mkdir", "unlink", "touch", "rename", "rmdir"):
        machine.log.effect("write", f"pathlib.Path.{name}", node, tuple(arguments.positional))
    if name == "open":
        from graphdoctor.dryrun.libraries.python.builtin_functions import open_

        return open_(Call(machine, "builtins.open", arguments.after(receiver), node))
    if name == "read_text":
        return content_of(machine, receiver)
    if name in ("resolve", "absolute", "expanduser"):
        return receiver
    if name in ("joinpath", "__truediv__"):
        return path_object(machine, joined([receiver, *arguments.positional]), machine.origin(node))
    if name in ("with_name", "with_suffix"):
        return _renamed(machine, receiver, name, arguments, node)
    return UNKNOWN


def _renamed(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """`path.with_name("settings.yaml")`, `path.with_suffix(".yaml")`."""
    import pathlib  # slow to import, and seldom needed

    place, given = place_in(receiver), arguments.get(0, "name")
    if not isinstance(place, Location) or not is_known_text(given):
        return path_object(machine, None, machine.origin(node))
    changed = getattr(pathlib.PurePath(place.path), name)(given.value)  # type: ignore[attr-defined]
    return path_object(machine, Location(str(changed)), machine.origin(node))


@function("csv.writer", "csv.DictWriter")
def table_writer(call: Call) -> Value:
    return LibraryObject("file", call.name, call.origin, {})


@object_methods("file")
def file_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    if name.startswith("write") and machine.is_outer(receiver.origin.graph):
        machine.log.effect("write", f"file.{name}", node, tuple(arguments.positional))
    text = receiver.cells.get("element", UNKNOWN)
    if name == "readlines":
        return Sequence("list", None, machine.origin(node), text)
    if name == "readline":
        return varying(text, frozenset(machine.loops))
    return (content_of(machine, receiver) if PLACE in receiver.cells else text) if name == "read" else UNKNOWN


def path_object(machine: Machine, place: Value | None, origin: Origin) -> LibraryObject:
    """A `pathlib.Path`, of a place that may be known."""
    made = LibraryObject("path", "pathlib.Path", origin, {})
    if isinstance(place, (Location, Constant)):
        made.cells[PLACE] = place
    return made


def parents_of(machine: Machine, holder: LibraryObject, name: str, origin: Origin) -> Value:
    """`path.parent`, or the folders above that `path.parents` holds."""
    if name == "parent":
        return path_object(machine, parent_of(holder), origin)
    above = tuple(path_object(machine, parent_of(holder, levels), origin) for levels in range(1, ABOVE + 1))
    return Sequence("tuple", above, origin)


def content_of(machine: Machine, value: Value) -> Value:
    """The text of a file, by its path or by what `open` gave."""
    place = place_in(value)
    if isinstance(place, Location):
        candidates = [place.path]
    elif isinstance(place, Constant) and isinstance(place.value, str) and not os.path.isabs(place.value):
        candidates = [os.path.join(above, place.value) for above in _folders_around(machine)]
    else:
        return AbstractNumber("str")
    for path in candidates:
        text = machine.program.text_of_file(os.path.normpath(path)) if path.endswith(ENDINGS) else None
        if text is not None:
            return Content(text)
    return AbstractNumber("str")


def _folders_around(machine: Machine) -> list[str]:
    """The folder of the program, and those above it: one of them is where people start it."""
    folder = os.path.dirname(machine.activations[0].module.path)
    found = [folder]
    while folder and len(found) < ABOVE:
        folder = os.path.dirname(folder)
        found.append(folder)
    return found


@function("json.load", "json.loads")
def load_json(call: Call) -> Value:
    return _parsed(call, _text_given(call, "fp" if call.last == "load" else "s"), json.loads)


@function("yaml.safe_load", "yaml.load", "yaml.full_load", "yaml.unsafe_load")
def load_yaml(call: Call) -> Value:
    return _parsed(call, _text_given(call, "stream"), parse_yaml)


def read_settings(call: Call, place: Value) -> Value:
    """What a YAML file says, by its path."""
    return _parsed(call, content_of(call.machine, place), parse_yaml)


def _text_given(call: Call, name: str) -> Value:
    """A text stands for itself, an open file for what is in it."""
    given = call.get(0, name)
    return given if isinstance(given, Content) or is_known_text(given) else content_of(call.machine, given)


def _parsed(call: Call, text: Value, parse: Callable[[str], Any]) -> Value:
    known = text.text if isinstance(text, Content) else text.value if is_known_text(text) else None  # type: ignore[attr-defined]
    if known is None:
        return UNKNOWN
    try:
        data = parse(known)
    except (ValueError, NotPlainError, RecursionError):
        return UNKNOWN
    return _as_value(data, call.origin) if _count(data) <= MOST_ENTRIES else UNKNOWN


def _count(data: Any) -> int:
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return 1 + sum(map(_count, parts))


def _as_value(data: Any, origin: Origin) -> Value:
    if isinstance(data, dict):
        return Dictionary({key: _as_value(value, origin) for key, value in data.items()}, origin)
    if isinstance(data, list):
        return Sequence("list", tuple(_as_value(item, origin) for item in data), origin)
    return Constant(data)
