"""What of the metadata depends on where the project is published: addresses, and the links of the README.

GRAPHDOCTOR_ADDRESS is the address of the repository, given when a release is built. Without it the
package names no address, and what the README links to is named and not linked: no link is ever broken.
"""

import os
import pathlib
import re

from hatchling.metadata.plugin.interface import MetadataHookInterface

VARIABLE = "GRAPHDOCTOR_ADDRESS"
PAGES = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md"}
# `![a picture](docs/a.png)` and `[a page](docs/a.md)`, but no address and no place in the same page. The text
# may hold brackets: `[f(x=[1])](docs/a.md)`.
LINK = re.compile(r"(?P<picture>!?)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?!\w+:|#)(?P<path>[^)\s]+)\)")


class PublishedMetadata(MetadataHookInterface):
    """Sets `readme` and `urls`."""

    def update(self, metadata: dict) -> None:
        """Called by hatchling, with what pyproject.toml says."""
        address = os.environ.get(VARIABLE, "").rstrip("/")
        readme = pathlib.Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": published(readme, address)}
        if address:
            metadata["urls"] = {"Repository": address} | {
                name: f"{address}/blob/main/{path}" for name, path in PAGES.items()
            }


def published(readme: str, address: str = "") -> str:
    """The README as it is shown outside the repository."""

    def replaced(link: re.Match[str]) -> str:
        if not address:
            return "" if link["picture"] else link["text"]
        kind = "raw" if link["picture"] else "blob"
        return f"{link['picture']}[{link['text']}]({address}/{kind}/main/{link['path']})"

    return LINK.sub(replaced, readme)
