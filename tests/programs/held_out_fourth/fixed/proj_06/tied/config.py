import argparse


def get(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--width", type=int, default=12)
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=2e-2)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args(argv)
