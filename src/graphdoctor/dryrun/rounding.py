"""Numbers that are rounded to multiples of another have few values, however many they are made of."""

from graphdoctor.dryrun.values import Known, Value

QUOTIENT, REST = "quotient", "rest"


def is_rounded(name: str, left: Value, right: Value) -> bool:
    """Whether an operation ends it: `n // 8 * 8`, `n - n % 8`, `n + (8 - n % 8)`."""
    grains = {getattr(value, "grain", "") for value in (left, right)}
    if name == "mul":
        factors = [value.value for value in (left, right) if isinstance(value, Known)]
        return QUOTIENT in grains and any(isinstance(each, int) and abs(each) > 1 for each in factors)
    return name in ("add", "sub") and REST in grains and not isinstance(left, Known)


def grain_of(name: str, left: Value, right: Value) -> str:
    """What of a division the result is; a constant more or less changes nothing in that."""
    if name in ("floordiv", "mod") and isinstance(right, Known):
        return QUOTIENT if name == "floordiv" else REST
    if name in ("add", "sub") and (isinstance(left, Known) or isinstance(right, Known)):
        return getattr(right if isinstance(left, Known) else left, "grain", "")
    return ""
