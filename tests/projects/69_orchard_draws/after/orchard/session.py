from orchard.draws import Draws
from orchard.images import altered


class Session:
    def __init__(self, seed):
        self.draws = Draws(seed)

    def _apply(self, rows, **options):
        return altered(rows, **options)

    def run(self, rows, steps):
        for _ in range(steps):
            self._apply(rows, **self.draws.options())
