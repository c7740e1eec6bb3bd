"""Everything graphdoctor raises on purpose.

GraphdoctorError            the command line prints its text and exits with 2
├── ConfigError             `[tool.graphdoctor]` holds something unknown or wrong
├── SourceError             a file the user named cannot be read as Python
│   └── TooLargeError       Python's own parser does not take what is in it
├── EditError               edits overlap, leave the file, or break its syntax
├── RecordingError          a recording is damaged, empty or from a newer version
├── GradientError           `explain_gradient` was not given what it needs
├── ExplainError            the function to explain, or an example argument, cannot be used
├── RulePackageError        rules of another package cannot be used
├── LaunchError             the program to run, or its Python, cannot be started
└── RetraceError            a function was traced again where the program said it must not be

Cancelled is no error, and no Exception: it ends work whose answer is not wanted any more.
"""

from typing import Any


class GraphdoctorError(Exception):
    """What was expected, what came, and what to do, in one sentence."""


class Cancelled(BaseException):
    """Nobody waits for the answer any more; what is isolated from other errors lets it pass."""


class ConfigError(GraphdoctorError):
    """`[tool.graphdoctor]` holds something unknown or wrong."""


class SourceError(GraphdoctorError):
    """A file cannot be read as Python; `line` is where, when that is known."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


class TooLargeError(SourceError):
    """Python's own parser does not take so much: no mistake of the text, and nothing is known of it."""


class RulePackageError(GraphdoctorError):
    """Rules of another package cannot be used; it names the package."""


class EditError(GraphdoctorError):
    """Edits overlap, leave the file, or break its syntax."""


class RecordingError(GraphdoctorError):
    """A recording is damaged, empty or from a newer version."""


class GradientError(GraphdoctorError):
    """`explain_gradient` was not given what it needs."""


class LaunchError(GraphdoctorError):
    """The program to run, or its Python, cannot be started."""


class ExplainError(GraphdoctorError):
    """The function to explain, or an example argument for it, cannot be used."""


class RetraceError(GraphdoctorError):
    """A function was traced again inside `no_retrace`, or more often than `max_traces` allows.

    `function` is who, a FunctionRef; `differences` are all reasons, as a report shows them.
    """

    function: Any = None
    differences: tuple[Any, ...] = ()
