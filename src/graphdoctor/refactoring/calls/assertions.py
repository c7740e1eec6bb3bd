"""`assert` and `raise` on tensors → `tf.debugging.Assert`."""

import ast
import json

from graphdoctor.model import Edit
from graphdoctor.source.names import module_alias
from graphdoctor.source.surroundings import Body, is_elif


def assertion_of(body: Body, test: ast.AST) -> ast.Assert | None:
    """The `assert` that asks for a test."""
    statement = body.parents.get(test)
    return statement if isinstance(statement, ast.Assert) else None


def asserted(body: Body, node: ast.Assert) -> Edit | None:
    """`assert test, message` as an operation of the graph."""
    tensorflow = module_alias("tensorflow", body.scope)
    if tensorflow is None:
        return None
    test = body.home.source_of(node.test)
    shown = message_of(body, node.msg) if node.msg is not None else json.dumps(test)
    return body.home.replace(node, f"{tensorflow}.debugging.Assert({test}, [{shown}])")


def raised(body: Body, node: ast.AST) -> Edit | None:
    """`if test: raise …` as an assertion; a `raise` among other statements as one that never holds."""
    tensorflow = module_alias("tensorflow", body.scope)
    branch = body.parents.get(node)
    if not isinstance(node, ast.Raise) or not isinstance(branch, ast.If):
        return None
    if tensorflow is None or node.exc is None:
        return None
    call = node.exc
    text = call.args[0] if isinstance(call, ast.Call) and len(call.args) == 1 else None
    shown = message_of(body, text) if text is not None else json.dumps(body.home.source_of(call))
    if branch.body == [node] and not branch.orelse and not is_elif(body.home, branch):
        condition = body.home.source_of(branch.test)
        holds = f"{tensorflow}.logical_not({condition})"
        return body.home.replace(branch, f"{tensorflow}.debugging.Assert({holds}, [{shown}])")
    return body.home.replace(node, f"{tensorflow}.debugging.Assert(False, [{shown}])")


def message_of(body: Body, text: ast.expr) -> str:
    """The parts of a message as the data of an assertion: texts, and the values between them."""
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        return body.home.source_of(text)
    parts = []
    for part in text.values if isinstance(text, ast.JoinedStr) else ():
        if isinstance(part, ast.Constant):
            parts.append(_quoted(str(part.value)))
        elif isinstance(part, ast.FormattedValue) and part.format_spec is None and part.conversion == -1:
            parts.append(ast.unparse(part.value))
        else:
            parts.append(_quoted(ast.unparse(part)))
    return ", ".join(parts) or _quoted(body.home.source_of(text))


def _quoted(text: str) -> str:
    plain = text.isprintable() and '"' not in text and "\\" not in text
    return f'"{text}"' if plain else repr(text)
