def usable(grads, variables):
    """Pairs for the optimizer; variables without a gradient are left out."""
    return [(g, v) for g, v in zip(grads, variables) if g is not None]
