class Stage:
    def __init__(self, title, epochs):
        self.title = title
        self.epochs = epochs

    def enter(self, model, cfg):
        pass


class HeadOnly(Stage):
    pass


class Everything(Stage):
    def enter(self, model, cfg):
        model.get_layer("backbone").trainable = True


def plan(cfg):
    yield HeadOnly("head", cfg.unfreeze_at)
    yield Everything("all", cfg.epochs - cfg.unfreeze_at)
