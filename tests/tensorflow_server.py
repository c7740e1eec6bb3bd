"""Runs programs under the real TensorFlow: one process imports it, and forks for each program.

TensorFlow takes seconds to import; a fork takes milliseconds. The server itself never runs an
operation, so that no thread of TensorFlow's exists when it forks.
"""

import contextlib
import faulthandler
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types
from typing import Any


def serve() -> None:
    """Answer one request per line of standard input until it closes."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import keras  # noqa: F401
    import tensorflow as tf

    tf.get_logger().setLevel("FATAL")
    for line in sys.stdin:
        answers.write(json.dumps(_answer(json.loads(line))) + "\n")
        answers.flush()


def _answer(request: dict[str, Any]) -> dict[str, object]:
    child = os.fork()
    if child == 0:
        _run(request)
    try:
        return _wait(child, float(request["timeout"]))
    finally:
        shutil.rmtree(_temporary(request), ignore_errors=True)


def _temporary(request: dict[str, Any]) -> pathlib.Path:
    """Where a program writes its temporary files, which it leaves behind: it ends without `atexit`."""
    return pathlib.Path(request["output"]).with_name("temporary")


def _wait(child: int, timeout: float) -> dict[str, object]:
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        finished, status = os.waitpid(child, os.WNOHANG)
        if finished:
            return {"status": os.waitstatus_to_exitcode(status), "timed_out": False}
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return {"status": None, "timed_out": True}


def _run(request: dict[str, Any]) -> None:
    """In the forked process: observe and run the program; never returns."""
    from graphdoctor.observer.starting import observe_this_process

    tempfile.tempdir = os.environ["TMPDIR"] = str(_temporary(request))
    os.mkdir(tempfile.tempdir)
    output = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    errors = request.get("errors")  # a file of its own for standard error
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) if errors else output, 2)
    faulthandler.dump_traceback_later(0.9 * float(request["timeout"]), file=2)  # where a program hangs
    status = 0
    settings = request["settings"]
    path = pathlib.Path(request["program"])
    sys.argv = [str(path), *request.get("arguments", ())]
    sys.orig_argv = [sys.executable, *sys.argv]  # it is the program that runs, not this server
    end = observe_this_process(settings) if settings is not None else lambda: None
    os.chdir(request.get("directory") or path.parent)
    counters = _counters(request["counters"], str(path)) if "counters" in request else None
    main = types.ModuleType("__main__")
    main.__file__ = str(path)
    sys.modules["__main__"] = main
    sys.path[0] = str(path.parent)
    try:
        exec(compile(path.read_text(), str(path), "exec"), main.__dict__)
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException as error:
        status = 1
        sys.last_value = error  # as Python itself does for the exception that ends a program
        traceback.print_exc()
        pathlib.Path(request["error"]).write_text(type(error).__name__)
    if counters is not None:  # before the observer ends: it undoes what it has wrapped
        error = getattr(sys, "last_value", None)
        pathlib.Path(request["facts"]).write_text(json.dumps(counters["facts"](error)))
    with contextlib.suppress(Exception):
        end()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _counters(path: str, program: str) -> dict[str, Any]:
    """Counters around TensorFlow, from a file whose frames belong to no file that could be read."""
    namespace: dict[str, Any] = {}
    exec(compile(pathlib.Path(path).read_text(), "<frozen counters>", "exec"), namespace)
    namespace["install"](program)
    return namespace


if __name__ == "__main__":
    serve()
