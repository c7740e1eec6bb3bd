"""`graphdoctor.lock`: how often each function of a project is traced by its tests."""

import pathlib
from collections import Counter
from collections.abc import Iterator

import msgspec

from graphdoctor.errors import GraphdoctorError
from graphdoctor.model.words import count
from graphdoctor.recording import History, Recording, Trace, histories
from graphdoctor.recording.differences import describe
from graphdoctor.recording.grouping import Origin
from graphdoctor.recording.joining import process_of
from graphdoctor.recording.labels import PER_INSTANCE, VARIABLE_CREATION

FORMAT = "graphdoctor-lock"
FORMAT_VERSION = 1
BLAMELESS = (VARIABLE_CREATION, PER_INSTANCE)
# A function that no lock knows may be traced once.
NEW = 1


class Lock(msgspec.Struct, frozen=True, kw_only=True):
    """Traces by function, named `path::name`: lines move, names stay."""

    format: str = FORMAT
    version: int = FORMAT_VERSION
    functions: dict[str, int]


def count_traces(recordings: tuple[Recording, ...]) -> Lock:
    """What a lock would hold after this run."""
    counted: Counter[str] = Counter()
    for history in histories(recordings) if recordings else ():
        if history.origin is not Origin.LIBRARY:
            counted[f"{history.function.path}::{history.function.name}"] += _traces(history)
    return Lock(functions=dict(sorted(counted.items())))


def _traces(history: History) -> int:
    """Its traces; the same one in several workers is one, unless its Function object is gone.

    A function made inside a test is gone after it, and is traced wherever the test runs; one that lives
    with its module is traced in every worker that needs it. So the number does not depend on how tests
    are spread over workers.
    """
    blameless = {retrace.trace.number for retrace in history.retraces if retrace.label in BLAMELESS}
    firsts = _first_instances(history)
    blameless |= firsts
    traces = [trace for trace in history.traces if trace.number not in blameless]
    kept = [trace for trace in traces if trace.object not in history.dead_functions]
    most: Counter[str] = Counter()
    for (key, _), number in Counter((_key(trace), process_of(trace)) for trace in kept).items():
        most[key] = max(most[key], number)
    return len(traces) - len(kept) + most.total() + bool(firsts)


def _first_instances(history: History) -> set[int]:
    """The first trace in each worker, of a method: others of other instances are blameless there.

    Each worker has such a first one; in a single process there is one for all, and one is counted.
    """
    firsts: dict[int, Trace] = {}
    for trace in history.traces:
        firsts.setdefault(process_of(trace), trace)
    return {trace.number for trace in firsts.values() if trace.per_instance}


def _key(trace: Trace) -> str:
    """What a trace was asked for, without the numbers of objects, which differ between processes."""
    arguments = [(a.path, a.type, a.text if a.kind == "object" else describe(a)) for a in trace.arguments]
    return repr((arguments, sorted(trace.context.items())))


def increases(allowed: Lock, now: Lock) -> Iterator[str]:
    """One sentence for each function that is traced more often than allowed."""
    for name, traces in now.functions.items():
        known = allowed.functions.get(name)
        if traces > (NEW if known is None else known):
            before = "it is not in the lock" if known is None else f"the lock allows {known}"
            yield f"{name} was traced {count(traces, 'time')}, {before}"


def read_lock(path: pathlib.Path) -> Lock:
    """The lock in a file; GraphdoctorError when it is not one."""
    try:
        lock = msgspec.json.decode(path.read_bytes(), type=Lock)
    except FileNotFoundError as error:
        raise GraphdoctorError(
            f"there is no {path.name}: write one with --graphdoctor --graphdoctor-update-lock"
        ) from error
    except OSError as error:
        raise GraphdoctorError(f"{path}: cannot be read: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise GraphdoctorError(f"{path}: not a lock ({error}): write it again") from error
    if lock.format != FORMAT or lock.version > FORMAT_VERSION:
        raise GraphdoctorError(
            f"{path}: lock has format {lock.format} {lock.version}, this version reads {FORMAT} up to "
            f"{FORMAT_VERSION}: upgrade graphdoctor"
        )
    return lock


def write_lock(path: pathlib.Path, lock: Lock) -> None:
    """Write a lock as JSON that is easy to compare."""
    try:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(lock), indent=2) + b"\n")
    except OSError as error:
        raise GraphdoctorError(f"{path}: cannot be written: {error.strerror}") from error
