"""`python docs/build.py [TARGET]`: run the examples of the guides, and make the site (default: build/site).

`--no-run` leaves the examples as they are: then no TensorFlow is needed.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from docs.builder.examples import refresh
from docs.builder.pages import DOCS
from docs.builder.site import build_site

EXECUTED = (
    "../README.md",
    "tutorial.md",
    "fix.md",
    "guides/slow-training.md",
    "guides/wrong-results.md",
    "guides/graph-errors.md",
    "guides/keras-3.md",
    "guides/not-converted.md",
    "guides/tensor-loops.md",
    "guides/ci.md",
)


def main(arguments: list[str]) -> None:
    """Run the examples unless reported not to, and make the site."""
    targets = [argument for argument in arguments if not argument.startswith("-")]
    if "--no-run" not in arguments:
        for name in EXECUTED:
            print(f"{name}: {'changed' if refresh(DOCS / name) else 'as it was'}", flush=True)
    target = pathlib.Path(targets[0] if targets else "build/site")
    pages = build_site(target)
    print(f"{len(pages)} pages in {target}")


if __name__ == "__main__":
    main(sys.argv[1:])
