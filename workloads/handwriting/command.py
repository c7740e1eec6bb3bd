"""The command `handwriting`: a text becomes an SVG, PNG or JSON of handwriting."""

import sys
from pathlib import Path

import click

from workloads.handwriting.hershey import STYLES
from workloads.handwriting.line import Line


def _primer(style: str, style_text: str | None) -> Line | None:
    from workloads.handwriting.own_strokes import read_own_lines
    from workloads.handwriting.writer import style_primer

    if Path(style).suffix.lower() in (".json", ".svg"):
        path = Path(style)
        if not path.exists():
            raise ValueError(f"{path}: no such file")
        return read_own_lines(path, style_text)[0]
    return style_primer(style)


def _texts(texts: tuple[str, ...]) -> list[str]:
    return [sys.stdin.read() if text == "-" else text for text in texts]


def _destination(output: Path, number: int, several: bool) -> Path:
    """`out.svg`, or `out-2.svg` for the second of several texts."""
    return output.with_stem(f"{output.stem}-{number}") if several else output


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("handwriting.svg"),
    show_default=True,
    help="Where to; .svg, .png or .json. Several texts are numbered: out-1.svg, out-2.svg ...",
)
@click.option(
    "--bias",
    type=click.FloatRange(0, 10),
    default=1.0,
    show_default=True,
    help="0 writes as varied as the data, larger is neater.",
)
@click.option(
    "--style",
    help=f"One of {', '.join(STYLES)}, any (the network chooses), or your own strokes: a .json or .svg file. "
    "[default: the first of these that the weights have learnt]",
)
@click.option("--style-text", help="What the strokes of an SVG --style write.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option(
    "--width",
    type=click.IntRange(1, 200),
    default=26,
    show_default=True,
    help="Characters per line.",
)
@click.option(
    "--attention",
    type=click.Path(path_type=Path),
    help="Also a PNG of which character was read when, for the first line.",
)
@click.option(
    "--weights",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder that training wrote, instead of the bundled weights.",
)
def main(
    texts: tuple[str, ...],
    output: Path,
    bias: float,
    style: str | None,
    style_text: str | None,
    seed: int,
    width: int,
    attention: Path | None,
    weights: Path | None,
) -> None:
    """Write TEXT (or - for standard input) by hand."""
    try:
        _write(_texts(texts), output, bias, style, style_text, seed, width, attention, weights)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from error


def _write(
    texts: list[str],
    output: Path,
    bias: float,
    style: str | None,
    style_text: str | None,
    seed: int,
    width: int,
    attention: Path | None,
    weights: Path | None,
) -> None:
    from workloads.handwriting.drawing import ENDINGS, attention_image, check_path, save
    from workloads.handwriting.writer import PRETRAINED, Writer, check_texts, wrap

    check_path(output, *ENDINGS)
    if attention:
        check_path(attention, ".png")
    primer = _primer(style, style_text) if style else None
    pages = [wrap(text, width) for text in texts]
    check_texts([line for page in pages for line in page if line.strip()])
    writer = Writer.load(weights or PRETRAINED)
    primer = primer if style else writer.default_primer()
    written = writer.write_pages(pages, bias=bias, primer=primer, seed=seed)
    for number, lines in enumerate(written, start=1):
        path = _destination(output, number, several=len(written) > 1)
        save(lines, path)
        click.echo(path)
    if attention:
        first = next(line for line in written[0] if line.strokes)
        attention_image(first).save(attention)
        click.echo(attention)
