from .pipeline import make_dataset
