"""Going through syntax trees, and naming their parts, in less time than `ast` takes."""

import ast
from typing import Final

from graphdoctor.source.remembering import remembered

# Parts of a node that hold no other one, or only an operator.
WITHOUT_NODES: Final = frozenset(
    ("ctx", "op", "ops", "id", "attr", "arg", "asname", "module", "level", "kind", "type_comment",
     "conversion", "simple", "is_async", "rest", "kwd_attrs", "type_ignores")
)  # fmt: skip
PARTS: Final = {
    kind: tuple(field for field in kind._fields if field not in WITHOUT_NODES)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
PARTS[ast.Constant] = ()
Assignment = ast.Assign | ast.AnnAssign | ast.AugAssign
# Lists in which None or a text may stand; in all others there are nodes only.
MIXED: Final = frozenset(("keys", "kw_defaults", "names"))


def walk(tree: ast.AST) -> list[ast.AST]:
    """What `ast.walk` gives, in the same order, but for contexts and operators; in a third of the time."""
    found = [tree]
    for node in found:  # which grows meanwhile
        for part in PARTS[node.__class__]:
            value = getattr(node, part, None)
            if value.__class__ is list:
                found += [each for each in value if isinstance(each, ast.AST)] if part in MIXED else value
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


def spelled(node: ast.AST) -> str:
    """What `ast.unparse` gives."""
    if node.__class__ is ast.Name:
        return node.id
    if node.__class__ is ast.Attribute:
        holder = node.value
        if holder.__class__ is ast.Name or holder.__class__ is ast.Attribute:
            return f"{spelled(holder)}.{node.attr}"
    return _unparsed(node)


@remembered(20_000)
def _unparsed(node: ast.AST) -> str:
    return ast.unparse(node)


def assignment_of(tree: ast.AST, target: ast.AST) -> Assignment | None:
    """The statement in a tree that gives a name, attribute or element its value."""
    return next((node for node in walk(tree) if isinstance(node, Assignment) and _gives(node, target)), None)


def targets_of(node: Assignment) -> list[ast.expr]:
    """What an assignment gives a value."""
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _gives(node: Assignment, target: ast.AST) -> bool:
    return node is target or any(part is target for each in targets_of(node) for part in walk(each))
