"""Several findings that say the same → one."""

from msgspec.structs import replace

from graphdoctor.judging.common_fixes import common_fix
from graphdoctor.model import Finding, Related


def joined(group: list[Finding], message: str) -> Finding:
    """The first of them, with the places of the others, of which `message` tells, and the edits of all."""
    first, *others = group
    if not others:
        return first
    places = {other.place: other for other in others if other.place != first.place}
    also = [
        Related(
            path=other.path,
            line=other.line,
            column=other.column,
            end_line=other.end_line,
            end_column=other.end_column,
            cell=other.cell,
            message=message,
        )
        for other in places.values()
    ]
    fix = common_fix(first.fix, [other.fix for other in others])
    return replace(first, related=(*first.related, *also), fix=fix)
