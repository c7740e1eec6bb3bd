"""Writes the tables of docs/evaluation from the labels, so that no figure there is copied by hand.

    python scripts/evaluation.py             write the tables into docs/evaluation
    python scripts/evaluation.py --check     only say whether the pages have them; exit code 1 if not

The labels are docs/precision/rounds/*.csv (findings in public projects, one row each),
docs/recall/commits.csv (repairs that public projects made) and docs/evaluation/programs.csv (written
programs, one row for each set); docs/evaluation/dates.csv says when each set was first looked
at. A table stands in its page between `<!-- begin NAME -->` and `<!-- end NAME -->`; rounds.md is generated
as a whole.
"""

import argparse
import collections
import csv
import pathlib
import re
import sys
from collections.abc import Iterable, Iterator

import held_out
import recall

DOCS = pathlib.Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "evaluation"
PAGE, ROUNDS = FOLDER / "README.md", FOLDER / "rounds.md"
PART = re.compile(
    r"(?P<begin><!-- begin (?P<name>[\w-]+) -->\n).*?(?P<end><!-- end (?P=name) -->)", re.DOTALL
)
Rows = list[dict[str, str]]
LOUD, SLOW = ("ERROR", "WRONG"), ("SLOW",)
WORTH = ("findings", "actionable", "benign", "false positives", "true")
SHOWN, NOT_REPORTED = ("HIGH", "MEDIUM"), "not reported"  # of docs/precision/rounds/confidence.csv


def main(arguments: list[str] | None = None) -> int:
    """Write the pages, or compare them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a table is old")
    options = parser.parse_args(arguments)
    old = [path for path, text in pages().items() if path.read_text(encoding="utf-8") != text]
    for path in old:
        print(f"{path.relative_to(DOCS.parent)}: {'is old' if options.check else 'written'}")
        if not options.check:
            path.write_text(pages()[path], encoding="utf-8")
    return 1 if old and options.check else 0


def pages() -> dict[pathlib.Path, str]:
    """Each page as it has to be."""
    return {PAGE: with_tables(PAGE.read_text(encoding="utf-8")), ROUNDS: rounds_page()}


def with_tables(text: str) -> str:
    """A page with the tables of today between its marks; what another script fills stays."""
    tables = {"results": results, "missed": missed, "recent": recent, "confidence": confidence}

    def filled(part: re.Match[str]) -> str:
        made = tables.get(part["name"])
        return part["begin"] + made() + part["end"] if made else part[0]

    return PART.sub(filled, text)


def table(*rows: Iterable[object]) -> str:
    """Rows as Markdown; the first is the heading."""
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join([lines[0], "|---" * (lines[0].count(" | ") + 1) + "|", *lines[1:]]) + "\n"


def read(name: str) -> Rows:
    """A table of docs/evaluation."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def results() -> str:
    """Everything that was held out, by date."""
    return table(
        ("date", "set that had not been seen", "size", "result when first seen"),
        *(row for date in sorted({each["date"] for each in read("dates.csv")}) for row in of_date(date)),
    )


def of_date(date: str) -> Iterator[tuple[str, ...]]:
    """What was first looked at on a day."""
    numbers = collections.defaultdict(list)
    for each in read("dates.csv"):
        if each["date"] == date:
            numbers[each["kind"]].append(each["number"])
    if taken := numbers["round"]:
        projects = [row for row in held_out.read("projects") if row["round"] in taken]
        labels = [row for row in held_out.read("labels") if row["round"] in taken]
        result = "; ".join((worth("ERROR and WRONG", labels, LOUD), worth("SLOW", labels, SLOW)))
        yield date, f"findings: {named('round', taken)}", f"{len(projects)} public projects", result
    if taken := numbers["repairs"]:
        first = [row for row in recall.read_rows() if row["round"] in taken and row["first"]]
        found = sum(row["first"] == "found" for row in first)
        noted = sum(row["first"] == "noted" for row in first)
        result = f"`check` reported {found + noted}" + (f", {noted} of them as a note only" if noted else "")
        yield date, f"repairs: {named('round', taken)}", f"{len(first)} repairs", result
    for number in numbers["programs"]:
        (row,) = (each for each in read("programs.csv") if each["number"] == number)
        yield date, f"written programs: set {number}", *of_programs(row)


def named(word: str, numbers: list[str]) -> str:
    """`round 3`, or `rounds 3 to 5`."""
    return f"{word} {numbers[0]}" if len(numbers) == 1 else f"{word}s {numbers[0]} to {numbers[-1]}"


def worth(title: str, labels: Rows, severities: tuple[str, ...]) -> str:
    """How many findings are true, and how many a maintainer would act on."""
    count = collections.Counter(row["label"] for row in labels if row["severity"] in severities)
    return f"{title}: {count['act'] + count['harmless']} of {count.total()} true, {count['act']} actionable"


def of_programs(row: dict[str, str]) -> tuple[str, str]:
    """The size of a set of written programs, and what came of it."""
    number = {name: int(value or 0) for name, value in row.items()}
    faulty, right = number["programs"] + number["projects"], number["correct"] + number["fixed"]
    wrong = number["check_false_correct"] + number["check_false_fixed"]
    result = f"`check` finds {number['check_programs'] + number['check_projects']}, false positives: {wrong}"
    if row["run_programs"]:
        result += f"; `run` finds {number['run_programs'] + number['run_projects']}"
        result += f", false positives: {number['run_false']}; `fix` fixes {row['fix']}"
    return f"{faulty} faulty, {right} correct", result


def recent() -> str:
    """The rounds since the rules of evidence are those of today, one row each and together."""
    labels = held_out.read("labels")
    numbers = sorted({int(row["round"]) for row in labels if int(row["round"]) >= held_out.SINCE})
    rows = [(str(number), [row for row in labels if row["round"] == str(number)]) for number in numbers]
    rows.append(("together", [row for row in labels if int(row["round"]) in numbers]))
    return table(
        ("round", "projects", "", "findings", "actionable", "benign", "false positives", "true"),
        *(
            (number, chosen(number, numbers), title, *counts(found, severities))
            for number, found in rows
            for title, severities in (("ERROR and WRONG", LOUD), ("SLOW", SLOW))
        ),
    )


def chosen(number: str, numbers: list[int]) -> int:
    """How many projects a round has, or all of several."""
    return sum(
        int(row["round"]) in numbers if number == "together" else row["round"] == number
        for row in held_out.read("projects")
    )


def counts(labels: Rows, severities: tuple[str, ...] = LOUD + SLOW) -> tuple[str, ...]:
    """Findings, actionable, benign, false positives, the share that is true."""
    count = collections.Counter(row["label"] for row in labels if row["severity"] in severities)
    every, wrong = count.total(), count["wrong"]
    share = f"{(every - wrong) / every:.0%}" if every else ""
    return (str(every), str(count["act"]), str(count["harmless"]), str(wrong), share)


def missed() -> str:
    """The repairs that the source shows, by kind of problem: reported at first, and now."""
    shown = [row for row in recall.read_rows() if row["shown"] == "yes"]
    kinds = collections.Counter(row["class"] for row in shown)
    reported = {"found", "noted"}
    first = collections.Counter(row["class"] for row in shown if row["first"] in reported)
    now = collections.Counter(row["class"] for row in shown if recall.result_of(row) in reported)
    total = ("all", len(shown), first.total(), now.total())
    return table(
        ("kind of problem", "repairs", "reported when first seen", "reported after development on them"),
        *(
            (kind, kinds[kind], first[kind], now[kind])
            for kind in sorted(kinds, key=lambda k: (-kinds[k], k))
        ),
        total,
    )


def confidence() -> str:
    """What labelled findings are worth, by the confidence that `check` gives them now."""
    rows = held_out.read("confidence")
    levels = [
        (level, [row for row in rows if row["level"] == level]) for level in (*SHOWN, "LOW", NOT_REPORTED)
    ]
    sure = [row for row in rows if row["level"] in SHOWN]
    actionable, found = (sum(row["label"] == "act" for row in some) for some in (rows, sure))
    sentence = (
        f"In {len({row['project'] for row in rows})} projects, drawn at random, {found} of the {actionable} "
        f"actionable findings have HIGH or MEDIUM confidence ({found / actionable:.0%}).\n\n"
    )
    return sentence + table(("confidence", *WORTH), *((level, *counts(some)) for level, some in levels))


def confidence_by_rule() -> str:
    """The findings of HIGH or MEDIUM confidence, rule by rule."""
    sure = [row for row in held_out.read("confidence") if row["level"] in SHOWN]
    rules = sorted({row["now"] for row in sure})
    return table(
        ("rule", *WORTH),
        *((rule_link(rule), *counts([row for row in sure if row["now"] == rule])) for rule in rules),
    )


def rounds_page() -> str:
    """One part for each round: its size, its figures, and its findings by rule."""
    dates = {row["number"]: row["date"] for row in read("dates.csv") if row["kind"] == "round"}
    text = (
        "# Held-out rounds in detail\n\nGenerated by `python scripts/evaluation.py` from the labels in "
        "`docs/precision/rounds`. [The evaluation](README.md) explains the method and the words.\n"
    )
    labels, projects = held_out.read("labels"), held_out.read("projects")
    for number, date in sorted(dates.items(), key=lambda each: -int(each[0])):
        found = [row for row in labels if row["round"] == number]
        size = sum(row["round"] == number for row in projects)
        text += f"\n## Round {number}, {date}\n\n{size} projects. "
        text += f"{worth('ERROR and WRONG', found, LOUD)}. {worth('SLOW', found, SLOW)}.\n"
        text += f"\n{by_rule(found)}" if found else ""
    return text + (
        "\n## HIGH and MEDIUM confidence, by rule\n\nThe [findings](README.md#is-the-confidence-right) that "
        f"`check` makes today in some of these projects.\n\n{confidence_by_rule()}"
    )


def by_rule(labels: Rows) -> str:
    """The findings of a round, rule by rule."""
    found = collections.defaultdict(list)
    for row in labels:
        if row["severity"] in LOUD + SLOW:
            found[row["rule"], row["severity"]].append(row)
    return table(
        ("rule", "severity", "findings", "actionable", "benign", "false positives"),
        *(
            (rule_link(rule), severity, *counts(rows, (severity,))[:4])
            for (rule, severity), rows in sorted(found.items())
        ),
    )


def rule_link(rule: str) -> str:
    """The rule's page, where it has one still."""
    return f"[{rule}](../rules/{rule}.md)" if (DOCS / "rules" / f"{rule}.md").exists() else rule


if __name__ == "__main__":
    sys.exit(main())
