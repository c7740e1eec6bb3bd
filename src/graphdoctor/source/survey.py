"""Syntax tree → what can be said of each of its functions without running anything, in one quick walk."""

import ast
from typing import Final

from graphdoctor.source.nodes import MIXED, PARTS

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS: Final = frozenset((*FUNCTIONS, ast.Lambda, ast.ClassDef))
YIELDS: Final = frozenset((ast.Yield, ast.YieldFrom))


class Mentions:
    """The words of a function and of those in it: `names` alone or before `=`, `attributes` after a dot."""

    __slots__ = ("attributes", "names")

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.attributes: set[str] = set()


class Survey:
    """What a module defines.

    `names` are the qualified ones of functions, lambdas and classes; `mentions` those of each function that
    has a name; `bound` the names that are given a meaning anywhere in the module. Of `generators` a call
    gives a generator; in `enclosing` functions stands one that may keep their names after a call.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.names: dict[ast.AST, str] = {}
        self.mentions: dict[ast.AST, Mentions] = {}
        self.bound: set[str] = set()
        self.generators: set[ast.AST] = set()
        self.enclosing: set[ast.AST] = set()
        self._collect(tree, list(tree.body), "", Mentions())

    def _collect(self, owner: ast.AST, todo: list[ast.AST], prefix: str, found: Mentions) -> None:
        """Go through what stands in an owner, but not into other definitions: these are owners themselves."""
        names, attributes = found.names, found.attributes
        while todo:
            node = todo.pop()
            kind = node.__class__
            if kind is ast.Name:
                names.add(node.id)  # type: ignore[attr-defined]
                if node.ctx.__class__ is not ast.Load:  # type: ignore[attr-defined]
                    self.bound.add(node.id)  # type: ignore[attr-defined]
                continue
            if kind is ast.Constant:
                continue
            if kind is ast.Attribute:
                attributes.add(node.attr)  # type: ignore[attr-defined]
                todo.append(node.value)  # type: ignore[attr-defined]
                continue
            if kind in DEFINITIONS:
                self.enclosing.add(owner)
                self._define(node, prefix, found)
                continue
            if kind is ast.keyword:
                if node.arg:  # type: ignore[attr-defined]
                    names.add(node.arg)  # type: ignore[attr-defined]
            elif kind is ast.alias:
                self.bound.add(node.asname or node.name)  # type: ignore[attr-defined]
                continue
            elif kind in YIELDS:
                self.generators.add(owner)
            for part in PARTS[kind]:
                value = getattr(node, part, None)
                if value.__class__ is list:
                    todo += [each for each in value if isinstance(each, ast.AST)] if part in MIXED else value
                elif isinstance(value, ast.AST):
                    todo.append(value)

    def _define(self, node: ast.AST, prefix: str, around: Mentions) -> None:
        """Go through a definition; what it mentions, those around it mention too."""
        name = getattr(node, "name", "<lambda>")
        self.bound.add(name)
        qualified = self.names[node] = f"{prefix}.{name}" if prefix else name
        found = around if node.__class__ is ast.Lambda or node.__class__ is ast.ClassDef else Mentions()
        body = node.body  # type: ignore[attr-defined]
        outside = [
            each
            for part in ("decorator_list", "bases", "keywords", "args", "returns", "type_params")
            for value in (getattr(node, part, None),)
            for each in (value if isinstance(value, list) else [value])
            if each is not None
        ]
        self._collect(node, outside, prefix, found)
        self._collect(node, list(body) if isinstance(body, list) else [body], qualified, found)
        if found is not around:
            self.mentions[node] = found
            around.names |= found.names
            around.attributes |= found.attributes
