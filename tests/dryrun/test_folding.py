"""Computing with constants: what is small is computed, what could be huge never is."""

import ast
import operator

import pytest
from tests.checking import recorded

from graphdoctor.dryrun.core.folding import LONGEST, TooLargeError, fold
from graphdoctor.source.unbound import _blocks, missing_before


def never(*given: object, **named: object) -> object:
    """Stands for a function that would need too much: it must not be called."""
    raise AssertionError("computed")


@pytest.mark.parametrize(
    ("name", "compute", "given", "result"),
    [
        ("ljust", str.ljust, ("a", 3), "a  "),
        ("mul", operator.mul, ("ab", 2), "abab"),
        ("mul", operator.mul, (6, 7), 42),
        ("lshift", operator.lshift, (1, 10), 1024),
        ("pow", operator.pow, (10, 9), 10**9),
        ("pow", operator.pow, (2.0, 0.5), 2.0**0.5),
        ("round", round, (2.567, 1), 2.6),
        ("format", format, (7, ">4d"), "   7"),
        ("replace", str.replace, ("aba", "a", "c"), "cbc"),
        ("split", str.split, ("a b",), ["a", "b"]),
        ("factorial", lambda n: 720, (6,), 720),
        ("sum", sum, ([1, 2**60] * 100,), 100 * (1 + 2**60)),
    ],
)
def test_a_small_result_is_computed(name, compute, given, result):
    assert fold(name, compute, *given) == result


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("ljust", ("a", 1_500_000_000)),
        ("center", ("a", 1_500_000_000, "-")),
        ("zfill", ("7", 1_500_000_000)),
        ("mul", ("a", 1_500_000_000)),
        ("mul", (b"ab", 1_500_000_000)),
        ("lshift", (1, 10**10)),
        ("pow", (10, 10**9)),
        ("round", (5, -(10**9))),
        ("format", (1, "1500000000d")),
        ("mod", ("%1500000000d", 3)),
        ("mod", ("%*d", 1_500_000_000)),
        ("replace", ("a" * 9_000, "a", "b" * 9_000)),
        ("factorial", (10**7,)),
        ("comb", (10**7, 10**6)),
    ],
)
def test_what_could_be_huge_is_never_computed(name, given):
    with pytest.raises(TooLargeError):
        fold(name, never, *given)


def doubled(name: str, compute: object, value: object) -> list[object]:
    """A value, and what comes of it when it is combined with itself again and again."""
    found = [value]
    for _ in range(100):
        try:
            found.append(fold(name, compute, found[-1], found[-1]))  # type: ignore[arg-type]
        except TooLargeError:
            break
    return found


def test_results_that_double_stop_at_a_limit():
    texts, numbers = doubled("add", operator.add, "ab"), doubled("mul", operator.mul, 3)
    assert len(texts) == 13
    assert len(texts[-1]) == 2**13 <= LONGEST
    assert len(numbers) == 13
    assert numbers[-1].bit_length() <= LONGEST


def test_a_program_with_huge_constants_is_followed_to_its_end():
    program = """
        import tensorflow as tf
        a = "a".ljust(1500000000)
        b = f"{1:>1500000000}"
        c = "%1500000000d" % 3
        d = ("7" * 1500000000).zfill(2000000000)
        e = round(5, -1000000000)
        @tf.function
        def f(x):
            print("traced", x)
            return x
        f(tf.ones([2]))
        """
    assert [event.name for event in recorded(program).events if type(event).__name__ == "Effect"] == ["print"]


def test_a_file_is_walked_once_however_many_lines_are_asked_about():
    tree = ast.parse(
        "import os\n" + "def f():\n    x = missing\n    return x\n\n" * 200 + "y = gone\nz = 1\n"
    )
    bound = frozenset({"os", "f", "x", "y", "z"})
    _blocks.cache_clear()  # type: ignore[attr-defined]
    answers = [missing_before(tree, line, bound) for line in range(1, 804)]
    assert _blocks.cache_info().misses == 1  # type: ignore[attr-defined]
    assert answers[-1] == "gone"
    assert answers[:4] == ["", "", "", "missing"]
