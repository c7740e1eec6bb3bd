def present(gradients, variables):
    """The pairs that have a gradient."""
    return [(gradient, variable) for gradient, variable in zip(gradients, variables) if gradient is not None]
