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


def phase_at(epoch):
    first, weights = [p for p in config.PHASES if p[0] <= epoch][-1]
    return Phase(first, weights)
