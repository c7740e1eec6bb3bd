import config


class Phase:
    """Weights of the loss terms during a part of the training."""

    def __init__(self, first, weights):
        self.first = first
        self.weights = dict(weights)

    def weight(self, term):
        return self.weights.get(term, 0.0)

    def __repr__(self):
        return f"Phase(from {self.first}: {self.weights})"


PHASES = [Phase(first, weights) for first, weights in config.PHASES]


def phase_at(epoch):
    return [p for p in PHASES if p.first <= epoch][-1]
