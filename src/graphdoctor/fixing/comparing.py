"""Two trials → what is the same, and what is not."""

from collections.abc import Iterable, Iterator

from graphdoctor.fixing.closeness import Closeness
from graphdoctor.fixing.computed import compare_calls, compare_variables
from graphdoctor.fixing.printed import compare_lines, lines_of
from graphdoctor.fixing.trials import Trial
from graphdoctor.model.cure import Compared

OUTPUT, VALUES, VARIABLES, END = "output", "values", "variables", "exit code"


def compare(
    reference: Trial, trial: Trial, noise: Trial | None = None, traced: Iterable[str] = ()
) -> tuple[Compared, ...]:
    """Exit code, standard output, values and final variables of a trial, against those of the reference.

    `noise` is the reference with other seeds: what differs between these two is random. `traced` are
    lines that the original printed while it was traced.
    """
    return tuple(closeness.result() for closeness in _all(reference, trial, noise, list(traced)))


def _all(reference: Trial, trial: Trial, noise: Trial | None, traced: list[str]) -> Iterator[Closeness]:
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
    printed = Closeness(OUTPUT)
    compare_lines(before, after, lines_of(noise.ended.output, traced) if noise else None, printed)
    yield printed
    heard = noise.witnessed if noise else None
    values = Closeness(VALUES)
    compare_calls(reference.witnessed, trial.witnessed, heard, values)
    yield values
    if not stopped:
        variables = Closeness(VARIABLES)
        compare_variables(reference.witnessed, trial.witnessed, heard, variables)
        yield variables


def is_same(compared: tuple[Compared, ...]) -> bool:
    """Whether nothing differs."""
    return all(one.equal for one in compared)
