from collections import Counter

TEXT = """the sea was calm and the night was long and the crew was asleep
while the wind turned and the sea rose and the long night ended""".split()


def build(min_count=1):
    counts = Counter(TEXT)
    words = sorted(w for w, c in counts.items() if c >= min_count)
    return {w: i for i, w in enumerate(words)}


def pairs(vocab, window=2):
    ids = [vocab[w] for w in TEXT]
    return [(c, ids[j]) for i, c in enumerate(ids) for j in range(max(0, i - window), min(len(ids), i + window + 1)) if j != i]
