"""GD000."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Rule


class UnparsableFile(Rule):
    """A file of the project could not be checked.

    What it finds
    A file found below a directory that you asked to check, which is not Python text: a syntax
    error, another encoding, a broken link, Python 2. Also a file on which a rule of ours failed. Files
    in which nothing can be traced are not parsed, and not judged.

    Why it matters
    Nothing is known about such a file. All other files are still checked.

    How to fix it
    Mend the file, or exclude it: `exclude = ["templates/*"]` under `[tool.graphdoctor]`.

    When to leave it
    When the file is broken on purpose, as test data of a parser is. Exclude it then.
    """

    id = "GD000"
    severity = Severity.ERROR
