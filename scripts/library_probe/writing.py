"""The text of a table: compact, a line for each entry, so that a change of a library shows in a diff."""

import collections
import json

from graphdoctor.dryrun.libraries.tables.operations import SHORT


def text_of(head: dict, entries: dict[str, dict]) -> str:
    """The file of one library."""
    aliases = {alias: name for name, entry in entries.items() for alias in entry.get("aliases", [])}
    signatures = shared(entry.get("parameters", "") for entry in entries.values())
    operations = {name: short(name, entry, signatures) for name, entry in entries.items()}
    sections = {
        **head,
        "signatures": signatures,
        "aliases": dict(sorted(aliases.items())),
        "operations": dict(sorted(operations.items())),
    }
    return "{\n" + ",\n".join(section(key, value) for key, value in sections.items()) + "\n}\n"


def short(name: str, entry: dict, signatures: list[str]) -> dict:
    """The entry as the file holds it: what is not known is left out."""
    facts = {key: value for key, value in entry.items() if key not in ("name", "aliases")}
    if facts.get("parameters") in signatures:
        facts["parameters"] = f"@{signatures.index(facts['parameters'])}"
    if facts.get("result") == f"object:{name}":
        facts["result"] = "object"
    known = {key: value for key, value in facts.items() if value not in ("", [], None, False, "unknown")}
    return {SHORT.get(key, key): value for key, value in known.items()}


def shared(texts) -> list[str]:
    """Long texts that occur more than once: they are kept apart, and referred to by number."""
    counted = collections.Counter(texts)
    return sorted(text for text, count in counted.items() if count > 1 and len(text) > 20)


def section(key: str, value: object) -> str:
    if isinstance(value, list):
        return f"{json.dumps(key)}:[\n" + ",\n".join(compact(item) for item in value) + "\n]"
    if not isinstance(value, dict):
        return f"{json.dumps(key)}:{compact(value)}"
    lines = ",\n".join(f"{json.dumps(name)}:{compact(item)}" for name, item in value.items())
    return f"{json.dumps(key)}:{{\n{lines}\n}}"


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
