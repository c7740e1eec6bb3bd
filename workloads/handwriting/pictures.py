"""The pictures of the README: `python -m workloads.handwriting.pictures` draws them again."""

from pathlib import Path

from PIL import Image

from workloads.handwriting.drawing import attention_image, make_page, to_image
from workloads.handwriting.hershey import STYLES
from workloads.handwriting.writer import Writer, Written, style_primer

FOLDER = Path(__file__).parent / "pictures"
TEXT = ["The quick brown fox jumps", "over 13 lazy dogs & a cat"]


def draw(name: str, lines: list[Written]) -> None:
    """One picture of some lines."""
    image = to_image(make_page(lines), pixels=1.6)
    save(name, image)


def save(name: str, image: Image.Image) -> None:
    """A PNG of sixteen greys: small, and as clear."""
    image.quantize(16).save(FOLDER / f"{name}.png", optimize=True)


def main() -> None:
    """Draw all of them."""
    FOLDER.mkdir(exist_ok=True)
    writer = Writer.load()
    draw("hello", writer.write(["hello world"], primer=style_primer("plain")))
    for style in STYLES:
        draw(style, writer.write(TEXT, primer=style_primer(style), seed=3))
    biases = (0.0, 1.0, 3.0)
    primer = style_primer("plain")
    draw("bias", [writer.write([f"bias {bias:g}: as you like"], bias, primer)[0] for bias in biases])
    save("attention", attention_image(writer.write(["hello world"], primer=primer)[0]))


if __name__ == "__main__":
    main()
