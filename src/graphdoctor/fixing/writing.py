"""Changed texts → files: all of them or none, and none that someone else changed meanwhile."""

import io
import os
import pathlib
import tokenize
from collections.abc import Mapping

from graphdoctor.errors import GraphdoctorError


def encoded_like(before: bytes, text: str) -> bytes:
    """The text in the encoding that the file's own first lines ask for."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(before).readline)
    return text.encode(encoding)


def replace_files(changed: Mapping[str, tuple[bytes, str]]) -> None:
    """Write texts by path, each with what the file held when it was read.

    Nothing is written when one of the files holds something else by now, or cannot be written.
    """
    drafts: dict[pathlib.Path, pathlib.Path] = {}
    path = ""
    try:
        for path, (before, text) in changed.items():
            target = pathlib.Path(path).resolve()
            if target.read_bytes() != before:
                raise GraphdoctorError(f"{path} was changed meanwhile: nothing is written, start again")
            draft = target.with_name(f"{target.name}.graphdoctor-{os.getpid()}")
            drafts[draft] = target
            draft.write_bytes(encoded_like(before, text))
            draft.chmod(target.stat().st_mode)
            if not os.access(target, os.W_OK):
                raise PermissionError(13, "Permission denied")
        for draft, target in drafts.items():
            draft.replace(target)
    except OSError as error:
        raise GraphdoctorError(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        for draft in drafts:
            draft.unlink(missing_ok=True)
