"""What a call hands over, and how parameters get it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphdoctor.dryrun.values import (
    NOWHERE,
    REST,
    UNKNOWN,
    Constant,
    Dictionary,
    Function,
    Origin,
    Sequence,
    Value,
)
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.machine import Machine


class Arguments:
    """Positional and keyword arguments with the expressions they came from.

    `loose`: an unknown `*args` or `**kwargs` is among them, so that a parameter may have got anything;
    `rows`: the list of unknown length that `*args` spreads out, where that is all there is.
    """

    __slots__ = ("keywords", "loose", "nodes", "positional", "rows")

    def __init__(
        self,
        positional: list[Value] | tuple[Value, ...] = (),
        keywords: dict[str, Value] | None = None,
        nodes: dict[int | str, ast.AST] | None = None,
        loose: bool = False,
    ) -> None:
        self.positional = list(positional)
        self.keywords = keywords if keywords is not None else {}
        self.nodes = nodes if nodes is not None else {}
        self.loose = loose
        self.rows: Sequence | None = None

    def get(self, position: int | None, name: str, default: Value | None = None) -> Value:
        """The argument at a position or under a name; Unknown when it may be hidden in a star."""
        if name in self.keywords:
            return self.keywords[name]
        if position is not None and position < len(self.positional):
            return self.positional[position]
        return UNKNOWN if self.loose else default if default is not None else Constant(None)

    def has(self, position: int | None, name: str) -> bool:
        """Whether an argument is given there."""
        return name in self.keywords or (position is not None and position < len(self.positional))

    def node(self, position: int | None, name: str, otherwise: ast.AST) -> ast.AST:
        """The expression that gave an argument."""
        return self.nodes.get(name) or self.nodes.get(position if position is not None else -1) or otherwise

    def after(self, *first: Value) -> Arguments:
        """The same, behind some more positional arguments."""
        shift = len(first)
        nodes = {k + shift if isinstance(k, int) else k: node for k, node in self.nodes.items()}
        return Arguments([*first, *self.positional], dict(self.keywords), nodes, self.loose)

    def __iter__(self) -> Iterator[Value]:
        yield from self.positional
        yield from self.keywords.values()


def parameter_names(function: Function) -> tuple[str, ...]:
    """The parameters that can be given by position."""
    return _parameter_names(function.node.args)


def handed_on(machine: Machine, given: ast.AST | None) -> dict[str, str]:
    """The option `handed` where somebody has to ask for it: by the command line, or by a parameter."""
    if machine.asked:
        return {"handed": "True"}
    function = machine.activation.function
    if function is None or given is None or isinstance(given, ast.Constant):
        return {}
    names = parameter_names(function)
    defaults = dict(zip(reversed(names), reversed(function.defaults), strict=False))
    defaults.update(function.keyword_defaults)
    parameters = {*names, *(each.arg for each in function.node.args.kwonlyargs)}
    read = {each.id for each in walk(given) if isinstance(each, ast.Name)} & parameters
    own = {name for name in read if isinstance(known := defaults.get(name), Constant) and known.value is True}
    return {"handed": "True"} if read - own else {}


@remembered(8192)
def _parameter_names(arguments: ast.arguments) -> tuple[str, ...]:
    return tuple(parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args))


def given_by(function: Function, arguments: Arguments) -> dict[str, ast.AST]:
    """The expressions that gave the parameters of a function their values."""
    signature = function.node.args
    names = _parameter_names(signature)
    by_place = names[: len(arguments.positional)]
    found = {name: arguments.nodes[place] for place, name in enumerate(by_place) if place in arguments.nodes}
    named = (*names[len(by_place) :], *(parameter.arg for parameter in signature.kwonlyargs))
    for name in named:
        if name in arguments.keywords and name in arguments.nodes:
            found[name] = arguments.nodes[name]
    return found


def bind(function: Function, arguments: Arguments, origin: Origin = NOWHERE) -> dict[str, Value]:
    """The value of each parameter."""
    signature = function.node.args
    names = _parameter_names(signature)
    bound: dict[str, Value] = dict(zip(names, arguments.positional, strict=False))
    keywords = dict(arguments.keywords)
    without_default = len(names) - len(function.defaults)
    for position in range(len(bound), len(names)):
        name = names[position]
        if name in keywords:
            bound[name] = keywords.pop(name)
        elif arguments.loose or position < without_default:
            bound[name] = UNKNOWN
        else:
            bound[name] = function.defaults[position - without_default]
    if signature.vararg is not None:
        items = None if arguments.loose else tuple(arguments.positional[len(names) :])
        element = UNKNOWN if arguments.loose else None
        star = Sequence("tuple", items, origin, element)
        star.sources = {
            position - len(names): node
            for position, node in arguments.nodes.items()
            if isinstance(position, int) and position >= len(names)
        }
        bound[signature.vararg.arg] = star
    for parameter in signature.kwonlyargs:
        name = parameter.arg
        if name in keywords:
            bound[name] = keywords.pop(name)
        elif arguments.loose:
            bound[name] = UNKNOWN
        else:
            bound[name] = function.keyword_defaults.get(name, UNKNOWN)
    if signature.kwarg is not None:
        entries = dict(keywords)
        if arguments.loose:
            entries[REST] = UNKNOWN  # type: ignore[index]
        named = Dictionary(entries, origin)
        named.sources = {name: arguments.nodes[name] for name in keywords if name in arguments.nodes}
        bound[signature.kwarg.arg] = named
    return bound


def default_given(function: Function | None, name: str, value: Value) -> ast.expr | None:
    """The expression after the `=` of a parameter that has its default still."""
    if function is None:
        return None
    signature = function.node.args
    last = _parameter_names(signature)[::-1]
    written = zip(last, signature.defaults[::-1], function.defaults[::-1], strict=False)
    own = next((default for each, default, known in written if each == name and known is value), None)
    if own is None and function.keyword_defaults.get(name) is value:
        names = [parameter.arg for parameter in signature.kwonlyargs]
        own = signature.kw_defaults[names.index(name)]
    return own
