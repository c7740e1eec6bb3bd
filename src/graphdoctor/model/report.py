"""The one object that `check`, `run` and `report` all write."""

import msgspec
from msgspec.structs import replace

from graphdoctor.model.coverage import Coverage
from graphdoctor.model.cure import Cure
from graphdoctor.model.details import RunDetails
from graphdoctor.model.finding import Finding
from graphdoctor.model.function import FunctionSummary

SCHEMA_VERSION = 1


class ProcessSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What one process of several did; `alone_seconds` it traced while no other process did.

    `worker` is its task in a cluster (`worker 1`), or empty.
    """

    process: int
    worker: str
    seconds: float
    traces: int
    tracing_seconds: float
    alone_seconds: float


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """Where the seconds of tracing and compiling went.

    To each function's first trace; to what findings explain; to what is benign: few graphs, made early,
    or no fault of the program; and what nothing explains.
    """

    first_seconds: float = 0.0
    found_seconds: float = 0.0
    benign_seconds: float = 0.0
    unexplained_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """All of them."""
        return self.first_seconds + self.found_seconds + self.benign_seconds + self.unexplained_seconds


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What a run amounted to: its seconds since TensorFlow was imported, and those lost to tracing.

    `remarks` say what could not be seen, and why. `processes` is empty unless there were several.
    `account` says where the seconds of tracing and compiling went. `hidden` are the findings that nobody
    asked for (`--include`, `--exclude`): `GD101 train.py:8`.
    """

    seconds: float
    traces: int
    tracing_seconds: float
    remarks: tuple[str, ...] = ()
    processes: tuple[ProcessSummary, ...] = ()
    account: Account | None = None
    hidden: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything found. Fields may be added in later versions, never changed.

    `complete` is False when something that should have been looked at could not be:
    a file that is not Python, or a recording that ends early. `details` hold every trace of a run;
    they are not part of the JSON, which stays small: the recording has them. `coverage` is what `check`
    looked at. `cure` is what `fix` proved.
    """

    schema_version: int = SCHEMA_VERSION
    graphdoctor: str
    tensorflow: str | None = None
    complete: bool = True
    findings: tuple[Finding, ...] = ()
    functions: tuple[FunctionSummary, ...] = ()
    run: RunSummary | None = None
    details: RunDetails | None = None
    coverage: Coverage | None = None
    cure: Cure | None = None

    def without_details(self) -> "Report":
        """The report as it is written to JSON."""
        return replace(self, details=None, findings=tuple(map(_without_numbers, self.findings)))

    def to_json(self) -> bytes:
        """The report without its details as indented JSON, with a final newline."""
        return msgspec.json.format(msgspec.json.encode(self.without_details()), indent=2) + b"\n"

    @classmethod
    def from_json(cls, text: bytes | str) -> "Report":
        """The report that `to_json` wrote."""
        return msgspec.json.decode(text, type=cls)


def _without_numbers(finding: Finding) -> Finding:
    if finding.observed is None or not finding.observed.explains:
        return finding
    return replace(finding, observed=replace(finding.observed, numbers=msgspec.UNSET))
