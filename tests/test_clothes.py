"""What a rule finds in its example it finds however it is written; `make test-clothes` measures all."""

import collections
import pathlib
import random
import re

import pytest

from tests.clothes.behaviour import behaviour, sample
from tests.clothes.clothing import Clothing, all_clothes, dressed
from tests.clothes.matrix import Result, examples, measure, measure_pairs
from tests.ratcheting import all_examples, read_record
from tests.running import TensorFlowServer

PAGE = pathlib.Path(__file__).parents[1] / "docs/clothes.md"
EACH = 4  # examples of each clothing


def told_missed() -> set[tuple[str, str]]:
    """What the page says is not found, as example and clothing."""
    return {
        (example, line[2:].partition(": ")[0])
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if re.match(r"- [^:]+: GD\d{3}-\d", line)
        for example in re.findall(r"GD\d{3}-\d", line)
    }


def share(results: list[Result]) -> float:
    return sum(one.found for one in results) / len(results)


def test_what_the_page_says_is_found_is_found() -> None:
    drawn = random.Random(0)
    listed = examples()
    results = []
    for one in all_clothes():
        worn = [example for example in listed if dressed(example.bad, [one]) is not None]
        results += measure(drawn.sample(worn, min(EACH, len(worn))), [[one]])
    missed = {(one.example, one.clothes) for one in results if not one.found}
    assert missed - told_missed() == set()
    assert [one for one in results if one.alarms] == []
    assert share(results) >= 0.97


def test_pairs_of_clothes() -> None:
    assert share(measure_pairs(examples(), 100)) >= 0.9


def test_the_page_holds_what_was_promised() -> None:
    rows = re.findall(r"^\| ([^|]*) \| (\d+) \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    shares = {name: int(found) / int(applicable) for name, applicable, found in rows}
    one, two = "one way of writing", "two at once, drawn with a fixed seed"
    assert shares[one] >= 0.97
    assert shares[two] >= 0.9
    assert {name for name, part in shares.items() if part < 0.9} == set()
    assert set(shares) - {one, two} == {clothing.name for clothing in all_clothes()}


def test_the_page_holds_what_was_promised_of_runs() -> None:
    (counted,) = re.findall(r"^(\d+) programs ran .*\n.*\n.*\n(\d+) \(", PAGE.read_text(), re.MULTILINE)
    ran, found = map(int, counted)
    assert ran >= 150
    assert found / ran >= 0.97


def test_each_clothing_has_a_name_of_its_own_and_says_what_it_is() -> None:
    counted = collections.Counter(clothing.name for clothing in all_clothes())
    assert set(counted.values()) == {1}
    assert all(clothing.says for clothing in all_clothes())


def test_every_program_in_clothes_is_python() -> None:
    for _, _, example in all_examples():
        for clothing in all_clothes():
            for path, text in (dressed(example.bad, [clothing]) or {}).items():
                if path.endswith(".py"):
                    compile(text, path, "exec")


# Every third clothing; `make test-clothes` runs two programs in each.
SAMPLE = sample(1, [name for name, _, _ in all_examples()])[::3]


@pytest.mark.tensorflow
@pytest.mark.parametrize(
    ("example", "clothing"), SAMPLE, ids=[f"{example}-{one.name}" for example, one in SAMPLE]
)
def test_behaves_as_its_example(example: str, clothing: Clothing, tensorflow: TensorFlowServer) -> None:
    seen = behaviour(example, [clothing], tensorflow)
    assert seen.faults == ()
    assert seen.found or example not in read_record("run").examples
    assert not seen.alarmed
