"""What calls a function of the program with what the command line says: absl, fire, click, typer."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.arguments import Arguments, parameter_names
from graphdoctor.dryrun.core.definitions import underlying
from graphdoctor.dryrun.core.machine import Machine, hand_over
from graphdoctor.dryrun.libraries.python.command_lines import is_true, setting, type_name
from graphdoctor.dryrun.libraries.registry import Call, function, object_methods
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    AbstractNumber,
    Alternatives,
    Class,
    Constant,
    Function,
    LibraryObject,
    Partial,
    Sequence,
    Value,
    is_none,
)
from graphdoctor.source.nodes import spelled

FIRST, COMMANDS = "<first>", "<commands>"


@function("absl.app.run")
def run_app(call: Call) -> Value:
    machine = call.machine
    main = call.get(0, "main")
    if is_none(main):
        main = machine.activations[0].module.scope.cells.get("main", UNKNOWN)
    rest = Sequence("list", None, machine.origin(call.node), AbstractNumber("str"))
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
    return LibraryObject("click", call.name, call.machine.origin(call.node), {})


@function("click.option", "click.argument")
def command_option(call: Call) -> Value:
    return LibraryObject("click", call.name, call.machine.origin(call.node), _named_option(call))


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
