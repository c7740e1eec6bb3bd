import random

GOOD = ["great", "lovely", "fine", "good"]
BAD = ["awful", "poor", "bad", "dull"]
FILL = ["the", "film", "was", "a", "bit", "very"]


def reviews(n=80, seed=0):
    rng = random.Random(seed)
    for _ in range(n):
        label = rng.randrange(2)
        words = rng.choices(FILL, k=4) + rng.choices(GOOD if label else BAD, k=2)
        rng.shuffle(words)
        yield " ".join(words), label
