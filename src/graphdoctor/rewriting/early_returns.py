"""A `return` in a TensorFlow loop → a result, a flag where it is needed, and `break`."""

import ast
import dataclasses

from graphdoctor.model import Edit
from graphdoctor.rewriting.bodies import Body
from graphdoctor.rewriting.control_flow import LOOPS, loop_around, stored_names
from graphdoctor.source.names import dotted_name, module_alias

NAMES = (("result", "found"), ("returned", "has_returned"))


@dataclasses.dataclass(frozen=True, slots=True)
class EarlyReturn:
    """The `return` in the loop, the loop, and the `return` that follows the loop directly."""

    inner: ast.Return
    loop: ast.For | ast.While
    last: ast.Return


def to_break(body: Body, node: ast.Return, dtype: str | None) -> tuple[Edit, ...] | None:
    """The edits that set a result of this dtype and leave the loop; None unless the code is that simple."""
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
        end = f"{result} if {flag} else {module.source_of(found.last.value)}"
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
    block = next((b for b in _blocks(body.parents[loop]) if loop in b), [])
    after = block[block.index(loop) + 1 :] if block else []
    if inside != [node] or len(after) != 1 or not isinstance(after[0], ast.Return):
        return None
    return EarlyReturn(node, loop, after[0])


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    found = (getattr(node, name, None) for name in ("body", "orelse", "finalbody"))
    return [block for block in found if isinstance(block, list)]


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
