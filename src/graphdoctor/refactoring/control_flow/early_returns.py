"""A `return` in a TensorFlow loop → a result, a flag where it is needed, and `break`."""

import ast
import dataclasses

from graphdoctor.model import Edit
from graphdoctor.refactoring.initial_values.zeros import Kind, blank
from graphdoctor.refactoring.syntax.bodies import Body
from graphdoctor.refactoring.syntax.control_flow import LOOPS, loop_around, stored_names
from graphdoctor.refactoring.syntax.statements import block_of, indent_of, insert_lines, insert_lines_after
from graphdoctor.source.names import dotted_name, module_alias

NAMES = (("result", "found"), ("returned", "has_returned"))


@dataclasses.dataclass(frozen=True, slots=True)
class EarlyReturn:
    """The `return` in the loop, the loop, and the `return` that follows the loop directly."""

    inner: ast.Return
    loop: ast.For | ast.While
    last: ast.Return


def to_break(body: Body, node: ast.AST, kind: Kind) -> tuple[Edit, ...] | None:
    """The edits that set a result of this kind and leave the loop; None unless the code is simple enough."""
    if not isinstance(node, ast.Return):
        return None
    return (
        _returning_after(body, node)
        or _with_result(body, node, kind.dtype or None)
        or _with_flag(body, node, kind)
    )


def _with_result(body: Body, node: ast.Return, dtype: str | None) -> tuple[Edit, ...] | None:
    """A result that is known before the loop, and what follows the loop returned where nothing was found."""
    found = _find(body, node)
    tensorflow = module_alias("tensorflow", body.scope)
    names = next((pair for pair in NAMES if not any(body.scope.lookup(name) for name in pair)), None)
    if found is None or tensorflow is None or names is None:
        return None
    module, (result, flag) = body.home, names
    before = module.lines[found.loop.lineno - 1][: found.loop.col_offset]
    start = _start(body, found, tensorflow, dtype)
    if before.strip() or start is None or found.inner.value is None or found.last.value is None:
        return None
    value = module.source_of(found.inner.value)
    lines, steps, end = [f"{result} = {start}"], [f"{result} = {value}", "break"], result
    if _reads_what_the_loop_changes(found):
        lines.insert(0, f"{flag} = {tensorflow}.constant(False)")
        steps.insert(0, f"{flag} = {tensorflow}.constant(True)")
        otherwise = module.source_of(found.last.value)
        if isinstance(found.last.value, ast.Tuple) and not otherwise.startswith("("):
            otherwise = f"({otherwise})"
        end = f"{result} if {flag} else {otherwise}"
    indent = module.lines[node.lineno - 1][: node.col_offset]
    separator = f"\n{indent}" if not indent.strip() else "; "
    return (
        module.insert(found.loop.lineno, 1, "".join(f"{before}{line}\n" for line in lines)),
        module.replace(node, separator.join(steps)),
        module.replace(found.last.value, end),
    )


def _find(body: Body, node: ast.Return) -> EarlyReturn | None:
    """The loop around, if this is its only `return` and another follows it in the same block."""
    loop = loop_around(body, node)
    if loop is None or loop.orelse or any(isinstance(outer, LOOPS) for outer in body.ancestors(loop)):
        return None
    inside = [inner for inner in body.function.returns if loop in body.ancestors(inner)]
    block = block_of(body.home, loop)
    after = block[block.index(loop) + 1 :] if block else []
    if inside != [node] or len(after) != 1 or not isinstance(after[0], ast.Return):
        return None
    return EarlyReturn(node, loop, after[0])


def _loop_and_returns(body: Body, node: ast.Return) -> tuple[ast.For | ast.While, list[ast.Return]] | None:
    """The one loop around a `return`, and all that stand in it."""
    loop = loop_around(body, node)
    if loop is None or loop.orelse or any(isinstance(outer, LOOPS) for outer in body.ancestors(loop)):
        return None
    inside = [inner for inner in body.function.returns if loop in body.ancestors(inner)]
    inside.sort(key=lambda inner: inner.lineno)
    deep = any(loop_around(body, inner) is not loop or inner.value is None for inner in inside)
    alone = all(indent_of(body.home, inner) is not None for inner in inside)
    return (loop, inside) if not deep and alone else None


def _returning_after(body: Body, node: ast.Return) -> tuple[Edit, ...] | None:
    """`break`, where every `return` in the loop and the one after it give the same."""
    found = _loop_and_returns(body, node)
    if found is None:
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


def _is_endless(loop: ast.AST) -> bool:
    test = loop.test if isinstance(loop, ast.While) else None
    given = test.args[0] if isinstance(test, ast.Call) and len(test.args) == 1 else test
    return isinstance(given, ast.Constant) and given.value in (True, 1)


def _with_flag(body: Body, node: ast.Return, kind: Kind) -> tuple[Edit, ...] | None:
    """A result of zeros and a flag before the loop; after it, the result where the flag is set."""
    found, tensorflow = _loop_and_returns(body, node), module_alias("tensorflow", body.scope)
    names = next((pair for pair in NAMES if not any(body.scope.lookup(name) for name in pair)), None)
    start = blank(body, found[1][0].value, found[0].lineno, kind) if found is not None else None
    if found is None or tensorflow is None or names is None or start is None:
        return None
    loop, inside = found
    block, (result, flag) = block_of(body.home, loop), names
    follows = loop is not block[-1] and isinstance(block[-1], ast.Return) and block[-1].value is not None
    begins = insert_lines(body.home, loop, f"{flag} = {tensorflow}.constant(False)", f"{result} = {start}")
    ends = insert_lines_after(body.home, loop, f"if {flag}:", f"    return {result}")
    if not follows or begins is None or ends is None:
        return None
    return (begins, *(_leave(body, inner, result, flag, tensorflow) for inner in inside), ends)


def _leave(body: Body, node: ast.Return, result: str, flag: str, tensorflow: str) -> Edit:
    indent = indent_of(body.home, node) or ""
    value = body.home.source_of(node.value) if node.value is not None else "None"
    steps = (f"{flag} = {tensorflow}.constant(True)", f"{result} = {value}", "break")
    return body.home.replace(node, f"\n{indent}".join(steps))


def _start(body: Body, found: EarlyReturn, tensorflow: str, dtype: str | None) -> str | None:
    """What the result is before the loop: of the same dtype as what the loop gives it."""
    value = found.last.value
    if value is None:
        return None
    text = body.home.source_of(value)
    number = value.operand if isinstance(value, ast.UnaryOp) else value
    if isinstance(number, ast.Constant):
        return _typed(text, number.value, dtype, tensorflow)
    pure = all(
        not isinstance(part, ast.Call) or (dotted_name(part.func, body.scope) or "").startswith("tensorflow.")
        for part in ast.walk(value)
    )
    return text if pure and value.lineno == value.end_lineno else None


def _typed(text: str, number: object, dtype: str | None, tensorflow: str) -> str | None:
    """A number as the tensor that it has to be; as it stands where TensorFlow makes the same of it."""
    usual = "int32" if type(number) is int else "float32" if type(number) is float else None
    if dtype is None or usual is None:
        return None
    return text if dtype == usual else f"{tensorflow}.constant({text}, {tensorflow}.{dtype})"


def _reads_what_the_loop_changes(found: EarlyReturn) -> bool:
    changed = stored_names([found.loop])
    value = found.last.value
    read = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)} if value else set()
    return bool(changed & read)
