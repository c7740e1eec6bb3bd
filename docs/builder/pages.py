"""Which pages the site has, and where each of them goes."""

import dataclasses
import pathlib
import re

DOCS = pathlib.Path(__file__).parents[1]
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Page:
    """A text in Markdown, and its address within the site."""

    address: str
    text: str
    source: pathlib.Path | None = None

    @property
    def title(self) -> str:
        """Its first heading, without marks of Markdown."""
        found = TITLE.search(self.text)
        return found[1].replace("`", "").replace("\\", "") if found else self.address

    @property
    def root(self) -> str:
        """The way from this page to the first page of the site."""
        return "../" * self.address.count("/")


def written_pages() -> list[Page]:
    """The pages that stand under docs/ as Markdown."""
    return [
        Page(address_of(path), path.read_text(encoding="utf-8"), path) for path in sorted(DOCS.rglob("*.md"))
    ]


def address_of(path: pathlib.Path) -> str:
    """Where a file of docs/ goes; a README is the first page of its folder, if there is no other."""
    relative = path.relative_to(DOCS)
    if relative.name == "README.md" and not path.with_name("index.md").exists():
        relative = relative.with_name("index.md")
    return relative.with_suffix(".html").as_posix()
