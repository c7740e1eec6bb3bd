import argparse


def get_args(argv=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--vocab", type=int, default=16)
    parser.add_argument("--dim", type=int, default=12)
    parser.add_argument("--max-tokens", type=int, default=8)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--end-id", type=int, default=0)
    return parser.parse_args(list(argv))
