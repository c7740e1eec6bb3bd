class RunName:
    """Names of the phases of a run, as they appear in reports and in the graph."""

    def __init__(self, run):
        self.run = run

    def phase(self, epoch):
        return f"{self.run}/epoch_{epoch:03d}"
