"""Which reads a write reaches, and which writes a read gets: programs, with the lines that answer."""

import ast
import inspect

import pytest

from graphdoctor.source.def_use import Access, DefUse, Kind, Use, exposed_reads, place_of

# A program, in which `w` comments the write in question: the lines of the reads that get its value.
REACHED = {
    "the next line": ("x = 1  # w\nprint(x)", [2]),
    "another write in between": ("x = 1  # w\nx = 2\nprint(x)", []),
    "a write on one path": ("x = 1  # w\nif a:\n    x = 2\nprint(x)", [4]),
    "writes on both paths": ("x = 1  # w\nif a:\n    x = 2\nelse:\n    x = 3\nprint(x)", []),
    "round a loop": ("x = 0\nfor i in a:\n    print(x)\n    x = i  # w\nprint(x)", [3, 5]),
    "not round a loop that writes first": ("for i in a:\n    x = i\n    print(x)\n    x = 0  # w", []),
    "the loop may not run": ("x = 0  # w\nfor i in a:\n    x = i\nprint(x)", [4]),
    "an endless loop is left by break alone": (
        "x = 0  # w\nwhile True:\n    x = 1\n    if a:\n        break\nprint(x)",
        [],
    ),
    "break leaves before the write": (
        "x = 0  # w\nwhile a:\n    if b:\n        break\n    x = 1\nprint(x)",
        [6],
    ),
    "break skips else": ("x = 0  # w\nfor i in a:\n    break\nelse:\n    x = 1\nprint(x)", [6]),
    "continue goes to the test": ("while x:\n    x = 1  # w\n    continue\n    print(x)", [1]),
    "return ends it": ("x = 0  # w\nif a:\n    x = 1\n    return x\nprint(x)", [5]),
    "raise ends it": ("x = 0  # w\nif a:\n    raise ValueError\nprint(x)", [4]),
    "what raised has bound nothing": ("x = 0  # w\ntry:\n    x = f()\nexcept E:\n    print(x)", [5]),
    "the next statement raised": ("x = 0\ntry:\n    x = 1  # w\n    f()\nexcept E:\n    print(x)", [6]),
    "else of try": ("x = 0  # w\ntry:\n    x = 1\nexcept E:\n    x = 2\nelse:\n    print(x)\nprint(x)", []),
    "finally on the way out of a function": (
        "x = 0\ntry:\n    x = 1  # w\n    return\nfinally:\n    print(x)",
        [6],
    ),
    "finally runs after each end": ("try:\n    x = 1  # w\nfinally:\n    x = 2\nprint(x)", []),
    "the name of an exception": ("try:\n    f()\nexcept E as x:  # w\n    print(x)", [4]),
    "with": ("with f() as x:  # w\n    print(x)\nprint(x)", [2, 3]),
    "a match that binds": (
        "match a:\n    case [x, y]:  # w\n        print(x)\n    case _:\n        print(x)",
        [3],
    ),
    "a match that is complete": (
        "x = 0  # w\nmatch a:\n    case 1:\n        x = 1\n    case _:\n        x = 2\nprint(x)",
        [],
    ),
    "a match that is not": ("x = 0  # w\nmatch a:\n    case 1:\n        x = 1\nprint(x)", [5]),
    "walrus": ("if (x := f()) > 1:  # w\n    print(x)", [2]),
    "walrus in a comprehension": ("y = [x := i for i in a]  # w\nprint(x)", [2]),
    "a comprehension has names of its own": ("x = 1  # w\ny = [x for x in a]\nprint(x)", [3]),
    "the first iterable of a comprehension is from outside": ("x = 1  # w\ny = [x for x in x]", [2]),
    "a nested function, called any time": ("def f():\n    return x\nx = 1  # w\nf()\nx = 2", [2]),
    "a nested function with a parameter of this name": ("x = 1  # w\ndef f(x):\n    return x\nf(2)", []),
    "a default is evaluated at the definition": ("x = 1  # w\ndef f(y=x):\n    pass\nx = 2", [2]),
    "a lambda": ("x = 1  # w\nf = lambda y: x + y\nx = 2", [2]),
    "a class body": ("x = 1  # w\nclass A:\n    y = x", [3]),
    "an attribute": ("self.x = 1  # w\nf()\nprint(self.x)", [3]),
    "an attribute of another object": ("self.x = 1  # w\nprint(other.x)", []),
    "an attribute ends with its object": ("a.x = 1  # w\na = b\nprint(a.x)", []),
    "an element": ("a[0] = 1  # w\nprint(a[1])", [2]),
    "an augmented assignment reads first": ("x = 1  # w\nx += 1\nprint(x)", [2]),
    "del": ("x = 1  # w\ndel x\nprint(x)", []),
    "unpacking": ("x, (y, *z) = f()  # w\nprint(z)", [2]),
    "an import": ("import x.y  # w\nx.f()", [2]),
    "an annotation alone writes nothing": ("x = 1  # w\nx: int\nprint(x)", [3]),
}

EXPOSED = {
    "x = 1\ny = x + z": {"z"},
    "for i in a:\n    s = s + i": {"a", "s"},
    "if a:\n    x = 1\nprint(x)": {"a", "x", "print"},
    "try:\n    x = f()\nexcept E:\n    x = 0\ny = x": {"f", "E"},
    "try:\n    x = f()\nexcept E:\n    pass\ny = x": {"f", "E", "x"},
    "while n > 0:\n    n -= 1\n    if b:\n        continue\n    c = n": {"n", "b"},
    "x += 1": {"x"},
    "def f(a, b=c):\n    return a + d": {"c", "d"},
    "x = 1\ndef f():\n    return x": set(),
    "y = [i + k for i in range(n)]": {"k", "n", "range"},
}


def def_use(program: str) -> tuple[DefUse, ast.FunctionDef]:
    lines = "".join(f"    {line}\n" for line in program.split("\n"))
    (function,) = ast.parse(f"def program():\n{lines}").body
    assert isinstance(function, ast.FunctionDef)
    return DefUse(function), function


def lines(accesses: list[Access]) -> list[int]:
    return sorted({getattr(one.node, "lineno", 0) - 1 for one in accesses})


def written_at(program: str, uses: DefUse, function: ast.FunctionDef) -> list[ast.AST]:
    """The nodes that are written on the marked line."""
    (marked,) = (number for number, line in enumerate(program.split("\n"), 2) if line.endswith("# w"))
    found = []
    for node in ast.walk(function):
        if getattr(node, "lineno", 0) == marked:
            found.append(node)
    return found


@pytest.mark.parametrize("name", REACHED)
def test_reads_of_a_write(name: str) -> None:
    program, expected = REACHED[name]
    uses, function = def_use(program)
    reads = [read for node in written_at(program, uses, function) for read in uses.reads_of(node)]
    assert lines(reads) == expected


@pytest.mark.parametrize("name", REACHED)
def test_writes_of_a_read_are_the_other_way_round(name: str) -> None:
    program, expected = REACHED[name]
    uses, function = def_use(program)
    marked = {id(node) for node in written_at(program, uses, function)}
    names = {place_of(part) for part in ast.walk(function)}
    reads = [read for name in sorted(names) for read in uses.of(name, Kind.READ)]
    found = [read for read in reads for one in uses.writes_of(read.node) if one and id(one.node) in marked]
    assert lines(found) == expected


@pytest.mark.parametrize("program", EXPOSED)
def test_exposed_reads(program: str) -> None:
    assert exposed_reads(ast.parse(program).body) == EXPOSED[program]


def test_what_becomes_of_a_value() -> None:
    program = "x()\nx.m(1)\nx.a\nx[0]\nf(x, k=x)\ny = x\nreturn [x] if x > 1 else None\nassert x"
    uses, _ = def_use(program)
    assert [(one.node.lineno - 1, one.use) for one in uses.of("x")] == [  # type: ignore[attr-defined]
        (1, Use.CALLED),
        (2, Use.METHOD),
        (3, Use.ATTRIBUTE),
        (4, Use.ELEMENT),
        (5, Use.GIVEN),
        (5, Use.GIVEN),
        (6, Use.STORED),
        (7, Use.STORED),
        (7, Use.COMPUTED),
        (8, Use.ASSERTED),
    ]


def test_what_changes_an_object() -> None:
    uses, _ = def_use("x = []\nx.append(1)\nx[0] = 2\ndel x[0]\nx.index(1)\nx.y.append(3)\nf(x)")
    assert lines(uses.of("x", Kind.CHANGE)) == [2, 3, 4]
    assert lines(uses.of("x.y", Kind.CHANGE)) == [6]


def test_reads_after_a_loop() -> None:
    uses, function = def_use("for i in a:\n    x = i\n    y = x\nz = 0\nprint(x, z)")
    loop, reset = function.body[0], function.body[1]
    assert lines(uses.reads_after(loop, "x")) == [5]
    assert lines(uses.reads_after(loop, "y")) == []
    assert lines(uses.reads_after(loop, "z")) == []
    assert lines(uses.reads_after(reset, "z")) == [5]


def test_what_varies_in_a_loop() -> None:
    uses, function = def_use(
        "for i in a:\n    k.n = 1\n    l.append(i)\n    f(i, c, k.n, k.m, l)\n"
        "    def g():\n        nonlocal c\n        c = 2"
    )
    (loop,) = function.body
    assert isinstance(loop, ast.For)
    call = loop.body[2]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    varies = {ast.unparse(one): uses.varies_in(loop, one) for one in call.value.args}
    assert varies == {"i": True, "c": True, "k.n": True, "k.m": False, "l": True}
    assert uses.loops_around(call) == (loop,)


def test_a_read_of_what_was_there_before() -> None:
    uses, _ = def_use("if a:\n    x = 1\nprint(x)")
    (read,) = uses.of("x", Kind.READ)
    assert [one and one.place for one in uses.writes_of(read.node)] == ["x", None]


def test_every_construct_has_a_graph() -> None:
    """It follows any Python: here its own source and that of the standard library's parser of arguments."""
    import argparse

    for module in (argparse, inspect):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.FunctionDef):
                uses = DefUse(node)
                assert uses.exposed() <= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def method(*statements: str) -> ast.FunctionDef:
    """A method with these statements."""
    body = "\n".join(statements).replace("\n", "\n    ")
    (function,) = ast.parse(f"def f(self, a, b):\n    {body}").body
    assert isinstance(function, ast.FunctionDef)
    return function


@pytest.mark.parametrize(
    ("program", "own"),
    [
        pytest.param("self.x = a\nprint(self.x)", True, id="set right before"),
        pytest.param("self.x = a\nb()\nprint(self.x)", False, id="a call in between"),
        pytest.param("self.x = b()\nprint(self.x)", True, id="the call gives it"),
        pytest.param("print(self.x)", False, id="never set"),
        pytest.param("if a:\n    self.x = 1\nelse:\n    self.x = 2\nprint(self.x)", True, id="on both paths"),
        pytest.param("if a:\n    self.x = 1\nprint(self.x)", False, id="on one path"),
        pytest.param("self.x += 1\nb()\nprint(self.x)", True, id="counted"),
    ],
)
def test_whether_a_read_gets_what_was_written_right_before(program: str, own: bool) -> None:
    function = method(program)
    reads = [n for n in ast.walk(function) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)]
    assert DefUse(function).is_own(reads[-1]) is own


@pytest.mark.parametrize(
    ("program", "again"),
    [
        pytest.param("for i in a:\n    x = i", True, id="nothing ends it"),
        pytest.param("for i in a:\n    x = i\n    break", False, id="break"),
        pytest.param("for i in a:\n    if b:\n        x = i\n        return", False, id="return"),
        pytest.param("for i in a:\n    x = i\n    if b:\n        break", True, id="perhaps"),
        pytest.param("while b:\n    x = 1\n    b = False", False, id="its condition"),
        pytest.param("while not b:\n    x = 1\n    b = True", False, id="its condition, negated"),
        pytest.param("while not b:\n    x = 1\n    b = False", True, id="the condition still holds"),
    ],
)
def test_whether_a_loop_goes_on_behind_a_place(program: str, again: bool) -> None:
    function = method(program)
    (target,) = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == "x"]
    (loop,) = [n for n in ast.walk(function) if isinstance(n, (ast.For, ast.While))]
    assert DefUse(function).comes_again(loop, target) is again


def test_what_the_next_iteration_reads() -> None:
    function = method("for i in a:\n    print(b)\n    b = i")
    (loop,) = [n for n in ast.walk(function) if isinstance(n, ast.For)]
    assert [one.place for one in DefUse(function).reads_from(loop, "b")] == ["b"]
    assert DefUse(function).reads_from(loop, "i") == []
