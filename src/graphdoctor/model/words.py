"""Figures as people say them."""


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
