"""Lines of a running program → the call and the argument expression that stand there."""

import ast
import functools
import os

import msgspec

from graphdoctor.errors import SourceError
from graphdoctor.model import FunctionRef, Span
from graphdoctor.model.masking import without_literals
from graphdoctor.model.span import whole_line
from graphdoctor.source.calls import bind_arguments
from graphdoctor.source.files import read_source
from graphdoctor.source.functions import Function
from graphdoctor.source.importers import Imports, imported_files
from graphdoctor.source.module import Module, parse_module
from graphdoctor.source.project import Project
from graphdoctor.source.remembering import remembered
from graphdoctor.source.scopes import Placed

Node = ast.AST  # for those who pass a node on and do not look into it
Expression = ast.expr
Site = tuple[Module, ast.AST]
ExpressionSite = tuple[Module, ast.expr]
CallSite = tuple[Module, ast.Call]
DECORATED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Sources:
    """Modules by path, parsed when first asked for; what cannot be read is None.

    `masked`: without the values in them, so that nothing which is said of them holds one.
    """

    def __init__(self, directory: str = "", keras: int | None = None, masked: bool = False) -> None:
        self.directory = directory
        self.masked = masked
        self._entry = ""
        self._project = Project(
            read=lambda path: _read(os.path.join(directory, path), masked),
            parse=lambda path, text: parse_module(path, text, keras),
            directory=directory,
        )

    @classmethod
    def of(cls, project: Project, entry: str = "") -> "Sources":
        """The modules of a project that is open already; `entry` is the file that is looked at."""
        sources = cls()
        sources._entry = entry
        sources._project = project
        return sources

    def module(self, path: str) -> Module | None:
        """The module at a path as findings name it."""
        return self._project.module(path)

    @property
    def modules(self) -> list[Module]:
        """All that imports the file in question, or that it leads to by imports; without one, all parsed.

        What else a process has parsed depends on which files it was given, and must not decide about a fix.
        """
        return self._reachable if self._entry else self._project.modules

    @functools.cached_property
    def _reachable(self) -> list[Module]:
        found: dict[str, Module] = {}
        imports = self._project.attached.setdefault(Imports, Imports())
        assert isinstance(imports, Imports)
        waiting = [self._entry, *imports.leading_to([self._entry])]
        while waiting:
            path = waiting.pop()
            module = self.module(path) if path not in found else None
            if module is not None:
                found[path] = module
                waiting += imported_files(self._project, path, module.tree)
        return [found[path] for path in sorted(found)]

    def node(self, span: Span) -> Site | None:
        """The outermost node that stands exactly there, and its module."""
        module = self.module(span.path)
        node = node_at(module, span) if module is not None else None
        return (module, node) if module is not None and node is not None else None

    def expression_at(self, span: Span) -> Site | None:
        """The expression that stands exactly there, also where it is a whole statement."""
        found = self.node(span)
        if found is not None and isinstance(found[1], ast.Expr):
            return found[0], found[1].value
        return found

    def given_at(self, span: Span) -> ExpressionSite | None:
        """The one value that a call gives there; None for what stands behind a `*`."""
        found = self.node(span)
        if found is None or not isinstance(found[1], ast.expr) or isinstance(found[1], ast.Starred):
            return None
        return found[0], found[1]

    def loop_head(self, span: Span) -> Span:
        """`for step in range(300)` of the loop there, without its body."""
        found = self.node(span)
        head = getattr(found[1], "iter", getattr(found[1], "test", None)) if found else None
        if found is None or head is None:
            return span
        end = found[0].span(head)
        return msgspec.structs.replace(span, end_line=end.end_line, end_column=end.end_column)

    def call_at(self, span: Span) -> CallSite | None:
        """The call that stands exactly there, and its module."""
        found = self.expression_at(span)
        return (found[0], found[1]) if found is not None and isinstance(found[1], ast.Call) else None

    def called_text(self, span: Span) -> str:
        """What is called there, as the source writes it; empty where it is no call."""
        found = self.call_at(span)
        return found[0].source_of(found[1].func) if found is not None else ""

    def function(self, ref: FunctionRef) -> Function | None:
        """The function that a run refers to by its place."""
        module = self.module(ref.path)
        if module is None:
            return None
        named = [f for f in module.functions.values() if f.ref.name == ref.name]
        # A recording counts the lines of a notebook from the top of their cell.
        found = [f for f in named if module.place(f.ref.line, 1, f.ref.line, 1).line == ref.line]
        return found[0] if len(found) == 1 else None

    def function_around(self, path: str, line: int) -> FunctionRef | None:
        """The innermost function whose text holds this line."""
        module = self.module(path)
        around = [
            function
            for function in (module.functions.values() if module else ())
            if function.ref.line <= line <= (function.node.end_lineno or line)
        ]
        return max(around, key=lambda function: function.node.lineno).ref if around else None

    def argument(
        self, path: str, line: int, function: FunctionRef, argument: str
    ) -> tuple[Module, ast.expr, Placed] | None:
        """The expression given for a parameter by the one call of the function on a line."""
        module, known = self.module(path), self.function(function)
        if module is None or known is None:
            return None
        placed = _call_on_line(module, line, function.name.rpartition(".")[2])
        if placed is None or not isinstance(placed.node, ast.Call):
            return None
        expression = bind_arguments(placed.node, known).get(root_of(argument))
        return (module, expression, placed) if expression is not None else None

    def call(self, path: str, line: int, name: str) -> Span | None:
        """Where the one call of this name on a line, or in the statement there, stands."""
        module = self.module(path)
        placed = _call_on_line(module, line, name) if module else None
        return module.span(placed.node) if module and placed else None

    def argument_span(self, path: str, line: int, function: FunctionRef, argument: str) -> Span:
        """Where that expression stands; the whole line where it cannot be reported."""
        found = self.argument(path, line, function, argument)
        return found[0].span(found[1]) if found else whole_line(path, line)

    def expression(self, path: str, line: int, text: str) -> Span:
        """The first expression on a line that reads like `text`; else the whole line."""
        module = self.module(path)
        if module is None:
            return whole_line(path, line)
        for node in ast.walk(module.tree):
            named = isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and node.lineno == line
            if named and ast.unparse(node).replace("'", '"') == text:
                return module.span(node)
        return whole_line(path, line)

    def line(self, path: str, line: int) -> Span:
        """The text of a line, without its indentation."""
        module = self.module(path)
        if module is None or line > len(module.lines) or not module.lines[line - 1].strip():
            return whole_line(path, line)
        text = module.lines[line - 1]
        start = len(text) - len(text.lstrip())
        return Span(path=path, line=line, column=start + 1, end_line=line, end_column=len(text.rstrip()) + 1)

    def text_of_line(self, path: str, line: int) -> str:
        """What a line says; empty where it is not at hand."""
        module = self.module(path)
        return module.lines[line - 1] if module is not None and 0 < line <= len(module.lines) else ""

    def statement(self, path: str, line: int) -> Span:
        """The innermost statement that begins on a line; else the whole line."""
        module = self.module(path)
        found = statement_on(module, line) if module else None
        return module.span(found) if module and found else whole_line(path, line)

    def first_line(self, path: str, line: int) -> int:
        """The line of the first decorator, for the line of a `def`: Python 3.10 takes one for the other."""
        module = self.module(path)
        decorated = (node for node in ast.walk(module.tree) if isinstance(node, DECORATED)) if module else ()
        firsts = (
            min(d.lineno for d in n.decorator_list)
            for n in decorated
            if n.lineno == line and n.decorator_list
        )
        return next(firsts, line)


def _read(path: str, masked: bool) -> str:
    text = read_source(path)
    try:
        return without_literals(text) if masked else text
    except ValueError as error:
        raise SourceError(f"{path} is not Python: {error}") from error


def node_at(module: Module, span: Span) -> ast.AST | None:
    """The outermost node of a module that stands exactly there."""
    line = module.text_line(span)
    level: list[ast.AST] = [module.tree]
    for node in level:  # it grows meanwhile: outer nodes come first
        if getattr(node, "lineno", 0) == line and module.span(node) == span:
            return node
        if node is module.tree:
            level += _top_level(module.tree).get(line, ())
        else:
            level += [child for child in ast.iter_child_nodes(node) if _reaches(child, line)]
    return None


@remembered(64)
def _top_level(tree: ast.Module) -> dict[int, list[ast.stmt]]:
    """The statements of a module itself, by each line that they may begin on."""
    found: dict[int, list[ast.stmt]] = {}
    for statement in tree.body:
        for line in range(_first_line(statement), (statement.end_lineno or statement.lineno) + 1):
            found.setdefault(line, []).append(statement)
    return found


def _reaches(node: ast.AST, line: int) -> bool:
    """Whether a node, or what stands in it, can begin on a line; statements tell it, others need not."""
    if not isinstance(node, ast.stmt):
        return True
    return _first_line(node) <= line <= (node.end_lineno or line)


def _first_line(node: ast.stmt) -> int:
    """Where a statement begins, its decorators included."""
    decorators = node.decorator_list if isinstance(node, DECORATED) else []
    return min([node.lineno, *(each.lineno for each in decorators)])


def statement_on(module: Module, line: int) -> ast.stmt | None:
    """The innermost statement that begins on a line."""
    found = [node for node in ast.walk(module.tree) if isinstance(node, ast.stmt) and node.lineno == line]
    return found[-1] if found else None


def parts_of(node: ast.AST) -> tuple[ast.AST, ...]:
    """A node; of a statement, which is all that a run knows, what stands in it as well."""
    return (node, *ast.walk(node)) if isinstance(node, ast.stmt) else (node,)


def root_of(argument: str) -> str:
    """The parameter that an argument path starts from: `batch` for `batch["mel"]`."""
    return argument.partition("[")[0].partition(".")[0]


def _call_on_line(module: Module, line: int, name: str) -> Placed | None:
    """The one call of this name on a line; else in the statement there, of which a trace may know no more."""
    called = [p for p in module.walk.calls if isinstance(p.node, ast.Call) and _called_name(p.node) == name]
    for found in (
        [placed for placed in called if _holds(placed.node, line)],
        [placed for placed in called if _is_simple(placed.statement) and _holds(placed.statement, line)],
    ):
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _holds(node: ast.AST, line: int) -> bool:
    first = getattr(node, "lineno", 0)
    return bool(first <= line <= (getattr(node, "end_lineno", None) or first))


def _is_simple(statement: ast.stmt) -> bool:
    return not hasattr(statement, "body")


def _called_name(call: ast.Call) -> str | None:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else None
