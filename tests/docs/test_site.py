"""The site: every link leads somewhere, every public name is in it, and it needs nothing from elsewhere."""

import ast
import html.parser
import pathlib
import posixpath
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from docs.builder.interface import render_reference
from docs.builder.site import build_site
from playwright.sync_api import expect
from tests.browsing import Chromium

import graphdoctor
import graphdoctor.batching
from graphdoctor.cli.main import COMMANDS
from graphdoctor.rules import all_rules

ROOT = pathlib.Path(__file__).parents[2]


class Links(html.parser.HTMLParser):
    """Where a page leads, what it loads, and the names in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self.names |= {given["id"]} if "id" in given else set()
        if tag == "a":
            self.links.append(given["href"])
        elif tag in ("img", "script", "link"):
            self.loaded.append(given.get("src") or given.get("href", ""))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    target = tmp_path_factory.mktemp("docs") / "site"
    build_site(target)
    return target


def test_every_link_and_picture_leads_somewhere(site: pathlib.Path) -> None:
    pages = {
        path.relative_to(site).as_posix(): Links(path.read_text(encoding="utf-8"))
        for path in site.rglob("*.html")
    }
    files = {path.relative_to(site).as_posix() for path in site.rglob("*")}
    broken = []
    for address, page in pages.items():
        for link in (*page.links, *page.loaded):
            path, _, anchor = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(address), path)) if path else address
            known = target in files and (not anchor or anchor in pages[target].names)
            if not known and not link.startswith("https://"):
                broken.append(f"{address}: {link}")
    assert broken == []
    assert len(pages) > 100


def test_nothing_is_loaded_from_elsewhere(site: pathlib.Path) -> None:
    for path in site.rglob("*.html"):
        assert [load for load in Links(path.read_text(encoding="utf-8")).loaded if ":" in load] == []
    texts = [(site / name).read_text(encoding="utf-8") for name in ("site.css", "site.js")]
    assert re.findall(r"url\(|@import|https?:", "".join(texts)) == []


def exported(path: str) -> list[str]:
    """`__all__` of a file that cannot be imported everywhere."""
    tree = ast.parse((ROOT / "src" / "graphdoctor" / path).read_text(encoding="utf-8"))
    (found,) = [n.value for n in tree.body if isinstance(n, ast.Assign) and "__all__" in ast.unparse(n)]
    return list(ast.literal_eval(found))


def test_the_reference_names_every_public_name() -> None:
    named = set(re.findall(r"^### `([\w.]+)`$", render_reference(), re.MULTILINE))
    assert named == {
        *(f"graphdoctor.{name}" for name in graphdoctor.__all__),
        *(f"graphdoctor.batching.{name}" for name in graphdoctor.batching.__all__),
        *(f"graphdoctor.keras.{name}" for name in exported("keras.py")),
    }


def test_the_reference_says_what_each_name_is() -> None:
    parts = re.split(r"^###+ ", render_reference(), flags=re.MULTILINE)[1:]
    silent = [
        part.partition("\n")[0] for part in parts if len(re.sub(r"```.*?```", "", part, flags=re.S)) < 20
    ]
    assert silent == []
    assert "max_traces(most: int) -> MaxTraces" in render_reference()
    assert "- `--graphdoctor-fail-on-increase`: Fail when" in render_reference()


def test_every_rule_and_command_has_its_place(site: pathlib.Path) -> None:
    assert {f"{rule.id}.html" for rule in all_rules()} <= {path.name for path in (site / "rules").iterdir()}
    names = Links((site / "commands.html").read_text(encoding="utf-8")).names
    assert {f"graphdoctor-{command}" for command in COMMANDS} <= names


PAGES = ["index.html", "guides/ci.html", "rules/index.html", "interface.html"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_pages_are_accessible_and_no_wider_than_the_window(
    chromium: Chromium, site: pathlib.Path, width: int, scheme: str
) -> None:
    for address in PAGES:
        opened = chromium.open(site / address, width, scheme)
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
        assert opened.complaints == []
        found = Axe().run(opened.page)  # which itself tries to load the style sheet again, and may not
        assert [(address, violation["id"]) for violation in found.response["violations"]] == []
        opened.page.context.close()


def test_search_finds_a_rule(chromium: Chromium, site: pathlib.Path) -> None:
    opened = chromium.open(site / "guides" / "ci.html")
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("gd101")
    expect(opened.page.locator("#found a").first).to_have_text("GD101 python-number-argument")
    opened.page.keyboard.press("Enter")
    expect(opened.page.locator("h1")).to_have_text("GD101 python-number-argument")


def test_search_finds_words_of_the_text(chromium: Chromium, site: pathlib.Path) -> None:
    opened = chromium.open(site / "index.html")
    opened.page.fill("#search", "keyed with a secret digest")
    expect(opened.page.locator("#found a")).to_have_count(1)
    expect(opened.page.locator("#found a")).to_have_text("What a recording contains")
