"""Private names of a class: `__name` → `_name`."""

import ast

from graphdoctor.model import Edit
from graphdoctor.source.surroundings import Body


def unmangled(body: Body, name: str) -> tuple[Edit, ...] | None:
    """The edits that take one underscore from a name everywhere in its class; None where it is taken."""
    owner, module = body.function.owner, body.home
    if owner is None or not name.startswith("__") or name.endswith("__"):
        return None
    short = name[1:]
    if short in {word for node in ast.walk(module.tree) for word in _names(node)}:
        return None
    edits = []
    for node in ast.walk(owner):
        span = module.span(node)
        if isinstance(node, ast.Attribute) and node.attr == name:
            line = module.text_line(span) + span.end_line - span.line
            edits.append(module.replace_columns(line, span.end_column - len(name), span.end_column, short))
        elif isinstance(node, ast.Name) and node.id == name:
            edits.append(module.replace(node, short))
        elif isinstance(node, ast.FunctionDef) and node.name == name:
            column = module.lines[node.lineno - 1].index(f"def {name}") + len("def ") + 1
            edits.append(module.replace_columns(node.lineno, column, column + len(name), short))
    return tuple(edits)


def _names(node: ast.AST) -> tuple[str, ...]:
    parts = (getattr(node, field, None) for field in ("id", "attr", "name", "arg"))
    return tuple(part for part in parts if isinstance(part, str))
