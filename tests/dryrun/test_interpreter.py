"""Python as the dry run understands it: a program and what is known of `result` at its end."""

import pathlib
from textwrap import dedent

import pytest

from graphdoctor.dryrun import recorder  # noqa: F401 (registers statements, expressions and models)
from graphdoctor.dryrun.core.entry_points import start
from graphdoctor.dryrun.core.event_log import Log
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.core.program import Program
from graphdoctor.dryrun.values import Value
from graphdoctor.source import parse_module, read_source
from graphdoctor.source.project import Project


def value_after(text: str, name: str = "result", folder: pathlib.Path | None = None) -> str:
    """What is known of a name after a program: `Constant(3)`, `AbstractNumber(int)`, `Unknown`."""
    path = str(folder / "program.py") if folder is not None else "program.py"
    project = Project(read_source, lambda path, text: parse_module(path, text, 3))
    project.add(parse_module(path, dedent(text).strip() + "\n", 3))
    machine = Machine(Program(project), Log())
    module = machine.program.begin(path)
    assert module is not None
    start(machine, 50_000, lambda: machine.program.load(machine, module))  # type: ignore[arg-type, func-returns-value]
    value = module.scope.cells.get(name)
    assert value is None or isinstance(value, Value)
    return repr(value)


PROGRAMS = {
    "arithmetic": ("result = 2 ** 3 + 7 // 2 - 1", "Constant(10)"),
    "a text": ("result = 'a' + 'b' * 2", "Constant('abb')"),
    "an f-string": ("n = 3\nresult = f'{n} of {n + 1}'", "Constant('3 of 4')"),
    "comparison": ("result = 1 < 2 <= 2 and not False", "Constant(True)"),
    "unpacking": ("a, *b, c = 1, 2, 3, 4\nresult = b[1] + c", "Constant(7)"),
    "a known branch": ("x = 3\nif x > 2:\n    result = 'yes'\nelse:\n    result = 'no'", "Constant('yes')"),
    "an unknown branch": ("import os\nresult = 1 if os.getenv('A') else 2", "AbstractNumber(int)"),
    "an unknown branch of two kinds": (
        "import os\nif os.getenv('A'):\n    result = 1\nelse:\n    result = None",
        "Union(Constant(1), Constant(None))",
    ),
    "narrowed by a guard": (
        """
        import os
        def f(x):
            if x is None:
                x = 5
            return x
        result = f(None)
        """,
        "Constant(5)",
    ),
    "a short loop": ("result = 0\nfor i in range(4):\n    result += i", "Constant(6)"),
    "a long loop": ("result = 0\nfor i in range(100):\n    result += i", "AbstractNumber(int, varies)"),
    "a while loop": ("result = 1\nwhile result < 20:\n    result *= 3", "Constant(27)"),
    "break": ("for result in range(5):\n    if result == 2:\n        break", "Constant(2)"),
    "a comprehension": ("result = [i * i for i in range(4) if i % 2]", "list(Constant(1), Constant(9))"),
    "a dict": ("d = {'a': 1}\nd['b'] = d['a'] + 1\nresult = d['b']", "Constant(2)"),
    "dict.get": ("d = {'a': 1}\nresult = d.get('b', 7)", "Constant(7)"),
    "dict.items": ("result = [k for k, v in {'a': 1, 'b': 2}.items() if v > 1]", "list(Constant('b'),)"),
    "a list's methods": ("r = [1]\nr.append(2)\nr.extend([3])\nresult = r.pop()", "Constant(3)"),
    "zip and enumerate": (
        "result = [i + a for i, (a, b) in enumerate(zip([1, 2], 'xy'))]",
        "list(Constant(1), Constant(3))",
    ),
    "a function with defaults": (
        "def f(a, b=2, *, c=3): return a + b + c\nresult = f(1, c=4)",
        "Constant(7)",
    ),
    "star arguments": (
        "def f(*a, **k): return len(a) + k['z']\nresult = f(*[1, 2], **{'z': 5})",
        "Constant(7)",
    ),
    "a closure": (
        """
        def counter():
            n = 0
            def up():
                nonlocal n
                n += 1
                return n
            return up
        up = counter()
        up()
        result = up()
        """,
        "Constant(2)",
    ),
    "global": ("n = 1\ndef f():\n    global n\n    n = 5\nf()\nresult = n", "Constant(5)"),
    "recursion": ("def f(n): return 1 if n < 2 else n * f(n - 1)\nresult = f(3)", "Constant(6)"),
    "a lambda": ("result = (lambda x, y=2: x * y)(4)", "Constant(8)"),
    "partial": ("import functools\nresult = functools.partial(lambda a, b: a - b, 9)(4)", "Constant(5)"),
    "a decorator": (
        """
        import functools
        def twice(f):
            @functools.wraps(f)
            def inner(*args, **kwargs):
                return f(*args, **kwargs) * 2
            return inner
        @twice
        def f(x): return x + 1
        result = f(2)
        """,
        "Constant(6)",
    ),
    "a decorator with arguments": (
        """
        def times(n):
            return lambda f: lambda x: f(x) * n
        @times(3)
        def f(x): return x + 1
        result = f(1)
        """,
        "Constant(6)",
    ),
    "lru_cache": (
        "import functools\n@functools.lru_cache\ndef f(x): return x + 1\nresult = f(1)",
        "Constant(2)",
    ),
    "an instance": (
        """
        class A:
            unit = 2
            def __init__(self, n):
                self.n = n
            def twice(self):
                return self.n * self.unit
        result = A(4).twice()
        """,
        "Constant(8)",
    ),
    "an object filled through its __dict__": (
        """
        class Config:
            rate = 1
            def __init__(self, **settings):
                self.__dict__.update(settings)
        config = Config(size=3)
        config.rate = 4
        result = config.size + config.__dict__['rate'] + len(vars(config))
        """,
        "Constant(9)",
    ),
    "an object filled with unknown data": (
        """
        import json
        class Config:
            rate = 1
            def __init__(self, settings):
                self.__dict__.update(settings)
        result = Config(json.load(open('settings.json'))).rate
        """,
        "Unknown",
    ),
    "what a generator yields": (
        """
        def numbers(limit):
            yield 0
            for n in range(limit):
                yield n * n
            yield from (5, 6)
        result = list(numbers(3))
        """,
        "list(Constant(0), Constant(0), Constant(1), Constant(4), Constant(5), Constant(6))",
    ),
    "what a generator yields when that is unknown": (
        """
        import os
        def numbers():
            if os.getenv('A'):
                yield 1
            yield 2
        result = 0
        for n in numbers():
            result += n
        """,
        "AbstractNumber(int, varies)",
    ),
    "a generator through another": (
        """
        def some():
            yield 1
            yield 2
        def twice():
            yield from some()
            yield from some()
        result = []
        for n in twice():
            result.append(n)
        """,
        "list(Constant(1), Constant(2), Constant(1), Constant(2))",
    ),
    "an iterator that next asks": (
        """
        END = object()
        numbers = iter([1, 2, 4])
        result = 0
        while (number := next(numbers, END)) is not END:
            result += number
        """,
        "Constant(7)",
    ),
    "next, and the rest": (
        "n = iter((1, 2, 3))\nnext(n)\nresult = list(n)",
        "list(Constant(2), Constant(3))",
    ),
    "inheritance and super": (
        """
        class A:
            def __init__(self, n):
                self.n = n
            def f(self): return self.g() + 1
            def g(self): return 0
        class B(A):
            def __init__(self):
                super().__init__(5)
            def g(self): return super().g() + self.n
        result = B().f()
        """,
        "Constant(6)",
    ),
    "property, static and class methods": (
        """
        class A:
            base = 3
            @property
            def p(self): return self.base
            @staticmethod
            def s(x): return x + 1
            @classmethod
            def c(cls): return cls.base * 2
        a = A()
        result = a.p + A.s(1) + a.c()
        """,
        "Constant(11)",
    ),
    "a property with a setter": (
        """
        class A:
            @property
            def x(self): return self._x
            @x.setter
            def x(self, value): self._x = value * 2
        a = A()
        a.x = 4
        result = a.x
        """,
        "Constant(8)",
    ),
    "__call__": ("class A:\n    def __call__(self, x): return x + 1\nresult = A()(1)", "Constant(2)"),
    "__getitem__ and __len__": (
        "class A:\n    def __getitem__(self, i): return i * 2\n    def __len__(self): return 3\n"
        "a = A()\nresult = a[4] + len(a)",
        "Constant(11)",
    ),
    "operators of a class": (
        "class V:\n    def __init__(self, x): self.x = x\n    def __add__(self, o): return V(self.x + o.x)\n"
        "result = (V(1) + V(2)).x",
        "Constant(3)",
    ),
    "a dataclass": (
        """
        from dataclasses import dataclass, field
        @dataclass
        class C:
            a: int
            b: int = 2
            c: list = field(default_factory=list)
        c = C(1)
        c.c.append(3)
        result = c.a + c.b + c.c[0]
        """,
        "Constant(6)",
    ),
    "a named tuple": (
        "from collections import namedtuple\nP = namedtuple('P', 'x y')\np = P(1, y=2)._replace(x=5)\n"
        "result = p.x + p[1]",
        "Constant(7)",
    ),
    "typing.NamedTuple": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int = 4\n"
        "result = P(1).x + P(1).y",
        "Constant(5)",
    ),
    "an enum": (
        "import enum\nclass E(enum.Enum):\n    A = 1\n    B = 2\nresult = E.B.value + (E.A is E.A)",
        "Constant(3)",
    ),
    "argparse's defaults": (
        """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--batch-size", type=int, default=32)
        parser.add_argument("--fast", action="store_true")
        args = parser.parse_args()
        result = args.batch_size if not args.fast else 0
        """,
        "Constant(32)",
    ),
    "a namespace": ("from types import SimpleNamespace as N\nresult = N(a=N(b=3)).a.b", "Constant(3)"),
    "a generator": ("def g():\n    yield 1\n    yield 2\nresult = sum(g())", "AbstractNumber(int)"),
    "try": (
        "def f():\n    try:\n        raise ValueError\n    except ValueError:\n        return 1\n"
        "result = f()",
        "Constant(1)",
    ),
    "what is raised for certain": (
        "def fail(): raise ValueError\ndef f(x):\n    if x:\n        fail()\n    return 3\n"
        "import os\nresult = f(os.getenv('A'))",
        "Constant(3)",
    ),
    "a loop that may return, then raise": (
        "import os\ndef f(xs):\n    for x in xs:\n        if os.getenv(x):\n            return 3\n"
        "    raise KeyError\nresult = f(['a', 'b'])",
        "Constant(3)",
    ),
    "a loop that may be left, or else raise": (
        "import os\ndef f(xs):\n    for x in xs:\n        if os.getenv(x):\n            break\n"
        "    else:\n        raise KeyError\n    return 3\nresult = f(['a', 'b'])",
        "Constant(3)",
    ),
    "a while that may be left, or else another value": (
        "import os\nn, result = 0, 1\nwhile n < 3:\n    n += 1\n    if os.getenv('A'):\n        break\n"
        "else:\n    result = 'none'",
        "Union(Constant('none'), Constant(1))",
    ),
    "the name of a placeholder's class": (
        "import keras\nx = keras.Input([2])\n"
        "result = 'KerasTensor' in x.__class__.__name__ and type(x).__name__ == 'KerasTensor'",
        "Constant(True)",
    ),
    "what others implement": (
        "class Base:\n    def size(self):\n        'How large.'\n        raise NotImplementedError('size')\n"
        "size = Base().size()\nresult = 3",
        "Constant(3)",
    ),
    "a check that seems to fail": (
        "def check(x):\n    if x > 2:\n        raise TypeError(x)\n    return x\n"
        "def use():\n    check(3)\n    return 5\nresult = use()",
        "Constant(5)",
    ),
    "a class whose body seems to raise": (
        "def check(x): raise TypeError(x)\nclass C:\n    raise TypeError\n    def m(self): return 3\n"
        "result = C().m()",
        "Constant(3)",
    ),
    "with": (
        "class C:\n    def __enter__(self): return 5\n    def __exit__(self, *a): pass\n"
        "with C() as result:\n    pass",
        "Constant(5)",
    ),
    "match": (
        "match 'b':\n    case 'a':\n        result = 1\n    case 'b':\n        result = 2\n"
        "    case _:\n        result = 3",
        "Constant(2)",
    ),
    "walrus": ("if (n := 4) > 3:\n    result = n", "Constant(4)"),
    "isinstance": ("result = isinstance(3, int) and not isinstance('a', (int, float))", "Constant(True)"),
    "getattr and setattr": (
        "class A: pass\na = A()\nsetattr(a, 'x', 4)\nresult = getattr(a, 'x')",
        "Constant(4)",
    ),
    "math": ("import math\nresult = math.floor(2.7) + math.sqrt(4)", "Constant(4.0)"),
    "a registry": (
        "R = {}\ndef add(name):\n    def inner(f):\n        R[name] = f\n        return f\n    return inner\n"
        "@add('x')\ndef f(): return 9\nresult = R['x']()",
        "Constant(9)",
    ),
    "builtins that are shadowed": ("def len(x): return 42\nresult = len([1])", "Constant(42)"),
    "an unknown import": ("import something\nresult = something.f(3)", "Unknown"),
}


@pytest.mark.parametrize(("program", "expected"), PROGRAMS.values(), ids=PROGRAMS)
def test_what_is_known_at_the_end(program: str, expected: str) -> None:
    assert value_after(program) == expected


TENSORS = {
    "a constant": ("tf.constant([[1.0, 2.0]])", "Tensor(float32, (1, 2))"),
    "a sum": ("tf.reduce_sum(tf.ones([2, 3]), axis=1)", "Tensor(float32, (2,))"),
    "numbers beside": ("2 * tf.ones([2, 3]) + 1", "Tensor(float32, (2, 3))"),
    "broadcast": ("tf.ones([4, 1]) + tf.ones([3])", "Tensor(float32, (4, 3))"),
    "matmul": ("tf.ones([2, 3]) @ tf.ones([3, 5])", "Tensor(float32, (2, 5))"),
    "a slice": ("tf.ones([5, 6])[1:3, 0]", "Tensor(float32, (2,))"),
    "a cast": ("tf.cast(tf.ones([2]), tf.int32)", "Tensor(int32, (2,))"),
    "a comparison": ("tf.ones([2]) > 0", "Tensor(bool, (2,))"),
    "concat": ("tf.concat([tf.ones([2, 3]), tf.ones([4, 3])], 0)", "Tensor(float32, (6, 3))"),
    "a reshape": ("tf.reshape(tf.ones([4, 3]), [-1, 6])", "Tensor(float32, (2, 6))"),
    "argmax": ("tf.argmax(tf.ones([4, 3]), axis=1)", "Tensor(int64, (4,))"),
    "NumPy": ("np.zeros((2, 3)).sum(axis=0)", "Array(float64, (3,))"),
    "random bytes": ("np.random.randint(0, 255, (2, 3), dtype=np.uint8)", "Array(uint8, (2, 3))"),
    "random numbers": ("np.random.randint(0, 255, (2, 3))", "Array(int64, (2, 3))"),
    "random floats": ("np.random.default_rng(0).random((2,), np.float32)", "Array(float32, (2,))"),
    "what a file holds": (
        "np.fromfile('a', '<i2').reshape(-1, 3)[:9]",
        "Array(int16, (AbstractNumber(int), 3))",
    ),
    "what bytes hold": ("np.frombuffer(b'', dtype=np.uint8)", "Array(uint8, (AbstractNumber(int),))"),
    "bytes of fields": ("np.frombuffer(b'', 'f4,i2')", "Unknown"),
    "bytes with axes of their own": ("np.frombuffer(b'', '(3,)f4')", "Unknown"),
    "bytes of another order": ("np.frombuffer(b'', '>i2')", "Unknown"),
    "an array beside a tensor": ("tf.ones([3]) * np.ones(3)", "Tensor(float32, (3,))"),
    "reversed": ("tf.reverse(tf.ones([2, 3]), [0])", "Tensor(float32, (2, 3))"),
    "compat": ("tf.compat.v1.reduce_sum(tf.ones([2]))", "Tensor(float32, ())"),
}


@pytest.mark.parametrize(("expression", "expected"), TENSORS.values(), ids=TENSORS)
def test_what_tensors_are(expression: str, expected: str) -> None:
    assert value_after(f"import numpy as np\nimport tensorflow as tf\nresult = {expression}") == expected


def test_a_slice_between_two_unknown_places_may_have_a_known_length() -> None:
    program = """
        import numpy as np
        data = np.zeros((1000, 8))
        for i in range(0, 1000, 32):
            result = data[i : i + 32]
        """
    assert value_after(program) == "Array(float64, (32, 8))"


def test_imports_across_a_project(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("from .base import BASE\nfrom .inner import *\n")
    (package / "base.py").write_text("BASE = 3\n")
    (package / "inner" / "__init__.py").write_text(
        "from ..base import BASE as AGAIN\nfrom .deep import double\n"
    )
    (package / "inner" / "deep.py").write_text(
        "from package import base\ndef double(x): return x * base.BASE\n"
    )
    program = (
        "import package.inner.deep\nfrom package import BASE, double, AGAIN\nresult = double(BASE) + AGAIN"
    )
    assert value_after(program) == "Constant(12)"


def test_modules_that_import_each_other(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.py").write_text("import two\nA = 1\ndef f(): return two.B\n")
    (tmp_path / "two.py").write_text("import one\nB = 2\n")
    assert value_after("import one\nresult = one.f() + one.A") == "Constant(3)"
