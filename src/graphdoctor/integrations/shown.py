"""What a magic returns: text in a terminal, rich in a notebook."""

import html

from graphdoctor.config import Config
from graphdoctor.model import Report, shown
from graphdoctor.reports.html import headline, render_page
from graphdoctor.reports.terminal import render_plain
from graphdoctor.verdict import threshold

HEIGHT_PIXELS = 640


class ShownPage:
    """A page in a frame of its own, which can reach neither notebook nor network."""

    def __init__(self, title: str, text: str, page: str) -> None:
        self._title = title
        self._text = text
        self._page = page

    def __repr__(self) -> str:
        return self._text.rstrip()

    def _repr_html_(self) -> str:
        return (
            f"<div><strong>{html.escape(self._title)}</strong>"
            f'<iframe title="graphdoctor" sandbox="allow-scripts" srcdoc="{html.escape(self._page)}" '
            f'style="width: 100%; height: {HEIGHT_PIXELS}px; border: 1px solid #8888"></iframe></div>'
        )


class ShownReport(ShownPage):
    """A report: what is shown by default as text, the whole page in the frame."""

    def __init__(self, report: Report, config: Config) -> None:
        self.report = report
        reported = headline(report)
        super().__init__(
            reported, f"{reported}\n\n{render_plain(shown(report, threshold(config)))}", render_page(report)
        )


class Preformatted:
    """A text that is laid out in columns."""

    def __init__(self, text: str) -> None:
        self.text = text.rstrip()

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"
