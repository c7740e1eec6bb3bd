"""A program's text → the same program, which notes what each of its expressions gives.

The text is changed in place, `x + y` to `_note("train.py:3:4:3:9", (x + y))`, so that its lines stay as
they are: AutoGraph finds a lambda by its line.
"""

import ast
import collections

NOTED = (
    ast.Call,
    ast.BinOp,
    ast.Compare,
    ast.BoolOp,
    ast.UnaryOp,
    ast.Subscript,
    ast.Attribute,
    ast.Name,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.IfExp,
    ast.JoinedStr,
)
CHAINED = (ast.Attribute, ast.Subscript, ast.Call)
OF_ITS_FRAME = ("super", "globals", "locals", "vars", "dir", "eval", "exec")
IMPORT = b"from inference_probe.noting import note as _note\n"


def place_of(path: str, node: ast.expr) -> str:
    """By what an expression of a file is known: `train.py:3:4:3:9`."""
    return f"{path}:{node.lineno}:{node.col_offset}:{node.end_lineno}:{node.end_col_offset}"


def instrumented(text: str, path: str) -> str:
    """The program that notes its values; SyntaxError where it is no Python."""
    tree = ast.parse(text)
    finder = Noted()
    finder.visit(tree)
    before: dict[int, list[bytes]] = collections.defaultdict(list)  # by line and column, outer ones first
    after: dict[int, int] = collections.Counter()
    source = text.encode()
    starts = starts_of_lines(source)
    for node in finder.found:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        before[starts[node.lineno - 1] + node.col_offset].append(
            f'_note("{place_of(path, node)}", ('.encode()
        )
        after[starts[node.end_lineno - 1] + node.end_col_offset] += 1
    pieces, last = [], 0
    first = starts[line_of_import(tree) - 1] if tree.body else len(source)
    for position in sorted({*before, *after, first}):
        pieces += [source[last:position], b"))" * after[position]]
        pieces += [IMPORT] if position == first else []
        pieces += before[position]
        last = position
    return b"".join([*pieces, source[last:]]).decode()


def starts_of_lines(source: bytes) -> list[int]:
    """Where each line begins."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def line_of_import(tree: ast.Module) -> int:
    """The first line where an import may stand: after the docstring and what is imported of the future."""
    for node in tree.body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_text and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            decorators: list[ast.expr] = getattr(node, "decorator_list", [])
            return min([node.lineno, *(each.lineno for each in decorators)])
    return (tree.body[-1].end_lineno or 0) + 1


class Noted(ast.NodeVisitor):
    """Finds the expressions whose value can be noted, outer ones first.

    Of `a.b(c).d` these are `c` and the whole: what a method is called of stays as it is written, since
    AutoGraph looks at it (`items.append`), and so does what is no value of the program: annotations, bases,
    decorators, patterns.
    """

    def __init__(self) -> None:
        self.found: list[ast.expr] = []

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, NOTED) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            self.found.append(node)
            self.visit_parts(node)
        elif isinstance(node, CHAINED):
            self.visit_parts(node)
        else:
            super().visit(node)

    def visit_parts(self, node: ast.expr) -> None:
        """What stands inside an expression that is noted itself, or that cannot be."""
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            self.visit_chain(node.value)
            if isinstance(node, ast.Subscript):
                self.visit_index(node.slice)
        elif isinstance(node, ast.Call):
            self.visit_chain(node.func)
            if not (isinstance(node.func, ast.Name) and node.func.id in OF_ITS_FRAME):
                for each in (*node.args, *node.keywords):
                    self.visit(each)
        elif not isinstance(node, (ast.Name, ast.JoinedStr)):
            self.generic_visit(node)

    def visit_chain(self, node: ast.expr) -> None:
        """What an attribute, element or call is asked of."""
        if isinstance(node, (*CHAINED, ast.Name)):
            self.visit_parts(node)
        else:
            self.visit(node)

    def visit_index(self, node: ast.expr) -> None:
        """An index, of which a tuple may hold slices."""
        for each in node.elts if isinstance(node, ast.Tuple) else [node]:
            self.visit(each)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, CHAINED):
            self.visit_parts(node.value)
        else:
            self.generic_visit(node)

    def visit_body(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        for each in node.body:
            self.visit(each)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_body  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit(node.body)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_match_case(self, node: ast.match_case) -> None:
        for each in (*([node.guard] if node.guard else []), *node.body):
            self.visit(each)
