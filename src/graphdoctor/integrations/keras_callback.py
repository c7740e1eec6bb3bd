"""The Keras callback: says when and why `fit` traces again, can stop it, and reports at the end."""

import sys
from collections.abc import Callable
from typing import Any

import keras

from graphdoctor.integrations.narrator import Narrator
from graphdoctor.integrations.observation import observe
from graphdoctor.model import Report
from graphdoctor.reports.formats import format_for, write_report


def _to_standard_error(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class Doctor(keras.callbacks.Callback):  # type: ignore[misc]
    """For `model.fit(..., callbacks=[Doctor()])`, also `evaluate` and `predict`.

    Keras calls no callback in `train_on_batch` and its like: use it there as `with Doctor():`.

    Args:
        stop_after: end the training after this many retraces.
        warmup: the first traces of each function, which do not count.
        report: a file for the whole report; the extension says the format.
        say: where the lines go; standard error if not given.
    """

    def __init__(
        self,
        *,
        stop_after: int | None = None,
        warmup: int = 0,
        report: str | None = None,
        say: Callable[[str], None] = _to_standard_error,
    ) -> None:
        super().__init__()
        if stop_after is not None and stop_after < 1:
            raise ValueError(f"stop_after must be 1 or more, not {stop_after}")
        if report is not None:
            format_for(report)
        self.retraces = 0
        self._stop_after = stop_after
        self._path = report
        self._say = say
        self._depth = 0
        self._observation = observe(warmup=warmup)
        self._narrator = Narrator(self._retraced, warmup)

    def report(self) -> Report:
        """What was traced so far, why again, and what it cost."""
        return self._observation.report()

    def __enter__(self) -> "Doctor":
        self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def on_train_begin(self, logs: Any = None) -> None:
        """Begin to listen."""
        self._begin()

    def on_train_end(self, logs: Any = None) -> None:
        """Report."""
        self._end()

    def on_test_begin(self, logs: Any = None) -> None:
        """Begin to listen; inside `fit` we do already."""
        self._begin()

    def on_test_end(self, logs: Any = None) -> None:
        """Report, unless it was a part of `fit`."""
        self._end()

    def on_predict_begin(self, logs: Any = None) -> None:
        """Begin to listen."""
        self._begin()

    def on_predict_end(self, logs: Any = None) -> None:
        """Report."""
        self._end()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Stop the training if it was traced too often."""
        if self._stop_after is not None and self.retraces >= self._stop_after:
            if not self.model.stop_training:
                self._say(f"graphdoctor: training stops after {self.retraces} retraces")
            self.model.stop_training = True

    def _begin(self) -> None:
        self._depth += 1
        if self._depth == 1:
            self._observation.start()
            self._narrator.start()

    def _end(self) -> None:
        self._depth = max(0, self._depth - 1)
        if self._depth > 0:
            return
        self._narrator.stop()
        self._observation.stop()
        self._conclude(self.report())

    def _conclude(self, report: Report) -> None:
        from graphdoctor.reports.run import run_summary

        if report.run is not None and report.tensorflow is not None:
            self._say(f"graphdoctor: {run_summary(report, report.run)}")
        for finding in report.findings:
            self._say(f"graphdoctor: {finding.path}:{finding.line}: {finding.rule} {finding.message}")
        if self._path is not None:
            write_report(report, self._path)
            self._say(f"graphdoctor: the report is in {self._path}")

    def _retraced(self, line: str) -> None:
        self.retraces += 1
        self._say(f"graphdoctor: {line}")
