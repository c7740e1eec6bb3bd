"""`python -m workloads.handwriting TEXT` writes a text by hand."""

import os


def main() -> None:
    """The command `handwriting`."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # a drawing needs no word about the CPU
    from workloads.handwriting.command import main as command

    command(prog_name="handwriting")


if __name__ == "__main__":
    main()
