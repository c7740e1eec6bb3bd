"""What a rule finds in its example it finds however it is written; `make test-variants` measures all."""

import collections
import pathlib
import random
import re

import pytest

from tests.ratcheting import all_examples, read_record
from tests.running import TensorFlowServer
from tests.variants.behaviour import behaviour, sample
from tests.variants.matrix import Fixing, Result, examples, measure, measure_fixing, measure_pairs
from tests.variants.variants import Variant, all_variants, rewritten

PAGE = pathlib.Path(__file__).parents[1] / "docs/variants.md"
EACH = 4  # examples of each variant


def reported_missed() -> set[tuple[str, str]]:
    """What the page says is not found, as example and variant."""
    return {
        (example, line[2:].partition(": ")[0])
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if re.match(r"- [^:]+: GD\d{3}-\d", line)
        for example in re.findall(r"GD\d{3}-\d", line)
    }


def share_edited(results: list[Fixing]) -> float:
    return sum(one.edited for one in results) / len(results)


def share(results: list[Result]) -> float:
    return sum(one.found for one in results) / len(results)


@pytest.mark.long
def test_what_the_page_says_is_found_is_found() -> None:
    drawn = random.Random(0)
    listed = examples()
    results = []
    for one in all_variants():
        names = [example for example in listed if rewritten(example.bad, [one]) is not None]
        results += measure(drawn.sample(names, min(EACH, len(names))), [[one]])
    missed = {(one.example, one.variants) for one in results if not one.found}
    assert missed - reported_missed() == set()
    assert [one for one in results if one.alarms] == []
    assert share(results) >= 0.97


def test_pairs_of_variants() -> None:
    assert share(measure_pairs(examples(), 100)) >= 0.9


@pytest.mark.long
def test_a_fix_brings_no_finding() -> None:
    """One example of each variant, drawn: `scripts/variants.py --fixes` fixes all of them."""
    drawn = random.Random(1)
    listed = examples()
    results = [one for each in all_variants() for one in measure_fixing(drawn.sample(listed, 1), [[each]])]
    assert [one for one in results if one.brought] == []
    assert share_edited(results) > 0.5


def test_the_page_holds_what_was_promised() -> None:
    rows = re.findall(r"^\| ([^|]*) \| (\d+) \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    shares = {name: int(found) / int(applicable) for name, applicable, found in rows}
    one, two = "one way of writing", "two at once, drawn with a fixed seed"
    assert shares[one] >= 0.97
    assert shares[two] >= 0.9
    assert {name for name, part in shares.items() if part < 0.9} == set()
    assert set(shares) - {one, two} == {variant.name for variant in all_variants()}


def test_the_page_holds_what_was_promised_of_runs() -> None:
    (counted,) = re.findall(r"^(\d+) programs ran .*\n.*\n.*\n(\d+) \(", PAGE.read_text(), re.MULTILINE)
    ran, found = map(int, counted)
    assert ran >= 150
    assert found / ran >= 0.97


def test_each_variant_has_a_name_of_its_own_and_says_what_it_is() -> None:
    counted = collections.Counter(variant.name for variant in all_variants())
    assert set(counted.values()) == {1}
    assert all(variant.says for variant in all_variants())


@pytest.mark.long
def test_every_program_in_variants_is_python() -> None:
    for _, _, example in all_examples():
        for variant in all_variants():
            for path, text in (rewritten(example.bad, [variant]) or {}).items():
                if path.endswith(".py"):
                    compile(text, path, "exec")


# Every third variant; `make test-variants` runs two programs in each.
SAMPLE = sample(1, [name for name, _, _ in all_examples()])[::3]


@pytest.mark.tensorflow
@pytest.mark.long
@pytest.mark.parametrize(
    ("example", "variant"), SAMPLE, ids=[f"{example}-{one.name}" for example, one in SAMPLE]
)
def test_behaves_as_its_example(example: str, variant: Variant, tensorflow: TensorFlowServer) -> None:
    seen = behaviour(example, [variant], tensorflow)
    assert seen.faults == ()
    assert seen.found or example not in read_record("run").examples
    assert not seen.alarmed
