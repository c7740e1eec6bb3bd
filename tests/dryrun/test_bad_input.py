"""Programs that nobody can run to the end, or that are made to confuse: no crash, no hang, silence."""

import pathlib
import time
from textwrap import dedent

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module, check_paths, check_text
from graphdoctor.source import parse_module

HEAD = "import tensorflow as tf\n"
SECONDS = 20.0

PROGRAMS = {
    "recursion without end": """
        def f(x):
            return f(x + 1) + g(x)
        def g(x):
            return f(x) * g(x - 1)
        @tf.function
        def step(x):
            return x
        f(1)
        step(tf.ones([2]))
    """,
    "a loop without end": """
        @tf.function
        def step(x):
            return x
        while True:
            step(tf.ones([2]))
    """,
    "a generator without end": """
        def numbers():
            n = 0
            while True:
                yield n
                n += 1
                yield from numbers()
        @tf.function
        def step(x):
            return x
        for n in numbers():
            step(tf.ones([2]))
    """,
    "powers": """
        x = 10 ** 10 ** 10
        y = "a" * 10 ** 12
        z = [0] * 10 ** 12
        w = 1 << 10 ** 9
        @tf.function
        def step(x):
            return x
        step(tf.ones([2]))
    """,
    "sizes that no tensor has": """
        x = tf.ones([6, 4])
        for n in (0, -1, 10 ** 400):
            tf.split(x, n)
            tf.reshape(x, [n, -1])
            tf.tile(x, [n, n])
            tf.one_hot(x, n)
            tf.range(0, 10, n)
            tf.data.Dataset.range(10).batch(n)
        @tf.function
        def step(x):
            return x
        step(x)
    """,
    "classes made by type": """
        A = type("A", (), {"f": lambda self: 1})
        B = type("B", (A,), {})
        class M(type):
            def __new__(mcs, name, bases, body):
                body["step"] = tf.function(lambda self, x: x)
                return super().__new__(mcs, name, bases, body)
            def __call__(cls, *args):
                return super().__call__(*args)
        class C(metaclass=M):
            pass
        C().step(tf.ones([2]))
        B().f()
    """,
    "exec": """
        exec("def f(x): return x")
        code = compile("y = 1", "<s>", "exec")
        eval("f")(3)
        globals()["g"] = tf.function(lambda x: x)
        g(tf.ones([2]))
    """,
    "monkey patching": """
        import numpy as np
        tf.function = lambda f: f
        np.random.rand = lambda: 4
        class A:
            pass
        A.step = lambda self, x: x
        A().step(tf.ones([2]))
        A.__call__ = A.step
        A()(1)
    """,
    "names that shadow builtins": """
        list = [1, 2]
        dict = {"a": list}
        def print(*args):
            return args
        len = 3
        def range(n):
            return n
        @tf.function
        def step(x):
            print(x)
            for i in list:
                x += range(i)
            return x
        step(tf.ones([2]))
    """,
    "a class that is its own base's attribute": """
        class A:
            pass
        A.a = A
        A.b = A()
        A.b.c = A.b
        d = {}
        d["d"] = d
        l = []
        l.append(l)
        @tf.function
        def step(x, d):
            return x
        step(tf.ones([2]), l)
    """,
    "attributes that ask for themselves": """
        class A:
            def __getattr__(self, name):
                return getattr(self, name)
            @property
            def p(self):
                return self.p
            def __call__(self, x):
                return self(x)
        tf.function(A())(A().p)
    """,
    "metaclasses": """
        class Registry(type):
            known = {}
            @classmethod
            def __prepare__(mcs, name, bases):
                return {"made": name}
            def __init__(cls, name, bases, body):
                super().__init__(name, bases, body)
                Registry.known[name] = cls
            def __getitem__(cls, key):
                return cls
            def __iter__(cls):
                yield cls
        class Base(metaclass=Registry):
            def __init_subclass__(cls, **options):
                cls.step = tf.function(lambda self, x: x)
            def __class_getitem__(cls, key):
                return cls
        class A(Base, option=1):
            pass
        for each in A:
            each[3]().step(tf.ones([2]))
        Registry.known["A"]().step(tf.ones([2]))
    """,
    "a stub": """
        from typing import Any, overload
        class Layer(tf.keras.layers.Layer):
            units: int
            def __init__(self, units: int = ...) -> None: ...
            def call(self, inputs: Any, training: bool = ...) -> tf.Tensor: ...
            @property
            def rate(self) -> float: ...
        @overload
        def scale(x: int) -> int: ...
        @overload
        def scale(x: str) -> str: ...
        @tf.function
        def train(x: tf.Tensor, y=...) -> tf.Tensor: ...
    """,
    "classes that make classes": """
        def make(n):
            class Made(make(n - 1) if n else object):
                def step(self, x):
                    return make(n)().step(x)
            return Made
        @tf.function
        def step(x):
            return make(3)().step(x)
        step(tf.ones([2]))
    """,
    "decorators that decorate themselves": """
        def deco(f):
            return deco(deco)
        @deco
        @deco
        def f(x):
            return f
        @tf.function
        def step(x):
            return f(f)(step)
        step(step)
    """,
}


def _checked(text: str) -> list[str]:
    begin = time.process_time()
    found = check_module(parse_module("program.py", text, 3), Config())
    assert time.process_time() - begin < SECONDS
    return [f"{finding.rule}:{finding.line}" for finding in found]


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_nothing_is_said(program: str) -> None:
    assert _checked(HEAD + dedent(program)) == []


def test_a_program_that_takes_too_long_is_reported() -> None:
    tower = "def f0(x):\n    return x\n" + "".join(
        f"def f{n}(x):\n    return f{n - 1}(x) + f{n - 1}(x)\n" for n in range(1, 30)
    )
    step = "@tf.function\ndef step(x):\n    return x\n"
    report = check_text("program.py", HEAD + step + tower + "f29(1)\nstep(tf.ones([2]))\n", Config(keras=3))
    assert report.findings == ()
    assert [(each.name, each.reason) for each in report.coverage.not_followed] == [("<module>", "budget")]


def test_a_huge_literal_and_deep_nesting() -> None:
    table = "table = [" + ", ".join(str(n) for n in range(50_000)) + "]\n"
    names = "names = {" + ", ".join(f"'k{n}': {n}" for n in range(20_000)) + "}\n"
    nested = "deep = " + "[" * 60 + "]" * 60 + "\nlong = " + " + ".join(["1"] * 500) + "\n"
    step = "@tf.function\ndef step(x):\n    return x + table[3]\nstep(tf.ones([2]))\n"
    assert _checked(HEAD + table + names + nested + step) == []


def test_a_file_of_a_hundred_thousand_lines() -> None:
    many = "".join(f"def f{n}(x):\n    y = x + {n}\n    return y\n\n" for n in range(25_000))
    assert _checked(HEAD + many + "step = tf.function(f7)\nstep(tf.ones([2]))\n") == []


def test_hundreds_of_cells_that_are_alike_take_time_as_they_are_many() -> None:
    cell = (
        "model = tf.keras.Sequential([tf.keras.layers.Dense(2)])\nhistory = []\nfor epoch in range(3):\n"
        "    with tf.GradientTape() as tape:\n        loss = tf.reduce_mean(model(x) ** 2)\n"
        "    history.append(float(loss))\n@tf.function\ndef step(x):\n    return x * len(history)\nstep(x)\n"
    )
    few, many = (_seconds(HEAD + "x = tf.ones([2, 2])\n" + cell * count) for count in (50, 200))
    assert many < 10 * few + 1


def test_thousands_of_graph_functions_take_time_as_they_are_many() -> None:
    def program(count: int) -> str:
        made = (f"@tf.function\ndef f{n}(x, k):\n    return x + k\nf{n}(x, {n})\n" for n in range(count))
        return HEAD + "x = tf.ones([2])\n" + "".join(made)

    assert _seconds(program(1_000)) < 10 * _seconds(program(250)) + 1


def _seconds(program: str) -> float:
    begin = time.process_time()
    _checked(program)
    return time.process_time() - begin


def test_modules_that_import_each_other(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(HEAD + "from b import *\nimport a\nx = a.x\ntf.function(g)(x)\n")
    (tmp_path / "b.py").write_text(HEAD + "from a import x, nothing\ndef g(x):\n    return x\n")
    assert check_paths(["."], Config()).findings == ()


def test_a_file_of_python_2_is_reported_and_no_more(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text(HEAD + "tf.function(f)\nprint 'a'\nexec 'b' in c\n")
    assert [finding.rule for finding in check_paths(["."], Config()).findings] == ["GD000"]
