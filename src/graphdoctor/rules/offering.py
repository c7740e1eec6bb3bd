"""What a rule makes of the edits that a builder gives, or does not give."""

from collections.abc import Iterable

from graphdoctor.model import Edit, Fix, Safety


def offer(title: str, edits: Iterable[Edit | None] | Edit | None, safety: Safety = Safety.UNSAFE) -> Fix:
    """The fix with these edits; where there are none, or one of them is missing, the order alone."""
    several = (edits,) if isinstance(edits, Edit) or edits is None else tuple(edits)
    known = tuple(edit for edit in several if edit is not None)
    whole = bool(known) and len(known) == len(several)
    return Fix(title=title, safety=safety if whole else Safety.MANUAL, edits=known if whole else ())
