"""Lines of a recording of version 1 → the lines that version 2 has for them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Line = dict[str, Any]
OPTIONS = ("jit_compile", "reduce_retracing", "input_signature")
# What version 1 left unsaid: whether a captured value is a global or a closure's.
STATES = {"value": "global", "attribute": "attribute"}
SEEN = ("trace", "calls", "stale", "escape", "gradient", "failure", "edited-source", "compilations")


class Upgrade:
    """Upgrades line after line; remembers which function each trace belongs to, which later lines want."""

    def __init__(self) -> None:
        self._functions: dict[int, Line] = {}
        self._upgrade: Mapping[str, Callable[[Line], Iterator[Line]]] = {
            "header": _header,
            "trace": self._trace,
            "crash": _crash,
            "gradient": _gradient,
            "numerics": _numerics,
            "compilations": _as_it_was,
            "stale": self._stale,
            "leak": _leak,
            "edited": _edited,
            "shared": _shared,
            "problem": _as_it_was,
            "end": _end,
        }

    def lines(self, line: Line) -> Iterator[Line]:
        """The lines of version 2 that say what a line of version 1 says."""
        yield from self._upgrade[line["event"]](line)

    def _trace(self, line: Line) -> Iterator[Line]:
        self._functions[line["number"]] = line["function"]
        error = line.get("error")
        if error is not None:
            function = None if line.get("library") else line["function"]
            yield {**_failure(error), "trace": line["number"], "function": function}
        kept = {
            key: value
            for key, value in line.items()
            if key not in ("site", "parent", "pass", "error", "dataset", "keras", *OPTIONS)
        }
        yield {
            **kept,
            "chain": _chain(line.get("site")),
            "trace": line.get("parent") or 0,
            "passes": line.get("pass", "NO_SCOPE"),
            "origin": "dataset" if line.get("dataset") else "keras" if line.get("keras") else "function",
            "options": {option: "True" for option in OPTIONS if line.get(option)},
        }

    def _stale(self, line: Line) -> Iterator[Line]:
        unknown = {"name": line["function"], "path": line["path"], "line": line["line"]}
        yield {
            "event": "stale",
            "trace": line["trace"],
            "object": line["object"],
            "chain": _chain(line),
            "function": self._functions.get(line["trace"], unknown),
            "state": {
                "kind": STATES.get(line["kind"], line["kind"]),
                "name": line["name"],
                "holder": line.get("holder", ""),
            },
            "then": _value(line["then"]),
            "now": _value(line["now"]),
            "calls": line["calls"],
        }


def _as_it_was(line: Line) -> Iterator[Line]:
    yield line


def _header(line: Line) -> Iterator[Line]:
    yield {**line, "recorder": "run", "sees": SEEN}


def _crash(line: Line) -> Iterator[Line]:
    yield _failure(line["error"])


def _failure(error: Line) -> Line:
    place = {"path": error["path"], "line": error["line"], "function": ""} if error["line"] else None
    return {
        "event": "failure",
        "type": error["type"],
        "text": error["message"],
        "through": error.get("through", ""),
        "chain": _chain(place),
    }


def _gradient(line: Line) -> Iterator[Line]:
    path = [{**step, "place": _place(step.get("place"))} for step in line.get("path", ())]
    kept = {key: value for key, value in line.items() if key not in ("site", "tape", "place")}
    yield {
        **kept,
        "chain": _chain(line.get("site")),
        "opened": _place(line.get("tape")),
        "broken": _place(line.get("place")),
        "path": path,
    }


def _numerics(line: Line) -> Iterator[Line]:
    yield {**line, "event": "non-finite", "chain": _chain(line.get("site"))}


def _leak(line: Line) -> Iterator[Line]:
    yield {
        "event": "escape",
        "trace": line["trace"],
        "chain": _chain(line),
        "tensor": {"kind": "tensor", "text": line["tensor"]},
        "state": {"kind": _kind_of_holder(line["holder"]), "name": line["name"], "holder": line["holder"]},
        "again": line["certain"],
        "ran": [{"name": "", **place} for place in line.get("ran", ())],
    }


def _kind_of_holder(holder: str) -> str:
    """`global` of "global `total`", `cell` of "closure variable `total`", `list` of "list `kept`"."""
    first = holder.partition(" ")[0]
    return {"closure": "cell"}.get(first, first) if "`" not in first else "attribute"


def _edited(line: Line) -> Iterator[Line]:
    function = {key: line[key] for key in ("name", "path", "line")}
    chain = _chain({"path": line["path"], "line": line["line"], "function": line["name"]})
    yield {"event": "edited-source", "trace": line["trace"], "function": function, "chain": chain}


def _shared(line: Line) -> Iterator[Line]:
    yield {
        "event": "shared-trace",
        "trace": line["trace"],
        "name": line["name"],
        "then": _value(line["then"]),
        "now": _value(line["now"]),
        "calls": line["calls"],
        "chain": _chain({"path": line["path"], "line": line["line"], "function": ""}),
    }


def _end(line: Line) -> Iterator[Line]:
    for counted in line.get("calls", ()):
        function = {"name": "", "path": counted["path"], "line": counted["line"]}
        yield {"event": "calls", "function": function, "calls": counted["calls"]}
    yield {key: value for key, value in line.items() if key != "calls"}


def _chain(site: Line | None) -> list[Line]:
    if site is None:
        return []
    frame = {"function": site["function"], "place": _place(site), "entered": site.get("entered") or ""}
    return [frame]


def _place(site: Line | None) -> Line | None:
    return {"path": site["path"], "line": site["line"]} if site is not None else None


def _value(text: str) -> Line:
    return {"kind": "value", "text": text}
