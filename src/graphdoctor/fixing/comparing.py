"""Two trials → what is the same, and what is not."""

from collections.abc import Iterable, Iterator, Sequence

from graphdoctor.chatter import without_log
from graphdoctor.fixing.closeness import Closeness
from graphdoctor.fixing.computed import compare_calls, compare_variables
from graphdoctor.fixing.printed import Line, compare_lines, lines_of
from graphdoctor.fixing.trials import Trial
from graphdoctor.model.cure import Compared

Twins = tuple[Trial, Trial]
OUTPUT, VALUES, VARIABLES, END = "output", "values", "variables", "exit code"


def compare(
    reference: Trial, trial: Trial, twins: Sequence[Twins] = (), traced: Iterable[str] = ()
) -> tuple[Compared, ...]:
    """Exit code, standard output, values and final variables of a trial, against those of the reference.

    `twins` are runs of the same program with two seeds: what differs between these is random. `traced` are
    lines that the original printed while it was traced.
    """
    return tuple(closeness.result() for closeness in _all(reference, trial, twins, list(traced)))


def _all(reference: Trial, trial: Trial, twins: Sequence[Twins], traced: list[str]) -> Iterator[Closeness]:
    stopped = bool(reference.ended.stopped or trial.ended.stopped)
    end = Closeness(END)
    end.number = 1
    if not stopped and reference.ended.status != trial.ended.status:
        died = f": {trial.error}" if trial.error else ""
        end.differ(f"now {trial.ended.status}, before {reference.ended.status}{died}")
    yield end
    traced += [*reference.witnessed.printed, *trial.witnessed.printed]
    before, after = (lines_of(one.ended.output, traced) for one in (reference, trial))
    if stopped:  # as far as both came
        shorter = min(len(before), len(after))
        before, after = before[:shorter], after[:shorter]
    shown = lines_of(without_log(trial.ended.errors), traced)
    before, moved = _moved(before, after, shown)
    printed = Closeness(OUTPUT)
    pairs = [[lines_of(one.ended.output, traced) for one in pair] for pair in twins]
    compare_lines(before, after, pairs, printed)
    compare_lines(moved, [line for line in shown if line.words in {one.words for one in moved}], (), printed)
    printed.number = len(before) + len(moved)
    yield printed
    heard = [(one.witnessed, other.witnessed) for one, other in twins]
    values = Closeness(VALUES)
    compare_calls(reference.witnessed, trial.witnessed, heard, values)
    yield values
    if not stopped:
        variables = Closeness(VARIABLES)
        compare_variables(reference.witnessed, trial.witnessed, heard, variables)
        yield variables


def _moved(before: list[Line], after: list[Line], shown: list[Line]) -> tuple[list[Line], list[Line]]:
    """The lines that are still on standard output, and those that `tf.print` now shows on standard error."""
    gone = {line.words for line in before} - {line.words for line in after}
    elsewhere = gone & {line.words for line in shown}
    return [line for line in before if line.words not in elsewhere], [
        line for line in before if line.words in elsewhere
    ]


def is_same(compared: tuple[Compared, ...]) -> bool:
    """Whether nothing differs."""
    return all(one.equal for one in compared)
