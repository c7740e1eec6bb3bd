"""Which part of a project a file belongs to, by its name and folders: code, tests, examples, vendored."""

import os

FOLDERS = {
    "vendored": {
        "third_party", "thirdparty", "3rdparty", "vendor", "vendors", "vendored", "_vendor", "_vendored",
        "extern",
    },
    "tests": {"test", "tests", "testing"},
    "examples": {"example", "examples", "demo", "demos", "tutorial", "tutorials"},
}  # fmt: skip


def part_of(path: str) -> str:
    """`tests`, `examples`, `vendored`, or `code` for what is none of these; `path` begins at the project."""
    folder, name = os.path.split(path)
    folders = set(os.path.normpath(folder).split(os.sep))
    for part in ("vendored", "tests", "examples"):
        if folders & FOLDERS[part]:
            return part
    return "tests" if is_test_file(name) else "code"


def is_test_file(path: str) -> bool:
    """Whether a file's own name says that it is a test; programs that a test runs lie beside it."""
    name = os.path.basename(path)
    return name == "conftest.py" or name.startswith("test_") or name.endswith(("_test.py", "_tests.py"))
