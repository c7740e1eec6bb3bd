"""The reference of the Python interface, from signatures and docstrings; nothing is imported."""

import ast
import dataclasses
import inspect
import pathlib
from collections.abc import Iterator

SOURCE = pathlib.Path(__file__).parents[2] / "src"
MODULES = ("graphdoctor", "graphdoctor.batching", "graphdoctor.keras")
PLUGIN = "graphdoctor.integrations.pytest_plugin"
Definition = ast.FunctionDef | ast.ClassDef


@dataclasses.dataclass(frozen=True)
class Name:
    """A public name: where users find it, and its definition; None for a plain value."""

    module: str
    name: str
    definition: Definition | None


def public_names(module: str) -> list[Name]:
    """The names that a module gives out, in its own order."""
    tree = _tree(module)
    return [Name(module, name, _find(name, module)) for name in _exported(tree)]


def render_reference() -> str:
    """The page as Markdown."""
    parts = ["# Python interface", "Everything here may be relied on; what is not here may change."]
    for module in MODULES:
        parts += [f"## {module}", _docstring(_tree(module))]
        parts += [part for name in public_names(module) for part in _described(name)]
    parts += ["## The pytest plugin", _docstring(_tree(PLUGIN)), *_plugin()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _tree(module: str) -> ast.Module:
    return ast.parse(_file(module).read_text(encoding="utf-8"))


def _file(module: str) -> pathlib.Path:
    path = SOURCE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _exported(tree: ast.Module) -> list[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return list(ast.literal_eval(node.value))
    raise LookupError("no __all__")


def _find(name: str, module: str) -> Definition | None:
    """The definition, through the imports that lead to it."""
    tree = _tree(module)
    for node in ast.walk(tree):
        if isinstance(node, Definition) and node.name == name:
            return node
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("graphdoctor"):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return _find(alias.name, node.module)
    return None


def _docstring(node: ast.Module | Definition) -> str:
    return inspect.cleandoc(ast.get_docstring(node) or "")


def _described(name: Name) -> Iterator[str]:
    yield f"### `{name.module}.{name.name}`"
    node = name.definition
    if node is None:
        yield "A value."
        return
    yield _code(node)
    yield _as_markdown(_docstring(node))
    if isinstance(node, ast.ClassDef):
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
                yield f"#### `{name.name}.{part.name}`"
                yield _code(part)
                yield _as_markdown(_docstring(part))


def _code(node: Definition) -> str:
    """How it is called, or for a class how its objects are made, or which fields they have."""
    if isinstance(node, ast.FunctionDef):
        reported = _field(node) if _is_property(node) else _signature(node, node.name)
        return f"```python\n{reported}\n```"
    made = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    if made is not None:
        return f"```python\n{_signature(made, node.name)}\n```"
    fields = [ast.unparse(part) for part in node.body if isinstance(part, ast.AnnAssign)]
    bases = f"({', '.join(ast.unparse(base) for base in node.bases)})" if node.bases else ""
    head = f"class {node.name}{bases}" + (":" if fields else "")
    return "```python\n" + "\n    ".join([head, *fields]) + "\n```"


def _is_property(node: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


def _field(node: ast.FunctionDef) -> str:
    return node.name + (f": {_type(node.returns)}" if node.returns else "")


def _type(node: ast.expr) -> str:
    """A type as it is meant: one that is named before it exists stands in quotes in the source."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ast.unparse(node)


def _signature(node: ast.FunctionDef, name: str) -> str:
    arguments = node.args
    own = [a.arg for a in (*arguments.posonlyargs, *arguments.args)][:1]
    text = ast.unparse(arguments)
    if own in (["self"], ["cls"]):
        text = text.partition(", ")[2]
    returned = f" -> {_type(node.returns)}" if node.returns and node.name != "__init__" else ""
    line = f"{name}({text}){returned}"
    if len(line) <= 90:
        return line
    call = ast.parse(f"def f({text}): ...").body[0]
    assert isinstance(call, ast.FunctionDef)
    return f"{name}(\n" + "".join(f"    {part},\n" for part in _arguments(call.args)) + f"){returned}"


def _arguments(arguments: ast.arguments) -> Iterator[str]:
    """Each argument as it is written, with its default."""
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    for argument, default in zip(plain, defaults, strict=True):
        yield _argument(argument, default)
    if arguments.vararg:
        yield f"*{ast.unparse(arguments.vararg)}"
    elif arguments.kwonlyargs:
        yield "*"
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _argument(argument, default)
    if arguments.kwarg:
        yield f"**{ast.unparse(arguments.kwarg)}"


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(argument) + (f" = {ast.unparse(default)}" if default is not None else "")


def _as_markdown(text: str) -> str:
    """A docstring with its `Args:` as a list."""
    before, found, after = text.partition("\nArgs:\n")
    if not found:
        return text
    lines: list[str] = []
    for line in inspect.cleandoc(after).split("\n"):
        head, colon, rest = line.partition(": ")
        is_argument = bool(colon) and head.strip("*").isidentifier() and not line.startswith(" ")
        lines.append(f"- `{head}`: {rest}" if is_argument else f"  {line.strip()}" if line.strip() else "")
    return before + "\n\n" + "\n".join(lines)


def _plugin() -> Iterator[str]:
    """Its options, markers and fixtures, as they stand in its source."""
    tree = _tree(PLUGIN)
    yield "### Options"
    options = [node for node in ast.walk(tree) if _is_call(node, "addoption")]
    yield "\n".join(f"- `{_first(option)}`: {_keyword(option, 'help')}" for option in options)
    yield "### Markers"
    (markers,) = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "MARKERS"
    ]
    reported = [text.partition(": ") for text in ast.literal_eval(markers)]
    yield "\n".join(f"- `@pytest.mark.{marker}`: {text}" for marker, _, text in reported)
    yield "### Fixtures"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and any(
            "fixture" in ast.unparse(d) for d in node.decorator_list
        ):
            yield f"- `{node.name}`: {_docstring(node)}"


def _is_call(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == name


def _first(call: ast.AST) -> str:
    assert isinstance(call, ast.Call)
    return str(ast.literal_eval(call.args[0]))


def _keyword(call: ast.AST, name: str) -> str:
    assert isinstance(call, ast.Call)
    return next(str(ast.literal_eval(k.value)) for k in call.keywords if k.arg == name)
