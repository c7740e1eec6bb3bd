"""Command lines: options with their defaults."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.control.flow import Raised
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine, hand_over
from graphdoctor.dryrun.libraries.registry import Call, family, function, object_methods
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    AbstractNumber,
    Alternatives,
    Constant,
    Dictionary,
    LibraryObject,
    Sequence,
    Setting,
    Union,
    Value,
    is_none,
)
from graphdoctor.dryrun.values.joining import MISSING, join, perhaps_replaced

FLAG_TYPES = {
    "integer": "int",
    "float": "float",
    "string": "str",
    "enum": "str",
    "bool": "bool",
    "boolean": "bool",
}
PLAIN = ("int", "float", "str", "bool")


def setting(default: Value, kind: str, required: bool = False) -> Value:
    """What an option is: its default, as far as nobody gives another; one that must be given is anything."""
    if required:
        return AbstractNumber(kind) if kind in PLAIN else UNKNOWN
    return Setting(default.value) if isinstance(default, Constant) else default


def is_true(value: Value | None) -> bool:
    return isinstance(value, Constant) and value.value is True


@function("sys.exit", "os._exit", "builtins.exit", "builtins.quit")
def end_program(call: Call) -> Value:
    raise Raised(UNKNOWN)


@function("argparse.ArgumentParser", "configargparse.ArgumentParser", "configargparse.ArgParser")
def parser(call: Call) -> Value:
    made = LibraryObject("parser", call.name, call.machine.origin(call.node), {})
    made.cells["options"] = Dictionary({}, call.machine.origin(call.node))
    return made


@object_methods("parser")
def parser_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    options = receiver.cells.get("options")
    if not isinstance(options, Dictionary):
        return UNKNOWN
    if name in ("add_argument_group", "add_mutually_exclusive_group", "add_parser"):
        return receiver
    if name == "add_subparsers":
        chosen = arguments.keywords.get("dest")
        if isinstance(chosen, Constant):
            machine.heap.put(options.cells, chosen.value, AbstractNumber("str"))
        return receiver
    if name in ("error", "exit"):
        raise Raised(UNKNOWN)
    if name in ("add_argument", "add"):
        _add_option(machine, options, arguments)
        return NONE
    if name == "set_defaults":
        for key, value in arguments.keywords.items():  # of one sub-command, or another
            together = join(options.cells.get(key, MISSING), value)
            several = together.alternatives if isinstance(together, Union) else ()
            machine.heap.put(options.cells, key, Alternatives(several) if several else together)
        if arguments.loose:
            for key, value in perhaps_replaced(options.cells, UNKNOWN).items():
                machine.heap.put(options.cells, key, value)
        return NONE
    if name in ("parse_args", "parse_known_args", "parse_intermixed_args"):
        made = LibraryObject("namespace", "argparse.Namespace", machine.origin(node), {})
        made.cells.update(options.cells)
        for key in _given(options, arguments.get(0, "args")):
            made.cells[key] = UNKNOWN
        if name != "parse_known_args":
            return made
        return Sequence("tuple", (made, UNKNOWN), machine.origin(node))
    return UNKNOWN


def _given(options: Dictionary, words: Value) -> list[str]:
    """The options that a list of words sets, where a program gives one: `parse_args(["--steps", "0"])`."""
    known = [key for key, value in options.entries.items() if isinstance(value, Constant)]
    if is_none(words):
        return []
    items = words.items if isinstance(words, Sequence) else None
    if items is None or not all(isinstance(item, Constant) and isinstance(item.value, str) for item in items):
        return known
    named = [item.value for item in items if item.value.startswith("-")]  # type: ignore[attr-defined]
    asked = [name.partition("=")[0].lstrip("-").replace("-", "_") for name in named]
    whole = all(name.startswith("--") for name in named)
    if not whole or any(not any(key.startswith(each) for key in options.entries) for each in asked):
        return known
    return [key for key in known if any(key.startswith(each) for each in asked)]


def _add_option(machine: Machine, options: Dictionary, arguments: Arguments) -> None:
    names = [v.value for v in arguments.positional if isinstance(v, Constant) and isinstance(v.value, str)]
    if not names:
        return
    longest = next((name for name in names if name.startswith("--")), names[0])
    given = arguments.keywords
    key = longest.lstrip("-").replace("-", "_")
    if isinstance(chosen := given.get("dest"), Constant):
        key = chosen.value
    machine.heap.put(options.cells, key, _option(given, longest.startswith("-")))


def _option(given: dict[str, Value], is_optional: bool) -> Value:
    action = given.get("action")
    kind = type_name(given.get("type"))
    required = is_true(given.get("required"))
    if isinstance(action, Constant) and action.value in ("store_true", "store_false"):
        return setting(given.get("default", Constant(action.value == "store_false")), "bool")
    if "default" in given:
        return setting(given["default"], kind, required)
    if not is_optional and "nargs" in given:
        return UNKNOWN
    return setting(NONE, kind, required or not is_optional)


def type_name(kind: Value | None) -> str:
    return str(getattr(kind, "name", "builtins.str")).removeprefix("builtins.")


@family("absl.flags.")
def absl_flag(call: Call) -> Value:
    """`flags.DEFINE_integer("steps", 10, "…")`: what `FLAGS.steps` is from now on."""
    if call.last.startswith("mark_flag"):
        _require(call)
        return NONE
    name = call.get(0, "name")
    if not call.last.startswith("DEFINE_") or not isinstance(name, Constant):
        return hand_over(call.machine, call.arguments)
    kind = FLAG_TYPES.get(call.last.removeprefix("DEFINE_"), "")
    default = call.get(1, "default") if kind else UNKNOWN
    value = setting(default, kind, is_true(call.arguments.keywords.get("required")))
    flags = call.machine.activations[0].module.flags
    call.machine.heap.put(flags, name.value, value)
    holder = LibraryObject("namespace", "absl.flags.FlagHolder", call.machine.origin(call.node), {})
    holder.cells.update(value=value, default=value)
    return holder


def _require(call: Call) -> None:
    """What must be given may be anything of its type."""
    given = call.get(0, "flag_names" if call.last == "mark_flags_as_required" else "flag_name")
    flags = call.machine.activations[0].module.flags
    for name in (given.items or ()) if isinstance(given, Sequence) else (given,):
        if isinstance(name, Constant) and is_none(flags.get(name.value, UNKNOWN)):
            call.machine.heap.put(flags, name.value, UNKNOWN)
