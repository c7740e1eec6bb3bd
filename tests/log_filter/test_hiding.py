"""TensorFlow starts without log noise, and nothing else that is written meanwhile is lost."""

import os
import pathlib
import signal
import subprocess
import sys

import pytest

LOG_NOISE = (
    b"WARNING: All log messages before absl::InitializeLog() is called are written to STDERR\n"
    b"I0000 00:00:1794811379.225811   25127 port.cc:153] oneDNN custom operations are on. You may see more\n"
)
# A library that speaks at its import and at its first operation, as TensorFlow does.
LIBRARY = f"import os\nfrom tensorflow.python.eager import context\nos.write(2, {LOG_NOISE!r})\n"
FIRST_OPERATION = f"""import os


class Context:
    calls = 0

    def ensure_initialized(self):
        Context.calls += 1
        os.write(2, {LOG_NOISE!r} + b"devices made\\n")
"""
START = "import os, sys\nfrom graphdoctor.log_filter import hide_log_noise\nhide_log_noise()\n"


@pytest.fixture
def library(tmp_path: pathlib.Path) -> pathlib.Path:
    """The folder of a small `tensorflow`; what is appended to its file happens at its import."""
    eager = tmp_path / "tensorflow/python/eager"
    eager.mkdir(parents=True)
    for folder in (eager, eager.parent):
        (folder / "__init__.py").touch()
    (eager / "context.py").write_text(FIRST_OPERATION)
    (tmp_path / "tensorflow/__init__.py").write_text(LIBRARY)
    return tmp_path


def run(library: pathlib.Path, program: str, meanwhile: str = "", **environment: str) -> tuple[int, bytes]:
    """The exit status of a program that hides log noise, and all that it wrote to standard error."""
    with (library / "tensorflow/__init__.py").open("a") as file:
        file.write(meanwhile)
    kept = {key: value for key, value in os.environ.items() if key != "TF_CPP_MIN_LOG_LEVEL"}
    paths = [str(library), *filter(None, sys.path)]
    done = subprocess.run(
        [sys.executable, "-c", START + program],
        env={**kept, "PYTHONPATH": os.pathsep.join(paths), **environment},
        stderr=subprocess.PIPE,
        timeout=600,
        check=False,
    )
    return done.returncode, done.stderr


WRITTEN = {
    "nothing": ("", b""),
    "lines": ("print('one', file=sys.stderr)\nos.write(2, b'two\\n')\n", b"one\ntwo\n"),
    "no end of line": ("os.write(2, b'half')\nsys.stderr.write(' a line')\n", b"half a line"),
    "log noise between": (f"os.write(2, b'one\\n' + {LOG_NOISE!r} + b'two\\n')\n", b"one\ntwo\n"),
    "any bytes": ("os.write(2, bytes(range(256)) + b'\\r\\n')\n", bytes(range(256)) + b"\r\n"),
    "very much": ("os.write(2, b'12345678\\n' * 200_000)\n", b"12345678\n" * 200_000),
    "threads": (
        "import threading\nwriters = [threading.Thread(target=lambda: [os.write(2, b'x\\n')"
        " for _ in range(500)]) for _ in range(4)]\n"
        "for writer in writers: writer.start()\nfor writer in writers: writer.join()\n",
        b"x\n" * 2000,
    ),
    "another process": ("import subprocess\nsubprocess.run('echo hello >&2', shell=True)\n", b"hello\n"),
}


@pytest.mark.parametrize(("meanwhile", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_only_log_noise_is_lost(library: pathlib.Path, meanwhile: str, expected: bytes) -> None:
    program = "os.write(2, b'before\\n')\nimport tensorflow\nos.write(2, b'after\\n')\n"
    assert run(library, program, f"import sys\n{meanwhile}") == (0, b"before\n" + expected + b"after\n")


ENDINGS = {
    "abort": ("os.write(2, b'no AVX here')\nos.abort()\n", -signal.SIGABRT, b"no AVX here"),
    "kill": ("os.write(2, b'last words\\n')\nos.kill(os.getpid(), 9)\n", -signal.SIGKILL, b"last words\n"),
    "hard exit": ("os.write(2, b'last words\\n')\nos._exit(3)\n", 3, b"last words\n"),
    "exit": ("raise SystemExit('no library')\n", 1, b"no library\n"),
}


@pytest.mark.parametrize(("meanwhile", "status", "expected"), ENDINGS.values(), ids=ENDINGS)
def test_the_last_words_of_an_import_that_fails_come_out(
    library: pathlib.Path, meanwhile: str, status: int, expected: bytes
) -> None:
    assert run(library, "import tensorflow\n", meanwhile) == (status, expected)


def test_the_traceback_of_an_import_that_fails_comes_out(library: pathlib.Path) -> None:
    status, errors = run(library, "import tensorflow\n", "raise ImportError('no library')\n")
    assert (status, errors.splitlines()[0]) == (1, b"Traceback (most recent call last):")
    assert errors.splitlines()[-1] == b"ImportError: no library"


def test_the_first_operation_is_quiet_once_and_the_method_is_as_it_was(library: pathlib.Path) -> None:
    program = (
        "from tensorflow.python.eager.context import Context\n"
        "Context().ensure_initialized()\nos.write(2, b'then\\n')\nContext().ensure_initialized()\n"
        "print(Context.calls, Context.ensure_initialized.__code__.co_filename[-10:], file=sys.stderr)\n"
    )
    expected = b"devices made\nthen\n" + LOG_NOISE + b"devices made\n2 context.py\n"
    assert run(library, program) == (0, expected)


def test_to_look_for_tensorflow_is_not_to_import_it(library: pathlib.Path) -> None:
    assert run(
        library, "import importlib.util\nimportlib.util.find_spec('tensorflow')\nimport tensorflow\n"
    ) == (
        0,
        b"",
    )


def test_a_started_program_that_goes_on_is_not_waited_for(library: pathlib.Path) -> None:
    meanwhile = (
        "import subprocess\n"
        "late = ['sh', '-c', 'read line; echo late >&2']\n"
        "subprocess.Popen(late, stdin=subprocess.PIPE, start_new_session=True)\n"
    )
    assert run(library, "import tensorflow\nos.write(2, b'end\\n')\nos._exit(0)\n", meanwhile) == (
        0,
        b"end\nlate\n",
    )


def test_whoever_asks_for_the_log_gets_it(library: pathlib.Path) -> None:
    assert run(library, "import tensorflow\n", TF_CPP_MIN_LOG_LEVEL="0") == (0, LOG_NOISE)


def test_without_standard_error_it_starts_all_the_same(library: pathlib.Path) -> None:
    (library / "tensorflow/__init__.py").write_text("")
    assert run(library, "os.close(2)\nimport tensorflow\nos._exit(5)\n") == (5, b"")


def test_where_no_process_can_be_started_it_starts_all_the_same(library: pathlib.Path) -> None:
    assert run(library, "sys.executable = '/no/such/python'\nimport tensorflow\n") == (0, LOG_NOISE)
