"""What a tape should have recorded, moved into its block."""

import ast
import textwrap

from graphdoctor.model import Edit
from graphdoctor.refactoring.tapes.blocks import Tape
from graphdoctor.source.module import Module
from graphdoctor.source.surroundings import block_of, has_long_texts


def moved_in(module: Module, tape: Tape, broken: ast.AST | None, *, before: bool) -> tuple[Edit, ...] | None:
    """The edits that put the statements between one that computes `broken` and the tape into its block."""
    block = block_of(module, tape.node)
    if broken is None or tape.node not in block or tape.node.body[0].lineno == tape.node.lineno:
        return None
    index = block.index(tape.node)
    beside = block[:index] if before else block[index + 1 :]
    at = next((number for number, each in enumerate(beside) if _computes(module, each, broken)), None)
    if at is None:
        return None
    moved = beside[at:] if before else beside[: at + 1]
    asks = not before and {question.statement for question in tape.questions} & set(moved)
    if asks or any(isinstance(each, ast.FunctionDef | ast.ClassDef | ast.Return) for each in moved):
        return None
    return _move(module, tape, moved, before)


def computed_last(module: Module, tape: Tape, target: ast.AST | None) -> tuple[Edit, ...] | None:
    """The edits that give the target of a question a name in the last line of the block."""
    end = tape.node.end_lineno or 0
    one_line = tape.node.body[0].lineno == tape.node.lineno
    if one_line or end >= len(module.lines) or not isinstance(target, ast.expr):
        return None
    indent = " " * tape.node.body[-1].col_offset
    name = "target" if not tape.bindings("target") else "differentiated"
    line = module.insert_after(end, f"{indent}{name} = {module.source_of(target)}\n")
    return line, module.replace(target, name)


def watched(module: Module, tape: Tape, name: str) -> Edit | None:
    """The edit that watches a tensor in the first line of the block."""
    first = tape.node.body[0]
    if first.lineno == tape.node.lineno:
        return None
    return module.insert(first.lineno, 1, f"{' ' * first.col_offset}{tape.name}.watch({name})\n")


def watched_first(module: Module, tape: Tape, watch: ast.AST | None) -> tuple[Edit, ...] | None:
    """The edits that move the line with `tape.watch` to the top of the block."""
    statement = next((s for s in tape.node.body if isinstance(s, ast.Expr) and watch in (s, s.value)), None)
    first = tape.node.body[0]
    if statement is None or first.lineno == tape.node.lineno or statement.end_lineno != statement.lineno:
        return None
    line = module.lines[statement.lineno - 1]
    cut = module.replace_stretch(statement.lineno, 1, statement.lineno + 1, 1, "")
    return module.insert(first.lineno, 1, f"{line}\n"), cut


def _move(module: Module, tape: Tape, moved: list[ast.stmt], before: bool) -> tuple[Edit, ...] | None:
    first, last = moved[0].lineno, moved[-1].end_lineno or moved[-1].lineno
    column = tape.node.col_offset
    lines = module.lines[first - 1 : last]
    if has_long_texts(*moved) or lines[0][:column].strip() or last >= len(module.lines):
        return None
    indent = " " * tape.node.body[0].col_offset
    text = textwrap.indent(textwrap.dedent("\n".join(lines)), indent) + "\n"
    if before:
        return module.replace_lines(first, last, ""), module.insert(tape.node.body[0].lineno, 1, text)
    return (module.replace_lines(first, last, text),)


def _computes(module: Module, statement: ast.stmt, broken: ast.AST) -> bool:
    """Whether a node lies in a statement, or in a function that the statement calls by its name."""
    if any(part is broken for part in ast.walk(statement)):
        return True
    around = [function.name for function in module.functions.values() if broken in ast.walk(function.node)]
    called = {
        getattr(part.func, "attr", getattr(part.func, "id", ""))
        for part in ast.walk(statement)
        if isinstance(part, ast.Call)
    }
    inside = any(statement in ast.walk(f.node) for f in module.functions.values() if f.name in around)
    return bool(called & set(around)) and not inside
