"""Prints, as JSON, every public name of a library, and the entries of a seeded sample, made afresh.

python -m library_probe.again LIBRARY SEED COUNT < the signatures of the table, as JSON
"""

import json
import logging
import random
import sys
import warnings

warnings.simplefilter("ignore")


def main(library: str, seed: int, count: int) -> None:
    """Print the answer as one line."""
    from library_probe.libraries import entry_of, head_of, symbols_of
    from library_probe.writing import short

    symbols = symbols_of(library)
    signatures = json.loads(sys.stdin.read())
    sample = random.Random(seed).sample(symbols, count)
    answer = {
        "version": head_of(library)["version"],
        "names": {symbol.name: symbol.aliases for symbol in symbols},
        "entries": {s.name: short(s.name, entry_of(library, s), signatures) for s in sample},
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    logging.disable()
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
