"""Command lines: options with their defaults, and what calls a program's `main` with them."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.arguments import Arguments, parameter_names
from graphdoctor.dryrun.definitions import underlying
from graphdoctor.dryrun.flow import Raised
from graphdoctor.dryrun.joining import MISSING, join
from graphdoctor.dryrun.machine import Machine, hand_over
from graphdoctor.dryrun.models.registry import Call, family, function, object_methods
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    Alternatives,
    Choice,
    Class,
    Dictionary,
    Function,
    Known,
    LibraryObject,
    Partial,
    Scalar,
    Sequence,
    Setting,
    Value,
    is_none,
)

FLAG_TYPES = {
    "integer": "int",
    "float": "float",
    "string": "str",
    "enum": "str",
    "bool": "bool",
    "boolean": "bool",
}
PLAIN = ("int", "float", "str", "bool")


def _setting(default: Value, kind: str, required: bool = False) -> Value:
    """What an option is: its default, as far as nobody gives another; one that must be given is anything."""
    if required:
        return Scalar(kind) if kind in PLAIN else UNKNOWN
    return Setting(default.value) if isinstance(default, Known) else default


def _is_true(value: Value | None) -> bool:
    return isinstance(value, Known) and value.value is True


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
        if isinstance(chosen, Known):
            machine.heap.put(options.cells, chosen.value, Scalar("str"))
        return receiver
    if name in ("error", "exit"):
        raise Raised(UNKNOWN)
    if name in ("add_argument", "add"):
        _add_option(machine, options, arguments)
        return NONE
    if name == "set_defaults":
        for key, value in arguments.keywords.items():  # of one sub-command, or another
            together = join(options.cells.get(key, MISSING), value)
            several = together.alternatives if isinstance(together, Choice) else ()
            machine.heap.put(options.cells, key, Alternatives(several) if several else together)
        return NONE
    if name in ("parse_args", "parse_known_args", "parse_intermixed_args"):
        made = LibraryObject("namespace", "argparse.Namespace", machine.origin(node), {})
        made.cells.update(options.cells)
        if name != "parse_known_args":
            return made
        return Sequence("tuple", (made, UNKNOWN), machine.origin(node))
    return UNKNOWN


def _add_option(machine: Machine, options: Dictionary, arguments: Arguments) -> None:
    names = [v.value for v in arguments.positional if isinstance(v, Known) and isinstance(v.value, str)]
    if not names:
        return
    longest = next((name for name in names if name.startswith("--")), names[0])
    given = arguments.keywords
    key = longest.lstrip("-").replace("-", "_")
    if isinstance(chosen := given.get("dest"), Known):
        key = chosen.value
    machine.heap.put(options.cells, key, _option(given, longest.startswith("-")))


def _option(given: dict[str, Value], is_optional: bool) -> Value:
    action = given.get("action")
    kind = _type_name(given.get("type"))
    required = _is_true(given.get("required"))
    if isinstance(action, Known) and action.value in ("store_true", "store_false"):
        return _setting(given.get("default", Known(action.value == "store_false")), "bool")
    if "default" in given:
        return _setting(given["default"], kind, required)
    if not is_optional and "nargs" in given:
        return UNKNOWN
    return _setting(NONE, kind, required or not is_optional)


def _type_name(kind: Value | None) -> str:
    return str(getattr(kind, "name", "builtins.str")).removeprefix("builtins.")


@family("absl.flags.")
def absl_flag(call: Call) -> Value:
    """`flags.DEFINE_integer("steps", 10, "…")`: what `FLAGS.steps` is from now on."""
    if call.last.startswith("mark_flag"):
        _require(call)
        return NONE
    name = call.get(0, "name")
    if not call.last.startswith("DEFINE_") or not isinstance(name, Known):
        return hand_over(call.arguments)
    kind = FLAG_TYPES.get(call.last.removeprefix("DEFINE_"), "")
    default = call.get(1, "default") if kind else UNKNOWN
    value = _setting(default, kind, _is_true(call.arguments.keywords.get("required")))
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
        if isinstance(name, Known) and is_none(flags.get(name.value, UNKNOWN)):
            call.machine.heap.put(flags, name.value, UNKNOWN)


@function("absl.app.run")
def run_app(call: Call) -> Value:
    machine = call.machine
    main = call.get(0, "main")
    if is_none(main):
        main = machine.activations[0].module.scope.cells.get("main", UNKNOWN)
    rest = Sequence("list", None, machine.origin(call.node), Scalar("str"))
    machine.call(main, Arguments([rest]), call.node)
    return NONE


@function(
    "fire.Fire", "typer.run", "tyro.cli", "jsonargparse.CLI", "jsonargparse.auto_cli", "plac.call",
    "defopt.run", "clize.run", "argh.dispatch_command", "simple_parsing.parse",
)  # fmt: skip
def run_command(call: Call) -> Value:
    """A function that gets its parameters from the command line; of a class, the object that it makes."""
    component = call.arguments.positional[0] if call.arguments.positional else UNKNOWN
    target = underlying(component)
    if target is not None:
        return call.machine.call(component, Arguments([], _from_outside(target)), call.node)
    if isinstance(component, Class):
        return call.machine.call(component, Arguments(loose=component.record != "dataclass"), call.node)
    return hand_over(call.arguments)


def _from_outside(target: Function) -> dict[str, Value]:
    """What the parameters of a function are that the command line gives."""
    arguments = target.node.args
    annotations = {each.arg: each.annotation for each in (*arguments.args, *arguments.kwonlyargs)}
    names = parameter_names(target)
    defaults = dict(zip(reversed(names), reversed(target.defaults), strict=False)) | target.keyword_defaults
    values = {}
    for name, annotation in annotations.items():
        kind = ast.unparse(annotation) if annotation is not None else ""
        values[name] = _setting(defaults.get(name, NONE), kind, name not in defaults)
    return values


@function("typer.Option", "typer.Argument")
def described_option(call: Call) -> Value:
    default = call.get(0, "default")
    given = isinstance(default, Known) and default.value is not ...
    return _setting(default, "") if given else UNKNOWN


@function("click.command")
def command(call: Call) -> Value:
    return LibraryObject("click", call.name, call.machine.origin(call.node), {})


@function("click.option", "click.argument")
def command_option(call: Call) -> Value:
    return LibraryObject("click", call.name, call.machine.origin(call.node), _named_option(call))


def _named_option(call: Call) -> dict[str, Value]:
    texts = [v.value for v in call.arguments.positional if isinstance(v, Known) and isinstance(v.value, str)]
    if not texts:
        return {}
    own = next((text for text in texts if not text.startswith("-")), "")
    longest = next((text for text in texts if text.startswith("--")), texts[0]).partition("/")[0]
    given = call.arguments.keywords
    key = (own or longest.lstrip("-")).replace("-", "_").lower()
    required = _is_true(given.get("required")) or call.last == "argument"
    flag = _is_true(given.get("is_flag")) or any("/" in text for text in texts)
    default = given.get("default", Known(False) if flag else NONE)
    several = "multiple" in given or "nargs" in given
    return {key: UNKNOWN if several else _setting(default, _type_name(given.get("type")), required)}


@object_methods("click")
def click_decorator(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """What a decorator of a command makes of it: a function that gets its options when it is called."""
    if name != "__call__" or not arguments.positional:
        return UNKNOWN
    decorated = arguments.positional[0]
    if not receiver.arguments:
        return decorated
    return Partial(decorated, (), dict(receiver.arguments), machine.origin(node))
