"""`python -m workloads.handwriting TEXT` writes a text by hand."""

import os

if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # a drawing needs no word about the CPU
    from workloads.handwriting.command import main

    main(prog_name="handwriting")
