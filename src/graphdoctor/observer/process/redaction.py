"""Events → events without the program's values, so that a recording can be shared."""

import hashlib
import re
from typing import Any

# Texts that name code, places and kinds. Every other text is a value until proven otherwise.
CODE_NAMES = {
    "event", "format", "graphdoctor", "tensorflow", "python", "directory", "worker", "name", "path", "kind",
    "type", "dtype", "passes", "function", "entered", "failed", "fingerprint", "change", "title", "holder",
    "through", "reason", "method", "operation", "shapes", "graph", "step", "recorder", "sees", "keras",
    "reached", "traced", "origin", "answer", "what", "shows", "construct", "outcome", "phase", "of",
    "differs", "how", "fate", "role", "host",
}  # fmt: skip
HARMLESS = {"", "True", "False", "None"}
KEY = re.compile(r'\["(\w+)"\]')
# A key that is more than a word, and all to the last bracket: neither an index nor a digest of ours.
LONG_KEY = re.compile(r"\[(?!\d+\]|#[0-9a-f]{8}\])(.*)\]", re.DOTALL)


class Redactor:
    """Replaces each value by a short digest: equal values look equal, and nobody can read them.

    Without the key, which is in no recording, a digest cannot be tried against guesses. Shapes,
    dtypes, names of functions and types, places, booleans and None stay.
    """

    def __init__(self, key: str) -> None:
        self._key = bytes.fromhex(key)

    def redact(self, event: dict[str, Any]) -> dict[str, Any]:
        """The event as it may be written."""
        redacted: dict[str, Any] = self._redact("", event)
        if event.get("event") == "header":
            redacted["redacted"] = True
            redacted["program"] = [event["program"][0], *map(self.digest, event["program"][1:])]
        if event.get("event") == "problem":
            redacted["message"] = event["message"].split(": ")[0]
        if event.get("event") == "shared-trace":  # its name may hold a key: `options["rate"]`
            redacted["name"] = self._name(event["name"])
        if "state" in event:
            state = event["state"]
            redacted["state"] |= {key: self._name(state[key]) for key in ("name", "holder") if key in state}
        if "tensor" in event:  # its text is a name
            redacted["tensor"] = event["tensor"]
        if "arguments" in event:
            redacted["arguments"] = self._arguments(event["arguments"])
        return redacted

    def digest(self, text: str) -> str:
        """`#3f2a9c01`, the same for the same text."""
        return (
            "#" + hashlib.blake2b(text.encode("utf-8", "replace"), key=self._key, digest_size=4).hexdigest()
        )

    def _name(self, name: str) -> str:
        simple = KEY.sub(lambda key: f"[{self.digest(repr(key[1]))}]", name)
        return LONG_KEY.sub(lambda key: f"[{self.digest(key[1])}]", simple)

    def _redact(self, field: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._redact(key, part) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [self._redact(field, part) for part in value]
        if isinstance(value, str) and field not in CODE_NAMES and value not in HARMLESS:
            return self.digest(value)
        return value

    def _arguments(self, arguments: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Each container stands before its parts: a part's path is its container's and a key or index."""
        redacted = []
        containers: list[tuple[dict[str, Any], str]] = []
        for argument in arguments:
            path = argument["path"]
            while containers and not _is_part(path, containers[-1][0]["path"]):
                containers.pop()
            if containers:
                path = self._part(path, *containers[-1])
            redacted.append({**self._argument(argument), "path": path})
            containers.append((argument, path))
        return redacted

    def _part(self, path: str, container: dict[str, Any], container_path: str) -> str:
        """`batch[#3f2a9c01]` for `batch["mel"]`: keys are values, indices and names of fields are not."""
        last = path[len(container["path"]) :]
        if container["kind"] != "dict":
            return container_path + last
        return f"{container_path}[{self.digest(_repr_of(last[1:-1]))}]"

    def _argument(self, argument: dict[str, Any]) -> dict[str, Any]:
        redacted: dict[str, Any] = self._redact("", argument)
        if argument["kind"] == "object" and "text" in argument:  # the name of a function or class
            redacted["text"] = argument["text"]
        if argument["kind"] == "record" and "keys" in argument:  # the names of fields
            redacted["keys"] = argument["keys"]
        return redacted


def _is_part(path: str, container: str) -> bool:
    return path.startswith((container + "[", container + "."))


def _repr_of(key: str) -> str:
    """Keys in paths stand in double quotes when they are identifiers, else as `repr` writes them."""
    return repr(key[1:-1]) if key.startswith('"') else key
