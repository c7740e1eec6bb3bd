"""A `return` in a TensorFlow loop → a result, a flag where it is needed, and `break`."""

import ast

from graphdoctor.model import Edit
from graphdoctor.refactoring.initial_values.zeros import Kind, blank
from graphdoctor.refactoring.syntax.statements import insert_lines, insert_lines_after
from graphdoctor.source.calls import called_name
from graphdoctor.source.def_use import names_read
from graphdoctor.source.names import module_alias
from graphdoctor.source.surroundings import Body, block_of, indent_of, loop_around, stored_names

NAMES = (("result", "found"), ("returned", "has_returned"))
DTYPES = {int: "int32", float: "float32"}  # what TensorFlow makes of a number


def to_break(body: Body, node: ast.AST, kind: Kind) -> tuple[Edit, ...] | None:
    """The edits that set a result of this kind and leave the loop; None unless the code is simple enough."""
    if not isinstance(node, ast.Return):
        return None
    return (
        _returning_after(body, node)
        or _with_result(body, node, kind.dtype or None)
        or _with_flag(body, node, kind)
    )


def _free_names(body: Body) -> tuple[str, str] | None:
    return next((pair for pair in NAMES if not any(body.scope.lookup(name) for name in pair)), None)


def _with_result(body: Body, node: ast.Return, dtype: str | None) -> tuple[Edit, ...] | None:
    """A result that is known before the loop, and what follows the loop returned where nothing was found."""
    found, names = _loop_and_returns(body, node), _free_names(body)
    tensorflow, module = module_alias("tensorflow", body.scope), body.home
    block = block_of(module, found[0]) if found is not None else []
    if found is None or tensorflow is None or names is None or found[1] != [node] or len(block) < 2:
        return None
    (loop, _), (result, flag), last = found, names, block[-1]
    if loop is not block[-2] or not isinstance(last, ast.Return) or last.value is None or node.value is None:
        return None
    before, start = indent_of(module, loop), _start(body, last.value, tensorflow, dtype)
    if before is None or start is None:
        return None
    value = module.source_of(node.value)
    lines, steps, end = [f"{result} = {start}"], [f"{result} = {value}", "break"], result
    if stored_names([loop]) & names_read(last.value):
        lines.insert(0, f"{flag} = {tensorflow}.constant(False)")
        steps.insert(0, f"{flag} = {tensorflow}.constant(True)")
        otherwise = module.source_of(last.value)
        if isinstance(last.value, ast.Tuple) and not otherwise.startswith("("):
            otherwise = f"({otherwise})"
        end = f"{result} if {flag} else {otherwise}"
    indent = indent_of(module, node)
    return (
        module.insert(loop.lineno, 1, "".join(f"{before}{line}\n" for line in lines)),
        module.replace(node, f"\n{indent}".join(steps) if indent is not None else "; ".join(steps)),
        module.replace(last.value, end),
    )


def _loop_and_returns(body: Body, node: ast.Return) -> tuple[ast.For | ast.While, list[ast.Return]] | None:
    """The one loop around a `return`, and all that stand in it."""
    loop = loop_around(body, node)
    if loop is None or loop.orelse or loop_around(body, loop) is not None:
        return None
    inside = [inner for inner in body.function.returns if loop in body.ancestors(inner)]
    deep = any(loop_around(body, inner) is not loop or inner.value is None for inner in inside)
    return (loop, sorted(inside, key=lambda inner: inner.lineno)) if not deep else None


def _returning_after(body: Body, node: ast.Return) -> tuple[Edit, ...] | None:
    """`break`, where every `return` in the loop and the one after it give the same."""
    found = _loop_and_returns(body, node)
    if found is None or not _are_on_their_lines(body, found[1]):
        return None
    loop, inside = found
    texts = {ast.unparse(inner.value) for inner in inside if inner.value is not None}
    block = block_of(body.home, loop)
    after = block[block.index(loop) + 1] if loop is not block[-1] else None
    leaves = tuple(body.home.replace(inner, "break") for inner in inside)
    if len(texts) != 1 or (after is not None and not isinstance(after, ast.Return)):
        return None
    if isinstance(after, ast.Return):
        return leaves if after.value is not None and {ast.unparse(after.value)} == texts else None
    if not _is_endless(loop) or any(isinstance(inner, ast.Break) for inner in ast.walk(loop)):
        return None
    line = insert_lines_after(body.home, loop, f"return {texts.pop()}")
    return (*leaves, line) if line is not None else None


def _are_on_their_lines(body: Body, statements: list[ast.Return]) -> bool:
    return all(indent_of(body.home, each) is not None for each in statements)


def _is_endless(loop: ast.AST) -> bool:
    test = loop.test if isinstance(loop, ast.While) else None
    given = test.args[0] if isinstance(test, ast.Call) and len(test.args) == 1 else test
    return isinstance(given, ast.Constant) and given.value in (True, 1)


def _with_flag(body: Body, node: ast.Return, kind: Kind) -> tuple[Edit, ...] | None:
    """A result of zeros and a flag before the loop; after it, the result where the flag is set."""
    found, tensorflow = _loop_and_returns(body, node), module_alias("tensorflow", body.scope)
    names, home = _free_names(body), body.home
    start = blank(body, found[1][0].value, found[0].lineno, kind) if found is not None else None
    if found is None or tensorflow is None or names is None or start is None:
        return None
    (loop, inside), (result, flag) = found, names
    last = block_of(home, loop)[-1]
    follows = last is not loop and isinstance(last, ast.Return) and last.value is not None
    begins = insert_lines(home, loop, f"{flag} = {tensorflow}.constant(False)", f"{result} = {start}")
    ends = insert_lines_after(home, loop, f"if {flag}:", f"    return {result}")
    if not follows or begins is None or ends is None or not _are_on_their_lines(body, inside):
        return None
    leaves = (_leave(body, inner, f"{flag} = {tensorflow}.constant(True)", result) for inner in inside)
    return begins, *leaves, ends


def _leave(body: Body, node: ast.Return, sets: str, result: str) -> Edit:
    value = body.home.source_of(node.value) if node.value is not None else "None"
    steps = (sets, f"{result} = {value}", "break")
    return body.home.replace(node, f"\n{indent_of(body.home, node)}".join(steps))


def _start(body: Body, value: ast.expr, tensorflow: str, dtype: str | None) -> str | None:
    """What the result is before the loop: of the same dtype as what the loop gives it."""
    text = body.home.source_of(value)
    number = value.operand if isinstance(value, ast.UnaryOp) else value
    if isinstance(number, ast.Constant):
        usual = DTYPES.get(type(number.value))
        if dtype is None or usual is None:
            return None
        return text if dtype == usual else f"{tensorflow}.constant({text}, {tensorflow}.{dtype})"
    calls = [part for part in ast.walk(value) if isinstance(part, ast.Call)]
    pure = all(called_name(call, body.scope).startswith("tensorflow.") for call in calls)
    return text if pure and value.lineno == value.end_lineno else None
