"""Figures as people say them, and texts as a terminal may show them."""

LONGEST_LINE = 2000


def shortened(text: str, longest: int) -> str:
    """The text, or as much of it as there is room for."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def printable(text: str, longest: int = LONGEST_LINE) -> str:
    """The text on one line, cut to a bearable length, with control characters spelled out."""
    text = shortened(text, longest)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def count(number: int, noun: str) -> str:
    """`1 finding`, `3 findings`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """`310 s`, `1.6 s`, `13 ms`."""
    if seconds >= 10:
        return f"{seconds:,.0f} s"
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{seconds * 1000:.0f} ms"


def share(part: float, whole: float) -> str:
    """`33 %`."""
    return f"{100 * part / whole:.0f} %" if whole > 0 else "0 %"
