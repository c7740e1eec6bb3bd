"""What a pull request changes in a short training and in the lock file, as a comment."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from typing import Any

from workflow import give, graphdoctor, temporary

MARK = "<!-- graphdoctor -->"
MOST_ROWS = 30
COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def main() -> None:
    """Write the comment to a file, and name it; no comment where there is nothing to say."""
    base = base_commit(json.loads(pathlib.Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8")))
    parts = [findings_part(_read_json(os.environ.get("CHECK_REPORT", "")))]
    smoke = os.environ.get("INPUT_SMOKE_TEST", "").strip()
    if smoke:
        parts.append(training_part(compare_training(shlex.split(smoke), base)))
    lock = os.environ.get("INPUT_LOCK_FILE", "").strip()
    if lock:
        parts.append(lock_part(_lock(_shown(base, lock)), _lock(_text(lock))))
    text = comment_of([part for part in parts if part])
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        with open(summary, "a", encoding="utf-8") as file:
            file.write(text)
    temporary("graphdoctor-comment.md").write_text(text, encoding="utf-8")
    give("comment", str(temporary("graphdoctor-comment.md")))


def base_commit(event: dict[str, Any]) -> str:
    """The commit that the pull request is compared with."""
    found = str(event["pull_request"]["base"]["sha"])
    if not COMMIT.fullmatch(found):
        sys.exit("::error::the event names no base commit")
    return found


def comment_of(parts: list[str]) -> str:
    """The comment; the mark is how the next run finds it."""
    return (
        "\n\n".join([MARK, "## graphdoctor", *(parts or ["Nothing was found, and nothing changed."])]) + "\n"
    )


def findings_part(report: dict[str, Any] | None) -> str:
    """The findings of `check` as a table."""
    if report is None:
        return "The source could not be checked: see the log."
    found = [one for one in report["findings"] if one["severity"] != "NOTE"]
    if not found:
        return ""
    rows = [
        f"| {_place(one)} | {one['severity']} {one['rule']} | {code(one['message'])} |"
        for one in found[:MOST_ROWS]
    ]
    more = [f"… and {len(found) - MOST_ROWS} more."] if len(found) > MOST_ROWS else []
    return "\n".join(
        [f"### {len(found)} in the source", "", "| place | rule | what |", "|---|---|---|", *rows, *more]
    )


def _place(finding: dict[str, Any]) -> str:
    return code(f"{finding['path']}:{finding['line']}")


def compare_training(command: list[str], base: str) -> dict[str, Any] | str:
    """What `graphdoctor diff` says of two runs; a text where one of them failed."""
    before, after = temporary("graphdoctor-base.jsonl"), temporary("graphdoctor-head.jsonl")
    if _git("fetch", "--quiet", "--depth=1", "origin", base) and _git("cat-file", "-e", base):
        return f"The base {base[:12]} could not be fetched."
    with tempfile.TemporaryDirectory() as folder:
        tree = str(pathlib.Path(folder, "base"))
        if _git("worktree", "add", "--quiet", "--detach", tree, base):
            return f"The base {base[:12]} could not be checked out."
        try:
            of_base = _run(command, before, tree)
        finally:
            _git("worktree", "remove", "--force", tree)
    of_head = _run(command, after, None)
    for name, status in (("base", of_base), ("head", of_head)):
        if status:
            return f"On the {name}, the training ended with exit code {status}."
    done = subprocess.run(
        [sys.executable, "-m", "graphdoctor", "diff", "--json", str(before), str(after)],
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()


def _run(command: list[str], recording: pathlib.Path, cwd: str | None) -> int:
    return graphdoctor("run", "-q", "--recording", str(recording), *command, cwd=cwd, quiet=True)


def training_part(found: dict[str, Any] | str) -> str:
    """Traces and seconds of each function before and after, and findings that are new or gone."""
    head = "### A short training, base → head"
    if isinstance(found, str):
        return f"{head}\n\n{code(found)}"
    rows = [
        f"| {code(one['name'])} | {one['traces_before']} → {one['traces_after']} | "
        f"{one['seconds_before']:.2f} s → {one['seconds_after']:.2f} s |"
        for one in found["functions"][:MOST_ROWS]
    ]
    table = ["| function | traces | tracing |", "|---|---|---|", *rows] if rows else []
    said = [
        f"- {word}: {one['rule']} {code(one['message'])}"
        for word in ("new", "gone")
        for one in found[word][:MOST_ROWS]
    ]
    return "\n".join(
        [head, "", *(table or ["No function is traced more or less often."]), *([""] if said else []), *said]
    )


def lock_part(before: dict[str, int] | None, after: dict[str, int] | None) -> str:
    """The functions whose number in the lock file changed."""
    if before is None and after is None:
        return ""
    old, new = before or {}, after or {}
    changed = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    if not changed:
        return ""
    rows = [f"| {code(name)} | {old.get(name, '-')} → {new.get(name, '-')} |" for name in changed[:MOST_ROWS]]
    return "\n".join(["### The lock file", "", "| function | traces allowed |", "|---|---|", *rows])


def code(text: str) -> str:
    """A text as it is: no mark-up, no mention, no link, no cell of a table comes of it."""
    plain = " ".join(text.split()).replace("|", "\\|")
    longest = max(map(len, re.findall("`+", plain)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {plain} {fence}" if longest else f"`{plain}`"


def _lock(text: str | None) -> dict[str, int] | None:
    try:
        found = json.loads(text) if text is not None else None
        return {str(name): int(number) for name, number in found["functions"].items()} if found else None
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def _read_json(path: str) -> dict[str, Any] | None:
    text = _text(path) if path else None
    return json.loads(text) if text is not None else None


def _text(path: str) -> str | None:
    try:
        return pathlib.Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _shown(commit: str, path: str) -> str | None:
    """A file of a commit."""
    done = subprocess.run(["git", "show", f"{commit}:./{path}"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def _git(*arguments: str) -> int:
    return subprocess.run(["git", *arguments], check=False, stderr=subprocess.DEVNULL).returncode


if __name__ == "__main__":
    main()
