"""What findings order of one line, and whether one contradicts the other."""

from collections import defaultdict
from collections.abc import Iterable

from graphdoctor.model import Finding

# Two rules that may speak of one line: what the one orders is part of what the other orders.
TOGETHER = (
    {"GD202", "GD212"},  # return what was appended, instead of keeping it
    {"GD123", "GD131"},  # build the model once, with its variables
)


def contrary(findings: Iterable[Finding]) -> list[tuple[int, list[str]]]:
    """The lines of which several rules order different things, with these rules."""
    lines: dict[tuple[str, int], list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.fix is not None:
            lines[finding.path, finding.line].append(finding)
    found = []
    for (_, line), here in sorted(lines.items()):
        rules, orders = {f.rule for f in here}, {f.fix.title for f in here if f.fix}
        if len(rules) > 1 and len(orders) > 1 and not any(rules <= pair for pair in TOGETHER):
            found.append((line, sorted(rules)))
    return found
