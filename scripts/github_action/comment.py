"""Write the comment of a pull request, or the one of an earlier run again."""

import json
import os
import pathlib
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

from compare import MARK

PAGE = 100
MOST_PAGES = 20


def main() -> None:
    """A pull request of a fork may not be commented on: that is said, and fails nothing."""
    event = json.loads(pathlib.Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    text = pathlib.Path(os.environ["COMMENT_FILE"]).read_text(encoding="utf-8")
    try:
        write_comment(int(event["pull_request"]["number"]), text)
    except urllib.error.HTTPError as error:
        print(f"::notice::no comment was written ({error.code}): the token may not, as for one of a fork")
    except urllib.error.URLError as error:
        sys.exit(f"::error::no comment was written: {error.reason}")


def write_comment(number: int, text: str) -> None:
    """Change the comment of ours if there is one, else write a new one."""
    of_issue = f"issues/{number}/comments"
    for comment in _comments(of_issue):
        if str(comment.get("body", "")).startswith(MARK):
            _ask("PATCH", f"issues/comments/{int(comment['id'])}", {"body": text})
            return
    _ask("POST", of_issue, {"body": text})


def _comments(of_issue: str) -> Iterator[dict[str, Any]]:
    for page in range(1, MOST_PAGES + 1):
        found = _ask("GET", f"{of_issue}?per_page={PAGE}&page={page}")
        yield from found
        if len(found) < PAGE:
            return


def _ask(method: str, path: str, body: dict[str, str] | None = None) -> Any:
    address = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/{path}"
    request = urllib.request.Request(
        address,
        method=method,
        data=json.dumps(body).encode() if body is not None else None,
        headers={
            "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


if __name__ == "__main__":
    main()
