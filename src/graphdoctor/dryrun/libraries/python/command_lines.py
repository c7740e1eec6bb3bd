"""Command lines: options with their defaults, and functions that are called with what the options say."""

import ast

from graphdoctor.dryrun.control.flow import Raised
from graphdoctor.dryrun.core.arguments import Arguments, parameter_names
from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.machine import Machine, hand_over
from graphdoctor.dryrun.libraries.registry import Call, family, function, object_methods
from graphdoctor.dryrun.libraries.tables.names import spellings
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    AbstractNumber,
    Alternatives,
    Class,
    Constant,
    Dictionary,
    Function,
    LibraryObject,
    Partial,
    Sequence,
    Setting,
    Union,
    Value,
    is_none,
)
from graphdoctor.dryrun.values.joining import MISSING, join, perhaps_replaced
from graphdoctor.source.nodes import spelled

FLAG_TYPES = spellings("types of flags")
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
    made = LibraryObject("parser", call.name, call.origin, {})
    made.cells["options"] = Dictionary({}, call.origin)
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
    holder = LibraryObject("namespace", "absl.flags.FlagHolder", call.origin, {})
    holder.cells.update(value=value, default=value)
    return holder


def _require(call: Call) -> None:
    """What must be given may be anything of its type."""
    given = call.get(0, "flag_names" if call.last == "mark_flags_as_required" else "flag_name")
    flags = call.machine.activations[0].module.flags
    for name in (given.items or ()) if isinstance(given, Sequence) else (given,):
        if isinstance(name, Constant) and is_none(flags.get(name.value, UNKNOWN)):
            call.machine.heap.put(flags, name.value, UNKNOWN)


FIRST, COMMANDS = "<first>", "<commands>"


@function("absl.app.run")
def run_app(call: Call) -> Value:
    machine = call.machine
    main = call.get(0, "main")
    if is_none(main):
        main = machine.activations[0].module.scope.cells.get("main", UNKNOWN)
    rest = Sequence("list", None, call.origin, AbstractNumber("str"))
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
    return hand_over(call.machine, call.arguments)


def _from_outside(target: Function) -> dict[str, Value]:
    """What the parameters of a function are that the command line gives."""
    arguments = target.node.args
    annotations = {each.arg: each.annotation for each in (*arguments.args, *arguments.kwonlyargs)}
    names = parameter_names(target)
    defaults = dict(zip(reversed(names), reversed(target.defaults), strict=False)) | target.keyword_defaults
    values = {}
    for name, annotation in annotations.items():
        kind = spelled(annotation) if annotation is not None else ""
        values[name] = setting(defaults.get(name, NONE), kind, name not in defaults)
    return values


@function("typer.Option", "typer.Argument")
def described_option(call: Call) -> Value:
    default = call.get(0, "default")
    given = isinstance(default, Constant) and default.value is not ...
    return setting(default, "") if given else UNKNOWN


@function("click.command", "click.group")
def command(call: Call) -> Value:
    return LibraryObject("click", call.name, call.origin, {})


@function("click.option", "click.argument")
def command_option(call: Call) -> Value:
    return LibraryObject("click", call.name, call.origin, _named_option(call))


def _named_option(call: Call) -> dict[str, Value]:
    texts = [
        v.value for v in call.arguments.positional if isinstance(v, Constant) and isinstance(v.value, str)
    ]
    if not texts:
        return {}
    own = next((text for text in texts if not text.startswith("-")), "")
    longest = next((text for text in texts if text.startswith("--")), texts[0]).partition("/")[0]
    given = call.arguments.keywords
    key = (own or longest.lstrip("-")).replace("-", "_").lower()
    required = is_true(given.get("required")) or call.last == "argument"
    flag = is_true(given.get("is_flag")) or any("/" in text for text in texts)
    default = given.get("default", Constant(False) if flag else NONE)
    several = "multiple" in given or "nargs" in given
    return {key: UNKNOWN if several else setting(default, type_name(given.get("type")), required)}


@object_methods("click")
def click_decorator(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """What a decorator of a command makes of it: a function that gets its options when it is called."""
    if name != "__call__" or not arguments.positional:
        return UNKNOWN
    decorated = arguments.positional[0]
    if receiver.name == "click.group":
        return _group(machine, node, decorated)
    if not receiver.arguments:
        return decorated
    return Partial(decorated, (), dict(receiver.arguments), machine.origin(node))


@function("typer.Typer")
def typer_app(call: Call) -> Value:
    return _group(call.machine, call.node)


def _group(machine: Machine, node: ast.AST, first: Value = NONE) -> Value:
    """Several commands, of which the command line names one; `first` runs before it."""
    made = LibraryObject("commands", "commands", machine.origin(node), {})
    made.cells[FIRST] = first
    made.cells[COMMANDS] = Sequence("tuple", (), machine.origin(node))
    return made


@object_methods("commands")
def group_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """`app.command()` and `app.callback()` decorate, `add_typer` adds others, `app()` runs one of them."""
    if name in ("command", "callback", "group", "result_callback"):
        made = LibraryObject("registering", name, machine.origin(node), {})
        made.cells["group"] = receiver
        given = arguments.positional[:1]
        return register(machine, made, "__call__", Arguments(given), node) if _is_function(given) else made
    if name in ("add_command", "add_typer"):
        _add(machine, receiver, arguments.positional[0] if arguments.positional else UNKNOWN, node)
        return NONE
    if name not in ("__call__", "main"):
        return UNKNOWN
    first, commands = receiver.cells.get(FIRST, NONE), receiver.cells.get(COMMANDS)
    if not is_none(first):
        machine.call(first, Arguments(), node)
    known = commands.items if isinstance(commands, Sequence) else None
    if known:
        machine.call(known[0] if len(known) == 1 else Alternatives(known), Arguments(), node)
    return NONE


def _is_function(given: list[Value]) -> bool:
    return bool(given) and underlying(given[0]) is not None


@object_methods("registering")
def register(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """What `@app.command()` makes of a function: a command, that is also called as before."""
    group = receiver.cells.get("group")
    if name != "__call__" or not arguments.positional or not isinstance(group, LibraryObject):
        return UNKNOWN
    decorated = arguments.positional[0]
    if receiver.name == "group":
        inner = _group(machine, node, decorated)
        _add(machine, group, inner, node)
        return inner
    command = _with_options(machine, decorated, node)
    if receiver.name == "command":
        _add(machine, group, command, node)
    elif receiver.name == "callback":
        machine.heap.put(group.cells, FIRST, command)
    return decorated


def _with_options(machine: Machine, decorated: Value, node: ast.AST) -> Value:
    """A command with what its parameters are when the command line gives them."""
    target = underlying(decorated)
    if target is None or isinstance(decorated, Partial):  # click's own decorators have said it
        return decorated
    return Partial(decorated, (), _from_outside(target), machine.origin(node))


def _add(machine: Machine, group: LibraryObject, command: Value, node: ast.AST) -> None:
    commands = group.cells.get(COMMANDS)
    items = commands.items if isinstance(commands, Sequence) and commands.items is not None else ()
    machine.heap.put(group.cells, COMMANDS, Sequence("tuple", (*items, command), machine.origin(node)))
