"""What `tune` measured, as a table and a diff."""

from graphdoctor.model.tuning import Alternative, Tuning
from graphdoctor.model.words import count, duration

HEAD = ("variant", "ms/step", "×", "same result?", "first-step cost", "pays after")


def render_tuning(found: Tuning) -> str:
    """The table, the notes, and the diff of the best variant."""
    lines = []
    if found.alternatives:
        steps = f"{count(found.steps, 'step')} after the first {found.warm_steps}"
        lines += [f"{found.where}", f"{steps}, best of {count(found.runs, 'run')} of each variant", ""]
        rows = [HEAD, *map(_row, found.alternatives)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
        for row in rows:
            cells = [row[0].ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
            lines.append("  ".join(cells).rstrip())
        lines += _remarks(found.alternatives)
    lines += [f"note: {note}" for note in found.notes]
    if found.best:
        best = next(one for one in found.alternatives if one.name == found.best)
        lines += ["", f"Best: {found.best}, {best.factor:.2f} × as fast.", "", found.diff.rstrip()]
    elif any(one.factor is not None for one in found.alternatives):
        lines += ["", "Nothing that was tried is clearly faster and computes the same: leave it as it is."]
    elif found.alternatives:
        lines += ["", "No variant could be measured."]
    return "\n".join(lines) + "\n"


def _row(one: Alternative) -> tuple[str, ...]:
    if not one.step_seconds:
        return one.name, "-", "-", "-", "-", "-"
    same = {True: "yes", False: "no", None: "not known"}[one.same] if one.factor is not None else ""
    pays = "" if one.factor is None else "-" if one.pays_after is None else count(one.pays_after, "step")
    return (
        one.name,
        f"{1000 * one.best_seconds:.3g}",
        f"{one.factor:.2f}" if one.factor is not None else "",
        same,
        duration(one.first_seconds),
        pays,
    )


def _remarks(alternatives: tuple[Alternative, ...]) -> list[str]:
    """Why a variant was not measured, and what differs."""
    said = [(one.name, one.reason or one.difference) for one in alternatives]
    shown = [f"{name}: {text}" for name, text in said if text]
    return ["", *shown] if shown else []
