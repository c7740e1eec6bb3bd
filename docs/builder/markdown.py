"""Markdown → HTML: headings that can be linked to, code in colours, links between pages."""

import html
import posixpath
import re

import pygments
from docs.builder.pages import Page, address_of
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

NOT_IN_NAMES = re.compile(r"[^\w]+")


def highlight(code: str, language: str, _: str) -> str:
    """The code in colours, in a box that can be scrolled with the keyboard too."""
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    coloured = pygments.highlight(code, lexer, HtmlFormatter(nowrap=True))
    return f'<pre tabindex="0"><code class="{html.escape(language)}">{coloured}</code></pre>\n'


def render(page: Page) -> tuple[str, list[tuple[str, str]]]:
    """The page's HTML, and its headings of the second level as (name, title)."""
    parser = MarkdownIt("commonmark", {"highlight": highlight}).enable("table")
    tokens = parser.parse(page.text)
    headings = _name_headings(tokens)
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs["href"] = page_link(str(child.attrs["href"]), page)
    return parser.renderer.render(tokens, parser.options, {}), headings


def page_link(link: str, page: Page) -> str:
    """The link as it is in the site: to pages, not to their sources."""
    path, mark, anchor = link.partition("#")
    if page.source is None or not path.endswith(".md") or "://" in path:
        return link
    target = (page.source.parent / path).resolve()
    here = posixpath.dirname(page.address)
    return posixpath.relpath(address_of(target), here or ".") + mark + anchor


def _name_headings(tokens: list[Token]) -> list[tuple[str, str]]:
    """Give every heading a name of its own; those of the second level are returned."""
    taken: set[str] = set()
    found = []
    for index, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        title = tokens[index + 1].content.replace("`", "").replace("\\", "")
        name = base = NOT_IN_NAMES.sub("-", title.lower()).strip("-") or "part"
        number = 1
        while name in taken:
            number += 1
            name = f"{base}-{number}"
        taken.add(name)
        token.attrs["id"] = name
        if token.tag == "h2":
            found.append((name, title))
    return found
