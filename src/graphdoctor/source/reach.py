"""From the entry points of a module along its calls: which functions are traced, and in which way."""

import ast
import dataclasses
from collections import deque
from itertools import chain
from typing import TYPE_CHECKING

from graphdoctor.source.bodies import Body, Reach
from graphdoctor.source.calls import bind_arguments
from graphdoctor.source.entries import Entry, Step, Way, find_entries
from graphdoctor.source.functions import Function, resolve_function
from graphdoctor.source.keras_entries import find_keras_entries
from graphdoctor.source.kind import Kind
from graphdoctor.source.kinds import kind_of
from graphdoctor.source.names import dotted_name
from graphdoctor.source.scopes import Scope, parameters

if TYPE_CHECKING:
    from graphdoctor.source.module import Module

MOST_FUNCTIONS = 2000
# TensorFlow functions that call the function given to them while they are traced themselves. AutoGraph
# does not follow through most of them (run on 2.21 with a function defined outside the caller).
INHERIT, PLAIN, UNKNOWN = None, Way.PLAIN, Way.UNKNOWN
CALLERS: dict[str, Way | None] = {
    "tensorflow.map_fn": INHERIT,
    "tensorflow.cond": PLAIN,
    "tensorflow.case": PLAIN,
    "tensorflow.switch_case": PLAIN,
    "tensorflow.while_loop": PLAIN,
    "tensorflow.scan": PLAIN,
    "tensorflow.foldl": PLAIN,
    "tensorflow.foldr": PLAIN,
    "tensorflow.vectorized_map": PLAIN,
    "tensorflow.nest.map_structure": PLAIN,
    "tensorflow.recompute_grad": PLAIN,
    "builtins.map": PLAIN,
    "functools.partial": INHERIT,
}
GIVE_TENSORS = {
    "tensorflow.map_fn", "tensorflow.scan", "tensorflow.foldl", "tensorflow.foldr",
    "tensorflow.vectorized_map", "tensorflow.while_loop",
}  # fmt: skip
HARMLESS_DECORATORS = {
    "builtins.staticmethod", "builtins.classmethod", "tensorflow.Module.with_name_scope",
    "typing.no_type_check", "typing.override", "typing_extensions.override",
    "tensorflow.autograph.experimental.do_not_convert", "tensorflow.custom_gradient",
}  # fmt: skip


@dataclasses.dataclass(eq=False, slots=True)
class Site:
    """A call of a function from traced code (or, for a graph function, from anywhere)."""

    arguments: dict[str, ast.expr]
    scope: Scope
    complete: bool  # False after a `*` or `**`


@dataclasses.dataclass(eq=False, slots=True)
class Context:
    """What the entry points of one module lead to."""

    bodies: dict[ast.AST, Body] = dataclasses.field(default_factory=dict)
    sites: dict[ast.AST, list[Site]] = dataclasses.field(default_factory=dict)
    entries: dict[ast.AST, Entry] = dataclasses.field(default_factory=dict)
    callbacks: set[ast.AST] = dataclasses.field(default_factory=set)  # called by TensorFlow, with tensors

    def kind_of_parameter(self, node: ast.arg, scope: Scope, depth: int) -> Kind:
        """The kind that all known calls of the function around give a parameter."""
        body = self.bodies.get(scope.node)
        if body is None:
            return Kind.UNKNOWN
        entry = self.entries.get(scope.node)
        function = body.function
        names = [a.arg for a in (*function.node.args.posonlyargs, *function.node.args.args)]
        bound = function.owner is not None and not function.is_static
        if entry is not None and node.arg in names:
            position = names.index(node.arg) - bound
            if 0 <= position < len(entry.inputs) and entry.inputs[position] is not Kind.UNKNOWN:
                return entry.inputs[position]
            if entry.keras:
                return Kind.UNKNOWN
        if scope.node in self.callbacks and scope.node not in self.sites:
            return Kind.TENSORS if node.arg in names and names.index(node.arg) >= bound else Kind.UNKNOWN
        kinds = {
            self._kind_at(site, node.arg, function, depth, entry) for site in self.sites.get(scope.node, ())
        }
        kinds = kinds - {Kind.PENDING} or kinds  # `f(n - 1)` in `f` itself: the other calls decide
        return kinds.pop() if len(kinds) == 1 else Kind.UNKNOWN

    def _kind_at(self, site: Site, name: str, function: Function, depth: int, entry: Entry | None) -> Kind:
        if name in site.arguments:
            kind = kind_of(site.arguments[name], site.scope, depth)
        elif site.complete:
            kind = kind_of(_default(function, name), function.placed.scope, depth)
        else:
            return Kind.UNKNOWN
        graph_function = entry is not None and entry.traced is not None
        return Kind.TENSOR if graph_function and kind is Kind.ARRAY else kind


def _default(function: Function, name: str) -> ast.expr | None:
    arguments = function.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    for argument, default in zip(reversed(positional), reversed(arguments.defaults), strict=False):
        if argument.arg == name:
            return default
    for argument, given in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if argument.arg == name:
            return given
    return None


def reach_from(module: "Module") -> Context:
    """Follow the calls from every entry point of the module."""
    context = Context()
    waiting: deque[Body] = deque()
    for entry in chain(find_entries(module), find_keras_entries(module)):
        known = context.entries.setdefault(entry.function.node, entry)
        reach = Reach(entry.way, (entry.step,), entry)
        if known.keras == entry.keras or known is entry:
            _enter(context, entry.function, reach, waiting)
    for call in module.calls:
        if call.function.node in context.entries:
            _add_site(context, call.function, call.node, call.scope)
    while waiting and len(context.bodies) < MOST_FUNCTIONS:
        body = waiting.popleft()
        for reach in list(body.reaches):
            if reach not in body.followed:
                body.followed.append(reach)
                _follow(context, body, reach, waiting)
    return context


def _enter(context: Context, function: Function, reach: Reach, waiting: deque[Body]) -> None:
    body = context.bodies.get(function.node)
    if body is None:
        body = context.bodies[function.node] = Body(function)
    if all(known.way is not reach.way for known in body.reaches):
        body.reaches.append(reach)
        waiting.append(body)


def _add_site(context: Context, function: Function, call: ast.Call, scope: Scope) -> None:
    complete = not any(isinstance(a, ast.Starred) for a in call.args) and all(k.arg for k in call.keywords)
    sites = context.sites.setdefault(function.node, [])
    sites.append(Site(bind_arguments(call, function), scope, complete))


def _follow(context: Context, body: Body, reach: Reach, waiting: deque[Body]) -> None:
    """Enter what a body calls, defines, or hands to functions that call it."""
    first_time = len(body.followed) == 1
    for call in body.of(ast.Call):
        scope = body.scope_of(call)
        target = dotted_name(call.func, scope)
        if target in CALLERS:
            _follow_callback(context, body, reach, waiting, call, CALLERS[target])
            continue
        function = resolve_function(call.func, scope)
        if function is None or not _can_follow(function):
            if _is_strategy_run(call) and call.args:
                _follow_callback(context, body, reach, waiting, call, INHERIT)
            continue
        if first_time:
            _add_site(context, function, call, scope)
        if function.node in function.home.traced:
            continue
        step = Step(f"`{body.name}` calls `{function.ref.name}`", body.home.path, call)
        way = Way.PLAIN if _is_not_converted(function) else reach.way
        _enter(context, function, reach.then(way, step, body.is_always_run(call)), waiting)
    for node in body.nested:
        function = body.home.functions[node]
        if node not in body.home.traced and node not in body.eager_functions:
            step = Step(f"`{function.ref.name}` is defined in `{body.name}`", body.home.path, node)
            way = Way.PLAIN if _is_not_converted(function) else reach.way
            _enter(context, function, reach.then(way, step), waiting)


def _follow_callback(
    context: Context, body: Body, reach: Reach, waiting: deque[Body], call: ast.Call, way: Way | None
) -> None:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    for expression in given:
        if not isinstance(expression, ast.Name | ast.Attribute):
            continue
        function = resolve_function(expression, body.scope_of(call))
        if function is None or not _can_follow(function) or function.node in function.home.traced:
            continue
        nested = function.home is body.home and function.placed.scope.within(body.function.scope)
        new_way = reach.way if nested or way is None else way
        if way is None and reach.way is Way.PLAIN and not nested:
            new_way = Way.UNKNOWN
        text = f"`{body.name}` hands `{function.ref.name}` to `{body.home.source_of(call.func)}`"
        step = Step(text, body.home.path, call)
        if body.dotted(call.func) in GIVE_TENSORS:
            context.callbacks.add(function.node)
        _enter(context, function, reach.then(new_way, step), waiting)


def _is_strategy_run(call: ast.Call) -> bool:
    target = call.func
    return (
        isinstance(target, ast.Attribute)
        and target.attr == "run"
        and isinstance(target.value, ast.Name | ast.Attribute)
        and "strategy" in (target.value.id if isinstance(target.value, ast.Name) else target.value.attr)
    )


def _can_follow(function: Function) -> bool:
    """Whether calling the name runs the body: no decorator is in the way that we do not know."""
    if isinstance(function.node, ast.AsyncFunctionDef):
        return False
    scope = function.placed.scope
    decorators = getattr(function.node, "decorator_list", [])
    return function.node in function.home.traced or all(
        dotted_name(decorator, scope) in HARMLESS_DECORATORS for decorator in decorators
    )


def _is_not_converted(function: Function) -> bool:
    scope = function.placed.scope
    names = {dotted_name(d, scope) for d in getattr(function.node, "decorator_list", [])}
    return bool(names & {"tensorflow.autograph.experimental.do_not_convert", "tensorflow.custom_gradient"})


def parameter_names(function: Function) -> list[str]:
    """The names of a function's parameters, without `self`."""
    names = [argument.arg for argument in parameters(function.node)]
    return names[1:] if function.owner is not None and not function.is_static else names
