from .layer import FixedPointLayer
