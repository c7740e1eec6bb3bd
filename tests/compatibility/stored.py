"""What is compared between versions: findings without their texts, and the names of all fields.

python -m tests.compatibility.stored    write both files again, after a change that is intended
"""

import dataclasses
import hashlib
import json
import pathlib
import subprocess
import sys
from typing import Any

import msgspec

from graphdoctor.model import Report
from graphdoctor.recording import format as recording_format

ROOT = pathlib.Path(__file__).parents[2]
FOLDERS = ("src/graphdoctor/demo", "tests/listings", "tests/cases")
FINDINGS = pathlib.Path(__file__).with_name("findings.json")
FIELDS = pathlib.Path(__file__).with_name("fields.json")


def checked(folder: str) -> dict[str, Any]:
    """The JSON report of a folder."""
    command = ("-m", "graphdoctor", "check", "--output-format", "json", "--no-cache", "--all", folder)
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def rows(report: dict[str, Any]) -> list[str]:
    """One line per finding: place, rule, severity, confidence and a digest of the edits."""
    return sorted(map(_row, report["findings"]))


def _row(finding: dict[str, Any]) -> str:
    offered = [fix for fix in (finding["fix"], *finding["alternatives"]) if fix]
    edits = [(fix["safety"], *map(_edit, fix["edits"])) for fix in offered]
    digest = hashlib.sha256(json.dumps(edits).encode()).hexdigest()[:8]
    place = ":".join(str(finding[name]) for name in ("path", "line", "column", "end_line", "end_column"))
    level = finding["confidence"]["level"]
    return f"{place} {finding['rule']} {finding['name']} {finding['severity']} {level} {digest}"


def _edit(edit: dict[str, Any]) -> list[Any]:
    return [edit[name] for name in ("path", "line", "column", "end_line", "end_column", "text")]


def fields() -> dict[str, Any]:
    """The fields of the report and of the recording by the name of their type, and both versions."""
    schema = msgspec.json.schema(Report)
    report = {name: sorted(each.get("properties", ())) for name, each in schema["$defs"].items()}
    recording = {
        name: sorted(field.name for field in dataclasses.fields(kind))
        for name, kind in vars(recording_format).items()
        if isinstance(kind, type) and dataclasses.is_dataclass(kind) and not name.startswith("_")
    }
    defaults = {field.name: field.default for field in msgspec.structs.fields(Report)}
    versions = {"report": defaults["schema_version"], "recording": recording_format.FORMAT_VERSION}
    return {"versions": versions, "report": report, "recording": recording}


if __name__ == "__main__":
    found = {folder: rows(checked(folder)) for folder in FOLDERS}
    FINDINGS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    FIELDS.write_text(json.dumps(fields(), indent=1) + "\n", encoding="utf-8")
