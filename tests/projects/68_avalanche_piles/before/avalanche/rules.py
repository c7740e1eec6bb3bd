def settle(index, load):
    """A layer of snow on top of what lies there; too much of it slides."""
    if load > 3.0:
        load = load * 0.5
    return load + 1.0
