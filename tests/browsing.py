"""A real browser for the tests of pages."""

import dataclasses
import os
import pathlib
import shutil
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE = 120_000  # milliseconds: a busy machine is slow
# Without the last flags Chromium calls home, which fails where there is no network.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str:
    """The path of Chromium; a machine without it skips the test, unless it is the one that must not."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        reason = "no Chromium on this machine: `apt-get install chromium`"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@dataclasses.dataclass
class Opened:
    """A page, and what its console said."""

    page: "Page"
    complaints: list[str]


class Chromium:
    """Opens files, each in a fresh profile that may not reach any network."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser

    def open(self, path: pathlib.Path, width: int = 1280, scheme: str = "light", anchor: str = "") -> Opened:
        """The page of a file, loaded."""
        context = self._browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            offline=True,
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        opened = Opened(page, [])
        page.on("console", lambda message: opened.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: opened.complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (opened.complaints.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: _only_files(opened, request.url))
        page.goto(path.absolute().as_uri() + anchor)
        return opened


def _only_files(opened: Opened, url: str) -> None:
    if not url.startswith(("file:", "about:")):
        opened.complaints.append(f"request: {url}")


def start_chromium() -> Iterator[Chromium]:
    """Chromium, until the tests are done."""
    executable = find_chromium()
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with _short_folder() as folder, sync_playwright() as playwright:
        environment: dict[str, str | float | bool] = {**os.environ, "TMPDIR": folder}
        browser = playwright.chromium.launch(
            executable_path=executable, args=FLAGS, env=environment, timeout=PATIENCE
        )
        yield Chromium(browser)
        browser.close()


def _short_folder() -> "tempfile.TemporaryDirectory[str]":
    """For Chromium's socket, whose path may have 107 characters: many a temporary directory is too deep."""
    usual = "/tmp" if os.access("/tmp", os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="graphdoctor-", dir=usual, ignore_cleanup_errors=True)
