"""A pytest session under observation, in one process or spread over xdist's workers."""

import gc
import io
import pathlib
import shutil
import tempfile
from collections.abc import Generator
from typing import Any

import pytest

from graphdoctor.config import load_config
from graphdoctor.errors import GraphdoctorError
from graphdoctor.integrations.lock import Lock, count_traces, increases, read_lock, write_lock
from graphdoctor.integrations.observation import observe
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Report
from graphdoctor.model.words import count
from graphdoctor.recording import Recording, read_recording
from graphdoctor.reports.formats import format_for, write_report
from graphdoctor.verdict import RETRACE, Allowance, broken

WORKER_INPUT = "graphdoctor_directory"


class ObservedSession:
    """Observes each process that runs tests; the first process reports.

    Each worker records into a file of its own, in a directory that the first process made.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._worker_input: dict[str, Any] | None = getattr(config, "workerinput", None)
        spread = bool(config.getoption("numprocesses", None)) or bool(config.getoption("tx", None))
        self._runs_tests = self._worker_input is not None or not spread
        self._lock_path = config.rootpath / (config.getoption("--graphdoctor-lock") or "graphdoctor.lock")
        self._allowed = self._before_the_tests()
        self._directory = pathlib.Path(
            self._worker_input[WORKER_INPUT]
            if self._worker_input
            else tempfile.mkdtemp(prefix="graphdoctor-pytest-")
        )
        name = self._worker_input["workerid"] if self._worker_input else "main"
        self._observation = observe(recording=str(self._directory / f"{name}.jsonl"))
        self._report: Report | None = None
        self._messages: list[str] = []
        if self._runs_tests:
            self._observation.start()

    def _before_the_tests(self) -> Lock | None:
        """What the lock allows; mistakes on the command line are said before the tests run."""
        if self._worker_input is not None:
            return None
        try:
            if self._config.getoption("--graphdoctor-report"):
                format_for(self._config.getoption("--graphdoctor-report"))
            if self._config.getoption("--graphdoctor-fail-on-increase"):
                return read_lock(self._lock_path)
        except GraphdoctorError as error:
            raise pytest.UsageError(f"graphdoctor: {error}") from error
        return None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of xdist where to record."""
        node.workerinput[WORKER_INPUT] = str(self._directory)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Note which test runs, with its fixtures."""
        self._observation.during = item.nodeid
        try:
            return (yield)
        finally:
            self._observation.during = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Run a test; then hold it to its markers."""
        allowances = list(map(_allowance, item.iter_markers("max_traces")))
        allowances += map(_allowance, item.iter_markers("no_retrace"))
        if not allowances:
            return (yield)
        with observe(warmup=max(allowance.warmup for allowance in allowances)) as observation:
            result = yield
        report = observation.report()
        failures = [failure for allowance in allowances for failure in broken(report, allowance)]
        if failures:
            pytest.fail("\n".join(f"graphdoctor: not allowed: {one}" for one in failures), pytrace=False)
        return result

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End the recording; in the first process, judge them all."""
        if self._runs_tests:
            gc.collect()  # functions made inside tests are gone, and the recording is to say so
            self._observation.stop()
            self._observation.recording()
        if self._worker_input is not None:
            return
        try:
            recordings = tuple(map(read_recording, map(str, sorted(self._directory.glob("*.jsonl")))))
            self._conclude(recordings, session)
        except GraphdoctorError as error:
            self._messages.append(str(error))
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        finally:
            shutil.rmtree(self._directory, ignore_errors=True)

    def _conclude(self, recordings: tuple[Recording, ...], session: pytest.Session) -> None:
        if recordings:
            self._report = judge_recordings(recordings, load_config(self._config.rootpath))
        path = self._config.getoption("--graphdoctor-report")
        if path and self._report is not None:
            write_report(self._report, path)
        now = count_traces(recordings)
        if self._config.getoption("--graphdoctor-update-lock"):
            write_lock(self._lock_path, now)
            reported = count(len(now.functions), "function")
            self._messages.append(f"wrote {self._lock_path.name}: {reported}")
        elif self._allowed is not None:
            found = list(increases(self._allowed, now))
            self._messages += found
            if found and session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """What was traced again and why, and what the lock says of it."""
        if self._worker_input is not None:
            return
        terminalreporter.section("graphdoctor")
        for line in self._reported():
            terminalreporter.write_line(line)
        for message in self._messages:
            terminalreporter.write_line(message)

    def _reported(self) -> list[str]:
        if self._report is None or self._report.run is None:
            return ["TensorFlow was not imported; nothing to report"]
        from graphdoctor.reports.lines import render_concise
        from graphdoctor.reports.run import print_run, run_summary
        from graphdoctor.reports.terminal import plain_console

        if self._config.get_verbosity() < 0:
            return [run_summary(self._report, self._report.run), *render_concise(self._report).splitlines()]
        stream = io.StringIO()
        print_run(self._report, plain_console(stream))
        return stream.getvalue().rstrip().splitlines()


def _allowance(marker: pytest.Mark) -> Allowance:
    """What a marker allows; a marker that is not understood is an error."""
    try:
        if marker.name == "max_traces":
            return _max_traces(*marker.args, **marker.kwargs)
        return _no_retrace(*marker.args, **marker.kwargs)
    except (TypeError, GraphdoctorError) as error:
        message = str(error).replace("_max_traces()", "max_traces").replace("_no_retrace()", "no_retrace")
        raise pytest.UsageError(f"graphdoctor: marker {marker.name}: {message}") from error


def _max_traces(most: int) -> Allowance:
    return Allowance(max_traces=most)


def _no_retrace(warmup: int = 0) -> Allowance:
    return Allowance(fail_on=(RETRACE,), warmup=warmup)
