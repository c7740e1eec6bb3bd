"""All pages → a folder of HTML that needs no network and no server."""

import json
import pathlib
import shutil

import jinja2
from docs.builder import markdown
from docs.builder.commands import render_commands
from docs.builder.interface import render_reference
from docs.builder.pages import DOCS, Page, written_pages
from markupsafe import Markup

from graphdoctor.version import __version__

LOOK = pathlib.Path(__file__).parent / "look"
MENU = (
    ("Start", ("index.html", "which-command.html", "check.html", "fix.html", "tune.html")),
    (
        "Guides",
        (
            "guides/slow-training.html",
            "guides/gradient-is-none.html",
            "guides/not-converted.html",
            "guides/editor.html",
            "guides/tensor-loops.html",
            "guides/ci.html",
            "guides/own-rules.html",
            "guides/several-workers.html",
            "explain.html",
            "debugging.html",
        ),
    ),
    (
        "Reference",
        (
            "rules/index.html",
            "rules/README.html",
            "commands.html",
            "recordings.html",
            "interface.html",
            "glossary.html",
        ),
    ),
    (
        "Evaluation",
        (
            "evaluation/index.html",
            "evaluation/run-on-public-programs.html",
            "figures.html",
            "comparison.html",
            "variants.html",
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
    for page in pages:
        body, headings = markdown.render(page)
        found += [[page.address, page.title, ""]]
        found += [[f"{page.address}#{name}", page.title, title] for name, title in headings if _worth(page)]
        _write(target / page.address, template.render(**_values(page, pages, body, headings)))
    _write(target / "search.js", f"const PLACES = {json.dumps(found, ensure_ascii=False)};\n")
    for name in ("site.css", "site.js"):
        shutil.copy(LOOK / name, target / name)
    shutil.copytree(
        DOCS / "pictures", target / "pictures", ignore=shutil.ignore_patterns("*.py", "__pycache__")
    )
    return pages


def _worth(page: Page) -> bool:
    """Whether the headings of a page help to find something: those of rules and claims are all alike."""
    return not page.address.startswith(("rules/GD", "claims/"))


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
