"""Install graphdoctor: the version that was asked for, or the one that stands beside this action."""

import os
import pathlib
import re
import subprocess
import sys

VERSION = re.compile(r"[0-9][0-9A-Za-z.!+-]*")


def requirement(version: str, action: str) -> str:
    """What pip is asked to install; SystemExit for what is no version."""
    if not version:
        return action
    if not VERSION.fullmatch(version):
        sys.exit(f"::error::version: expected a version such as 1.2.3, got {version!r}")
    return f"graphdoctor=={version}"


def main() -> None:
    """Ask pip."""
    action = str(pathlib.Path(__file__).resolve().parents[2])
    wanted = requirement(os.environ.get("INPUT_VERSION", "").strip(), action)
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", wanted], check=False)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
