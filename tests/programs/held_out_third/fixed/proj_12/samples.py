import random

PHRASES = {
    0: ["invoice is wrong", "charged twice on card", "refund is missing"],
    1: ["router keeps rebooting", "no signal since morning", "wifi is slow upstairs"],
    2: ["cannot login to portal", "password reset mail missing", "change email address"],
}


def corpus(n, seed=0):
    rnd = random.Random(seed)
    rows = [(rnd.choice(PHRASES[k]), k) for k in (rnd.randrange(3) for _ in range(n))]
    return [r[0] for r in rows], [r[1] for r in rows]


def vocabulary(texts):
    return sorted({w for t in texts for w in t.lower().split()})
