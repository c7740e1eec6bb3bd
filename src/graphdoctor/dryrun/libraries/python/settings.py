"""Dicts of settings whose entries are attributes as well: EasyDict, ConfigDict, OmegaConf, CfgNode, Munch."""

import ast
import os
from collections.abc import Mapping

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.python.files import read_settings
from graphdoctor.dryrun.libraries.registry import Call, call_library, call_method, function, object_methods
from graphdoctor.dryrun.values import (
    NONE,
    REST,
    UNKNOWN,
    Class,
    Constant,
    Dictionary,
    Instance,
    Library,
    LibraryObject,
    Partial,
    Setting,
    Value,
    is_known_text,
    is_none,
)
from graphdoctor.dryrun.values.file_locations import Location

GIVING_ITSELF = ("lock", "unlock")  # of ml_collections
NOTHING_DONE = ("freeze", "defrost", "lock", "unlock", "set_new_allowed", "register_deprecated_key")
COPIED = ("clone", "copy", "copy_and_resolve_references", "deepcopy")
PLAIN = ("to_dict", "toDict", "as_dict")
DEEPEST = 8  # one may hold itself


class SettingsClass(Class):
    """The class of such a dict, as the interpreter knows a class that derives from `dict`."""

    __slots__ = ()


@function(
    "easydict.EasyDict", "munch.Munch", "munch.DefaultMunch", "munch.munchify", "munch.Munch.fromDict",
    "addict.Dict", "box.Box", "attrdict.AttrDict", "yacs.config.CfgNode", "omegaconf.DictConfig",
    "ml_collections.ConfigDict", "ml_collections.FrozenConfigDict", "ml_collections.config_dict.ConfigDict",
    "ml_collections.config_dict.FrozenConfigDict", "ml_collections.config_dict.create",
)  # fmt: skip
def settings(call: Call) -> Value:
    first = call.arguments.positional[:1]
    if first and not isinstance(first[0], (Dictionary, Instance)):
        return UNKNOWN
    given = [_entries(value) for value in first]
    held = call_library(call.machine, "builtins.dict", Arguments(given, call.arguments.keywords), call.node)
    return as_settings(call.machine, held, call.node)


@function("omegaconf.OmegaConf.create", "omegaconf.OmegaConf.structured")
def created(call: Call) -> Value:
    if not call.arguments.positional and not call.arguments.keywords:
        return settings(call)
    given = call.get(0, "obj")
    if isinstance(given, Class):
        return call.machine.call(given, Arguments(), call.node)
    return as_settings(call.machine, _entries(given), call.node) if isinstance(given, Dictionary) else given


@function("omegaconf.OmegaConf.load")
def loaded(call: Call) -> Value:
    return as_settings(call.machine, read_settings(call, call.get(0, "file_")), call.node)


@function("omegaconf.OmegaConf.merge", "omegaconf.OmegaConf.unsafe_merge")
def merged(call: Call) -> Value:
    """The first, with what the others say; what the command line says is unknown."""
    first, *others = call.arguments.positional or [UNKNOWN]
    if not isinstance(first, Instance) or first.entries is None:
        return UNKNOWN
    made = as_settings(call.machine, first.entries, call.node)
    for each in others:
        _merge(call.machine, made, each)
    return made


@function("omegaconf.OmegaConf.to_container", "omegaconf.OmegaConf.to_object")
def as_plain_dict(call: Call) -> Value:
    return _plain(call.get(0, "cfg"))


@function("hydra.main")
def hydra_main(call: Call) -> Value:
    return LibraryObject("hydra", call.name, call.origin, dict(call.arguments.keywords))


@object_methods("hydra")
def configured(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """A function that gets what a file says, as far as the command line says nothing else."""
    if name != "__call__" or not arguments.positional:
        return UNKNOWN
    config = _composed(machine, receiver, node)
    return Partial(arguments.positional[0], (config,), {}, machine.origin(node))


def _composed(machine: Machine, receiver: LibraryObject, node: ast.AST) -> Value:
    folder, file = (receiver.arguments.get(name, NONE) for name in ("config_path", "config_name"))
    if not is_known_text(file) or not (is_none(folder) or is_known_text(folder)):
        return UNKNOWN
    beside = os.path.dirname(machine.activations[-1].module.path)
    name = file.value if file.value.endswith((".yaml", ".yml")) else f"{file.value}.yaml"  # type: ignore[attr-defined]
    place = Location(os.path.join(beside, folder.value or "", name))  # type: ignore[attr-defined]
    call = Call(machine, "hydra.main", Arguments(), node)
    read = read_settings(call, place)
    if not isinstance(read, Dictionary):
        return UNKNOWN
    if "defaults" in read.cells:  # other files, of which some are chosen by the command line
        read.cells[REST] = UNKNOWN
    config = as_settings(machine, read, node)
    _loosen(machine, config)
    return config


def as_settings(machine: Machine, held: Value, node: ast.AST, depth: int = 0) -> Value:
    """A dict of settings with these entries; the dicts in it are such ones as well."""
    if not isinstance(held, Dictionary) or depth > DEEPEST:
        return UNKNOWN
    origin, module = machine.origin(node), machine.activations[-1].module
    cells = {key: _inner(machine, value, node, depth) for key, value in held.cells.items()}
    cls = SettingsClass("Settings", [Library("builtins.dict")], {}, module, node, origin)
    made = Instance(cls, origin)
    made.cells[made.ENTRIES] = Dictionary(cells, origin)
    made.cells["__dict__"] = made
    return made


def _inner(machine: Machine, value: Value, node: ast.AST, depth: int) -> Value:
    if not is_settings(value, Dictionary):
        return value
    return as_settings(machine, _entries(value), node, depth + 1)


def is_settings(value: Value, *others: type[Value]) -> bool:
    """Whether it is such a dict, or one of these."""
    return isinstance(value, others) or (isinstance(value, Instance) and isinstance(value.cls, SettingsClass))


def settings_method(
    machine: Machine, receiver: Instance, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """A method of such a dict: one of its library, or of every dict."""
    held = receiver.entries
    if held is None:
        return UNKNOWN
    if name in COPIED:
        return as_settings(machine, held, node)
    if name in PLAIN:
        return _plain(receiver)
    if name in NOTHING_DONE:
        return receiver if name in GIVING_ITSELF else NONE
    if name.startswith(("merge", "update_from", "load")):
        _merge(machine, receiver, arguments.positional[0] if arguments.positional else UNKNOWN)
        return NONE
    return call_method(machine, held, name, arguments, node)


def has_method(name: str) -> bool:
    """Whether a name that is no entry is a method of such a dict."""
    known = name in COPIED or name in PLAIN or name in NOTHING_DONE or hasattr(dict, name)
    return known or name.startswith(("merge", "update_from", "load"))


def _merge(machine: Machine, made: Value, other: Value, depth: int = 0) -> None:
    held, given = _entries(made), _entries(other)
    if not isinstance(held, Dictionary) or depth > DEEPEST:
        return
    if not isinstance(given, Dictionary) or REST in given.cells:
        _loosen(machine, made)
        return
    for key, value in given.cells.items():
        if is_settings(held.cells.get(key, UNKNOWN)) and is_settings(value, Dictionary):
            _merge(machine, held.cells[key], value, depth + 1)
        else:
            machine.heap.put(held.cells, key, value)


def _loosen(machine: Machine, value: Value, depth: int = 0) -> None:
    """What it says is a default now: somebody may have set it otherwise."""
    held = _entries(value)
    if not isinstance(held, Dictionary) or depth > DEEPEST:
        return
    for key, each in list(held.cells.items()):
        if is_settings(each):
            _loosen(machine, each, depth + 1)
        elif isinstance(each, Constant):
            machine.heap.put(held.cells, key, Setting(each.value))


def _entries(value: Value) -> Value:
    return value.entries or UNKNOWN if isinstance(value, Instance) else value


def _plain(value: Value, depth: int = 0) -> Value:
    held = _entries(value)
    if not isinstance(held, Dictionary) or depth > DEEPEST:
        return UNKNOWN
    cells: Mapping[object, Value] = {
        key: _plain(each, depth + 1) if is_settings(each) else each for key, each in held.cells.items()
    }
    return Dictionary(dict(cells), held.origin)
