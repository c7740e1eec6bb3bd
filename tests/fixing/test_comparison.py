"""What counts as the same, and what does not."""

import math

import pytest

from graphdoctor.fixing.closeness import Closeness
from graphdoctor.fixing.comparison import compare, is_same, repeats
from graphdoctor.fixing.trials import Ended, Trial
from graphdoctor.fixing.witness_file import Call, Leaf, Witnessed


def make_trial(
    output: str = "", status: int | None = 0, *, errors: str = "", stopped: str = "", **seen
) -> Trial:
    """A run that printed this."""
    return Trial(Ended(status, output, errors, stopped), Witnessed(ended=True, **seen))


def returned(**values: list[float]) -> dict[tuple[str, int], Call]:
    """Calls that each returned one number."""
    return {
        (name, number): Call((Leaf("float32", (), (value,)),), None)
        for name, some in values.items()
        for number, value in enumerate(some, start=1)
    }


SAME = {
    "nothing printed": ("", ""),
    "the same": ("loss 1.5\n", "loss 1.5\n"),
    "numbers within the tolerance": ("loss 1.50001\n", "loss 1.50002\n"),
    "dates": ("2026-01-02 10:11:12 start\n", "2026-01-02 10:15:00 start\n"),
    "addresses": ("<Model at 0x7f10>\n", "<Model at 0x7f99>\n"),
    "progress that is gone": ("1/3 ━━━\r3/3 ━━━━━━━━━\nloss 2\n", "loss 2\n"),
    "progress that is new": ("loss 2\n", "1/3 ━━━\r3/3 ━━━━━━━━━\nloss 2\n"),
    "an array on several lines": ("[[1 2]\n [3 4]]\nend\n", "[[1 2] [3 4]]\nend\n"),
    "what was written over": ("1/2 loss 9\r2/2 loss 3\n", "2/2 loss 3\n"),
    "not a number, twice": ("loss nan\n", "loss nan\n"),
    "a tensor and its value": ("tf.Tensor(2.0, shape=(), dtype=float32)\n", "2.0\n"),
}
DIFFERENT = {
    "another number": ("loss 1.5\n", "loss 1.6\n"),
    "other words": ("converged\n", "diverged\n"),
    "a line less": ("a\nb\n", "a\n"),
    "a line more": ("a\n", "a\nb\n"),
    "not a number": ("loss 1.5\n", "loss nan\n"),
    "infinite": ("loss 1.5\n", "loss inf\n"),
    "no longer infinite": ("loss inf\n", "loss 1.5\n"),
    "infinite the other way": ("loss inf\n", "loss -inf\n"),
    "None is no number": ("grad None\n", "grad 0.5\n"),
    "a count without a unit": ("40 steps\n", "39 steps\n"),
    "another unit": ("40ms\n", "40s\n"),
    "another number in progress": ("1/3 loss 9\r3/3 loss 2\n", "1/3 loss 9\r3/3 loss 3\n"),
    "seconds, where nothing shows that they are": ("took 1.31 s\n", "took 0.20 s\n"),
    "an element of an array": ("[[1 2]\n [3 4]]\nend\n", "[[1 2]\n [3 5]]\nend\n"),
}


@pytest.mark.parametrize("name", SAME)
def test_same_output(name: str) -> None:
    before, after = SAME[name]
    assert is_same(compare(make_trial(before), make_trial(after)))


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_output(name: str) -> None:
    before, after = DIFFERENT[name]
    assert not is_same(compare(make_trial(before), make_trial(after)))


# The original, the original once more with faster clocks, the edited program.
NOT_REPEATED = {
    "seconds": (
        "epoch 1 took 1.31 s, 45ms/step\n",
        "epoch 1 took 131 s, 4s/step\n",
        "epoch 1 took 0.20 s, 9ms/step\n",
    ),
    "a time without a word": ("59.27891\n", "5988.2\n", "1.37\n"),
    "speeds": ("310.5 examples/sec, loss 2\n", "3.1 examples/sec, loss 2\n", "99 examples/sec, loss 2\n"),
    "progress bars": (
        "5/5 ━━━━━━━━━━ 0s 9ms/step - loss: 2.0\n",
        "5/5 ━━━━━━━━━━ 4s 900ms/step - loss: 2.0\n",
        "5/5 ━━━━━━━━━━ 1:02 1s/step - loss: 2.0\n",
    ),
}


@pytest.mark.parametrize("name", NOT_REPEATED)
def test_what_two_runs_of_the_original_differ_in_is_left_out(name: str) -> None:
    before, again, after = map(make_trial, NOT_REPEATED[name])
    assert not is_same(compare(before, after))
    compared = compare(before, after, again=again)
    assert is_same(compared)
    assert compared[1].left_out


@pytest.mark.parametrize("name", ["speeds", "progress bars"])
def test_what_two_runs_of_the_original_agree_in_still_counts(name: str) -> None:
    before, again, after = NOT_REPEATED[name]
    other = make_trial(after.replace("loss 2", "loss 3").replace("loss: 2", "loss: 3"))
    assert not is_same(compare(make_trial(before), other, again=make_trial(again)))


def test_the_report_names_what_is_left_out() -> None:
    before, again, after = (make_trial(f"epoch 3 in {time}, loss 2\n") for time in (5.5, 550.0, 0.5))
    assert compare(before, after, again=again)[1].left_out == (
        "'5.5' in 'epoch 3 in 5.5, loss 2': two runs of the original differ in it",
    )


def test_the_time_of_day_is_left_out_however_near() -> None:
    before, again, after = (make_trial(f"at Thu 21:49:{second}, loss 2\n") for second in (55, 56, 57))
    output = compare(before, after, again=again)[1]
    assert (output.equal, output.largest) == (True, 0.0)
    assert output.left_out == (
        "'21:49:55' in 'at Thu 21:49:55, loss 2': two runs of the original differ in it",
    )


def test_a_program_that_computes_something_else_each_time_does_not_repeat() -> None:
    assert repeats(make_trial("took 1\n"), make_trial("took 9\n"))
    one, other = make_trial(calls=returned(step=[1.0])), make_trial(calls=returned(step=[1.5]))
    assert not repeats(one, other)


def test_the_first_difference_is_reported() -> None:
    output = compare(make_trial("a 1\nb 2\n"), make_trial("a 1\nb 3\n"))[1]
    assert output.text == "line 2: now 'b 3', before 'b 2'"


def test_the_largest_difference_is_reported() -> None:
    assert compare(make_trial("x 1000\n"), make_trial("x 1000.5\n"))[1].largest == 0.5


def test_what_is_printed_while_tracing_does_not_count() -> None:
    before = make_trial("tracing 1\ntracing 2\nloss 1\n", printed=("tracing 1", "tracing 2"))
    after = make_trial("tracing 1\nloss 1\n", printed=("tracing 1",))
    assert is_same(compare(before, after))


def test_what_tf_print_shows_on_standard_error_counts() -> None:
    before = make_trial("step 1\nstep 2\nend\n")
    assert is_same(compare(before, make_trial("end\n", errors="step 1\nstep 2\n")))
    assert not is_same(compare(before, make_trial("end\n", errors="step 1\nstep 9\n")))
    assert not is_same(compare(before, make_trial("end\n", errors="step 1\n")))


def test_a_value_in_place_of_none_is_reported_where_the_original_lacks_it() -> None:
    before, after = make_trial("grad None\n"), make_trial("grad [0.5 1.0]\n")
    assert not is_same(compare(before, after))
    found = compare(before, after, fills=True)[1]
    assert (found.equal, found.filled, found.text) == (
        True,
        True,
        "line 1: now 'grad [0.5 1.0]', before 'grad None'",
    )
    assert not is_same(compare(before, make_trial("gone\n"), fills=True))
    nothing = make_trial(calls={("f", 1): Call((Leaf(text="None"),), None)})
    assert not is_same(compare(nothing, make_trial(calls=returned(f=[2.0]))))
    assert is_same(compare(nothing, make_trial(calls=returned(f=[2.0])), fills=True))


def test_a_program_that_died_is_compared_as_far_as_it_came() -> None:
    dead = make_trial("a 1\n", 1, calls={("f", 1): Call((), "ValueError")})
    well = make_trial("a 1\nb 2\n", calls=returned(f=[2.0]))
    assert is_same(compare(dead, well, partly=True))
    assert not is_same(compare(dead, make_trial("a 9\n"), partly=True))


def test_exit_code() -> None:
    dead = make_trial(status=1, errors="ValueError: no")
    assert compare(make_trial(), dead)[0].text == "now 1, before 0: ValueError: no"


def test_values_of_calls() -> None:
    before = make_trial(calls=returned(step=[1.0, 2.0]))
    assert is_same(compare(before, make_trial(calls=returned(step=[1.0, 2.0]))))
    other = compare(before, make_trial(calls=returned(step=[1.0, 2.5])))[2]
    assert (other.equal, other.number) == (False, 2)
    assert other.text == "call 2 of `step`: now [2.5] of shape [], before [2] of shape []"


def test_how_often_a_function_is_called() -> None:
    before = make_trial(calls=returned(step=[1.0]), times={"step": 40})
    after = make_trial(calls=returned(step=[1.0]), times={"step": 39})
    assert compare(before, after)[2].text == "`step` was called 40 times, now 39 times"


def test_a_python_number_and_a_tensor_of_it_are_the_same() -> None:
    before = make_trial(calls={("f", 1): Call((Leaf(text="2.0"),), None)})
    assert is_same(compare(before, make_trial(calls=returned(f=[2.0]))))


def test_variables_are_matched_by_shape_and_order() -> None:
    weights = Leaf("float32", (2,), (1.0, 2.0))
    before = make_trial(variables=(("kernel", weights),))
    more = make_trial(variables=(("count", Leaf("int64", (), (3.0,))), ("kernel", weights)))
    assert is_same(compare(before, more))
    other = make_trial(variables=(("kernel", Leaf("float32", (2,), (1.0, 9.0))),))
    assert not is_same(compare(before, other))


def test_chance_is_what_two_seeds_differ_by() -> None:
    before, after = make_trial("loss 1.0\n"), make_trial("loss 1.4\n")
    seed_pairs = [(before, make_trial("loss 1.3\n"))]
    found = compare(before, after, seed_pairs)[1]
    assert (found.equal, found.random) == (True, True)
    assert not is_same(compare(before, make_trial("loss 9.0\n"), seed_pairs))


def test_what_no_seed_changes_must_not_change() -> None:
    before = make_trial("rows 10\nloss 1.0\n")
    seed_pairs = [(before, make_trial("rows 10\nloss 1.3\n"))]
    assert not is_same(compare(before, make_trial("rows 11\nloss 1.0\n"), seed_pairs))


EPOCHS = "epoch 0 loss {} share {}\nepoch 1 loss {} share {}\nepoch 2 loss {} share {}\n"


def test_what_is_printed_again_and_again_has_the_chance_of_all_its_lines() -> None:
    before = make_trial(EPOCHS.format(3.50, 0.10, 2.0, 0.10, 1.0, 0.10))
    seed_pairs = [(before, make_trial(EPOCHS.format(3.501, 0.10, 2.2, 0.11, 1.1, 0.10)))]
    after = make_trial(EPOCHS.format(3.60, 0.12, 2.1, 0.09, 1.2, 0.10))
    assert is_same(compare(before, after, seed_pairs))


def test_the_chance_of_a_number_is_that_of_its_own_place_in_other_lines() -> None:
    before = make_trial(EPOCHS.format(3.50, 0.10, 2.0, 0.10, 1.0, 0.10))
    seed_pairs = [(before, make_trial(EPOCHS.format(3.501, 0.10, 2.2, 0.11, 1.001, 0.10)))]
    frozen = make_trial(EPOCHS.format(3.50, 0.10, 2.0, 0.10, 1.0, 0.50))
    assert not is_same(compare(before, frozen, seed_pairs))
    counted = make_trial(EPOCHS.format(3.50, 0.10, 2.0, 0.10, 1.0, 0.10).replace("epoch 2", "epoch 3"))
    assert not is_same(compare(before, counted, seed_pairs))


def test_numbers_without_words_are_no_series() -> None:
    before, second = make_trial("10\n1.0\n"), make_trial("10\n1.3\n")
    assert not is_same(compare(before, make_trial("10.5\n1.0\n"), [(before, second)]))


def test_what_the_clock_changes_may_be_any_time_where_the_clock_was_fixed() -> None:
    before, after = make_trial("rows 10\nspent 0.2\n"), make_trial("rows 10\nspent 7.5\n")
    seed_pairs = [(before, make_trial("rows 10\nspent 0.21\n"))]
    assert not is_same(compare(before, after, seed_pairs))
    assert is_same(compare(before, after, seed_pairs, timed=True))
    assert not is_same(compare(before, make_trial("rows 11\nspent 7.5\n"), seed_pairs, timed=True))


def test_runs_that_were_stopped_are_compared_as_far_as_both_came() -> None:
    before = make_trial("a 1\na 2\na 3\n", None, stopped="the time limit")
    assert is_same(compare(before, make_trial("a 1\na 2\n", None, stopped="the time limit")))
    assert not is_same(compare(before, make_trial("a 1\na 7\n", None, stopped="the time limit")))


@pytest.mark.parametrize(
    ("now", "chance", "random"),
    [
        (1.2, 0.5, True),
        (9.0, 0.5, False),
        (math.nan, 0.5, False),
        (math.inf, 0.5, False),
        (math.nan, math.nan, True),  # two seeds of the original differ so, too
    ],
)
def test_what_chance_explains(now: float, chance: float, random: bool) -> None:
    closeness = Closeness("values")
    closeness.compare(1.0, now, chance, "")
    assert (closeness.random, closeness.equal) == (random, random)
