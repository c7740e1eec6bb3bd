"""Gives graphdoctor mutated programs, recordings, notebooks, encodings and odd files; nothing may break it.

    python scripts/fuzz.py --seconds 600 --seed 1     as many trials as there is time for
    python scripts/fuzz.py --seed 1 --only 4711       one trial again

A trial is its number and the seed: the same two give the same files. Broken is an exit code other than 0, 1
and 2, a traceback, a rule that fails, a terminal escape in the output, or more time or memory than a
trial may take. What broke is kept in build/fuzz. Exit code 1 when something did.
"""

import argparse
import collections
import contextlib
import io
import os
import pathlib
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from random import Random
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from fuzzing.trials import KINDS, Command

from graphdoctor.cli import main as graphdoctor

KEPT = pathlib.Path(__file__).resolve().parents[1] / "build" / "fuzz"
MOST_SECONDS = 60
MOST_BYTES = 6 << 30
FAULT = re.compile(
    r"Traceback \(most|this is a fault of graphdoctor|GD\d+ failed on this file: .*|the dry run failed on .*"
)
ESCAPES = re.compile(r"\r(?!\n)|[^\t\n\r\x20-\x7e\xa0-\U0010ffff]")
# Of a difference: its other lines are those of the program, exactly, for `git apply`.
NAMES = ("--- ", "+++ ", "@@")


class TookTooLong(BaseException):
    """Not an Exception: no part of graphdoctor may catch it."""


def main() -> int:
    """Run the trials; 1 when one of them broke something."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--trials", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    end = time.monotonic() + options.seconds
    counts: collections.Counter[str] = collections.Counter()
    broken = 0
    for number in range(options.trials) if options.only is None else [options.only]:
        if time.monotonic() > end:
            break
        kind, faults = trial(options.seed, number)
        counts[kind] += 1
        broken += bool(faults)
        for fault in faults:
            print(f"trial {number} ({kind}): {fault[:400]}", flush=True)
    trials = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    print(f"seed {options.seed}: {trials}; {broken} broken")
    return 1 if broken else 0


def trial(seed: int, number: int) -> tuple[str, list[str]]:
    """The kind of this trial, and what broke in it."""
    random = Random(f"{seed}/{number}")
    kind = list(KINDS)[number % len(KINDS)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary, "project")
        folder.mkdir()
        faults = []
        commands = KINDS[kind](random, folder)
        made = pathlib.Path(temporary, "made")
        shutil.copytree(folder, made, symlinks=True, ignore=_special, copy_function=_copy)
        for command in commands:
            faults += [f"graphdoctor {' '.join(command)}: {fault}" for fault in run(command, folder)]
        if faults:
            kept = KEPT / f"{seed}-{number}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.move(made, kept)
    return kind, faults


def _special(folder: str, names: list[str]) -> list[str]:
    """What need not be kept: the number of the trial makes it again."""
    paths = {name: os.path.join(folder, name) for name in names}
    return [name for name, path in paths.items() if os.path.islink(path) or not _is_readable(path)]


def _is_readable(path: str) -> bool:
    return os.path.isdir(path) or (os.path.isfile(path) and os.access(path, os.R_OK))


def _copy(source: str, target: str) -> None:
    if os.path.getsize(source) < 1 << 20:
        shutil.copyfile(source, target)


def run(command: Command, folder: pathlib.Path) -> list[str]:
    """What is wrong with how a command ended."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    code: object = 0
    with (
        _inside(folder),
        _limited(),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
        mock.patch.object(sys, "argv", ["graphdoctor", *command]),
    ):
        try:
            graphdoctor()
        except SystemExit as ended:
            code = ended.code or 0
        except TookTooLong:
            return [f"took more than {MOST_SECONDS} s"]
        except BaseException as error:
            return [f"raised {type(error).__name__}: {error}"]
    texts = []
    for stream in (output, errors):
        stream.seek(0)
        texts.append(stream.read())
    if "--diff" in command:
        texts[0] = "".join(line for line in texts[0].splitlines(True) if line.startswith(NAMES))
    return list(judged(code, *texts))


def judged(code: object, output: str, errors: str) -> Iterator[str]:
    """What an exit code and two texts say of a fault."""
    if code not in (0, 1, 2):
        yield f"exit code {code}"
    for text in (output, errors):
        fault = FAULT.search(text)
        if fault:
            yield f"{fault[0]} … {text[-300:].strip()}"
        escape = ESCAPES.search(text)
        if escape:
            yield f"prints {escape[0]!r}: {text[max(0, escape.start() - 60) : escape.end() + 20]!r}"


@contextlib.contextmanager
def _inside(folder: pathlib.Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    def end(*_: object) -> None:
        raise TookTooLong

    previous = signal.signal(signal.SIGALRM, end)
    signal.alarm(MOST_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


if __name__ == "__main__":
    sys.exit(main())
