class NormWatch:
    """Remembers gradient norms and says when they stay above a limit."""

    def __init__(self, patience):
        self.patience = patience
        self.above = 0
        self.norms = []

    def exceeded(self, norm, limit):
        self.norms.append(norm)
        self.above = self.above + 1 if norm > limit else 0
        return self.above >= self.patience
