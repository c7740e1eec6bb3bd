"""Fixes of several findings that have one cause → one fix."""

from graphdoctor.model import Fix, Safety

WORST_FIRST = (Safety.MANUAL, Safety.UNSAFE, Safety.SAFE)


def common_fix(first: Fix | None, others: list[Fix | None]) -> Fix | None:
    """All edits in one, as safe as the least safe of them; one of them alone would not help."""
    fixes = [fix for fix in (first, *others) if fix is not None and fix.edits]
    if first is not None and not first.edits:  # one edit for all of them is built for one of them
        return next((fix for fix in fixes if fix.title == first.title), first)
    if first is None or len(fixes) == 1:
        return first
    edits = tuple(dict.fromkeys(edit for fix in fixes for edit in fix.edits))
    safety = min((fix.safety for fix in fixes), key=WORST_FIRST.index)
    same = {fix.title for fix in fixes} == {first.title}
    return Fix(title=first.title if same else f"{first.title}, others alike", safety=safety, edits=edits)
