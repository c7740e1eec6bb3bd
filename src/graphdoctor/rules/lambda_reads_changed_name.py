"""GD313."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.control_flow import graph_branches, graph_loops, stored_names


class LambdaReadsChangedName(Rule):
    """A lambda does not see what a later tensor `if` or loop does to a name.

    What it finds
    `show = lambda: total` in a function that AutoGraph converts, when `total` changes afterwards in an
    `if` on a tensor or in a loop variable of a TensorFlow loop, and the lambda is called after that.

    Why it matters
    AutoGraph gives the changed name a new place, and the lambda still reads the old one: the graph
    computes with the value from before, without a word. Eager mode uses the new value.

    How to fix it
    Use `def`: AutoGraph converts it together with the function around it.

    When to leave it
    Never.
    """

    id = "GD313"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def largest(n):
                    total = tf.constant(0)
                    show = lambda: total
                    if n > 1:
                        total = n
                    return show()


                print(largest(tf.constant(3)).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def largest(n):
                    total = tf.constant(0)

                    def show():
                        return total

                    if n > 1:
                        total = n
                    return show()


                print(largest(tf.constant(3)).numpy())
                """,
            output=("0", "3"),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            changing = [*graph_branches(body), *graph_loops(body)]
            for statement in body.of(ast.Assign) if changing else ():
                found = _named_lambda(statement)
                if found is None:
                    continue
                name, function = found
                changed = _changed_between(body, statement, name, function, changing)
                if changed is not None:
                    yield self.finding_in(
                        body,
                        function,
                        f"`{name}` reads `{changed}` as it was before it changed in the graph",
                        fix=_fix(body, statement, name, function),
                    )


def _named_lambda(statement: ast.Assign) -> tuple[str, ast.Lambda] | None:
    target = statement.targets[0]
    if isinstance(target, ast.Name) and isinstance(statement.value, ast.Lambda):
        return target.id, statement.value
    return None


def _changed_between(
    body: Body,
    statement: ast.Assign,
    name: str,
    function: ast.Lambda,
    changing: list[ast.If | ast.For | ast.While],
) -> str | None:
    """A name that the lambda reads and that a tensor `if` or loop variable changes before it is called."""
    own = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
    read = {node.id for node in ast.walk(function.body) if isinstance(node, ast.Name)} - own
    calls = [use.lineno for use in body.loads.get(name, ())]
    for change in changing:
        after = any(line > (change.end_lineno or change.lineno) for line in calls)
        if change.lineno <= statement.lineno or not after:
            continue
        if isinstance(change, ast.For):
            stored = set(stored_names([ast.Expr(change.target)]))
        elif isinstance(change, ast.If):
            stored = set(stored_names(change.body)) | set(stored_names(change.orelse))
        else:
            continue
        for common in sorted(read & stored):
            found = body.scope.lookup(common)
            if found is not None and found[0] is body.scope and _is_set_before(body, common, statement):
                return common
    return None


def _is_set_before(body: Body, name: str, statement: ast.Assign) -> bool:
    found = body.scope.lookup(name)
    return found is not None and any(
        getattr(binding.node, "lineno", 0) < statement.lineno for binding in found[1]
    )


def _fix(body: Body, statement: ast.Assign, name: str, function: ast.Lambda) -> Fix:
    line = body.home.lines[statement.lineno - 1]
    indent = line[: len(line) - len(line.lstrip())]
    arguments = body.home.source_of(function).partition(":")[0].removeprefix("lambda").strip()
    single = statement.lineno == statement.end_lineno and not function.args.defaults
    last = statement.lineno >= len(body.home.lines)
    if not single or last or len(statement.targets) != 1 or line.strip() != body.home.source_of(statement):
        return Fix(title="Use `def`", safety=Safety.MANUAL)
    lines = body.home.lines
    before = "" if not lines[statement.lineno - 2].strip() else "\n"
    after = "" if not lines[statement.lineno].strip() else "\n"
    value = body.home.source_of(function.body)
    text = f"{before}{indent}def {name}({arguments}):\n{indent}    return {value}\n{after}"
    edit = body.home.replace_lines(statement.lineno, statement.lineno, text)
    return Fix(title="Use `def`", safety=Safety.SAFE, edits=(edit,))
