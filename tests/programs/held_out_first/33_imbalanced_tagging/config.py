import argparse


def parse(argv=None):
    parser = argparse.ArgumentParser(description="tagging with rare classes")
    parser.add_argument("--classes", type=int, default=4)
    parser.add_argument("--examples", type=int, default=240)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=3)
    return parser.parse_args(argv)
