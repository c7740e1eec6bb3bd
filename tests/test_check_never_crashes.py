"""Any valid Python can be checked: no rule fails on code that it does not understand."""

import ast
import pathlib
import sysconfig

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

LIBRARY = pathlib.Path(sysconfig.get_paths()["stdlib"])
# Modules of the standard library that between them use all of Python's syntax.
MODULES = ("asyncio/base_events.py", "contextlib.py", "dataclasses.py", "enum.py", "functools.py")
TRACE_ALL = "import tensorflow as tf\n"


def crashes(text: str) -> list[str]:
    return [f.message for f in check_module(parse_module("program.py", text), Config()) if f.rule == "GD000"]


class _Decorator(ast.NodeTransformer):
    """Makes every function a graph function, so that every rule looks into it."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.decorator_list = [ast.Attribute(ast.Name("tf", ast.Load()), "function", ast.Load())]
        return node


@pytest.mark.parametrize("name", [name for name in MODULES if (LIBRARY / name).exists()])
def test_standard_library_with_every_function_traced(name: str) -> None:
    tree = _Decorator().visit(ast.parse((LIBRARY / name).read_text(encoding="utf-8")))
    future = [line for line in ast.unparse(tree).split("\n") if line.startswith("from __future__")]
    text = "\n".join(line for line in ast.unparse(tree).split("\n") if line not in future)
    assert crashes("\n".join(future) + "\n" + TRACE_ALL + text) == []


NAMES = st.sampled_from(["x", "y", "tf", "self", "f"])
VALUES = st.sampled_from(
    [
        "x", "y", "1", "0.5", "None", "tf.abs(x)", "tf.range(y)", "[x, y]", "{'a': x}", "lambda: x", "f(x)",
        "x[0]", "(y := x)", "[v for v in x]", "tf.reduce_sum(x) > 0", "x.shape[0]", "self.x",
        "tf.TensorArray(x)",
    ]
)  # fmt: skip
SIMPLE = st.one_of(
    st.builds("{} = {}".format, NAMES, VALUES),
    st.builds("{} += {}".format, NAMES, VALUES),
    st.builds("x, *y = {}".format, VALUES),
    st.builds("self.x = {}".format, VALUES),
    st.builds("x[{}] = {}".format, VALUES, VALUES),
    st.builds("x.append({})".format, VALUES),
    st.builds("assert {}".format, VALUES),
    st.sampled_from(["return", "return x", "pass", "raise ValueError('a')", "global g", "del x", "print(x)"]),
)


def indent(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


BASES = st.sampled_from(["", "tf.Module", "tf.keras.Model", "tf.keras.layers.Layer", "dict", "x", "C"])


def _class(base: str, start: list[str], step: list[str]) -> list[str]:
    methods = [
        "def __init__(self, x=1):",
        *indent(start),
        "@tf.function",
        "def call(self, x):",
        *indent(step),
    ]
    return [f"class C({base}):", *indent(methods), "c = C(x)", "y = c.call(x)", "c.y = c"]


def _closure(body: list[str]) -> list[str]:
    inner = ["nonlocal y", "y = y + z", *body]
    return [
        "def outer(x, y=1):",
        "    def inner(z=1):",
        *indent(indent(inner)),
        "    return inner",
        "outer(x)()",
    ]


def _generator(values: str, body: list[str]) -> list[str]:
    return ["def make(x):", *indent(body), f"    yield from {values}", "for y in make(x):", "    x = y"]


def _loop(body: list[str], end: list[str]) -> list[str]:
    steps = [*body, "if y:", "    continue", "x = [x, y]"]
    return ["for y in range(3):", *indent(steps), "else:", *indent(end)]


BLOCKS = st.recursive(
    st.lists(SIMPLE, min_size=1, max_size=3),
    lambda inner: st.one_of(
        st.builds(lambda test, a, b: [f"if {test}:", *indent(a), "else:", *indent(b)], VALUES, inner, inner),
        st.builds(lambda test, a: [f"while {test}:", *indent(a), "    break"], VALUES, inner),
        st.builds(lambda name, it, a: [f"for {name} in {it}:", *indent(a)], NAMES, VALUES, inner),
        st.builds(lambda a, b: ["try:", *indent(a), "except Exception as x:", *indent(b)], inner, inner),
        st.builds(lambda a: ["def f(x, y=1):", *indent(a)], inner),
        st.builds(lambda a: ["with tf.init_scope() as y:", *indent(a)], inner),
        st.builds(_class, BASES, inner, inner),
        st.builds(_closure, inner),
        st.builds(_generator, VALUES, inner),
        st.builds(_loop, inner, inner),
    ),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(BLOCKS, st.booleans())
def test_made_up_programs(block: list[str], traced: bool) -> None:
    begin = ["@tf.function", "def program(self, x, y):"] if traced else ["if True:"]
    text = "\n".join([TRACE_ALL, *begin, *indent(block)]) + "\n"
    try:
        compile(text, "program.py", "exec")
    except SyntaxError:
        return
    assert crashes(text) == []


def test_names_that_are_bound_from_each_other_again_and_again_come_to_an_end() -> None:
    lines = ["import tensorflow as tf", "a = b = tf.data.Dataset.range(3)"]
    for number in range(60):
        lines += [f"if unknown({number}):", "    a = b.map(f).batch(2)", "    b = a.filter(f).take(3)"]
    lines += ["def use():", "    return a.map(lambda x: x + 1), b.map(lambda x: x - 1)"]
    assert check_module(parse_module("program.py", "\n".join(lines) + "\n"), Config()) == []
