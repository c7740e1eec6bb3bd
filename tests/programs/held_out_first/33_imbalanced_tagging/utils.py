class LabelStatistics:
    """Counts examples while they pass by."""

    def __init__(self):
        self.examples = 0

    def see(self, label):
        self.examples += 1

    def summary(self):
        return "%d examples seen" % self.examples
