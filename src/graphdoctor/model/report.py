"""The one object that `check`, `run` and `report` all write."""

import msgspec
from msgspec.structs import replace

from graphdoctor.model.coverage import Coverage
from graphdoctor.model.details import RunDetails
from graphdoctor.model.finding import Finding
from graphdoctor.model.fix_result import FixResult
from graphdoctor.model.function import FunctionSummary
from graphdoctor.model.markup import findings_markup
from graphdoctor.model.time_account import TimeAccount
from graphdoctor.model.words import count

SCHEMA_VERSION = 1


class HeldUp(msgspec.Struct, frozen=True, kw_only=True):
    """What one process did while the others could not go on, or longer than each of them, and on which line.

    kind: tracing (while no other process traced) · compiling (more often than any other, and so many seconds
    more) · input (so many seconds more than any other, beyond what these did meanwhile).
    """

    kind: str
    seconds: float
    name: str = ""
    path: str = ""
    line: int = 0


class ProcessSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What one process of several did; `alone_seconds` it traced while no other process did.

    `worker` is its task in a cluster (`worker 1`), or empty; `rank` and `host` where its environment says.
    `held_up` is what kept the others waiting, where processes step together.
    """

    process: int
    worker: str
    seconds: float
    traces: int
    tracing_seconds: float
    alone_seconds: float
    rank: int | None = None
    host: str = ""
    held_up: tuple[HeldUp, ...] = ()


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


class NotShown(msgspec.Struct, frozen=True, kw_only=True):
    """How many findings a report leaves out: notes, and others of low confidence."""

    notes: int = 0
    low_confidence: int = 0


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything found. Fields may be added in later versions, never changed.

    `complete` is False when something that should have been looked at could not be:
    a file that is not Python, or a recording that ends early. `details` hold every trace of a run;
    they are not part of the JSON, which stays small: the recording has them. `coverage` is what `check`
    looked at. `fix` is what `fix` proved. `not_shown` counts what a shown report leaves out.
    `time` is where the wall time of a run went.
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
    fix_result: FixResult | None = msgspec.field(name="cure", default=None)
    not_shown: NotShown | msgspec.UnsetType = msgspec.UNSET
    time: TimeAccount | None = None

    @property
    def run_seconds(self) -> float:
        """How long the run took: from the start of its process, where its time was accounted for."""
        if self.time is not None:
            return self.time.seconds
        return self.run.seconds if self.run is not None else 0.0

    def _repr_html_(self) -> str:
        """The findings, for a notebook."""
        return findings_markup(self.findings, f"graphdoctor: {count(len(self.findings), 'finding')}")

    def without_details(self) -> "Report":
        """The report as it is written to JSON."""
        return replace(self, details=None, findings=tuple(map(_as_public, self.findings)))

    def to_json(self) -> bytes:
        """The report without its details as indented JSON, with a final newline."""
        return msgspec.json.format(msgspec.json.encode(self.without_details()), indent=2) + b"\n"

    @classmethod
    def from_json(cls, text: bytes | str) -> "Report":
        """The report that `to_json` wrote."""
        return msgspec.json.decode(text, type=cls)


def _as_public(finding: Finding) -> Finding:
    observed = finding.observed
    if observed is not None and observed.explains:
        observed = replace(observed, numbers=msgspec.UNSET)
    return replace(finding, observed=observed, grounds=msgspec.UNSET)
