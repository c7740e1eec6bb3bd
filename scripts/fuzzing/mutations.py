"""Small random changes of texts, bytes and JSON: most results are almost right, which is what hurts."""

import json
import re
from random import Random
from typing import Any

TOKENS = re.compile(r"\w+|[^\w\s]|\s+")
SPLICED = (
    "lambda: " * 60 + "0", "(" * 90 + ")" * 90, "-" * 400 + "1", "9" * 5000, "1e999", "0x" + "f" * 9000, "''",
    "yield", "await x", "*x", "**x", ":=", "match x:", "async ", "class C(C): pass", "del tf", "import *",
    "from . import x", "tf = tf.function(tf)", "f = f(f)", "x.__class__ = x", "globals().clear()", "\\", "\0",
    "f'{x!r:{y}}'", "[x for x in x for x in x]", "try:", "finally:", "@tf.function", "while True:", "else:",
    "tf.function(lambda: f())()", "super().__init__()", "raise", "\N{RIGHT-TO-LEFT OVERRIDE}", "é", "\ud800",
)  # fmt: skip
HOSTILE: tuple[Any, ...] = (
    None, True, 0, -1, 2**31, 2**63, 10**30, -(10**30), 1e308, float("inf"), float("nan"), "", "\0",
    "\x1b[31m",
    "/dev/zero", "../../../../etc/passwd", "<script>alert(1)</script>", "x" * 5000, [], {}, [[[[[[]]]]]],
    {"": ""},
    ["\ud800"], "\N{RIGHT-TO-LEFT OVERRIDE}", "{pid}", "#00000000",
)  # fmt: skip


def mutated_text(random: Random, text: str, other: str) -> str:
    """A program with a few changes; `other` is where foreign lines come from."""
    for _ in range(random.choice((1, 1, 2, 3, 6))):
        text = random.choice((_lines, _tokens, _numbers, _splice, _indent))(random, text, other)
    return text


def _lines(random: Random, text: str, other: str) -> str:
    lines, foreign = text.split("\n"), other.split("\n")
    first = random.randrange(len(lines))
    last = min(len(lines), first + random.choice((1, 1, 2, 5)))
    taken = lines[first:last]
    change = random.randrange(4)
    if change == 0:
        lines[first:last] = []
    elif change == 1:
        lines[first:last] = taken * random.choice((2, 3))
    elif change == 2:
        at = random.randrange(len(lines))
        lines[at:at] = taken
    else:
        start = random.randrange(len(foreign))
        lines[first:first] = foreign[start : start + random.choice((1, 3, 9))]
    return "\n".join(lines)


def _tokens(random: Random, text: str, other: str) -> str:
    tokens, foreign = TOKENS.findall(text), TOKENS.findall(other)
    if not tokens or not foreign:
        return text
    at = random.randrange(len(tokens))
    tokens[at] = random.choice((random.choice(tokens), random.choice(foreign), ""))
    return "".join(tokens)


def _numbers(random: Random, text: str, other: str) -> str:
    found = list(re.finditer(r"\b\d+\b", text))
    if not found:
        return text
    number = random.choice(found)
    new = random.choice(("0", "-1", "1e308", str(10**20), "10**9", "True", "None", "'1'", "float('nan')"))
    return text[: number.start()] + new + text[number.end() :]


def _splice(random: Random, text: str, other: str) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(SPLICED) + text[at:]


def _indent(random: Random, text: str, other: str) -> str:
    lines = text.split("\n")
    at = random.randrange(len(lines))
    lines[at] = random.choice(("    ", "\t", " ", "")) + (
        lines[at] if random.random() < 0.5 else lines[at].lstrip()
    )
    return "\n".join(lines)


def mutated_bytes(random: Random, data: bytes) -> bytes:
    """The bytes with some of them changed, left out or repeated."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 2, 8))):
        at = random.randrange(len(changed) + 1)
        kind = random.randrange(4)
        if kind == 0:
            changed[at:at] = bytes(random.randrange(256) for _ in range(random.choice((1, 4))))
        elif kind == 1:
            del changed[at : at + random.choice((1, 1, 20, 500))]
        elif kind == 2:
            changed[at:at] = changed[at : at + 40] * random.choice((1, 50))
        elif at < len(changed):
            changed[at] ^= 1 << random.randrange(8)
    return bytes(changed)


def mutated_json(random: Random, value: Any) -> Any:
    """The value with one part of it left out, repeated, or replaced by something unexpected."""
    places = list(_places(value))
    if not places:
        return random.choice(HOSTILE)
    holder, key = random.choice(places)
    kind = random.randrange(5)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[random.choice(("event", "kind", "path", "line", "x", ""))] = holder.pop(key)
    elif kind == 2 and isinstance(holder, list):
        holder[key:key] = [holder[key]] * random.choice((1, 30))
    elif kind == 3:
        other, name = random.choice(places)
        holder[key] = json.loads(json.dumps(other[name])) if name in _keys(other) else None
    else:
        holder[key] = random.choice(HOSTILE)
    return value


def _places(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        for key in _keys(holder):
            found.append((holder, key))
            waiting.append(holder[key])
    return found


def _keys(holder: Any) -> list[Any]:
    return (
        list(holder)
        if isinstance(holder, dict)
        else list(range(len(holder)))
        if isinstance(holder, list)
        else []
    )
