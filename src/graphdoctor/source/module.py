"""One parsed file and everything the rules may ask about it."""

import ast
import dataclasses
import functools
import re
import warnings

import msgspec

from graphdoctor.errors import SourceError, TooLargeError
from graphdoctor.model import Edit, Span
from graphdoctor.source.files import decode, read_bytes
from graphdoctor.source.functions import Function, collect_functions
from graphdoctor.source.keras_generation import generation_of
from graphdoctor.source.notebooks import Cell, notebook_cells, notebook_text
from graphdoctor.source.project import Project
from graphdoctor.source.scopes import Scope, Walk, walk_module
from graphdoctor.source.survey import Survey

NOQA = re.compile(r"#\s*noqa(?::\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*))?", re.IGNORECASE)

# Python converts no decimal number of more digits, unless an option asks for it that no file can set.
LONG_NUMBER = re.compile(r"\b[1-9][\d_]{4299,}\b")
KERAS_2_PACKAGE = re.compile(r"^\s*(?:import|from) tf_keras\b", re.MULTILINE)
TOO_MANY_DIGITS = "it holds a number with more digits than Python reads"
TOO_DEEP = "it is nested more deeply than Python reads"


@dataclasses.dataclass(eq=False)
class Module:
    """One file: its text, its syntax tree, and the facts found in it, computed when first asked for."""

    path: str
    text: str
    tree: ast.Module
    keras: int | None = None  # the Keras generation the project is known to use
    cells: tuple[Cell, ...] = ()  # of a notebook
    project: Project = dataclasses.field(default_factory=Project)
    attached: dict[type, object] = dataclasses.field(default_factory=dict)  # what others keep of it

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines of the text, without their ends."""
        return re.split(r"\r\n|\r|\n", self.text) if "\r" in self.text else self.text.split("\n")

    @functools.cached_property
    def walk(self) -> Walk:
        """Scopes, calls, functions and loops."""
        return walk_module(self.tree, self)

    @functools.cached_property
    def survey(self) -> Survey:
        """What it defines, without scopes and bindings: a third of the time of `walk`."""
        return Survey(self.tree)

    def name_of(self, definition: ast.AST) -> str:
        """The qualified name of a class, function or lambda."""
        name = self.survey.names.get(definition)
        return str(getattr(definition, "name", "<lambda>")) if name is None else name

    @functools.cached_property
    def functions(self) -> dict[ast.AST, Function]:
        """Every function by its node."""
        return collect_functions(self.walk, self.path)

    @functools.cached_property
    def keras_generation(self) -> int | None:
        """2 or 3; None when the source does not say, and rules that depend on it are silent.

        What a project or a run knows is which Keras `tf.keras` is: `tf_keras` is Keras 2 beside any.
        """
        if KERAS_2_PACKAGE.search(self.text):
            return 2
        return self.keras or generation_of(self.text, self.project.keras_generation(self.path))

    def span(self, node: ast.AST) -> Span:
        """Where a node stands."""
        line = getattr(node, "lineno", 1)
        end_line = getattr(node, "end_lineno", None) or line
        return self.place(
            line,
            self._column(line, getattr(node, "col_offset", 0)),
            end_line,
            self._column(end_line, getattr(node, "end_col_offset", 0) or 0),
        )

    def place(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """A stretch of the text; in a notebook its lines are counted from the top of their cell."""
        cell = next((c for c in self.cells if c.first <= line <= c.last), None)
        first = cell.first - 1 if cell is not None else 0
        return Span(
            path=self.path,
            line=line - first,
            column=column,
            end_line=end_line - first,
            end_column=end_column,
            cell=cell.number if cell is not None else None,
        )

    def text_line(self, span: Span) -> int:
        """The line of the whole text at which a span begins."""
        cell = next((c for c in self.cells if c.number == span.cell), None)
        return span.line + (cell.first - 1 if cell is not None else 0)

    @functools.cached_property
    def noqa_comments(self) -> list[tuple[int, int, int, list[str]]]:
        """Comments that name rules of ours: line, first and last column, and the rules they name."""
        found = []
        for number, line in enumerate(self.lines, start=1) if "noqa" in self.text else ():
            for comment in NOQA.finditer(line):
                codes = re.split(r"[,\s]+", (comment["codes"] or "").upper())
                if any(code.startswith("GD") for code in codes) and _is_comment(
                    self.text, line, comment.start()
                ):
                    found.append((number, comment.start(), comment.end(), codes))
        return found

    def scope_at(self, node: ast.AST) -> Scope:
        """The innermost scope of a function, class or module around a node."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        best = self.walk.root
        for owner, scope in self.walk.scopes.items():
            if isinstance(owner, ast.comprehension | ast.Module):
                continue
            start = (getattr(owner, "lineno", 0), getattr(owner, "col_offset", 0))
            end = (getattr(owner, "end_lineno", 0), getattr(owner, "end_col_offset", 0))
            if start <= (line, column) < end and scope.within(best):
                best = scope
        return best

    def source_of(self, node: ast.AST) -> str:
        """The text of a node, as the user wrote it."""
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        if first != last or not self.lines[first - 1].isascii():
            return ast.get_source_segment(self.text, node) or ""
        # `get_source_segment` splits the whole text each time, which takes longer than most rules.
        return self.lines[first - 1][getattr(node, "col_offset", 0) : getattr(node, "end_col_offset", 0)]

    def replace(self, node: ast.AST, text: str) -> Edit:
        """The edit that puts another text in a node's place."""
        span = self.span(node)
        return _edit(span, text)

    def replace_lines(self, first: int, last: int, text: str) -> Edit:
        """The edit that puts another text in the place of whole lines; both ends included."""
        end_line, end_column = (last + 1, 1) if last < len(self.lines) else (last, len(self.lines[-1]) + 1)
        return _edit(self.place(first, 1, end_line, end_column), text)

    def replace_in_parentheses(self, node: ast.AST, text: str) -> Edit:
        """Like `replace`, and without the parentheses directly around the node, when there are some."""
        span = self.span(node)
        first = self.text_line(span)
        before = self.lines[first - 1][: span.column - 1]
        after = self.lines[first + span.end_line - span.line - 1][span.end_column - 1 :]
        around = before.endswith("(") and after.startswith(")")
        return _edit(
            Span(
                path=span.path,
                line=span.line,
                column=span.column - around,
                end_line=span.end_line,
                end_column=span.end_column + around,
                cell=span.cell,
            ),
            text,
        )

    def replace_columns(self, line: int, first: int, last: int, text: str) -> Edit:
        """The edit that puts another text in the place of some columns of a line; `last` is not included."""
        return _edit(self.place(line, first, line, last), text)

    def replace_stretch(self, line: int, column: int, end_line: int, end_column: int, text: str) -> Edit:
        """The edit that puts another text in the place of a stretch; its end is not included."""
        return _edit(self.place(line, column, end_line, end_column), text)

    def insert(self, line: int, column: int, text: str) -> Edit:
        """The edit that inserts text before a place."""
        return _edit(self.place(line, column, line, column), text)

    def insert_before(self, node: ast.AST, text: str) -> Edit:
        """The edit that inserts text before a node."""
        span = self.span(node)
        return _edit(msgspec.structs.replace(span, end_line=span.line, end_column=span.column), text)

    def insert_behind(self, node: ast.AST, text: str) -> Edit:
        """The edit that inserts text right behind a node."""
        span = self.span(node)
        return _edit(msgspec.structs.replace(span, line=span.end_line, column=span.end_column), text)

    def insert_after(self, line: int, text: str) -> Edit:
        """The edit that inserts lines after a line; in a notebook they stay in its cell."""
        span = self.place(line, 1, line + 1, 1)
        return _edit(msgspec.structs.replace(span, line=span.end_line), text)

    def silencing_line(self, rule: str, span: Span, *, by_name: bool = False) -> int | None:
        """The line (of the whole text) whose `# noqa` silences a rule there, `by_name` if it names it.

        It stands on the first or the last line of the span.
        """
        first = self.text_line(span)
        for line in sorted({first, first + span.end_line - span.line}):
            if line <= len(self.lines) and _silences(self.lines[line - 1], rule, by_name):
                return line
        return None

    def _column(self, line: int, byte_offset: int) -> int:
        """`ast` counts columns in UTF-8 bytes from 0; people count characters from 1."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        if text.isascii():
            return byte_offset + 1
        return len(text.encode()[:byte_offset].decode(errors="ignore")) + 1


def _edit(span: Span, text: str) -> Edit:
    return Edit.at(
        span,
        text=text,
    )


def _is_comment(text: str, line: str, column: int) -> bool:
    """False for a `#` that stands in a string of the same line."""
    before = line[:column]
    return before.count('"') % 2 == 0 and before.count("'") % 2 == 0


def _silences(line: str, rule: str, by_name: bool = False) -> bool:
    for comment in NOQA.finditer(line):
        codes = comment["codes"]
        if (codes is None and not by_name) or rule in re.split(r"[,\s]+", (codes or "").upper()):
            return True
    return False


def parse_text(path: str, text: str, keras: int | None = None) -> Module:
    """The module in the text of a file, which need not be saved; of a notebook it is JSON."""
    if not path.endswith(".ipynb"):
        return parse_module(path, text, keras)
    data = text.encode("utf-8", "surrogatepass")
    return parse_module(path, notebook_text(path, data), keras, notebook_cells(path, data))


def parse_module(
    path: str, text: str, keras: int | None = None, cells: tuple[Cell, ...] | None = None
) -> Module:
    """The module in a text; SourceError with the line when it is not Python.

    Without `cells` those of a notebook are read from its file.
    """
    try:
        with warnings.catch_warnings():  # what Python thinks of a text's escapes is not ours to say
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        line = error.lineno or 1
        if _is_python_but_for_digits(text):
            raise TooLargeError(TOO_MANY_DIGITS, line) from None
        raise SourceError(f"{path} is not Python: {error.msg} on line {line}", line) from error
    except (RecursionError, MemoryError) as error:
        raise TooLargeError(TOO_DEEP) from error
    except ValueError as error:
        raise SourceError(f"{path} cannot be parsed: {error}") from error
    module = Module(path, text, tree, keras, cells_of(path) if cells is None else cells)
    module.project.add(module)
    return module


def _is_python_but_for_digits(text: str) -> bool:
    """Whether a text is Python once its longest numbers are written in base 16, which has no limit."""
    shorter = LONG_NUMBER.sub("0x0", text)
    if shorter == text:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(shorter)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def read_notebook_or_source(path: str, data: bytes | None = None) -> str:
    """The Python text of a file; the joined code cells of a notebook."""
    data = read_bytes(path) if data is None else data
    return notebook_text(path, data) if path.endswith(".ipynb") else decode(path, data)


def cells_of(path: str) -> tuple[Cell, ...]:
    """The code cells of a notebook; none for other files."""
    return notebook_cells(path, read_bytes(path)) if path.endswith(".ipynb") else ()
