"""GD205."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.flow import reaching_bindings

CHANGERS = {
    "append", "extend", "insert", "pop", "popitem", "remove", "clear", "update", "setdefault", "reverse",
}  # fmt: skip


class ArgumentMutated(Rule):
    """A graph function may not change the list or dict that it is given.

    What it finds
    `batch["mask"] = …`, `del batch["x"]`, `items.append(…)` or `batch.pop(…)` on a parameter of a
    function decorated with `tf.function`.

    Why it matters
    TensorFlow compares the arguments after tracing and raises ValueError: "should not modify its
    Python input arguments".

    How to fix it
    Change a copy: `batch = dict(batch)` or `items = list(items)` as the first line.

    When to leave it
    When the argument is an object of a class of yours that allows the change.
    """

    id = "GD205"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"should not modify its Python input arguments.*modified: (\w+)",
            meaning="the function changes its argument `{0}`, which a traced function must not",
            order="Change a copy",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def prepare(batch):
                    batch["mask"] = batch["ids"] > 0
                    return batch


                print(prepare({"ids": tf.constant([1, 0])})["mask"].numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def prepare(batch):
                    batch = dict(batch)
                    batch["mask"] = batch["ids"] > 0
                    return batch


                print(prepare({"ids": tf.constant([1, 0])})["mask"].numpy())
                """,
            raises="ValueError",
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            entry = module.context.entries.get(body.function.node)
            if entry is None or entry.traced is None:
                continue
            for node, owner in _changes(body):
                if _is_parameter(body, owner):
                    yield self.finding_in(
                        body,
                        node,
                        f"`{body.name}` changes its argument `{owner.id}`, which a graph function may not",
                        argument=owner.id,
                        fix=_fix(body, owner, node),
                    )


def _changes(body: Body) -> Iterator[tuple[ast.AST, ast.Name]]:
    for item in body.of(ast.Subscript):
        if isinstance(item.ctx, ast.Store | ast.Del) and isinstance(item.value, ast.Name):
            yield item, item.value
    for call in body.of(ast.Call):
        target = call.func
        if (
            isinstance(target, ast.Attribute)
            and target.attr in CHANGERS
            and isinstance(target.value, ast.Name)
        ):
            yield call, target.value


def _is_parameter(body: Body, owner: ast.Name) -> bool:
    """Whether the name still holds what was passed, and that can be a list or a dict."""
    found = reaching_bindings(owner, body.scope_of(owner))
    if found is None or found[0] is not body.scope or len(found[1]) != 1:
        return False
    binding = found[1][0]
    arguments = body.function.node.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    first = body.function.owner is not None and not body.function.is_static
    names = [argument.arg for argument in given][first:]
    if binding.kind != "parameter" or owner.id not in names:
        return False
    annotated = isinstance(binding.node, ast.arg) and binding.node.annotation is not None
    return body.kind(owner) in (Kind.UNKNOWN, Kind.LIST, Kind.DICT) and not (
        annotated and not _is_container(binding.node)
    )


def _is_container(node: ast.AST) -> bool:
    text = ast.dump(node.annotation) if isinstance(node, ast.arg) and node.annotation else ""
    return any(name in text for name in ("'dict'", "'list'", "'Dict'", "'List'", "'Mapping'"))


def _fix(body: Body, owner: ast.Name, node: ast.AST) -> Fix:
    """Copy the argument in the first line, when the change shows whether it is a dict."""
    maker = _maker(node)
    first = body.function.node.body[0] if isinstance(body.function.node.body, list) else None
    if maker is None or first is None or _is_docstring(first):
        return Fix(title="Change a copy of it", safety=Safety.MANUAL)
    line = body.home.lines[first.lineno - 1]
    indent = line[: len(line) - len(line.lstrip())]
    return Fix(
        title="Change a copy of it",
        safety=Safety.SAFE,
        edits=(body.home.insert(first.lineno, 1, f"{indent}{owner.id} = {maker}({owner.id})\n"),),
    )


def _maker(node: ast.AST) -> str | None:
    if isinstance(node, ast.Subscript):
        key = node.slice
        return "dict" if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return "list" if node.func.attr in ("append", "extend", "insert", "reverse", "remove") else None
    return None


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
