"""GD000."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Rule


class UnparsableFile(Rule):
    """A file of the project could not be checked.

    What it finds
    A file found below a directory that you asked to check, which is not Python text: a syntax error, another
    encoding, a broken link, Python 2. Also a file on which a rule failed internally. Files that cannot
    contain traced code are not parsed.

    Why it matters
    The file was not analysed. All other files are still checked.

    How to fix it
    Fix the file, or exclude it: `exclude = ["templates/*"]` under `[tool.graphdoctor]`.

    When to leave it
    When the file is invalid on purpose, such as test data of a parser. Then exclude it.
    """

    id = "GD000"
    severity = Severity.ERROR
