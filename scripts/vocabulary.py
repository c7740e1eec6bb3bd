"""Finds words of an old private vocabulary in code, comments and texts: docs/glossary.md has the right ones.

    python scripts/vocabulary.py              code and documents
    python scripts/vocabulary.py --docs       the documents only

Prints each place and the number of them; exit code 1 unless it is 0. Only words that have one meaning here
are looked for. What may stay is in ALLOWED, with the reason.
"""

import argparse
import pathlib
import re
import sys
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).parents[1]
CODE = ("src", "tests", "scripts", "benchmarks", "workloads")
DOCUMENTS = (
    "docs",
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "RELEASING.md",
    ".github",
)
SUFFIXES = {".py", ".js", ".html", ".css", ".md", ".toml"}

# Each old word, as it is written in names and in sentences, and what to write instead.
WORDS = {
    r"turns?": "iteration",
    r"told": "reported",
    r"mend(?:s|ed|ing)?": "fix",
    r"cur(?:e|es|ed|ing)": "fix",
    r"cloth(?:es|ing)": "variant",
    r"beliefs?": "inferred value",
    r"anew": "again",
    r"reckon(?:s|ed|ing|ings)?": "compute",
    r"foretold|foretells?|foretelling": "predicted",
    r"hurried": "budget exhausted",
    r"lending|lent": "escape",
    r"likeness(?:es)?": "name the mechanism",
    r"fates": "outcomes",
    r"chatter": "log noise",
    r"patients": "samples",
    r"nobody[ _]knows": "unknown",
    r"by now": "now",
}

# Programs and texts that are data: what they say is not ours, or is compared with what they gave.
DATA = (
    "tests/cases/", "tests/programs/", "tests/listings/", "tests/projects/", "tests/projects_unseen/",
    "tests/hostile/",
    "tests/data/", "tests/oracle/", "tests/compatibility/", "src/graphdoctor/demo/samples/",
    "src/graphdoctor/dryrun/library/",
)  # fmt: skip

# (which files, what of a line may stay, why)
ALLOWED = (
    ("", r"(?:\b|_)in[ _](?:its |their )?turns?\b|\btakes? turns\b", "an idiom"),
    ("", r"\bturns? (?:[\w`'.]+ ){1,7}?(?:into|off|on)\b|\bturns? (?:on|off|out|into)\b", "the verb"),
    ("", r"\.turns\b|\bturns\b ?[:=]|`turns`", "a field of recordings"),
    ("", r"\.foretold\b|\bforetold ?[:=]|`foretold`", "a field of recordings and reports"),
    ("", r"\.anew\b|\banew ?[:=]|`anew`|\"anew\"|· anew", "a field and a value of recordings"),
    ("", r"\"turn\"|· turn\b", "a value of recordings"),
    ("", r"given to what nobody knows", "a value of recordings"),
    ("", r"\"(?:cure|mended|(?:partly |edited, not )?cured)\"|`(?:cure|mended)`", "in reports"),
    ("", r"\[?\"patients\"\]?", "a field of the JSON of `demo`"),
    ("scripts/recall.py", r"\"told\"", "a value of docs/recall/commits.csv"),
    ("workloads/", r"\bturn(?:s|ed)?\b", "rotation and direction of strokes"),
    ("benchmarks/variants/", r"\bturn\b", "rotation of strokes"),
    ("src/graphdoctor/reports/page/", r"\bturn\b", "rotation of a drawing"),
    ("scripts/vocabulary.py", r".*", "the list itself"),
    ("tests/test_vocabulary.py", r".*", "tests of the list"),
    ("docs/glossary.md", r".*", "the glossary itself"),
)  # fmt: skip

# In names words are joined by `_` or begin with a capital letter.
PATTERN = re.compile(
    rf"(?<![A-Za-z])(?i:{'|'.join(WORDS)})(?![a-z])|(?<=[a-z])(?:Told|Cured?|Anew|Turns?)(?![a-z])"
)


def old_words(path: str, line: str) -> Iterator[str]:
    """The old words of a line that nothing in ALLOWED covers."""
    spans = [
        found.span()
        for prefix, allowed, _ in ALLOWED
        if path.startswith(prefix)
        for found in re.finditer(allowed, line)
    ]
    for word in PATTERN.finditer(line):
        if not any(start <= word.start() and word.end() <= end for start, end in spans):
            yield word.group()


def instead_of(word: str) -> str:
    """What the glossary has for an old word."""
    return next((new for old, new in WORDS.items() if re.fullmatch(old, word, re.IGNORECASE)), "")


def places(roots: tuple[str, ...], root: pathlib.Path = ROOT) -> Iterator[str]:
    """`path:line: word (write …)` for each old word, and for each file that is named by one."""
    for path in sorted(found for name in roots for found in _files(root / name)):
        shown = path.relative_to(root).as_posix()
        if shown.startswith(DATA):
            continue
        for word in old_words(shown, shown):
            yield f"{shown}: the file's name: {word} (write {instead_of(word)})"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for word in old_words(shown, line):
                yield f"{shown}:{number}: {word} (write {instead_of(word)}): {line.strip()[:90]}"


def _files(path: pathlib.Path) -> Iterator[pathlib.Path]:
    if path.is_file():
        yield path
    for found in path.rglob("*") if path.is_dir() else ():
        if found.suffix in SUFFIXES and found.is_file() and "__pycache__" not in found.parts:
            yield found


def main(arguments: list[str] | None = None) -> int:
    """Print what is found, and how much that is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--docs", action="store_true", help="look into the documents only")
    options = parser.parse_args(arguments)
    found = list(places(DOCUMENTS if options.docs else (*CODE, *DOCUMENTS)))
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(found)} old words")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
