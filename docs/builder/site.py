"""All pages → a folder of HTML that needs no network and no server."""

import html
import json
import pathlib
import re
import shutil

import jinja2
from docs.builder import markdown
from docs.builder.commands import render_commands
from docs.builder.interface import render_reference
from docs.builder.pages import DOCS, Page, written_pages
from markupsafe import Markup

from graphdoctor.version import __version__

TAG = re.compile(r"<[^>]*>")
PART = re.compile(r"(?=<h2\b)")
LOOK = pathlib.Path(__file__).parent / "look"
MENU = (
    ("Start", ("index.html", "tutorial.html", "which-command.html")),
    (
        "Guides",
        (
            "guides/slow-training.html",
            "guides/wrong-results.html",
            "guides/graph-errors.html",
            "guides/gradient-is-none.html",
            "guides/not-converted.html",
            "guides/tensor-loops.html",
            "guides/keras-3.html",
            "guides/several-workers.html",
            "guides/ci.html",
            "guides/editor.html",
            "guides/own-rules.html",
            "first-rule.html",
        ),
    ),
    (
        "Commands",
        ("check.html", "fix.html", "tune.html", "explain.html", "debugging.html", "commands.html"),
    ),
    (
        "Reference",
        (
            "rules/index.html",
            "rules/README.html",
            "configuration.html",
            "confidence.html",
            "json.html",
            "recordings.html",
            "interface.html",
            "glossary.html",
            "migrating-to-0.2.0.html",
        ),
    ),
    (
        "How it works",
        (
            "how-it-works.html",
            "evaluation/index.html",
            "evaluation/run-on-public-programs.html",
            "figures.html",
            "variants.html",
            "comparison.html",
            "claims/index.html",
            "versions.html",
        ),
    ),
)


def build_site(target: pathlib.Path) -> list[Page]:
    """Write the site to a folder, which is emptied first; the pages that it has."""
    pages = [
        *written_pages(),
        Page("commands.html", render_commands()),
        Page("interface.html", render_reference()),
    ]
    shutil.rmtree(target, ignore_errors=True)
    template = _environment().get_template("page.html")
    found = []
    in_menu = [address for _, addresses in MENU for address in addresses]
    for page in sorted(
        pages, key=lambda page: page.address not in in_menu
    ):  # of equals the search shows these
        body, headings = markdown.render(page)
        found += search_places(page, body, headings)
        _write(target / page.address, template.render(**_values(page, pages, body, headings)))
    _write(target / "search.js", f"const PLACES = {json.dumps(found, ensure_ascii=False)};\n")
    for name in ("site.css", "site.js"):
        shutil.copy(LOOK / name, target / name)
    shutil.copytree(
        DOCS / "pictures", target / "pictures", ignore=shutil.ignore_patterns("*.py", "__pycache__")
    )
    return pages


def search_places(page: Page, body: str, headings: list[tuple[str, str]]) -> list[list[str]]:
    """What the search finds of a page, as [address, title, heading, words]: the page, and each part of it.

    The headings of rules and claims are all alike; such a page is one place.
    """
    if page.address.startswith(("rules/GD", "claims/")):
        return [[page.address, page.title, "", _words(body)]]
    first, *parts = PART.split(body)
    named = zip(headings, parts, strict=True)
    return [
        [page.address, page.title, "", _words(first)],
        *([f"{page.address}#{name}", page.title, title, _words(part)] for (name, title), part in named),
    ]


def _words(body: str) -> str:
    """The different words of some HTML, in lower case, as the search compares them."""
    return " ".join(dict.fromkeys(html.unescape(TAG.sub(" ", body)).lower().split()))


def _values(page: Page, pages: list[Page], body: str, headings: list[tuple[str, str]]) -> dict[str, object]:
    titles = {other.address: other.title for other in pages}
    return {
        "page": page,
        "root": page.root,
        "version": __version__,
        "menu": [(heading, [(a, titles[a]) for a in addresses]) for heading, addresses in MENU],
        "body": Markup(body),
        "headings": headings,
    }


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(LOOK),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


def _write(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
