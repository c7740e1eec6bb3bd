"""Two trials → what is equal, and what differs."""

from collections.abc import Iterable, Sequence

from graphdoctor.fixing.closeness import Closeness
from graphdoctor.fixing.printed import Line, compare_lines, lines_of
from graphdoctor.fixing.trials import Trial
from graphdoctor.fixing.values import compare_calls, compare_variables
from graphdoctor.log_filter import without_log
from graphdoctor.model.fix_result import Compared

SeedPair = tuple[Trial, Trial]
OUTPUT, VALUES, VARIABLES, END = "output", "values", "variables", "exit code"


def compare(
    reference: Trial,
    trial: Trial,
    seed_pairs: Sequence[SeedPair] = (),
    traced: Iterable[str] = (),
    *,
    again: Trial | None = None,
    fills: bool = False,
    timed: bool = False,
    partly: bool = False,
    unsteady: bool = False,
) -> tuple[Compared, ...]:
    """Exit code, standard output, values and final variables of a trial, against those of the reference.

    `seed_pairs` are runs of the same program with two seeds: what differs between these is random.
    `traced` are lines that the original printed while it was traced. `again` is a second run of the
    reference with faster clocks: what it prints differently is not compared. `fills`: the reference is
    known to lack results, and may have None where there now is a value. `timed`: the reference read the
    clock only while tracing; a number that differs within a pair may then have any value. `partly`:
    compare only as far as both ran. `unsteady`: the first pair are two runs with the same seeds, and
    differ.
    """
    partly = partly or bool(reference.ended.stopped or trial.ended.stopped)
    witnessed_pairs = [(one.witnessed, other.witnessed) for one, other in seed_pairs]
    found = [] if partly else [_end(reference, trial)]
    output = Closeness(OUTPUT, fills, timed, unsteady)
    found.append(_printed(reference, trial, seed_pairs, list(traced), output, again, partly))
    values = Closeness(VALUES, fills, timed, unsteady)
    compare_calls(reference.witnessed, trial.witnessed, witnessed_pairs, values, partly=partly)
    found.append(values)
    if not partly:
        variables = Closeness(VARIABLES, fills, timed, unsteady)
        compare_variables(reference.witnessed, trial.witnessed, witnessed_pairs, variables)
        found.append(variables)
    return tuple(closeness.result() for closeness in found)


def _end(reference: Trial, trial: Trial) -> Closeness:
    end = Closeness(END)
    end.number = 1
    if reference.ended.status != trial.ended.status:
        died = f": {trial.error}" if trial.error else ""
        end.differ(f"now {trial.ended.status}, before {reference.ended.status}{died}")
    return end


def _printed(
    reference: Trial,
    trial: Trial,
    seed_pairs: Sequence[SeedPair],
    traced: list[str],
    found: Closeness,
    again: Trial | None,
    partly: bool,
) -> Closeness:
    traced = [*traced, *reference.witnessed.printed, *trial.witnessed.printed]
    before, after = (lines_of(one.ended.output, traced) for one in (reference, trial))
    shown = lines_of(without_log(trial.ended.errors), traced)
    before, moved = _moved(before, after, shown)
    once_more = lines_of(again.ended.output, traced) if again is not None else None
    if once_more is not None:
        once_more = [line for line in once_more if line.words not in {one.words for one in moved}]
    if partly:
        shorter = min(len(before), len(after))
        before, after = before[:shorter], after[:shorter]
    pairs = [[lines_of(one.ended.output, traced) for one in pair] for pair in seed_pairs]
    compare_lines(before, after, pairs, found, once_more)
    if not partly:
        now = [line for line in shown if line.words in {one.words for one in moved}]
        compare_lines(moved, now, (), found)
    return found


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


def repeats(reference: Trial, again: Trial) -> bool:
    """Whether two runs of one program with the same seeds computed the same."""
    return all(one.equal for one in compare(reference, again) if one.aspect != OUTPUT)
