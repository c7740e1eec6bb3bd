"""GD201."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Edit, Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.side_effects import confirmed
from graphdoctor.source import Kind, Module
from graphdoctor.source.bodies import Body
from graphdoctor.source.imports import tensorflow_at
from graphdoctor.source.names import dotted_name
from graphdoctor.source.once import runs_once
from graphdoctor.source.scopes import Scope

KEPT_OPTIONS = {"sep", "end"}


class PrintInGraph(Rule):
    """`print` in a traced function speaks while tracing, and never again.

    What it finds
    A call of Python's `print` in a function that TensorFlow traces, unless it says that it reports
    tracing itself (the words "trace" or "tracing" in its text), or shows nothing but shapes and dtypes.

    Why it matters
    A traced function runs as Python once; after that its graph runs. `print` shows symbolic tensors
    at the first call and nothing at the others.

    How to fix it
    `tf.print` is part of the graph and speaks at each call. It writes to standard error unless
    told otherwise (`output_stream=sys.stdout`), which is why the fix is not called safe.

    When to leave it
    When you want to see when the function is traced.
    """

    id = "GD201"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def train(x):
                    loss = tf.reduce_sum(x)
                    print("loss", loss)
                    return loss


                for step in range(3):
                    train(tf.ones([2]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def train(x):
                    loss = tf.reduce_sum(x)
                    tf.print("loss", loss)
                    return loss


                for step in range(3):
                    train(tf.ones([2]))
                """,
            output=(
                'loss Tensor("Sum:0", shape=(), dtype=float32)',
                "loss 2\nloss 2\nloss 2",
            ),
        ),
    )

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            for call in body.of(ast.Call):
                if body.dotted(call.func) != "builtins.print" or _reports_tracing(call):
                    continue
                handled = any(isinstance(outer, ast.ExceptHandler) for outer in body.ancestors(call))
                told_once = runs_once(body, call) and not _shows_tensor(body, call)
                if not handled and not told_once and not _shows_static_facts(call):
                    yield self.finding_in(
                        body,
                        call,
                        f"`print` runs only while `{body.name}` is traced, not at each call",
                        fix=_fix(body.home, call, body.scope_of(call)),
                    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from confirmed(self, facts, "`print`")


def _shows_tensor(body: Body, call: ast.Call) -> bool:
    return any(body.kind(argument) in (Kind.TENSOR, Kind.TENSORS) for argument in call.args)


def _shows_static_facts(call: ast.Call) -> bool:
    """Whether it prints shapes and dtypes, which are known while tracing and the same at each call."""
    shown = [argument for argument in call.args if not isinstance(argument, ast.Constant)]
    return bool(shown) and all(
        isinstance(argument, ast.Attribute) and argument.attr in ("shape", "dtype") for argument in shown
    )


def _reports_tracing(call: ast.Call) -> bool:
    texts = [n.value for n in ast.walk(call) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return any("trac" in text.lower() for text in texts)


def _fix(module: Module, call: ast.Call, scope: Scope) -> Fix:
    found = tensorflow_at(module, scope)
    formatted = any(
        isinstance(node, ast.JoinedStr)
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod))
        or (isinstance(node, ast.Attribute) and node.attr == "format")
        for argument in call.args
        for node in ast.walk(argument)
    )
    options = [_option(module, keyword, scope) for keyword in call.keywords]
    if found is None or formatted or not call.args or None in options:
        return Fix(title="Use `tf.print`", safety=Safety.MANUAL)
    tensorflow, imports = found
    edits = [edit for several in options if several for edit in several]
    edits += [module.replace(call.func, f"{tensorflow}.print"), *imports]
    return Fix(title="Use `tf.print`", safety=Safety.UNSAFE, edits=tuple(edits))


def _option(module: Module, keyword: ast.keyword, scope: Scope) -> tuple[Edit, ...] | None:
    """The edits that an option of `print` needs; None for those that `tf.print` has nothing like."""
    if keyword.arg in KEPT_OPTIONS:
        return ()
    if keyword.arg == "file" and dotted_name(keyword.value, scope) in ("sys.stderr", "sys.stdout"):
        return (module.replace(keyword, f"output_stream={module.source_of(keyword.value)}"),)
    return None
