"""What a magic returns: text in a terminal, rich in a notebook."""

import html

from graphdoctor.model import Report
from graphdoctor.reports.html import headline, render_page
from graphdoctor.reports.terminal import render_plain

HEIGHT_PIXELS = 640


class ShownReport:
    """A report: the whole page in a frame of its own, which can reach neither notebook nor network."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._text = render_plain(report)
        self._page = render_page(report)

    def __repr__(self) -> str:
        return f"{headline(self.report)}\n\n{self._text}".rstrip()

    def _repr_html_(self) -> str:
        return (
            f"<div><strong>{html.escape(headline(self.report))}</strong>"
            f'<iframe title="graphdoctor report" sandbox="allow-scripts" srcdoc="{html.escape(self._page)}" '
            f'style="width: 100%; height: {HEIGHT_PIXELS}px; border: 1px solid #8888"></iframe></div>'
        )


class Preformatted:
    """A text that is laid out in columns."""

    def __init__(self, text: str) -> None:
        self.text = text.rstrip()

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"
