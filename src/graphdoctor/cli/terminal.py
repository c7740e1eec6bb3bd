"""The program's own text on standard output: exact for a file or another program, harmless on a terminal."""

import re
import sys

# A difference holds lines of the program as they are; these do more on a terminal than end and indent a line.
OBEYED = re.compile(r"\r(?!\n)|[^\t\n\r\x20-\x7e\xa0-\U0010ffff]")


def for_standard_output(text: str) -> str:
    """The text, with what a terminal would obey spelled out where standard output is one."""
    if not sys.stdout.isatty():
        return text
    return OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
