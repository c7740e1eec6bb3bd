"""Looking into a file says nothing to the program."""

import pathlib
import warnings

from graphdoctor.observer.user_code.source_lines import SourceFunction, functions_of


def test_strange_escapes_are_not_warned_of(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "old.py"
    file.write_text("@once\ndef f():\n    return '\\ '\n")
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert functions_of(str(file)) == (SourceFunction("f", 1, 3),)
    assert heard == []
